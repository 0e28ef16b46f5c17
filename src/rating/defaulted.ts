import { type Flag, foreignPeg, lostWorth } from '../domain/index.ts';
import { pegTarget } from './category.ts';
import { type Context, numberOf } from './context.ts';

/** A default that evidence of the moment shows, without days of own records. */
export interface Defaulted {
  /** Flag behind it; null for one that prices show. */
  readonly flag: string | null;
  readonly detail: string;
}

/** The default of an asset by what is known now (methodology 4.4): an executed rug, a coin whose chart shows that it lost its peg, or a receipt that lost what it stands for. */
export function defaultOf(context: Context, flags: readonly Flag[]): Defaulted | null {
  if (flags.some((flag) => flag.code === 'RUG_EXECUTED'))
    return { flag: 'RUG_EXECUTED', detail: 'liquidity was taken out by wallets linked to the creator' };
  return lostPeg(context) ?? lostReceipt(context);
}

/** Far below what it stands for by price and redemption value that several groups agree on, and so for days by its chart, or while redemption is suspended. */
function lostReceipt({ category, input, methodology }: Context): Defaulted | null {
  if (category !== 'lst_wrapped') return null;
  const rules = methodology.publication.default;
  const { byChart, bySuspension } = lostWorth(input.consensus, { ...rules, ...rules.wrapped });
  const far = `below ${rules.wrapped.share} of what it stands for`;
  if (byChart === true) return { flag: null, detail: `${far}, by its chart too` };
  return bySuspension === true ? { flag: null, detail: `${far}, and redemption is suspended` } : null;
}

/**
 * Far below its peg by the agreed price, and not for the first day: the chart holds the departure as an event of a day or more. Where the last
 * day was watched too, it lay below for all of it.
 */
function lostPeg(context: Context): Defaulted | null {
  const { price: share } = context.methodology.publication.default.stablecoin;
  const { factual } = context.methodology.capConfidence;
  // A coin that gathers its yield is worth more than its peg, and has lost it all the more when it is worth less.
  const target = pegTarget(context) ?? numberOf(context, 'peg_target_usd')?.value;
  // Departures are measured in the currency of the peg; so is the price, by the rate of the day. A unit of metal is not known.
  const foreign = target === null || target === undefined ? foreignPeg(context.input.consensus) : null;
  const par = foreign === null ? (target ?? null) : foreign.isMetal ? null : (foreign.rate?.value ?? null);
  if (par === null || (foreign === null && par !== 1)) return null;
  const [now, held, events] = [
    numberOf(context, 'price_usd'),
    numberOf(context, 'peg_deviation_24h_held'),
    numberOf(context, 'depeg_aged_sum'),
  ];
  if (now === null || events === null) return null;
  // A chart in dollars may have shown the departure of a coin of another currency; its own chart also shows that the peg held.
  if (held === null && foreign !== null) return null;
  const isSure = [now, events, ...(held === null ? [] : [held])].every((row) => row.confidence >= factual);
  const isLost = now.value / par < share && (held === null || held.value > 1 - share) && events.value > 1 - share;
  return isSure && isLost ? { flag: null, detail: `below ${share} of its peg, by its chart too` } : null;
}
