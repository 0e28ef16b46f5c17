import { type ForeignPeg, foreignPeg, type RejectionReason, type Vfr, type VfrZone } from '../../domain/index.ts';
import { gathersYield, pegTarget } from '../category.ts';
import { type Context, type Known, numberOf } from '../context.ts';
import { fourDigits, noVfr } from './result.ts';

/** Value in US dollars that a unit can be redeemed for, and how it is known. */
interface Par {
  readonly value: number;
  /**
   * The observation that states it: a redemption value, a peg, or the rate of its currency or metal. Null where
   * registries list the asset as a dollar stablecoin.
   */
  readonly stated: Known<number> | null;
  readonly note: string;
  /** Relative deviation of the price that still counts as fair. */
  readonly fair: number;
}

/**
 * Values an asset by its redemption: price over the issuer's redemption value, over the peg in the coin's own currency,
 * or over an ounce of its metal. Fair within 0.5 % (stablecoins) or 1 %.
 */
export function byPeg(context: Context): Vfr {
  const price = numberOf(context, 'price_usd');
  const stated = numberOf(context, 'redemption_value_usd');
  if (stated && !isSettled(stated, context)) return noVfr('the sources disagree about the redemption value');
  if (!price || price.value <= 0) return noVfr('there is no price');
  const par = stated === null ? parOf(context, price.value) : redeemed(stated, context);
  if (typeof par === 'string') return noVfr(par);
  const value = price.value / par.value;
  const low = typeof price.consensus.low === 'number' ? price.consensus.low / par.value : value;
  const high = typeof price.consensus.high === 'number' ? price.consensus.high / par.value : value;
  return {
    ...noVfr(''),
    value: round(value),
    zone: zoneOf(value - 1, par.fair, context.methodology.vfr.peg.mild),
    interval: [round(low), round(high)],
    method: 'peg',
    reason: null,
    notes: [
      par.note,
      ...(par.stated !== null && isPromise(par.stated)
        ? ['It is what the issuer promises its customers, not what a contract pays.']
        : []),
    ],
  };
}

function redeemed(stated: Known<number>, { category, methodology }: Context): Par | string {
  if (stated.value <= 0)
    return 'the redemption value is not known: no listed issuer, or no rate of it that can be true';
  const { stablecoinFair, lstFair } = methodology.vfr.peg;
  return {
    value: stated.value,
    stated,
    note: asStated(stated.value),
    fair: category === 'stablecoin' ? stablecoinFair : lstFair,
  };
}

/** Par of an asset whose redemption value no source states, or the reason why it is unknown. */
function parOf(context: Context, priceUsd: number): Par | string {
  if (context.class === 'commodity') return ofMetal(context, priceUsd);
  if (context.category !== 'stablecoin')
    return 'the redemption value is not known: no listed issuer, or no rate of it that can be true';
  const { stablecoinFair: fair } = context.methodology.vfr.peg;
  const target = pegTarget(context);
  if (target !== null && target > 0) {
    const stated = numberOf(context, 'peg_target_usd');
    return {
      value: target,
      stated,
      note: stated
        ? asStated(target)
        : 'No source states the redemption value: registries file it among dollar stablecoins.',
      fair,
    };
  }
  const foreign = gathersYield(context) ? null : foreignPeg(context.input.consensus);
  if (foreign === null) return 'no registry says that it is pegged to the dollar, or how many dollars its peg is worth';
  return (
    inOwnCurrency(foreign, context, fair) ?? `no source has a rate of the currency of its peg (${foreign.currency})`
  );
}

/** Compares a metal token with one ounce of its metal, the unit that issuers redeem in. */
function ofMetal(context: Context, priceUsd: number): Par | string {
  const { metalFair, unitFactor } = context.methodology.vfr.peg;
  const metal = foreignPeg(context.input.consensus);
  if (metal === null || !metal.isMetal) return 'no source says which metal it stands for';
  const par = inOwnCurrency(metal, context, metalFair);
  if (par === null) return `no source has a price of the metal (${metal.currency})`;
  const ratio = priceUsd / par.value;
  return ratio > unitFactor || ratio < 1 / unitFactor
    ? 'a token of it is no ounce, and no source says how much it is'
    : par;
}

function inOwnCurrency({ currency, rate }: ForeignPeg, { methodology }: Context, fair: number): Par | null {
  if (rate === null || rate.confidence < methodology.vfr.minimumDriverConfidence) return null;
  const note = `The interval is that of the price; one ${currency} is taken for ${fourDigits(rate.value)} USD, the rate of the day.`;
  return { value: rate.value, stated: null, note, fair };
}

function asStated(value: number): string {
  return `The interval is that of the price; the redemption value of ${fourDigits(value)} USD is taken as stated.`;
}

function isPromise({ consensus }: Known<number>): boolean {
  return consensus.voices.some((voice) => voice.accepted && voice.family === 'issuer_disclosure');
}

/** Rejection reasons of observations that were still weighed against the others; null: accepted. */
const WEIGHED: ReadonlySet<RejectionReason | null> = new Set([
  null,
  'outlier',
  'unit_mismatch',
  'lower_tier_in_dispute',
]);

/**
 * The zones are only a few percent wide. A redemption value counts when more than half of the weight, and at least one
 * observation of every tier, lies within the mild zone around it. Two nodes repeat the same oracle and must not outvote
 * the market alone.
 */
function isSettled({ value, confidence, consensus }: Known<number>, context: Context): boolean {
  const { peg, minimumDriverConfidence } = context.methodology.vfr;
  const voices = consensus.voices.filter((voice) => WEIGHED.has(voice.reason));
  const weightOf = (heard: typeof voices) => heard.reduce((sum, voice) => sum + voice.weight, 0);
  const near = voices.filter(
    (voice) => typeof voice.value === 'number' && Math.abs(voice.value / value - 1) <= peg.mild,
  );
  return (
    consensus.status !== 'disputed' &&
    confidence >= minimumDriverConfidence &&
    weightOf(near) > weightOf(voices) / 2 &&
    voices.every(({ tier }) => near.some((voice) => voice.tier === tier))
  );
}

function zoneOf(distance: number, fair: number, mild: number): VfrZone {
  if (Math.abs(distance) <= fair) return 'FAIR';
  if (distance < 0) return distance < -mild ? 'DEEP_DISCOUNT' : 'DISCOUNT';
  return distance > mild ? 'EXTREME_PREMIUM' : 'PREMIUM';
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
