/** Scoring jobs: request, evidence, rating, reply. */
export { rebuildReport } from './archive.ts';
export { assetHistory } from './asset-history.ts';
export { isFresh } from './attach.ts';
export { type AnswerView, answerView } from './formats/answer-view.ts';
export { documentOf } from './formats/document.ts';
export { featureView } from './formats/feature.ts';
export { fullFormat } from './formats/full.ts';
export { htmlOf } from './formats/html.ts';
export { markdownOf } from './formats/markdown.ts';
export { minimalFormat } from './formats/minimal.ts';
export { round, standardFormat } from './formats/standard.ts';
export type { CollectionQuota, JobNewsService, SnapshotBook } from './options.ts';
export { sharedPanel } from './panel.ts';
export { peerOf } from './peer.ts';
export { buildReport, encodeReport } from './pipeline.ts';
export { createJobWork } from './score.ts';
export { createScoringService } from './service.ts';
export type { Job, JobEvent, JobFailure, RatingBook, ScoringService, SubmitOptions } from './types.ts';
