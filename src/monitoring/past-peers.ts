import { LRUCache } from 'lru-cache';
import { quantile, type ScoreReport } from '../domain/index.ts';
import { type Database, evidenceOf, peersThen, type ReadMoved } from '../store/index.ts';
import { LEAST_PEERS } from './reader.ts';

/** Most peers read for one report: each is an archived result of some hundred kilobytes. */
const MOST_PEERS = 30;
const MOST_KEPT = 2_000;

/** Quartiles of a factor's scores over the peers of an asset. */
export interface FactorQuartiles {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Distribution of a rating's peers when it was made; `factors` is empty where there are too few. */
export interface PeersOfRating {
  readonly count: number;
  readonly factors: Readonly<Record<string, FactorQuartiles>>;
}

/** The class of a past rating, and the scores of its factors. */
interface PastRating {
  readonly class: string | null;
  readonly factors: Readonly<Record<string, number>>;
}

/**
 * Reads the scores of other assets of a rating's class at the time of the rating, from their archived results, so that
 * the same rating always has the same peers. Throws `EvidenceUnavailable`, since without some of its peers the report
 * would differ.
 */
export function createPastPeers(db: Database, readMoved: ReadMoved): (report: ScoreReport) => Promise<PeersOfRating> {
  // A job's result never changes; which class asks for it does.
  const kept = new LRUCache<string, PastRating>({ max: MOST_KEPT });

  async function ratingOf(jobId: string): Promise<PastRating> {
    const known = kept.get(jobId);
    if (known !== undefined) return known;
    const archived = await evidenceOf(db, jobId, readMoved);
    const rating =
      archived === null ? null : (JSON.parse(new TextDecoder().decode(archived.result)) as ScoreReport).rating;
    const found = {
      class: rating?.class ?? null,
      factors: Object.fromEntries(rating?.factors.map(({ code, score }) => [code, score]) ?? []),
    };
    kept.set(jobId, found);
    return found;
  }

  return async ({ evidence, published, rating }) => {
    const found = await peersThen(db, {
      of: rating.class,
      except: published.asset.id,
      at: evidence.asOf,
      methodology: evidence.methodologyVersion,
      limit: MOST_PEERS,
    });
    const peers: Readonly<Record<string, number>>[] = [];
    for (const { jobId } of found) {
      const peer = await ratingOf(jobId);
      if (peer.class === rating.class && Object.keys(peer.factors).length > 0) peers.push(peer.factors);
    }
    const quartiles = rating.factors.flatMap(({ code }) => {
      const scores = peers.flatMap((factors) => factors[code] ?? []);
      const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(scores, share));
      if (scores.length < LEAST_PEERS || low == null || median == null || high == null) return [];
      return [[code, { low, median, high }] as const];
    });
    return { count: peers.length, factors: Object.fromEntries(quartiles) };
  };
}
