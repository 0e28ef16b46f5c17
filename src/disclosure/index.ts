/** What this installation discloses of its own ratings: disputes, restatements and the track record. */
export { openDisclosures } from './disputes.ts';
export { restateExport, restateRating } from './restate.ts';
export type {
  ComputedTrackRecord,
  DisclosureServices,
  Dispute,
} from './types.ts';
