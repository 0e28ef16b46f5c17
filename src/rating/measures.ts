import * as metrics from '../metrics/index.ts';
import type { Context } from './context.ts';

/** Concentration by the holder lists of the evidence; null without one. */
export function holdersOf({ input, methodology }: Context): metrics.HolderAnalysis | null {
  return metrics.analyseHolders(input.consensus, methodology.holders, {
    ...methodology.metrics.holderLists,
    errorChance: methodology.consensus.errorChance,
  });
}

/** Depth at 2 % over all venues of the evidence, exact where pools were read from the chain; null when nothing is known. */
export function depthOf({ input, methodology }: Context): metrics.Depth | null {
  return metrics.depthOf(
    input.consensus,
    methodology.metrics.depth,
    metrics.readPools(input.consensus, input.identification.asset),
  );
}

/** Estimated share of the volume that is made up; null when it cannot be estimated. */
export function washOf({ input, methodology }: Context): metrics.WashEstimate | null {
  return metrics.washOf(input.consensus, methodology.metrics.wash);
}

/** Pools and centralised markets of the evidence. */
export function venuesOf({ input }: Context): readonly metrics.Venue[] {
  return metrics.venuesOf(input.consensus);
}
