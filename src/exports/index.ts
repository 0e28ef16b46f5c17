/** Daily and bulk exports. */
export { CHAIN_COLUMNS, chainRows } from './chain-row.ts';
export { listDays } from './day-folder.ts';
export { publishDay } from './draft.ts';
export { createPublisher, type Publisher } from './publisher.ts';
export { rowsOfRatingDay, rowsWithin } from './rating-day-rows.ts';
export type { ChangedRow } from './restate.ts';
export {
  isMaterialChange,
  isMaterialRating,
  type RatedThen,
  type Restated,
  type RestatedRating,
  type RestateFault,
  restateDay,
} from './restate.ts';
export { RATING_COLUMNS } from './rms-row.ts';
export { createExportService } from './service.ts';
export type {
  ExportService,
  PublishedFile,
} from './types.ts';
export { type VerifyingKey, verifyDays } from './verify.ts';
