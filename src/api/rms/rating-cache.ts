import type { PeerRank, RatingReader, StoredRating } from '../../monitoring/index.ts';
import { createByteCache, DEFAULT_HOT_BYTES } from '../hot/byte-cache.ts';
import { agingReply, type HotSnapshot, openedObject } from '../hot/hot-snapshot.ts';

/** A rating with its cached reply. */
export interface HotRating {
  readonly rating: StoredRating;
  readonly reply: HotSnapshot;
}

export interface RatingCache {
  /** The newest rating of an asset (or the one at a plan's grid point, in milliseconds) if it is cached. */
  peek(assetId: string, point: number | null): HotRating | undefined;
  /** From memory or the store; null if there is none. Concurrent requests for the same rating share one read. */
  load(assetId: string, point: number | null): Promise<HotRating | null>;
  /** Newest ratings of many assets, in their order. One read of the store fetches those that are not cached. */
  loadMany(assetIds: readonly string[]): Promise<readonly (HotRating | null)[]>;
  /** Version number; it changes whenever a cached entry changes. */
  version(): number;
  /** Drops the cached entries of an asset. */
  forget(assetId: string): void;
  close(): void;
}

/**
 * The ranks of peers change too: the member `standing` is reread after this time. Until then the bytes stay the same
 * under their tag.
 */
const STANDING_MS = 60_000;

interface Kept extends HotRating {
  readonly point: number | null;
  readonly standing: PeerRank | null;
  readonly rankedAt: number;
}

/** Cache of the newest ratings as bytes; the least recently used are evicted first. `now` in milliseconds. */
export function createRatingCache(
  reader: Pick<RatingReader, 'latest' | 'latestOf' | 'asOf' | 'standing' | 'onRated'>,
  now: () => number,
  maxBytes: number = DEFAULT_HOT_BYTES,
): RatingCache {
  function read(assetId: string, point: number | null): Promise<StoredRating | null> {
    return point === null ? reader.latest(assetId) : reader.asOf(assetId, new Date(point).toISOString());
  }

  const cache = createByteCache<Kept>({
    now,
    maxBytes,
    weightOf: ({ reply }) => reply.weight,
    async recheck(entry, at) {
      const { assetId } = entry.rating;
      const rankIsOld = Math.abs(at - entry.rankedAt) > STANDING_MS;
      const [rating, standing] = await Promise.all([
        read(assetId, entry.point),
        rankIsOld ? reader.standing(assetId) : entry.standing,
      ]);
      if (rating?.id !== entry.rating.id || isCorrectedAnew(rating, entry.rating)) return null;
      return rankIsOld ? keptOf(entry.rating, entry.point, standing, at) : entry;
    },
  });

  function start(assetId: string, point: number | null, read: () => Promise<StoredRating | null>) {
    return cache.load(keyOf(assetId, point), assetId, async (at) => {
      const rating = await read();
      return rating && keptOf(rating, point, await reader.standing(rating.assetId), at);
    });
  }

  const load: RatingCache['load'] = (assetId, point) => start(assetId, point, () => read(assetId, point));

  return {
    peek: (assetId, point) => cache.peek(keyOf(assetId, point)),
    load,
    loadMany(assetIds) {
      const missing = assetIds.filter((id) => !cache.has(keyOf(id, null)));
      if (missing.length > 0) {
        const rows = reader.latestOf(missing).then((found) => new Map(found.map((rating) => [rating.assetId, rating])));
        for (const id of missing)
          start(id, null, () => rows.then((found) => found.get(id) ?? null)).catch(() => undefined);
      }
      return Promise.all(assetIds.map((id) => load(id, null)));
    },
    version: cache.version,
    forget: cache.forget,
    close: reader.onRated(cache.forget),
  };
}

function keptOf(rating: StoredRating, point: number | null, standing: PeerRank | null, at: number): Kept {
  return { rating, point, reply: ratingReply(rating, standing), standing, rankedAt: at };
}

function isCorrectedAnew({ correction: found }: StoredRating, { correction: kept }: StoredRating): boolean {
  return found?.restatement_id !== kept?.restatement_id;
}

/**
 * The record's members as stored and signed, followed by those that a reply adds: correction (if there is one), standing,
 * signature, age.
 */
export function ratingReply(rating: StoredRating, standing: PeerRank | null): HotSnapshot {
  const added = `${correctionMember(rating)},"standing":${JSON.stringify(rankView(standing))},${signatureMember(rating)},"age_seconds":`;
  const prefix = Buffer.concat([openedObject(rating.record), Buffer.from(added)]);
  return agingReply(prefix, Date.parse(rating.asOf), Date.parse(rating.storedAt));
}

/** A record with only its signature added, as used in lists and histories. */
export function signedRecord(rating: StoredRating): Buffer {
  return Buffer.concat([openedObject(rating.record), Buffer.from(`,${signatureMember(rating)}}`)]);
}

function signatureMember({ signature: { algorithm, key_id, value } }: StoredRating): string {
  return `"signature":${JSON.stringify({ algorithm, key_id, value })}`;
}

/** `,"correction":{...}` of a rating that was corrected; otherwise nothing. */
export function correctionMember({ correction = null }: StoredRating): string {
  return correction === null ? '' : `,"correction":${JSON.stringify(correction)}`;
}

function rankView(standing: PeerRank | null) {
  return (
    standing && {
      category: standing.category,
      category_percentile: standing.categoryPercentile,
      category_peers: standing.categoryPeers,
      size_group: standing.sizeGroup,
      size_percentile: standing.sizePercentile,
      size_peers: standing.sizePeers,
    }
  );
}

function keyOf(assetId: string, point: number | null): string {
  return `${point ?? 'newest'} ${assetId}`;
}
