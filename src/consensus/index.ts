/** Observations of one measure become one value, with the accepted and the outvoted ones. */
export { agree } from './agree.ts';
export type { Collection } from './lineage/claims.ts';
export type { LineagePair, LineageReport } from './lineage/report.ts';
export { fromScale, noiseOnScale, toScale } from './scale.ts';
