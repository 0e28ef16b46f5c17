import type { SnapshotKind } from '../../domain/index.ts';
import type { SnapshotReader, StoredSnapshot } from '../../indexer/index.ts';
import { createByteCache, DEFAULT_HOT_BYTES } from './byte-cache.ts';
import { type HotSnapshot, hotSnapshot } from './hot-snapshot.ts';

/**
 * Selects a snapshot of an asset: the newest or the newest at a grid point, either whole or limited to one scope of its
 * pools.
 */
export interface SnapshotView {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  /** Milliseconds; null for the newest. */
  readonly point: number | null;
  /** Name of the shape; `all` when the stored bytes are served unchanged. */
  readonly shape: string;
}

export interface SnapshotCache {
  /** The cached snapshot; undefined if it must be loaded. */
  peek(view: SnapshotView): HotSnapshot | undefined;
  /** From memory or the store; null if there is none. Concurrent requests for the same snapshot share one read. */
  load(view: SnapshotView, shape: (stored: StoredSnapshot) => StoredSnapshot): Promise<HotSnapshot | null>;
  readonly bytes: number;
  close(): void;
}

interface Kept {
  readonly view: SnapshotView;
  readonly snapshot: HotSnapshot;
  readonly asOf: string;
  readonly storedAt: string;
}

/** Cache of snapshots as bytes; the least recently used are evicted first. `now` in milliseconds. */
export function createSnapshotCache(
  reader: SnapshotReader,
  dataMode: string,
  now: () => number,
  maxBytes: number = DEFAULT_HOT_BYTES,
): SnapshotCache {
  function read(view: SnapshotView): Promise<StoredSnapshot | null> {
    return view.point === null
      ? reader.latest(view.assetId, view.kind)
      : reader.asOf(view.assetId, view.kind, new Date(view.point).toISOString());
  }

  const cache = createByteCache<Kept>({
    now,
    maxBytes,
    weightOf: ({ snapshot }) => snapshot.weight,
    async recheck(entry) {
      const stored = await read(entry.view);
      return stored?.asOf === entry.asOf && stored.storedAt === entry.storedAt ? entry : null;
    },
  });
  const stop = reader.onStored((assetId, kind) => cache.forget(subjectOf(assetId, kind)));

  return {
    peek: (view) => cache.peek(keyOf(view))?.snapshot,
    async load(view, shape) {
      const entry = await cache.load(keyOf(view), subjectOf(view.assetId, view.kind), async () => {
        const stored = await read(view);
        if (!stored) return null;
        const { asOf, storedAt } = stored;
        return { view, snapshot: hotSnapshot(shape(stored), dataMode), asOf, storedAt };
      });
      return entry?.snapshot ?? null;
    },
    get bytes() {
      return cache.bytes;
    },
    close: stop,
  };
}

function subjectOf(assetId: string, kind: SnapshotKind): string {
  return `${kind} ${assetId}`;
}

function keyOf(view: SnapshotView): string {
  return `${view.kind} ${view.assetId} ${view.point ?? 'newest'} ${view.shape}`;
}
