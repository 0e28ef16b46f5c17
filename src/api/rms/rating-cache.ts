import type { RatingReader, Standing, StoredRating } from '../../monitoring/types.ts';
import { agingReply, type HotSnapshot, openedObject } from '../hot/hot-snapshot.ts';

/** A rating's reply in memory. */
export interface HotRating {
  readonly rating: StoredRating;
  readonly reply: HotSnapshot;
}

export interface RatingCache {
  /** The newest rating of an asset (or of a plan's grid point, in milliseconds) when it is in memory. */
  peek(assetId: string, point: number | null): HotRating | undefined;
  /** From memory or the store; null when there is none. Requests for the same at the same time cost one read. */
  load(assetId: string, point: number | null): Promise<HotRating | null>;
  /** Newest ratings of many assets, in their order, by one question to the store for those not in memory. */
  loadMany(assetIds: readonly string[]): Promise<readonly (HotRating | null)[]>;
  /** Another number after anything that is in memory has changed. */
  version(): number;
  /** What is in memory of an asset is out of date. */
  forget(assetId: string): void;
  close(): void;
}

/** Notices can be missed while a listener's connection is down: so long at most goes unseen. */
const RECHECK_MS = 5_000;
/** Peers are rated too: so long a standing is believed, and the bytes stay the same under their tag. */
const STANDING_MS = 60_000;
const TOUCH_MS = 1_000;
export const DEFAULT_HOT_BYTES = 64 * 1024 * 1024;

interface Kept extends HotRating {
  readonly key: string;
  readonly standing: Standing | null;
  readonly standingAt: number;
  confirmedAt: number;
  touchedAt: number;
  renewing: boolean;
}

/** Newest ratings as bytes in memory, least recently used out first. `now` in milliseconds. */
export function createRatingCache(
  reader: Pick<RatingReader, 'latest' | 'latestOf' | 'asOf' | 'standing' | 'onRated'>,
  now: () => number,
  maxBytes: number = DEFAULT_HOT_BYTES,
): RatingCache {
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<HotRating | null>>();
  const keysOf = new Map<string, Set<string>>();
  let bytes = 0;
  let version = 0;

  function drop(key: string): void {
    const old = kept.get(key);
    if (!old) return;
    version += 1;
    kept.delete(key);
    bytes -= old.reply.weight;
    const keys = keysOf.get(old.rating.assetId);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(old.rating.assetId);
  }

  function keep(entry: Kept): void {
    drop(entry.key);
    if (entry.reply.weight > maxBytes) return;
    version += 1;
    kept.set(entry.key, entry);
    bytes += entry.reply.weight;
    keysOf.set(entry.rating.assetId, (keysOf.get(entry.rating.assetId) ?? new Set()).add(entry.key));
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  }

  function made(key: string, rating: StoredRating, standing: Standing | null, at: number): Kept {
    const reply = ratingReply(rating, standing);
    return { key, rating, reply, standing, standingAt: at, confirmedAt: at, touchedAt: at, renewing: false };
  }

  function read(assetId: string, point: number | null): Promise<StoredRating | null> {
    return point === null ? reader.latest(assetId) : reader.asOf(assetId, new Date(point).toISOString());
  }

  /** Compares with the store what nobody has confirmed for a while; until then the old answer is the best there is. */
  function renew(entry: Kept, assetId: string, point: number | null): void {
    const at = now();
    const standingIsOld = Math.abs(at - entry.standingAt) > STANDING_MS;
    entry.renewing = true;
    Promise.all([read(assetId, point), standingIsOld ? reader.standing(assetId) : entry.standing])
      .then(([rating, standing]) => {
        if (kept.get(entry.key) !== entry) return;
        if (rating?.id !== entry.rating.id) drop(entry.key);
        else if (standingIsOld) keep(made(entry.key, entry.rating, standing, at));
        else entry.confirmedAt = at;
      })
      .catch(() => {
        // The store is away: what is known is the best there is, and says its age.
        entry.confirmedAt = at;
      })
      .finally(() => {
        entry.renewing = false;
      });
  }

  function forget(assetId: string): void {
    for (const key of [...(keysOf.get(assetId) ?? [])]) drop(key);
    // A read that began before the notice may carry what was there before: nobody new joins it, nor is it kept.
    for (const key of [...loading.keys()]) if (key.endsWith(` ${assetId}`)) loading.delete(key);
  }
  const stop = reader.onRated(forget);

  function peek(assetId: string, point: number | null): HotRating | undefined {
    const entry = kept.get(keyOf(assetId, point));
    if (!entry) return undefined;
    const at = now();
    if (Math.abs(at - entry.touchedAt) >= TOUCH_MS) {
      entry.touchedAt = at;
      kept.delete(entry.key);
      kept.set(entry.key, entry);
    }
    if (Math.abs(at - entry.confirmedAt) > RECHECK_MS && !entry.renewing) renew(entry, assetId, point);
    return entry;
  }

  function start(key: string, reading: Promise<StoredRating | null>): Promise<HotRating | null> {
    const at = now();
    const load: Promise<HotRating | null> = reading
      .then(async (rating) => {
        if (!rating) return null;
        const entry = made(key, rating, await reader.standing(rating.assetId), at);
        if (loading.get(key) === load) keep(entry);
        return entry;
      })
      .finally(() => {
        if (loading.get(key) === load) loading.delete(key);
      });
    loading.set(key, load);
    return load;
  }

  return {
    peek,
    load(assetId, point) {
      const key = keyOf(assetId, point);
      const found = peek(assetId, point);
      if (found) return Promise.resolve(found);
      return loading.get(key) ?? start(key, read(assetId, point));
    },
    loadMany(assetIds) {
      const missing = assetIds.filter((id) => !kept.has(keyOf(id, null)) && !loading.has(keyOf(id, null)));
      if (missing.length > 0) {
        const rows = reader.latestOf(missing).then((found) => new Map(found.map((rating) => [rating.assetId, rating])));
        for (const id of missing) {
          const row = rows.then((found) => found.get(id) ?? null);
          start(keyOf(id, null), row).catch(() => undefined);
        }
      }
      return Promise.all(assetIds.map((id) => this.load(id, null)));
    },
    version: () => version,
    forget,
    close: stop,
  };
}

/** The record's members as they are stored and signed, then what a reply adds: standing, signature, age. */
export function ratingReply(rating: StoredRating, standing: Standing | null): HotSnapshot {
  const added = `,"standing":${JSON.stringify(standingView(standing))},${signatureMember(rating)},"age_seconds":`;
  const prefix = Buffer.concat([openedObject(rating.record), Buffer.from(added)]);
  return agingReply(prefix, Date.parse(rating.asOf), Date.parse(rating.storedAt));
}

/** A record with its signature alone, as lists and histories show it. */
export function signedRecord(rating: StoredRating): Buffer {
  return Buffer.concat([openedObject(rating.record), Buffer.from(`,${signatureMember(rating)}}`)]);
}

function signatureMember({ signature: { algorithm, key_id, value } }: StoredRating): string {
  return `"signature":${JSON.stringify({ algorithm, key_id, value })}`;
}

function standingView(standing: Standing | null) {
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
