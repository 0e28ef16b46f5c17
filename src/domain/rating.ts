import type { Json } from './observation.ts';
import type { QuantityId } from './quantities.ts';

export type Band = 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
/** Best first; `NR` is not a band and is last. The index is the rank. */
export const BANDS: readonly Band[] = ['AAA', 'AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C', 'D', 'NR'];
export const FACTOR_CODES = ['MQ', 'HD', 'TS', 'SD', 'FU', 'DV', 'GT', 'TR', 'SI'] as const;
export type PostTgeFactorCode = (typeof FACTOR_CODES)[number];
/** Factors of projects before their token: team, product and code, backing, tokenomics, legal and security, web, community. */
export const PRE_TGE_FACTOR_CODES = ['TD', 'PC', 'BK', 'TK', 'LS', 'WI', 'CT'] as const;
export type PreTgeFactorCode = (typeof PRE_TGE_FACTOR_CODES)[number];
export type FactorCode = PostTgeFactorCode | PreTgeFactorCode;
/** Of every model, in the order in which they are listed. */
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
/** Kinds of assets that are rated apart; each has its features, its weights and its ceilings. */
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

/** observed: a value with c >= 0.2; absent: searched in two registries and not there; unknown: the source failed or none states it; not_applicable: leaves the denominator. */
export type FeatureStatus = 'observed' | 'absent' | 'unknown' | 'not_applicable';

/** Raw input of a value function, before scoring: what the evidence says about one feature. */
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
  /** Keys into the `ConsensusSet` this rests on. */
  readonly basis: readonly string[];
  /** How it was computed, when not read straight from one consensus (`constant product depth over 3 pools`). */
  readonly method: string;
  /** Points that hold whatever is withheld, because the chain bounds it; absent where nothing does. */
  readonly atLeast?: number;
  /** True where the rated party shows it and Assay could not read it: the party does not withhold it. */
  readonly isOurs?: boolean;
}

export interface Feature extends FeatureInput {
  readonly name: string;
  readonly factor: FactorCode;
  readonly weight: number;
  /** Value function of the raw value, 0-100; null if there is none. */
  readonly score: number | null;
  /** What counts in place of a missing value, 0-100: the starting point, or the points of a missing value. */
  readonly rest: number;
  /** True when a request reached the rated party and it does not publish the value. */
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
  /** kappa, 0-1: mean of the confidences by weight. */
  readonly confidence: number;
  /** Share of the factor with known features. */
  readonly shrink: number;
  /** Weighted mean of what counts in place of the rest: the points of missing values, or the starting point. */
  readonly prior: number;
  /** shrink x rawScore + (1 - shrink) x prior. */
  readonly score: number;
  /** Points from the prior: all factors add up to S - P (methodology 3.1). */
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
  /** Flag that caused it, or null for caps on evidence. */
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

/** How likely an asset fails within a horizon, by what became of assets like it. */
export interface FailureProbability {
  readonly horizon: '30d' | '365d';
  /** 0-1; null where no single value can be given. */
  readonly value: number | null;
  /** 90 %, across files of outcomes; null where nothing is known. */
  readonly interval: readonly [low: number, high: number] | null;
  /**
   * `low_default`: from few failures. `upper_bound`, `lower_bound`: no member scored as high, or as low. `no_evidence`: no outcomes of such
   * assets are known.
   */
  readonly basis: (typeof FAILURE_BASES)[number];
  /** The basis as text. */
  readonly detail: string;
  /** Group of assets whose outcomes it rests on; null without one. */
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
  /** 80 %. */
  readonly interval: readonly [number, number] | null;
  /** ln of the value over its standard deviation; null if there is none. */
  readonly z: number | null;
  /** peg: over redemption value; multiples: against peers; multiples_and_regression: and their regression; rounds: last funding round. */
  readonly method: 'peg' | 'multiples' | 'multiples_and_regression' | 'rounds' | 'none';
  readonly peers: number;
  readonly drivers: readonly VfrDriver[];
  /** Why there is no value; null if there is one. */
  readonly reason: string | null;
  /** Denominator of the value; null if there is none, or if a unit is compared (peg). */
  readonly fairValueUsd: number | null;
  /** Standard deviation of ln fair value; null if there is none. */
  readonly sd: number | null;
  /** Share of the peers' variance that the regression explains on peers left out; null where none was fitted. */
  readonly r2: number | null;
  /** The same fair value under other numerators: what circulates, and all that will ever exist. Null where not known. */
  readonly variants: { readonly circulating: number | null; readonly fullyDiluted: number | null };
  /** What a reader must know of this value: short histories, estimates, drivers left out. */
  readonly notes: readonly string[];
}

/** One estimate of the fair value, and its weight among them. */
export interface VfrDriver {
  readonly estimator: 'multiple' | 'regression';
  /** What a multiple divides by; null for the regression, which uses several. */
  readonly quantity: QuantityId | null;
  /** The driver as it was used: a median over `days` of our own readings, or as read where it is a sum of many days. */
  readonly value: number | null;
  readonly days: number;
  readonly peers: number;
  readonly fairValueUsd: number;
  /** Standard deviation of ln fair value by this estimate alone. */
  readonly sd: number;
  /** 0-1; all add up to 1. */
  readonly weight: number;
}

export type DriverReadings = Readonly<Partial<Record<QuantityId, number>>>;

/** One row of the peer panel: what the service itself knew of an asset on a day. */
export interface PeerRow {
  readonly assetId: string;
  readonly category: Category;
  /** Absent in rows from before classes. */
  readonly class?: AssetClass;
  readonly asOf: string;
  /** Null before the token. */
  readonly marketValueUsd: number | null;
  /** Medians over the days before (`vfr.smoothing` of the methodology). */
  readonly drivers: DriverReadings;
  /** Trust in the evidence behind it, 0-100. Absent in records from before panels kept it, like the next two. */
  readonly trust?: number;
  /** Other names of the same asset: its addresses on other chains, its ids in registries. */
  readonly aliases?: readonly string[];
  /** Its last public funding round; null when none is known. */
  readonly round?: FundingRound | null;
}

/** A public funding round. */
export interface FundingRound {
  /** RFC 3339; null when the list does not say. */
  readonly date: string | null;
  readonly stage: 'seed' | 'early' | 'late' | 'strategic' | 'public' | 'other';
  readonly postMoneyUsd: number;
  /** The list gives only the amount: the value assumes the share that rounds usually sell. */
  readonly isEstimated: boolean;
}

/** Readings of an asset's drivers on one day (UTC). */
export interface DriverDay {
  readonly day: string;
  readonly readings: DriverReadings;
}

/** Features that third parties state and whose last value was adverse: their points (0-100) and when (RFC 3339). */
export type AdversePoints = Readonly<Record<string, { readonly points: number; readonly at: string }>>;

/** Last published rating of the asset, as far as the model needs it. */
export interface PreviousRating {
  readonly asOf: string;
  readonly score: number | null;
  readonly band: Band;
  readonly factors: Readonly<Partial<Record<FactorCode, number>>>;
}

export interface Rating {
  /** The class; its name in the API is `category`. */
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
  /** The asset is not rated for these reasons. */
  readonly notRatedReasons: readonly string[];
  readonly evidenceCap: boolean;
  readonly provisional: boolean;
  readonly prior: number;
  readonly factors: readonly Factor[];
  readonly caps: readonly CapApplied[];
  readonly flags: readonly Flag[];
  readonly trust: TrustScore;
  readonly vfr: Vfr;
  /** 30 days, then a year; absent in results from before probabilities. */
  readonly failure?: readonly FailureProbability[];
  readonly outlook: 'positive' | 'stable' | 'negative' | 'developing' | 'provisional' | null;
  readonly summary: string;
  /** Mandatory rows of the class without a value, and how many the class has; absent where none is missing, and in records from before. */
  readonly missing?: { readonly of: number; readonly names: readonly string[] };
  readonly limitations: readonly string[];
}
