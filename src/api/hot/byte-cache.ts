import { LRUCache } from 'lru-cache';

export interface ByteCacheOptions<Entry> {
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBytes: number;
  /** Bytes that an entry takes, a positive whole number. */
  readonly weightOf: (entry: Entry) => number;
  /** Compares an entry with the store: the same entry when it holds, another one that replaces it, null when it is out of date. */
  readonly recheck: (entry: Entry, now: number) => Promise<Entry | null>;
}

/** Entries by key, least recently used out first. Each belongs to a subject, by which a notice from the store drops it. */
export interface ByteCache<Entry> {
  /** The entry in memory; undefined if it must be loaded. */
  peek(key: string): Entry | undefined;
  /** From memory, else by `read`; null if there is none. Concurrent requests for the same key cost one read. */
  load(key: string, subject: string, read: (now: number) => Promise<Entry | null>): Promise<Entry | null>;
  /** In memory, or being read. */
  has(key: string): boolean;
  /** Drops all entries of a subject; a read of it that is running is not kept. */
  forget(subject: string): void;
  /** Another number after anything in memory has changed, or a read under way was dropped: while it stays the same, so do all entries. */
  version(): number;
  readonly bytes: number;
}

/**
 * Notices can be missed while a listener's connection is down. An entry that has not been confirmed for so long is compared
 * with the store in the background when it is read: the longest a missed notice can go unseen.
 */
const RECHECK_MS = 5_000;
export const DEFAULT_HOT_BYTES = 64 * 1024 * 1024;

interface Held<Entry> {
  readonly entry: Entry;
  readonly subject: string;
  confirmedAt: number;
  isRechecked: boolean;
}

/** Replies as bytes in memory, at most `maxBytes` of them: the cache of snapshots and of ratings (docs/decisions/0008-hot-reads.md). */
export function createByteCache<Entry extends object>(options: ByteCacheOptions<Entry>): ByteCache<Entry> {
  const { now, maxBytes, weightOf, recheck } = options;
  const loading = new Map<string, { readonly subject: string; readonly load: Promise<Entry | null> }>();
  /** Keys of each subject, so that a notice finds the entries it invalidates. */
  const keysOf = new Map<string, Set<string>>();
  let version = 0;
  const kept = new LRUCache<string, Held<Entry>>({
    maxSize: maxBytes,
    dispose({ subject }, key) {
      version += 1;
      const keys = keysOf.get(subject);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(subject);
    },
  });

  function keep(key: string, subject: string, entry: Entry, at: number): void {
    kept.delete(key);
    version += 1;
    const size = weightOf(entry);
    if (size > maxBytes) return;
    keysOf.set(subject, (keysOf.get(subject) ?? new Set()).add(key));
    kept.set(key, { entry, subject, confirmedAt: at, isRechecked: false }, { size });
  }

  function confirm(key: string, held: Held<Entry>, at: number): void {
    held.isRechecked = true;
    recheck(held.entry, at)
      .then((found) => {
        if (kept.peek(key) !== held) return;
        if (found === null) kept.delete(key);
        else if (found === held.entry) held.confirmedAt = at;
        else keep(key, held.subject, found, at);
      })
      .catch(() => {
        // The store is away: the entry is the best available, and states its age.
        held.confirmedAt = at;
      })
      .finally(() => {
        held.isRechecked = false;
      });
  }

  function peek(key: string): Entry | undefined {
    const held = kept.get(key);
    if (held === undefined) return undefined;
    const at = now();
    if (Math.abs(at - held.confirmedAt) > RECHECK_MS && !held.isRechecked) confirm(key, held, at);
    return held.entry;
  }

  function start(key: string, subject: string, read: (now: number) => Promise<Entry | null>): Promise<Entry | null> {
    const at = now();
    const load = read(at)
      .then((entry) => {
        if (entry !== null && loading.get(key)?.load === load) keep(key, subject, entry, at);
        return entry;
      })
      .finally(() => {
        if (loading.get(key)?.load === load) loading.delete(key);
      });
    loading.set(key, { subject, load });
    return load;
  }

  return {
    peek,
    load(key, subject, read) {
      const found = peek(key);
      if (found !== undefined) return Promise.resolve(found);
      return loading.get(key)?.load ?? start(key, subject, read);
    },
    has: (key) => kept.has(key) || loading.has(key),
    forget(subject) {
      for (const key of [...(keysOf.get(subject) ?? [])]) kept.delete(key);
      // A read that began before the notice may return the old state: no other request joins it, and it is not kept.
      for (const [key, { subject: read }] of [...loading]) {
        if (read !== subject) continue;
        loading.delete(key);
        version += 1;
      }
    },
    version: () => version,
    get bytes() {
      return kept.calculatedSize;
    },
  };
}
