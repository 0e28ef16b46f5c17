/** The methodology in force and its earlier versions. */
export { bandOf, toScore } from './bands.ts';
export { categoryOf } from './category.ts';
export { checked } from './complaints.ts';
export { loadMethodology, methodologyJson } from './load.ts';
export { isOutdone } from './outdone.ts';
export { capThresholds, type FlagCode, type FlagThresholds, flagThresholds } from './thresholds.ts';
export type {
  CapDefinition,
  CriticalQuantity,
  FeatureDefinition,
  FlagDefinition,
  FloorRules,
  Methodology,
  PublicationRules,
  QuantityClass,
  VfrRounds,
} from './types.ts';
export { pointsOf } from './value-function.ts';
export { completed, computableMethodology, methodologyChanges, methodologyVersions } from './versions.ts';
