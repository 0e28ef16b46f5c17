import type { MarketSnapshot } from '../../domain/index.ts';
import { type ConsensusSet, consensusKey } from '../../domain/index.ts';
import { type Known, numberAt, priceDispersion, type Venue } from '../../metrics/index.ts';
import { type Sourced, sourcesOf } from './number.ts';

type VenueRow = MarketSnapshot['venues'][number];

const MOST_VENUES = 100;

/** The venues as they are served: largest volume first, at most a hundred. */
export function venueRows(consensus: ConsensusSet, venues: readonly Venue[]): readonly VenueRow[] {
  return venues
    .map((venue) => venueRow(consensus, venue))
    .sort((a, b) => (b.volume_24h_usd ?? 0) - (a.volume_24h_usd ?? 0) || (a.venue < b.venue ? -1 : 1))
    .slice(0, MOST_VENUES);
}

/** Dispersion of the venues' prices in percent; null with fewer than two. */
export function dispersionOf(venues: readonly Venue[]): Sourced | null {
  const found = priceDispersion(venues);
  return (
    found && {
      value: found.value * 100,
      provenance: {
        sources: namesOf(found.support),
        outvoted: [],
        confidence: Math.min(...found.support.map((price) => price.confidence)),
        interval: null,
        method: 'derived',
      },
    }
  );
}

function venueRow(consensus: ConsensusSet, { scope, priceUsd, volumeUsd }: Venue): VenueRow {
  const isPool = scope.startsWith('pool:');
  const dex = consensus[consensusKey('pool_dex', scope)]?.value;
  return {
    venue: isPool && typeof dex === 'string' ? `${dex} ${scope.slice('pool:'.length)}` : scope.replace(/^venue:/, ''),
    price_usd: priceUsd?.value ?? null,
    volume_24h_usd: volumeUsd?.value ?? null,
    sources: namesOf([priceUsd, volumeUsd, numberAt(consensus, 'pool_liquidity_usd', scope)]),
  };
}

function namesOf(known: readonly (Known<number> | null)[]): readonly string[] {
  return [...new Set(known.flatMap((row) => (row === null ? [] : sourcesOf(row.consensus))))].sort();
}
