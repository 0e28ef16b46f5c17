import type { Category } from '../domain/index.ts';
import type { Database } from '../store/index.ts';
import { type PeerCount, peerCounts, peerOf } from '../store/index.ts';
import type { Standing } from './types.ts';

/** Fewer peers than this say nothing. */
const LEAST_PEERS = 5;
/** Scores of a category are counted anew after so long. */
const BELIEVE_MS = 60_000;

/** Where assets stand among their peers; the counts of a category are shared by all who ask within a minute. */
export function createStandings(db: Database, now: () => number): (assetId: string) => Promise<Standing | null> {
  const counted = new Map<string, { readonly counts: Promise<readonly PeerCount[]>; readonly at: number }>();

  function countsOf(category: string): Promise<readonly PeerCount[]> {
    const known = counted.get(category);
    // A clock that steps back makes what was counted later no newer.
    if (known && Math.abs(now() - known.at) < BELIEVE_MS) return known.counts;
    const counts = peerCounts(db, category);
    counted.set(category, { counts, at: now() });
    counts.catch(() => counted.delete(category));
    return counts;
  }

  return async (assetId) => {
    const asset = await peerOf(db, assetId);
    return asset && standingAmong(asset, await countsOf(asset.category));
  };
}

/**
 * Share of the peers (without the asset itself) that score lower, ties by half, 0-100 in steps of 0.1: of the category, and of
 * the category's assets whose market capitalisation lies in the same decade.
 */
export function standingAmong(
  asset: { readonly category: string; readonly score: number | null; readonly decade: number | null },
  counts: readonly PeerCount[],
): Standing {
  const all = among(asset.score, counts);
  const sized =
    asset.decade === null
      ? null
      : among(
          asset.score,
          counts.filter((one) => one.decade === asset.decade),
        );
  return {
    category: asset.category as Category,
    categoryPercentile: all.percentile,
    categoryPeers: all.peers,
    sizeGroup: asset.decade === null ? null : `1e${asset.decade}-1e${asset.decade + 1} USD`,
    sizePercentile: sized?.percentile ?? null,
    sizePeers: sized?.peers ?? 0,
  };
}

function among(
  score: number | null,
  counts: readonly PeerCount[],
): { readonly percentile: number | null; readonly peers: number } {
  let [lower, same, total] = [0, 0, 0];
  for (const one of counts) {
    total += one.assets;
    if (score === null) continue;
    if (one.score < score) lower += one.assets;
    else if (one.score === score) same += one.assets;
  }
  // The counts may be older than the asset's score: then it is not among them.
  const others = Math.max(0, same - 1);
  const peers = score === null || same === 0 ? total : total - 1;
  if (score === null || peers < LEAST_PEERS) return { percentile: null, peers };
  return { percentile: Math.round((1_000 * (lower + others / 2)) / peers) / 10, peers };
}
