/** What becomes of a rating once it is computed. */

export { jeffreysInterval } from './accuracy.ts';
export { silenced } from './memory.ts';
export { publish } from './publish.ts';
export { digestOf, type ScoreRecord, scoreRecord } from './record.ts';
export type { RatedSeries } from './track-record.ts';
export { type Miss, openTrackRecord, type TrackRecord } from './track-record.ts';
