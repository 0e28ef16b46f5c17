/** The HTTP service. */
export type {
  AlertServices,
  AssetIndex,
  ChainServices,
  HoldingsService,
  RatingServices,
  SetupService,
  SourceStatus,
} from './context.ts';
export { buildServer } from './server.ts';
