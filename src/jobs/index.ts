/** Scoring jobs: request, evidence, rating, reply. */

export { isFresh } from './attach.ts';
export { type Bulk, type BulkService, openBulk } from './bulk.ts';
export { canonicalText } from './canonical-text.ts';
export { assetHistory, keptLaunch, newestHolderScan } from './kept-snapshots.ts';
export { createListedPeers, peerOf, sharedPanel } from './peers.ts';
export { buildReport, counterfactualFor, encodeForArchive, rebuildReport } from './pipeline.ts';
export { replyContext } from './run-score.ts';
export { createJobWork } from './score.ts';
export { createScoringService } from './service.ts';
export { openJobSignals, waitForChange } from './signals.ts';
export type {
  CollectionQuota,
  Job,
  JobFailure,
  JobSignals,
  RatingBook,
  ScoringService,
  SnapshotBook,
  SubmitOptions,
} from './types.ts';
