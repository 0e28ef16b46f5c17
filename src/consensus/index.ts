/** Combines the observations of a quantity into one value, with the accepted and the rejected observations. */
export { agree } from './agree.ts';
export type { Collection } from './lineage/claims.ts';
export type { LineagePair, LineageReport } from './lineage/report.ts';
export { fromScale, noiseOnScale, toScale } from './scale.ts';
