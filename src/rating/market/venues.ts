import { median } from '../../domain/statistics.ts';
import { marketOfScope } from '../../domain/venue-scopes.ts';
import { type Context, type Known, numberOf, scopesOf } from '../context.ts';

/** A pool or a centralised market with what it trades at. */
export interface Venue {
  readonly scope: string;
  readonly priceUsd: Known<number> | null;
  readonly volumeUsd: Known<number> | null;
}

/** A pool below this has a price nobody pays. */
const SMALLEST_POOL_USD = 1_000;

/** All venues of the asset, pools without real liquidity left out. */
export function venuesOf(context: Context): readonly Venue[] {
  const pools = scopesOf(context, 'pool_liquidity_usd')
    .filter((scope) => (numberOf(context, 'pool_liquidity_usd', scope)?.value ?? 0) >= SMALLEST_POOL_USD)
    .map((scope) => ({
      scope,
      priceUsd: numberOf(context, 'pool_price_usd', scope),
      volumeUsd: numberOf(context, 'pool_volume_24h_usd', scope),
    }));
  const markets = scopesOf(context, 'venue_volume_24h_usd').map((scope) => ({
    scope,
    priceUsd: numberOf(context, 'venue_price_usd', scope),
    volumeUsd: numberOf(context, 'venue_volume_24h_usd', scope),
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

/** 1.4826 x MAD of ln prices over venues with trading; null with fewer than two prices. */
export function priceDispersion(
  venues: readonly Venue[],
): { readonly value: number; readonly support: readonly Known<unknown>[] } | null {
  const priced = venues.flatMap((venue) =>
    venue.priceUsd && venue.priceUsd.value > 0 && (venue.volumeUsd?.value ?? 1) > 0 ? [venue.priceUsd] : [],
  );
  if (priced.length < 2) return null;
  const logs = priced.map((row) => Math.log(row.value));
  const centre = median(logs);
  return { value: 1.4826 * median(logs.map((y) => Math.abs(y - centre))), support: priced };
}
