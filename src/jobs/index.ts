/** Scoring jobs: request, evidence, rating, reply. */

export { answerView } from './answer-view.ts';
export { rebuildReport } from './archive.ts';
export { assetHistory } from './asset-history.ts';
export { isFresh } from './attach.ts';
export { newestHolderScan } from './holder-scan.ts';
export { createListedPeers } from './listed-peers.ts';
export type { CollectionQuota, JobSignals, SnapshotBook } from './options.ts';
export { sharedPanel } from './panel.ts';
export { peerOf } from './peer.ts';
export { buildReport, encodeReport } from './pipeline.ts';
export { createJobWork } from './score.ts';
export { createScoringService } from './service.ts';
export { openJobSignals, wake } from './signals.ts';
export type { Job, JobFailure, RatingBook, ScoringService, SubmitOptions } from './types.ts';
