/** Turns momentary ratings into published ones. */

export { jeffreysInterval } from './accuracy.ts';
export { isRevised } from './facts.ts';
export { unrepeatedAdverse } from './memory.ts';
export { publish } from './publish.ts';
export type { RatedSeries } from './track-record.ts';
export { openTrackRecord, type TrackRecord } from './track-record.ts';
