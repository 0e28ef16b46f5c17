/** What becomes of a rating once it is computed. */
export { silenced } from './adverse.ts';
export { jeffreysInterval } from './jeffreys.ts';
export { publish } from './publish.ts';
export type { RatedSeries } from './rated-life.ts';
export { openTrackRecord, type TrackRecord } from './track-record.ts';
