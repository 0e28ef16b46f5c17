/** Settings: environment and file, checked. */
export { describeConfig } from './describe.ts';
export { serviceAddress } from './settings.ts';
export { type Config, clockOf, exportsRoot, type SourceSettings } from './types.ts';
