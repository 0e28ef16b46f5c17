/** The HTTP service. */
export type { AlertServices, AssetIndex, ChainServices, RatingServices } from './context.ts';
export { buildServer } from './server.ts';
