/**
 * One definition of each published figure: concentration, depth and slippage, dispersion, effective venues, liquidity,
 * wash share. Ratings, snapshots and the command line compute these figures only here. Pure.
 */
export { consensusAt, type Known, liquidityOf, numberAt, rowsWith } from './agreed.ts';
export {
  concentrationOf,
  LARGEST_EXACT,
  NO_CONCENTRATION,
  ordered,
  percentOf,
  type SortedBalances,
  without,
} from './concentration.ts';
export {
  booksIn,
  countsBeside,
  type Depth,
  depthOf,
  poolsDepth,
  poolsIn,
  proxyCurve,
  type ReportedPool,
  type ShownLiquidity,
  uncountedDepthUsd,
} from './depth.ts';
export { exitPools } from './exit-pools.ts';
export {
  bookOf,
  decidingKind,
  type HolderRules,
  kindOf,
  type LabelBook,
  mergeBooks,
  type Treatment,
  treatmentOf,
} from './holder-labels.ts';
export {
  analyseHolders,
  type Concentration,
  type HolderAnalysis,
  type HolderRow,
  type ListedTops,
  largestOwners,
  listedTops,
  readHolder,
} from './holder-lists.ts';
export { quotePrices, readPools, statedPools } from './read-pools.ts';
export { DEPTH_MOVES_PCT, largestExit, type RoutedPool, routedDepth, slippageOf } from './routing.ts';
export { shownLiquidity } from './shown-liquidity.ts';
export {
  countedVenues,
  effectiveVenues,
  gradedVolumeShare,
  priceDispersion,
  type Venue,
  venuesOf,
  type WashEstimate,
  washOf,
} from './venues.ts';
