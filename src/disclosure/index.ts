/** What this installation discloses of its own ratings: disputes, restatements and the track record. */
export { openDisclosures } from './disclosures.ts';
export { restateExport } from './restate-day.ts';
export { restateRating } from './restate-rating.ts';
export type {
  ComputedTrackRecord,
  DisclosureServices,
  Dispute,
  DisputeState,
} from './types.ts';
