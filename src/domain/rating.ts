import type { Json } from './observation.ts';
import type { QuantityId } from './quantities.ts';

export type Band = 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
/** Bands, best first; the index is the rank. `NR` is not a band and comes last. */
export const BANDS: readonly Band[] = ['AAA', 'AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C', 'D', 'NR'];
export const FACTOR_CODES = ['MQ', 'HD', 'TS', 'SD', 'FU', 'DV', 'GT', 'TR', 'SI'] as const;
export type PostTgeFactorCode = (typeof FACTOR_CODES)[number];
/** Factors before the token exists: team, product and code, backing, tokenomics, legal and security, web, community. */
export const PRE_TGE_FACTOR_CODES = ['TD', 'PC', 'BK', 'TK', 'LS', 'WI', 'CT'] as const;
export type PreTgeFactorCode = (typeof PRE_TGE_FACTOR_CODES)[number];
export type FactorCode = PostTgeFactorCode | PreTgeFactorCode;
/** Factors of all models, in display order. */
export const ALL_FACTOR_CODES: readonly FactorCode[] = [...FACTOR_CODES, ...PRE_TGE_FACTOR_CODES];
export const CATEGORIES = [
  'default',
  'stablecoin',
  'l1_l2',
  'defi_protocol',
  'memecoin',
  'lst_wrapped',
  'rwa',
  'gaming_ai',
  'exchange_token',
] as const;
export type Category = (typeof CATEGORIES)[number];
/** Classes of assets that are rated separately; each has its own features, weights and ceilings. */
export const CLASSES = [
  'native_l1',
  'l2',
  'stable_fiat',
  'stable_crypto',
  'stable_algo',
  'lst_wrapped',
  'commodity',
  'defi_gov',
  'exchange',
  'infra',
  'gaming',
  'rwa_sec',
  'memecoin',
  'default',
] as const;
export type AssetClass = (typeof CLASSES)[number];
/** Least severe first. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * observed: a value with c >= 0.2; absent: searched for in two registries and not found; unknown: the source failed or
 * none states it; not_applicable: excluded from the denominator.
 */
export type FeatureStatus = 'observed' | 'absent' | 'unknown' | 'not_applicable';

/** Input of a value function: the evidence about one feature, before scoring. */
export interface FeatureInput {
  readonly id: string;
  readonly status: FeatureStatus;
  /** Number on the feature's own scale, or an enum state; null unless observed (or absent with a defined meaning). */
  readonly raw: number | string | null;
  readonly unit: string;
  /** 0-1. */
  readonly confidence: number;
  /** Parts of the confidence, for trust; null when unknown. */
  readonly parts: { readonly independence: number; readonly agreement: number; readonly freshness: number } | null;
  /** Keys of its support in the `ConsensusSet`. */
  readonly basis: readonly string[];
  /** How it was computed, if not read directly from one consensus (`constant product depth over 3 pools`). */
  readonly method: string;
  /** Minimum points, whatever is withheld, because the chain bounds the value; absent where there is no bound. */
  readonly atLeast?: number;
  /** True when the rated party publishes the value and Assay could not read it: the party does not withhold it. */
  readonly isOurs?: boolean;
}

export interface Feature extends FeatureInput {
  readonly name: string;
  readonly factor: FactorCode;
  readonly weight: number;
  /** Points of the raw value by the value function, 0-100; null if there is none. */
  readonly score: number | null;
  /** Points used for the unknown part, 0-100: the starting point, or the points of a missing value. */
  readonly rest: number;
  /** True when a request reached the rated party and the party does not publish the value. */
  readonly silent: boolean;
  readonly critical: boolean;
  readonly rationale: string;
}

export interface Factor {
  readonly code: FactorCode;
  readonly name: string;
  readonly weight: number;
  /** Weighted mean of the points of known features, each weighted by its confidence; null if none is known. */
  readonly rawScore: number | null;
  /** kappa, 0-1: weighted mean of the confidences. */
  readonly confidence: number;
  /** Share of the factor covered by known features. */
  readonly shrink: number;
  /** Weighted mean of the points used for the unknown part: the points of missing values, or the starting point. */
  readonly prior: number;
  /** shrink x rawScore + (1 - shrink) x prior. */
  readonly score: number;
  /** Points relative to the prior: all factors add up to S - P (methodology 3.1). */
  readonly points: number;
  readonly features: readonly Feature[];
  readonly rationale: string;
}

export interface Flag {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  readonly confidence: number;
  readonly since: string | null;
  /** Keys into the `ConsensusSet`, or response ids. */
  readonly evidence: readonly string[];
  readonly value: Json;
}

export interface CapApplied {
  readonly code: string;
  readonly cap: number;
  readonly band: Band;
  /** Flag that caused it; null for caps on evidence. */
  readonly flag: string | null;
  readonly detail: string;
  /** True for the cap that set the final score. */
  readonly binding: boolean;
}

export interface TrustScore {
  /** 0-100. */
  readonly score: number;
  readonly tier: 'high' | 'adequate' | 'limited' | 'weak' | 'insufficient';
  readonly components: {
    readonly coverage: number;
    readonly agreement: number;
    readonly independence: number;
    readonly freshness: number;
    readonly identity: number;
  };
  /** Features without a value, and why. */
  readonly gaps: readonly { readonly feature: string; readonly reason: string }[];
}

export type VfrZone = 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';

/** Probability that an asset fails within a horizon, from the outcomes of similar assets. */
export interface FailureProbability {
  readonly horizon: '30d' | '365d';
  /** 0-1; null where no single value can be given. */
  readonly value: number | null;
  /** 90 % interval across files of outcomes; null where nothing is known. */
  readonly interval: readonly [low: number, high: number] | null;
  /**
   * `low_default`: estimated from few failures. `upper_bound`, `lower_bound`: no member of the group scored as high, or
   * as low. `no_evidence`: no outcomes of such assets are known.
   */
  readonly basis: (typeof FAILURE_BASES)[number];
  /** The basis as text. */
  readonly detail: string;
  /** Group of assets whose outcomes were used; null without one. */
  readonly group: string | null;
  /** SHA-256 of the calibration, hex. */
  readonly calibrationHash: string;
}
export const FAILURE_BASES = [
  'calibrated',
  'low_default',
  'upper_bound',
  'lower_bound',
  'no_evidence',
  'not_rated',
  'defaulted',
] as const;

export interface Vfr {
  readonly value: number | null;
  readonly zone: VfrZone;
  /** 80 % interval. */
  readonly interval: readonly [number, number] | null;
  /** ln of the value divided by its standard deviation; null if there is none. */
  readonly z: number | null;
  /**
   * peg: over redemption value; multiples: against peers; multiples_and_regression: the same with a regression; rounds:
   * last funding round.
   */
  readonly method: 'peg' | 'multiples' | 'multiples_and_regression' | 'rounds' | 'none';
  readonly peers: number;
  readonly drivers: readonly VfrDriver[];
  /** Why there is no value; null if there is one. */
  readonly reason: string | null;
  /** Denominator of the value; null if there is none, or if a unit is compared (peg). */
  readonly fairValueUsd: number | null;
  /** Standard deviation of ln fair value; null if there is none. */
  readonly sd: number | null;
  /** Share of the variance that the regression explains on left-out peers; null where none was fitted. */
  readonly r2: number | null;
  /**
   * Ratios to the same fair value with other numerators: circulating and fully diluted market value. Null where
   * unknown.
   */
  readonly variants: { readonly circulating: number | null; readonly fullyDiluted: number | null };
  /** Limits of this value that a reader must know: short histories, estimates, omitted drivers. */
  readonly notes: readonly string[];
}

/** One estimate of the fair value, with its weight. */
export interface VfrDriver {
  readonly estimator: 'multiple' | 'regression';
  /** Driver that the multiple divides by; null for the regression, which uses several. */
  readonly quantity: QuantityId | null;
  /**
   * Value of the driver as used: a median of our readings over `days`, or the reading itself if it is a sum over many
   * days.
   */
  readonly value: number | null;
  readonly days: number;
  readonly peers: number;
  readonly fairValueUsd: number;
  /** Standard deviation of ln fair value for this estimate alone. */
  readonly sd: number;
  /** 0-1; all add up to 1. */
  readonly weight: number;
}

export type DriverReadings = Readonly<Partial<Record<QuantityId, number>>>;

/** One row of the peer panel: an asset's values on one day, as known to the service. */
export interface PeerRow {
  readonly assetId: string;
  readonly category: Category;
  /** Absent in rows from before classes existed. */
  readonly class?: AssetClass;
  readonly asOf: string;
  /** Null before the token exists. */
  readonly marketValueUsd: number | null;
  /** Medians over the preceding days (`vfr.smoothing` of the methodology). */
  readonly drivers: DriverReadings;
  /** Trust in the evidence, 0-100. Like the next two fields, absent in older records. */
  readonly trust?: number;
  /** Other names of the same asset: its addresses on other chains, its ids in registries. */
  readonly aliases?: readonly string[];
  /** Its last public funding round; null when none is known. */
  readonly round?: FundingRound | null;
}

/** A public funding round. */
export interface FundingRound {
  /** RFC 3339; null when the list does not state it. */
  readonly date: string | null;
  readonly stage: 'seed' | 'early' | 'late' | 'strategic' | 'public' | 'other';
  readonly postMoneyUsd: number;
  /** True when the list states only the amount: the value then assumes the share that rounds usually sell. */
  readonly isEstimated: boolean;
}

/** Readings of an asset's drivers on one day (UTC). */
export interface DriverDay {
  readonly day: string;
  readonly readings: DriverReadings;
}

/** Features that third parties state and whose last value was adverse, with points (0-100) and time (RFC 3339). */
export type AdversePoints = Readonly<Record<string, { readonly points: number; readonly at: string }>>;

/** The asset's last published rating, as far as the model needs it. */
export interface PreviousRating {
  readonly asOf: string;
  readonly score: number | null;
  readonly band: Band;
  readonly factors: Readonly<Partial<Record<FactorCode, number>>>;
}

export interface Rating {
  /** The class; the API calls it `category`. */
  readonly class: AssetClass;
  readonly category: Category;
  readonly categoryReason: string;
  readonly band: Band;
  /** 0-100 in steps of 0.1; null when not rated. */
  readonly score: number | null;
  readonly interval: readonly [number, number] | null;
  /** Score before caps. */
  readonly uncappedScore: number | null;
  readonly uncappedBand: Band | null;
  /** Reasons why the asset is not rated; empty when it is rated. */
  readonly notRatedReasons: readonly string[];
  readonly evidenceCap: boolean;
  readonly provisional: boolean;
  readonly prior: number;
  readonly factors: readonly Factor[];
  readonly caps: readonly CapApplied[];
  readonly flags: readonly Flag[];
  readonly trust: TrustScore;
  readonly vfr: Vfr;
  /** For 30 days, then for a year; absent in results from before probabilities existed. */
  readonly failure?: readonly FailureProbability[];
  readonly outlook: 'positive' | 'stable' | 'negative' | 'developing' | 'provisional' | null;
  readonly summary: string;
  /**
   * Mandatory rows of the class without a value, and the number of mandatory rows. Absent where none is missing, and in
   * older records.
   */
  readonly missing?: { readonly of: number; readonly names: readonly string[] };
  readonly limitations: readonly string[];
}
