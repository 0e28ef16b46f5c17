import type { Asset, SnapshotKind } from '../domain/index.ts';
import {
  createNotificationTimestamps,
  findIndexedAssets,
  type HistoryQuery,
  latestSnapshot,
  listenForSnapshots,
  primaryReads,
  type Reads,
  type ReorganisedNotice,
  type SnapshotMark,
  type SnapshotPage,
  type Store,
  type StoredSnapshot,
  snapshotAsOf,
  snapshotHistory,
  snapshotsStoredSince,
} from '../store/index.ts';

const MOST_TOLD = 50_000;

/** Reads of stored snapshots, with one connection of its own that listens for new ones. One for each process. */
export function createSnapshotReader({
  store,
  reads = primaryReads(store),
  onError,
}: {
  readonly store: Pick<Store, 'db' | 'url'>;
  /** Where the past is read: it may be a little late. */
  readonly reads?: Pick<Reads, 'run'>;
  readonly onError: (error: unknown, what: string) => void;
}): SnapshotReader & { readonly close: () => Promise<void> } {
  const { db, url } = store;
  const listening = listenForSnapshots({ url, onError: (error) => onError(error, 'listening for snapshots') });
  // Whoever was told of a snapshot finds it: no replica is read that may not have it yet.
  const told = createNotificationTimestamps(MOST_TOLD, () => performance.now());
  listening.onStored(({ assetId }) => told.note(assetId));
  return {
    latest: (assetId, kind) => latestSnapshot(db, assetId, kind),
    asOf: (assetId, kind, at) => reads.run((late) => snapshotAsOf(late, assetId, kind, at), told.of(assetId)),
    history: (assetId, kind, query) =>
      reads.run((late) => snapshotHistory(late, assetId, kind, query), told.of(assetId)),
    find: (chain, text) => findIndexedAssets(db, chain, text),
    storedSince: (wanted, since, most) => snapshotsStoredSince(db, wanted, since, most),
    onStored: (listener) =>
      listening.onStored(({ assetId, kind, asOf, storedAt }) => listener(assetId, kind, asOf, storedAt)),
    onReorganised: listening.onReorganised,
    close: () => listening.close(),
  };
}

/** What reads of chain data rest on. */
export interface SnapshotReader {
  latest(assetId: string, kind: SnapshotKind): Promise<StoredSnapshot | null>;
  /** The newest with `as_of` at or before `at`: what was known then. */
  asOf(assetId: string, kind: SnapshotKind, at: string): Promise<StoredSnapshot | null>;
  history(assetId: string, kind: SnapshotKind, query: HistoryQuery): Promise<SnapshotPage>;
  /** Indexed assets of a chain that `text` (address, symbol in any case, CAIP-19 id) may mean, best match first. */
  find(chain: string, text: string): Promise<readonly Asset[]>;
  /** Told of each stored snapshot, by whichever process stored it (LISTEN/NOTIFY). Returns the way to stop. */
  onStored(listener: (assetId: string, kind: SnapshotKind, asOf: string, storedAt: string) => void): () => void;
  /** Told of blocks that are gone, by whichever process sees it. Returns the way to stop. */
  onReorganised(listener: (notice: ReorganisedNotice) => void): () => void;
  /**
   * Snapshots stored after `since` (RFC 3339), of each asset and kind the newest `most`, in the order they were stored. From the
   * primary: whoever listens first and then asks misses none.
   */
  storedSince(
    wanted: { readonly assetIds: readonly string[]; readonly kinds: readonly SnapshotKind[] },
    since: string,
    most: number,
  ): Promise<readonly SnapshotMark[]>;
}
