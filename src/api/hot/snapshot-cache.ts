import type { SnapshotKind } from '../../domain/snapshot.ts';
import type { SnapshotReader, StoredSnapshot } from '../../indexer/types.ts';
import { type HotSnapshot, hotSnapshot } from './hot-snapshot.ts';

/** Which snapshot of an asset: the newest, or the newest of a grid point; all of it or one scope of its pools. */
export interface SnapshotView {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  /** Milliseconds; null for the newest. */
  readonly point: number | null;
  /** Name of the shape, `all` when the stored bytes are served whole. */
  readonly shape: string;
}

export interface SnapshotCache {
  /** What is in memory now; undefined when it must be loaded. */
  peek(view: SnapshotView): HotSnapshot | undefined;
  /** From memory or the store; null when there is none. Requests for the same at the same time cost one read. */
  load(view: SnapshotView, shape: (stored: StoredSnapshot) => StoredSnapshot): Promise<HotSnapshot | null>;
  readonly bytes: number;
  close(): void;
}

/**
 * Notices of new snapshots can be missed while a listener's connection is down. An entry that has not been confirmed for so
 * long is compared with the store in the background: the longest a missed notice can go unseen.
 */
const RECHECK_MS = 5_000;
const TOUCH_MS = 1_000;
export const DEFAULT_HOT_BYTES = 64 * 1024 * 1024;

interface Kept {
  readonly view: SnapshotView;
  readonly snapshot: HotSnapshot;
  readonly asOf: string;
  readonly storedAt: string;
  confirmedAt: number;
  touchedAt: number;
}

/** Snapshots as bytes in memory, least recently used out first. `now` in milliseconds. */
export function createSnapshotCache(
  reader: SnapshotReader,
  dataMode: string,
  now: () => number,
  maxBytes: number = DEFAULT_HOT_BYTES,
): SnapshotCache {
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<HotSnapshot | null>>();
  /** Keys of each asset and kind, so that a notice finds what it outdates. */
  const keysOf = new Map<string, Set<string>>();
  let bytes = 0;

  function drop(key: string): void {
    const old = kept.get(key);
    if (!old) return;
    bytes -= old.snapshot.weight;
    kept.delete(key);
    const subject = subjectOf(old.view);
    const keys = keysOf.get(subject);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(subject);
  }

  function keep(key: string, entry: Kept): void {
    drop(key);
    if (entry.snapshot.weight > maxBytes) return;
    kept.set(key, entry);
    bytes += entry.snapshot.weight;
    const subject = subjectOf(entry.view);
    const keys = keysOf.get(subject) ?? new Set();
    keysOf.set(subject, keys.add(key));
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  }

  /** Last in the row is last to go. Once a second will do: what is read more often is never near the other end. */
  function touch(key: string, entry: Kept): void {
    const at = now();
    if (at - entry.touchedAt < TOUCH_MS) return;
    entry.touchedAt = at;
    kept.delete(key);
    kept.set(key, entry);
  }

  function forget(assetId: string, kind: SnapshotKind): void {
    const subject = `${kind} ${assetId}`;
    for (const key of [...(keysOf.get(subject) ?? [])]) drop(key);
    // A read that began before the notice may carry what was there before: nobody new joins it, nor is it kept.
    for (const key of [...loading.keys()]) if (key.startsWith(`${subject} `)) loading.delete(key);
  }

  function read(view: SnapshotView): Promise<StoredSnapshot | null> {
    return view.point === null
      ? reader.latest(view.assetId, view.kind)
      : reader.asOf(view.assetId, view.kind, new Date(view.point).toISOString());
  }

  function recheck(key: string, entry: Kept): void {
    entry.confirmedAt = now();
    read(entry.view).then(
      (stored) => {
        if (stored?.asOf !== entry.asOf || stored.storedAt !== entry.storedAt) if (kept.get(key) === entry) drop(key);
      },
      // The store is away: what is known stays the best there is, and says its age.
      () => undefined,
    );
  }

  const stop = reader.onStored((assetId, kind) => forget(assetId, kind));

  return {
    peek(view) {
      const key = keyOf(view);
      const entry = kept.get(key);
      if (!entry) return undefined;
      touch(key, entry);
      if (now() - entry.confirmedAt > RECHECK_MS) recheck(key, entry);
      return entry.snapshot;
    },
    load(view, shape) {
      const found = this.peek(view);
      if (found) return Promise.resolve(found);
      const key = keyOf(view);
      const running = loading.get(key);
      if (running) return running;
      const startedAt = now();
      const load = read(view)
        .then((stored) => {
          if (!stored) return null;
          const snapshot = hotSnapshot(shape(stored), dataMode);
          if (loading.get(key) === load)
            keep(key, {
              view,
              snapshot,
              asOf: stored.asOf,
              storedAt: stored.storedAt,
              confirmedAt: startedAt,
              touchedAt: startedAt,
            });
          return snapshot;
        })
        .finally(() => {
          if (loading.get(key) === load) loading.delete(key);
        });
      loading.set(key, load);
      return load;
    },
    get bytes() {
      return bytes;
    },
    close: stop,
  };
}

function subjectOf(view: SnapshotView): string {
  return `${view.kind} ${view.assetId}`;
}

function keyOf(view: SnapshotView): string {
  return `${view.kind} ${view.assetId} ${view.point ?? 'newest'} ${view.shape}`;
}
