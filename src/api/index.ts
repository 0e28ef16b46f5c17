/** The HTTP service. */
export type {
  AlertServices,
  AssetIndex,
  ChainServices,
  HoldingsService,
  RatingServices,
  SetupService,
  SourceStanding,
} from './context.ts';
export { buildServer } from './server.ts';
