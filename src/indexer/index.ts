/** Keeps snapshots of indexed assets fresh. */

export type { ReorganisedNotice, SnapshotMark, StoredSnapshot } from '../store/index.ts';
export { openChainWatch } from './chain-watch.ts';
export type { IndexerStatus } from './indexer.ts';
export { type Indexer, startIndexer } from './indexer.ts';
export { createRatedSnapshots, type RatedSnapshots } from './rated-snapshots.ts';
export { createSnapshotReader, type SnapshotReader } from './reader.ts';
export type { IndexRequest, Registry } from './registry.ts';
export { assetFromText } from './registry.ts';
