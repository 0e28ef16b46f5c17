/** The rating, pure: same consensus and methodology, same bytes. */
export { applyCaps } from './arithmetic/caps.ts';
export { scoreFactors, shrinkOf } from './arithmetic/factors.ts';
export { capsOf } from './caps.ts';
export type { Context } from './context.ts';
export { featuresOf } from './features/all.ts';
export { raiseFlags } from './flags/raise.ts';
export { rate } from './rate.ts';
export { lostPagesOf } from './silence.ts';
export { rateTechnically } from './technical.ts';
export { tiesOf } from './ties.ts';
export type { RatingInput } from './types.ts';
export { mediansOf, smoothed } from './vfr/drivers.ts';
export { marketValueOf } from './vfr/market-value.ts';
export { subjectOf } from './vfr/own.ts';
export { lastRound } from './vfr/rounds.ts';
