import { type ConsensusSet, consensusKey } from '../../domain/consensus.ts';
import type { MarketSnapshot } from '../../domain/snapshot.ts';
import { median } from '../../domain/statistics.ts';
import { agreed, type Sourced } from './number.ts';

type VenueRow = MarketSnapshot['venues'][number];

/** A market of the asset with what counts for its dispersion. */
export interface Venue {
  readonly row: VenueRow;
  readonly price: Sourced | null;
}

/** A pool below this has a price nobody pays. */
const SMALLEST_POOL_USD = 1_000;
const MOST_VENUES = 100;

/** Pools with real liquidity and centralised markets, largest volume first, at most a hundred. */
export function venuesOf(consensus: ConsensusSet): readonly Venue[] {
  const scopes = new Set<string>();
  for (const { quantity, scope } of Object.values(consensus))
    if (quantity === 'pool_liquidity_usd' || quantity === 'venue_volume_24h_usd') scopes.add(scope);
  return [...scopes]
    .flatMap((scope) => venueOf(consensus, scope))
    .sort((a, b) => (b.row.volume_24h_usd ?? 0) - (a.row.volume_24h_usd ?? 0) || (a.row.venue < b.row.venue ? -1 : 1))
    .slice(0, MOST_VENUES);
}

/** 1.4826 MAD of the venues' ln prices, in percent; null with fewer than two prices (methodology 9). */
export function dispersionOf(venues: readonly Venue[]): Sourced | null {
  const priced = venues.flatMap(({ price, row }) =>
    price && price.value > 0 && row.volume_24h_usd !== 0 ? [price] : [],
  );
  if (priced.length < 2) return null;
  const logs = priced.map((price) => Math.log(price.value));
  const centre = median(logs);
  const spread = 1.4826 * median(logs.map((value) => Math.abs(value - centre)));
  return {
    value: spread * 100,
    provenance: {
      sources: [...new Set(priced.flatMap((price) => price.provenance.sources))].sort(),
      outvoted: [],
      confidence: Math.min(...priced.map((price) => price.provenance.confidence)),
      interval: null,
      method: 'derived',
    },
  };
}

function venueOf(consensus: ConsensusSet, scope: string): readonly Venue[] {
  const isPool = scope.startsWith('pool:');
  const liquidity = agreed(consensus, 'pool_liquidity_usd', scope);
  if (isPool && (liquidity?.value ?? 0) < SMALLEST_POOL_USD) return [];
  const price = agreed(consensus, isPool ? 'pool_price_usd' : 'venue_price_usd', scope);
  const volume = agreed(consensus, isPool ? 'pool_volume_24h_usd' : 'venue_volume_24h_usd', scope);
  const dex = consensus[consensusKey('pool_dex', scope)]?.value;
  const sources = [price, volume, liquidity].flatMap((part) => part?.provenance.sources ?? []);
  const name =
    isPool && typeof dex === 'string' ? `${dex} ${scope.slice('pool:'.length)}` : scope.replace(/^venue:/, '');
  const row: VenueRow = {
    venue: name,
    price_usd: price?.value ?? null,
    volume_24h_usd: volume?.value ?? null,
    sources: [...new Set(sources)].sort(),
  };
  return [{ row, price }];
}
