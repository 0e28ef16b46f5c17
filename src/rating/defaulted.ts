import { type Flag, foreignPeg, lostWorth } from '../domain/index.ts';
import { pegTarget } from './category.ts';
import { type Context, numberOf } from './context.ts';
import { factualConfidence } from './liquidity-caps.ts';

/** A default that current evidence shows, without several days of Assay's own records. */
export interface Defaulted {
  /** Flag that shows the default; null when prices show it. */
  readonly flag: string | null;
  readonly detail: string;
}

/**
 * Detects a default from current evidence (methodology 4.4): an executed rug, a coin whose chart shows that it lost its
 * peg, or a receipt that lost the value of its underlying.
 */
export function defaultOf(context: Context, flags: readonly Flag[]): Defaulted | null {
  if (flags.some((flag) => flag.code === 'RUG_EXECUTED'))
    return { flag: 'RUG_EXECUTED', detail: 'liquidity was taken out by wallets linked to the creator' };
  return lostPeg(context) ?? lostReceipt(context);
}

/**
 * A receipt far below the value of its underlying, by a price and a redemption value that several lineage groups agree
 * on. Its chart must show this for days, or redemption must be suspended.
 */
function lostReceipt({ category, input, methodology }: Context): Defaulted | null {
  if (category !== 'lst_wrapped') return null;
  const rules = methodology.publication.default;
  const { byChart, bySuspension } = lostWorth(input.consensus, { ...rules, ...rules.wrapped });
  const far = `below ${rules.wrapped.share} of what it stands for`;
  if (byChart === true) return { flag: null, detail: `${far}, by its chart too` };
  return bySuspension === true ? { flag: null, detail: `${far}, and redemption is suspended` } : null;
}

/**
 * A coin far below its peg by the agreed price, for more than one day: the chart records the deviation as an event of a
 * day or longer. Where the last 24 hours were observed too, the price was below for all of them.
 */
function lostPeg(context: Context): Defaulted | null {
  const { price: share } = context.methodology.publication.default.stablecoin;
  const { factual } = context.methodology.capConfidence;
  // A coin that accrues yield normally trades above its peg, so a price below the peg is a stronger sign of loss.
  const target = pegTarget(context) ?? numberOf(context, 'peg_target_usd')?.value;
  // Deviations and the price are both measured in the currency of the peg, at the exchange rate of the day. For metals
  // the unit is not known.
  const foreign = target === null || target === undefined ? foreignPeg(context.input.consensus) : null;
  const par = foreign === null ? (target ?? null) : foreign.isMetal ? null : (foreign.rate?.value ?? null);
  if (par === null || (foreign === null && par !== 1)) return null;
  const [now, held, events] = [
    numberOf(context, 'price_usd'),
    numberOf(context, 'peg_deviation_24h_held'),
    numberOf(context, 'depeg_aged_sum'),
  ];
  if (now === null || events === null) return null;
  // For a coin pegged to another currency, a deviation may come from a chart in dollars; its own chart may show that
  // the peg held.
  if (held === null && foreign !== null) return null;
  // A chart is one source; the price is agreed by several.
  const charted = [events, ...(held === null ? [] : [held])];
  const isSure = now.confidence >= factual && charted.every((row) => row.confidence >= factualConfidence(context));
  const isLost = now.value / par < share && (held === null || held.value > 1 - share) && events.value > 1 - share;
  return isSure && isLost ? { flag: null, detail: `below ${share} of its peg, by its chart too` } : null;
}
