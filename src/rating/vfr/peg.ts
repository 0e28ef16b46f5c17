import type { Vfr, VfrZone } from '../../domain/rating.ts';
import { type Context, numberOf } from '../context.ts';
import { noVfr } from './none.ts';

/** Stablecoins and staked or wrapped assets: price over redemption value; fair within 0.5 % (1 % for staked and wrapped). */
export function byPeg(context: Context): Vfr {
  const price = numberOf(context, 'price_usd');
  const redemption =
    numberOf(context, 'redemption_value_usd') ??
    (context.category === 'stablecoin' ? (numberOf(context, 'peg_target_usd') ?? null) : null);
  if (!price || price.value <= 0) return noVfr('there is no price');
  const par = redemption?.value ?? (context.category === 'stablecoin' ? 1 : null);
  if (par === null || par <= 0) return noVfr('the redemption value is not known');
  const { stablecoinFair, lstFair, mild } = context.methodology.vfr.peg;
  const fair = context.category === 'stablecoin' ? stablecoinFair : lstFair;
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
      ? ['The interval is that of the price; the redemption value is taken as stated.']
      : ['No source states the redemption value: one US dollar is assumed.'],
  };
}

function zoneOf(distance: number, fair: number, mild: number): VfrZone {
  if (Math.abs(distance) <= fair) return 'FAIR';
  if (distance < 0) return distance < -mild ? 'DEEP_DISCOUNT' : 'DISCOUNT';
  return distance > mild ? 'EXTREME_PREMIUM' : 'PREMIUM';
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
