/** The HTTP service. */
export type { AlertServices, AssetIndex, ChainServices, RatingServices, SourceStanding } from './context.ts';
export { buildServer } from './server.ts';
