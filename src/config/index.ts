/** Settings: environment and file, checked. */
export { describeConfig } from './describe.ts';
export { nearestName } from './nearest.ts';
export type { Config, SourceSettings } from './types.ts';
