/** Keeps snapshots of indexed assets fresh. */
export { assetFromText } from './asset-text.ts';
export { type Indexer, startIndexer } from './indexer.ts';
export { createRatedSnapshots, type RatedSnapshots } from './rated-snapshots.ts';
export { createSnapshotReader } from './reader.ts';
export type { IndexWish, Registry } from './registry.ts';
export type { IndexerStatus } from './status.ts';
export type { HistoryQuery, SnapshotReader, StoredSnapshot } from './types.ts';
