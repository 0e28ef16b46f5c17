import type { Store } from '../store/database.ts';
import { findIndexedAssets } from '../store/snapshots/indexed-assets.ts';
import { listenForSnapshots } from '../store/snapshots/listen.ts';
import { latestSnapshot, snapshotAsOf, snapshotHistory } from '../store/snapshots/read.ts';
import type { SnapshotReader } from './types.ts';

export interface OpenReader extends SnapshotReader {
  readonly close: () => Promise<void>;
}

export interface ReaderOptions {
  readonly store: Pick<Store, 'db' | 'url'>;
  readonly onError: (error: unknown, what: string) => void;
}

/** Reads of stored snapshots, with one connection of its own that listens for new ones. One for each process. */
export function createSnapshotReader({ store, onError }: ReaderOptions): OpenReader {
  const { db, url } = store;
  const listening = listenForSnapshots({ url, onError: (error) => onError(error, 'listening for snapshots') });
  return {
    latest: (assetId, kind) => latestSnapshot(db, assetId, kind),
    asOf: (assetId, kind, at) => snapshotAsOf(db, assetId, kind, at),
    history: (assetId, kind, query) => snapshotHistory(db, assetId, kind, query),
    find: (chain, text) => findIndexedAssets(db, chain, text),
    onStored: (listener) => listening.onStored(({ assetId, kind, asOf }) => listener(assetId, kind, asOf)),
    close: () => listening.close(),
  };
}
