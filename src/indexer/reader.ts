import type { Store } from '../store/index.ts';
import {
  createNotificationTimestamps,
  findIndexedAssets,
  latestSnapshot,
  listenForSnapshots,
  primaryReads,
  type Reads,
  snapshotAsOf,
  snapshotHistory,
} from '../store/index.ts';
import type { SnapshotReader } from './types.ts';

const MOST_TOLD = 50_000;

export interface OpenReader extends SnapshotReader {
  readonly close: () => Promise<void>;
}

export interface ReaderOptions {
  readonly store: Pick<Store, 'db' | 'url'>;
  /** Where the past is read: it may be a little late. */
  readonly reads?: Pick<Reads, 'run'>;
  readonly onError: (error: unknown, what: string) => void;
}

/** Reads of stored snapshots, with one connection of its own that listens for new ones. One for each process. */
export function createSnapshotReader({ store, reads = primaryReads(store), onError }: ReaderOptions): OpenReader {
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
    onStored: (listener) => listening.onStored(({ assetId, kind, asOf }) => listener(assetId, kind, asOf)),
    close: () => listening.close(),
  };
}
