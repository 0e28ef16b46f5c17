/** Daily and bulk exports. */

export {
  type ChangedRow,
  isMaterialChange,
  isMaterialRating,
  publishDay,
  type RatedThen,
  type Restated,
  type RestatedRating,
  type RestateFault,
  restateDay,
  STALE_MS,
  sealedRestatements,
} from './publish.ts';
export {
  createExportService,
  createPublisher,
  type ExportService,
  listDays,
  type PublishedFile,
  type Publisher,
} from './published-days.ts';
export { createRatingChanges, type RatingChanges, ratingListCsv } from './rating-changes.ts';
export { CHAIN_COLUMNS, chainRows, RATING_COLUMNS, rowsOfRatingDay, rowsWithin } from './rows.ts';
export { type VerifyingKey, verifyDays } from './verify.ts';
