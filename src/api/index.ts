/** The HTTP service. */
export type { AlertServices, AssetIndex, ChainServices, SourceStanding } from './context.ts';
export type { RatingServices } from './rms/services.ts';
export { buildServer } from './server.ts';
