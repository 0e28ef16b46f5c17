import type { RejectionReason, Vfr, VfrZone } from '../../domain/index.ts';
import { pegTarget } from '../category.ts';
import { type Context, type Known, numberOf } from '../context.ts';
import { fourDigits, noVfr } from './result.ts';

/** Stablecoins and staked or wrapped assets: price over redemption value; fair within 0.5 % (1 % for staked and wrapped). */
export function byPeg(context: Context): Vfr {
  const price = numberOf(context, 'price_usd');
  const stated = numberOf(context, 'redemption_value_usd');
  if (stated && !isSettled(stated, context)) return noVfr('the sources disagree about the redemption value');
  const isStablecoin = context.category === 'stablecoin';
  const redemption = stated ?? (isStablecoin ? numberOf(context, 'peg_target_usd') : null);
  if (!price || price.value <= 0) return noVfr('there is no price');
  const par = stated?.value ?? (isStablecoin ? pegTarget(context) : null);
  if (par === null || par <= 0) {
    return noVfr(
      isStablecoin
        ? 'no registry says that it is pegged to the dollar, or how many dollars its peg is worth'
        : 'the redemption value is not known: no listed issuer, or no rate of it that can be true',
    );
  }
  const { stablecoinFair, lstFair, mild } = context.methodology.vfr.peg;
  const fair = isStablecoin ? stablecoinFair : lstFair;
  const value = price.value / par;
  const low = typeof price.consensus.low === 'number' ? price.consensus.low / par : value;
  const high = typeof price.consensus.high === 'number' ? price.consensus.high / par : value;
  return {
    ...noVfr(''),
    value: round(value),
    zone: zoneOf(value - 1, fair, mild),
    interval: [round(low), round(high)],
    method: 'peg',
    reason: null,
    notes: redemption
      ? [
          `The interval is that of the price; the redemption value of ${fourDigits(par)} USD is taken as stated.`,
          ...(isPromise(redemption) ? ['It is what the issuer promises its customers, not what a contract pays.'] : []),
        ]
      : ['No source states the redemption value: registries file it among dollar stablecoins.'],
  };
}

function isPromise({ consensus }: Known<number>): boolean {
  return consensus.voices.some((voice) => voice.accepted && voice.family === 'issuer_disclosure');
}

/** Observations that were weighed against the others, whether they were accepted or not. */
const WEIGHED: ReadonlySet<RejectionReason | null> = new Set([
  null,
  'outlier',
  'unit_mismatch',
  'lower_tier_in_dispute',
]);

/**
 * The zones are a few percent wide: a redemption value counts when most of the weight stands within the mild one around it,
 * and somebody of every tier does. Two nodes repeat one oracle, so they alone must not outvote the market.
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
