import type { ConsensusSet } from '../domain/index.ts';
import { marketOfScope, median, robustSd } from '../domain/index.ts';
import { type Known, numberAt, scopesWith } from './agreed.ts';
import { SMALLEST_POOL_USD } from './liquidity.ts';

/** A pool or a centralised market with what it trades at. */
export interface Venue {
  /** `pool:<address>` or `venue:<exchange>:<base>-<quote>`. */
  readonly scope: string;
  readonly priceUsd: Known<number> | null;
  readonly volumeUsd: Known<number> | null;
}

/** All venues of the asset, pools first, each group by scope; pools without real liquidity are left out. */
export function venuesOf(set: ConsensusSet): readonly Venue[] {
  const pools = scopesWith(set, 'pool_liquidity_usd')
    .filter((scope) => (numberAt(set, 'pool_liquidity_usd', scope)?.value ?? 0) >= SMALLEST_POOL_USD)
    .map((scope) => ({
      scope,
      priceUsd: numberAt(set, 'pool_price_usd', scope),
      volumeUsd: numberAt(set, 'pool_volume_24h_usd', scope),
    }));
  const markets = scopesWith(set, 'venue_volume_24h_usd').map((scope) => ({
    scope,
    priceUsd: numberAt(set, 'venue_price_usd', scope),
    volumeUsd: numberAt(set, 'venue_volume_24h_usd', scope),
  }));
  return [...pools, ...markets];
}

/**
 * 1 / HHI of the volume: how many equal venues the trading amounts to; null without any volume. All markets of an exchange
 * are one venue, for it fails or delists as one; each pool is one, for its liquidity is its own.
 */
export function effectiveVenues(venues: readonly Venue[]): {
  readonly count: number;
  /** Venues that the volume is spread over. */
  readonly of: number;
  /** 0-1. */
  readonly largestShare: number;
  readonly support: readonly Known<unknown>[];
} | null {
  const volumes = new Map<string, number>();
  const support: Known<unknown>[] = [];
  for (const { scope, volumeUsd } of venues) {
    if (!volumeUsd || volumeUsd.value <= 0) continue;
    const venue = marketOfScope(scope)?.exchange ?? scope;
    volumes.set(venue, (volumes.get(venue) ?? 0) + volumeUsd.value);
    support.push(volumeUsd);
  }
  const total = [...volumes.values()].reduce((sum, volume) => sum + volume, 0);
  if (total <= 0) return null;
  const shares = [...volumes.values()].map((volume) => volume / total);
  return {
    count: 1 / shares.reduce((sum, share) => sum + share ** 2, 0),
    of: shares.length,
    largestShare: Math.max(...shares),
    support,
  };
}

/**
 * Dispersion of prices: the robust deviation (1.4826 x MAD) of ln prices over venues, a fraction. A venue that reports a volume
 * of zero does not count; null with fewer than two prices.
 */
export function priceDispersion(
  venues: readonly Venue[],
): { readonly value: number; readonly support: readonly Known<number>[] } | null {
  const priced = venues.flatMap((venue) =>
    venue.priceUsd && venue.priceUsd.value > 0 && (venue.volumeUsd?.value ?? 1) > 0 ? [venue.priceUsd] : [],
  );
  const logs = priced.map((row) => Math.log(row.value));
  const value = robustSd(logs, median(logs) ?? 0);
  return value === null || priced.length < 2 ? null : { value, support: priced };
}
