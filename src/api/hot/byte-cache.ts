import { LRUCache } from 'lru-cache';

export interface ByteCacheOptions<Entry> {
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBytes: number;
  /** Size of an entry in bytes, a positive whole number. */
  readonly weightOf: (entry: Entry) => number;
  /**
   * Compares an entry with the store. Returns the same entry when it is current, its replacement when it changed, or
   * null when it is outdated.
   */
  readonly recheck: (entry: Entry, now: number) => Promise<Entry | null>;
}

/**
 * Entries by key; the least recently used are evicted first. Each entry belongs to a subject, and a notice from the
 * store drops all entries of that subject.
 */
export interface ByteCache<Entry> {
  /** The cached entry; undefined if it must be loaded. */
  peek(key: string): Entry | undefined;
  /**
   * Returns the cached entry or loads it with `read`; null if there is none. Concurrent requests for the same key share
   * one read.
   */
  load(key: string, subject: string, read: (now: number) => Promise<Entry | null>): Promise<Entry | null>;
  /** True when the entry is cached or being read. */
  has(key: string): boolean;
  /** Drops all entries of a subject. The result of a running read of it is not cached. */
  forget(subject: string): void;
  /**
   * Version number. It changes whenever a cached entry changed or a running read was dropped; while it stays the same,
   * all entries do.
   */
  version(): number;
  readonly bytes: number;
}

/**
 * Notices can be lost while a listener's connection is down. An entry that was not confirmed for this time is compared
 * with the store in the background when it is read. This is the longest time for which a lost notice has an effect.
 */
const RECHECK_MS = 5_000;
export const DEFAULT_HOT_BYTES = 64 * 1024 * 1024;

interface Held<Entry> {
  readonly entry: Entry;
  readonly subject: string;
  confirmedAt: number;
  isRechecked: boolean;
}

/**
 * Cache of replies as bytes, at most `maxBytes` in total: used for snapshots and ratings
 * (docs/decisions/0008-hot-reads.md).
 */
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
        // The store is unavailable: the entry is the best available data, and it states its age.
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
      // A read that began before the notice may return the old state: later requests do not join it, and its result is
      // not cached.
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
