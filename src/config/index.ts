/** Settings: environment and file, checked. */
export { describeConfig } from './describe.ts';
export { type Config, exportsRoot, type SourceSettings } from './types.ts';
