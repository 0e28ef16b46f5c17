/** The HTTP service. */
export type {
  AlertServices,
  AssetIndex,
  ChainServices,
  RatingServices,
  SetupService,
  SourceStanding,
} from './context.ts';
export { buildServer } from './server.ts';
