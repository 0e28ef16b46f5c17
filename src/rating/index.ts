/** The rating. Pure: the same consensus and methodology give the same bytes. */

export { scoreFactors, shrinkOf } from './arithmetic/factors.ts';
export { applyCaps, capsOf } from './caps.ts';
export type { Context } from './context.ts';
export { type Counterfactual, counterfactualOf } from './counterfactual.ts';
export { featuresOf } from './features/features.ts';
export { raiseFlags } from './flags/raise.ts';
export type { RatingInput } from './input.ts';
export { lostPagesOf } from './missing-values.ts';
export { rate, rateTechnically } from './rate.ts';
export { tiesOf } from './ties.ts';
export { driversOf, marketValueOf, mediansOf, smoothed } from './vfr/drivers.ts';
export { isByRedemption, subjectOf } from './vfr/panel.ts';
export { lastRound } from './vfr/rounds.ts';
