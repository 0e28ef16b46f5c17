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

const MOST_COUNTED = 50_000;

/** Reads stored snapshots, with one connection that listens for new ones. One per process. */
export function createSnapshotReader({
  store,
  reads = primaryReads(store),
  onError,
}: {
  readonly store: Pick<Store, 'db' | 'url'>;
  /** Source of past snapshots, which may lag. */
  readonly reads?: Pick<Reads, 'run'>;
  readonly onError: (error: unknown, what: string) => void;
}): SnapshotReader & { readonly close: () => Promise<void> } {
  const { db, url } = store;
  const listening = listenForSnapshots({ url, onError: (error) => onError(error, 'listening for snapshots') });
  // A caller notified of a snapshot must find it, so a replica that may be behind is not read.
  const told = createNotificationTimestamps(MOST_COUNTED, () => performance.now());
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

/** Interface of reads of chain data. */
export interface SnapshotReader {
  latest(assetId: string, kind: SnapshotKind): Promise<StoredSnapshot | null>;
  /** The newest with `as_of` at or before `at`. */
  asOf(assetId: string, kind: SnapshotKind, at: string): Promise<StoredSnapshot | null>;
  history(assetId: string, kind: SnapshotKind, query: HistoryQuery): Promise<SnapshotPage>;
  /** Indexed assets of a chain that `text` (address, symbol in any case, CAIP-19 id) may refer to, best match first. */
  find(chain: string, text: string): Promise<readonly Asset[]>;
  /**
   * Called for each stored snapshot, by whichever process stored it (LISTEN/NOTIFY). Returns a function that stops it.
   */
  onStored(listener: (assetId: string, kind: SnapshotKind, asOf: string, storedAt: string) => void): () => void;
  /** Called for replaced blocks, by whichever process detects them. Returns a function that stops it. */
  onReorganised(listener: (notice: ReorganisedNotice) => void): () => void;
  /**
   * Snapshots stored after `since` (RFC 3339) in the order of storage, at most the newest `most` of each asset and
   * kind. Read from the primary: a caller that subscribes first and then reads misses none.
   */
  storedSince(
    wanted: { readonly assetIds: readonly string[]; readonly kinds: readonly SnapshotKind[] },
    since: string,
    most: number,
  ): Promise<readonly SnapshotMark[]>;
}
