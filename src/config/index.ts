/** Settings: environment and file, checked. */
export { describeConfig } from './describe.ts';
export type { Config, SourceSettings } from './types.ts';
