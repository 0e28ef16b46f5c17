/** What this installation discloses about its ratings: disputes, appeals, restatements and the track record. */

export type { Appeal, AppealFault, ReviewedAppeal } from './appeals.ts';
export type { CallContract, ReadTxt } from './control.ts';
export { type DisclosureServices, type Dispute, openDisclosures } from './disputes.ts';
export type { RepositoryHost } from './repository-proof.ts';
export { completeRestatements, restateExport, restateRating } from './restate.ts';
export type { ComputedTrackRecord } from './track-record-keeper.ts';
