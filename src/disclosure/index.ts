/** What this installation discloses of its own ratings: disputes, restatements and the track record. */
export { type DisclosureServices, type Dispute, openDisclosures } from './disputes.ts';
export { restateExport, restateRating } from './restate.ts';
export type { ComputedTrackRecord } from './track-record-keeper.ts';
