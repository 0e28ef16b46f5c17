/** The methodology in force and its earlier versions. */

export { type Calibration, type CalibrationGroup, loadCalibration } from './calibration.ts';
export { classByWords, factorWeights, featureWeights, isFiledAsStable, lowestClass } from './classes.ts';
export { checked } from './complaints.ts';
export { type FailureSubject, failureGroup, failureProbability } from './failure.ts';
export { loadMethodology, methodologyJson } from './load.ts';
export { isRowKnown, mandatoryRows, missingRows, missingWords } from './mandatory.ts';
export { movesOf } from './moves.ts';
export { bandOf, isOutdone, pointsOf, toScore } from './scales.ts';
export type {
  CapDefinition,
  FeatureDefinition,
  FlagDefinition,
  FloorRules,
  Methodology,
  PublicationRules,
  QuantityClass,
  VfrRounds,
} from './schema.ts';
export { capThresholds, type FlagCode, type FlagThresholds, flagThresholds } from './thresholds.ts';
export { computableMethodology, methodologyChanges, methodologyVersions } from './versions.ts';
