/** What this installation discloses of its own ratings: disputes, restatements and the track record. */
export { openDisclosures } from './disputes.ts';
export { restateExport, restateRating } from './restate.ts';
export {
  type ComputedTrackRecord,
  DISPUTE_STATES,
  type DisclosureServices,
  type Dispute,
  type DisputeState,
} from './types.ts';
