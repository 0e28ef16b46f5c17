import type { QuantityId } from '../domain/quantities.ts';
import type { Band, Category, FactorCode, PostTgeFactorCode, PreTgeFactorCode, Severity } from '../domain/rating.ts';
import type { LabelKind } from '../domain/snapshot.ts';

/** How voices of one class of quantities are compared (methodology 1.3). */
export interface QuantityClass {
  /** s0, in the transformed scale: a fraction for ln and linear-relative classes, logit units for shares, days for dates. */
  readonly noise: number;
  readonly halfLifeSeconds: number;
  readonly maxAgeSeconds: number;
  /** Independent families needed for full marks. */
  readonly quorum: number;
  readonly authoritativeTier: 'chain' | 'venue' | 'aggregator' | 'registry' | 'self_reported' | null;
}

/** One feature: its place, its weight, its value function (methodology 3.3). Ids are those of the reference arithmetic: `mq_depth2`, `hd_top10`, ... */
export interface FeatureDefinition {
  readonly id: string;
  readonly name: string;
  readonly factor: FactorCode;
  /** Weight inside the factor, by category variant; `*` is every category without its own. A category's weights of a factor sum to 1. */
  readonly weight: Readonly<Partial<Record<Category | '*', number>>>;
  readonly unit: string;
  readonly scale: 'log' | 'lin' | 'logistic' | 'state';
  /** For log and lin: [x, points], x ascending. For logistic: [[slope, midpoint]]. */
  readonly anchors: readonly (readonly [number, number])[];
  /** For state: points by state. */
  readonly states: Readonly<Record<string, number>>;
  /** Points of a zero that the scale cannot hold (no developer on a scale of logarithms: 5); null where there is none. */
  readonly zero: number | null;
  /** Who can silence it, and what silence is worth (methodology, "What silence is worth"). */
  readonly silence: Silence;
  /** Counts double in coverage (price, liquidity, supply, holders, authorities). */
  readonly critical: boolean;
  readonly reason: string;
}

/**
 * N: nobody can; a missing value is worth the starting point. T: a third party; worth the starting point, or the last points below
 * it that were seen. P: the rated party; worth `points`, the lowest that fit what it cannot withhold.
 */
export interface Silence {
  readonly kind: 'N' | 'T' | 'P';
  /** 0-100 for P, null for the others. */
  readonly points: number | null;
}

export interface FlagDefinition {
  readonly number: number;
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly definition: string;
  readonly evidence: string;
  /** Thresholds of the definition, by name, so that no number lives in code. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** Days for which its condition must be false before it is cleared; a critical flag goes at once when it is disproved. */
  readonly clearDays: number;
  /** Which readings raise it here, and what they do not see; null when it is not raised. */
  readonly raisedBy: string | null;
  /** Why public data cannot raise it; null when it can be raised. */
  readonly notRaisedBecause: string | null;
}

export interface CapDefinition {
  readonly code: string;
  readonly cap: number;
  /** Flag that triggers it, or null (trust tiers, age). */
  readonly flag: string | null;
  readonly condition: string;
  readonly thresholds: Readonly<Record<string, number>>;
  readonly expiry: string;
  /** Days for which it binds after its condition has ended, where they are not the usual ones. */
  readonly fadeDays?: number;
}

/** How ratings of moments become published ratings (methodology 4). Days, points of score, fractions. */
export interface PublicationRules {
  readonly reason: string;
  readonly smoothing: { readonly halfLifeDownDays: number; readonly halfLifeUpDays: number };
  readonly hysteresis: {
    readonly margin: number;
    /** Daily snapshots in a row above the cut-off before a band rises. */
    readonly snapshotsAbove: number;
    /** A score so many widths of its band away from the band's middle moves it at once. */
    readonly immediateBandWidths: number;
    /** An older rating no longer holds a band. */
    readonly existingDays: number;
    /** A rating whose evidence is older than the newest one's by at most so much changes nothing. */
    readonly lateDays: number;
  };
  readonly capFadeDays: number;
  /** Days a band stands while the asset cannot be rated. */
  readonly notRatedGraceDays: number;
  readonly outlook: {
    readonly days: number;
    readonly minimumPoints: number;
    readonly projectionDays: number;
    readonly margin: number;
  };
  readonly watch: { readonly days: number };
  readonly reversalDays: number;
  readonly default: {
    /** Least confidence of the evidence. */
    readonly evidence: number;
    /** The same for what trades: indexers draw on the same pools, five that agree reach 0.67 and three 0.61. */
    readonly marketEvidence: number;
    /** Highest score of a defaulted asset. */
    readonly score: number;
    readonly peakDays: number;
    /** Time between two ratings counts at most so long towards a test. */
    readonly longestGapDays: number;
    readonly liquidityDeath: {
      readonly liquidityUsd: number;
      readonly liquidityShare: number;
      readonly priceShare: number;
      readonly days: number;
    };
    readonly exploitDeath: { readonly lossShare: number; readonly days: number };
    readonly delisting: { readonly venueVolumeUsd: number; readonly poolUsd: number };
    readonly abandonment: { readonly days: number };
    readonly stablecoin: {
      readonly price: number;
      readonly days: number;
      readonly suspendedPrice: number;
      readonly suspendedDays: number;
    };
    readonly wrapped: { readonly share: number; readonly days: number };
  };
  readonly floor: FloorRules;
  readonly replacement: ReplacementRules;
  /** The life of the canonical record. */
  readonly record: {
    readonly reason: string;
    /** A website that one source names takes effect when it is named again so many days later. */
    readonly websiteDays: number;
    /** One that so many sources besides the site itself name takes effect at once. */
    readonly websiteSources: number;
  };
  readonly cure: { readonly days: number; readonly highestBand: Band };
  readonly trackRecord: {
    readonly horizonsDays: readonly number[];
    /** Of the intervals, 0-1. */
    readonly confidence: number;
    /** With fewer failures an accuracy ratio says nothing. */
    readonly minimumFailures: number;
    /** A default of an asset that held this band or a better one within so many days is a miss. */
    readonly missBand: Band;
    readonly missDays: number;
  };
}

/** What must have been read before a rating is published (methodology 4). */
export interface FloorRules {
  readonly reason: string;
  readonly minimumMatch: number;
  /** Critical quantities. Each is met by observations of enough lineage groups, or when all its sources were asked and answered. */
  readonly critical: readonly CriticalQuantity[];
  /** Least asked share, by category (`*`: every category without its own): from `highBand` up, from `middleBand` up, and for any band. */
  readonly highBand: Band;
  readonly middleBand: Band;
  readonly askedShare: Readonly<
    Partial<Record<Category | '*', { readonly high: number; readonly middle: number; readonly any: number }>>
  >;
  /** Sources that could tell a feature; none: no source knows, it counts as not asked. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** Sources whose replies the rated party controls: their failing is the party's own, not ours. */
  readonly partyControlled: readonly string[];
  /** Outcomes that are ours even there: the question was never put. */
  readonly notAsked: readonly string[];
}

export interface CriticalQuantity {
  readonly name: string;
  readonly appliesTo: {
    readonly stage: 'post_tge' | 'pre_tge';
    /** Not given: natives too. */
    readonly contractOnly?: true;
    /** Not given: all. */
    readonly chainKind?: 'evm' | 'solana';
    /** Not given: all. */
    readonly categories?: readonly Category[];
  };
  /** Any of these, in any scope. */
  readonly quantities: readonly QuantityId[];
  readonly families: number;
  readonly sources: readonly string[];
}

/** When a new collection replaces the rating that stands, and how long earlier answers count (methodology 4). */
export interface ReplacementRules {
  readonly reason: string;
  /** Least share of the standing rating's asked share. */
  readonly askedShareOfStanding: number;
  /** A better band needs this share of it. */
  readonly askedShareForUpgrade: number;
  /** A standing rating of this age is replaced by any that meets the floor. */
  readonly staleDays: number;
  /** One of this age is withdrawn. */
  readonly withdrawDays: number;
  /** Weak collections for so long: the standing rating is published again, on watch. */
  readonly watchHours: number;
  /** Adverse values count for so long after they were last seen, and flags whose basis nobody reads are held so long. */
  readonly memoryDays: number;
  /** Points below which a value is adverse. */
  readonly adversePoints: number;
  /** Pages of the rated party that cannot be read now count for so long, at a confidence that halves in this time. */
  readonly partyPageDays: number;
  readonly partyPageHalfLifeDays: number;
}

/** The model for projects before their token (methodology 3.5). It has its own factors, features and caps. */
export interface PreTgeRules {
  readonly reason: string;
  /** Where a project of which nothing is known stands. */
  readonly prior: number;
  readonly factors: readonly {
    readonly code: PreTgeFactorCode;
    readonly name: string;
    readonly weight: number;
  }[];
  readonly features: readonly FeatureDefinition[];
  readonly caps: readonly CapDefinition[];
  /**
   * How far a statement is believed by who stands behind it: the project alone, the project with a place where it can be
   * looked up, an independent source; `searched`: looked for and not there.
   */
  readonly evidence: Readonly<Record<'claimed' | 'linked' | 'confirmed' | 'searched', EvidenceLevel>>;
  readonly thresholds: {
    /** Commits of its own that make a fork more than a copy. */
    readonly forkAheadCommits: number;
    /** Share of its amount by which a round may differ from the list and still be the same. */
    readonly roundTolerance: number;
    /** Years a site may claim to be older than its domain. */
    readonly foundedYearsBeforeDomain: number;
    /** Days of a known domain after which a pseudonym is an old one. */
    readonly oldPseudonymDays: number;
    /** What a claim without a place to check it counts beside one with it. */
    readonly bareClaimShare: number;
    /** Each contradiction found: all statements of the site are believed 1 / (1 + discount x contradictions) as much. */
    readonly contradictionDiscount: number;
    /** Statements that could have been caught out; with fewer, their fitting together says less. */
    readonly exposureStatements: number;
    /** Documentation on another host, which is not read, counts as so many words. */
    readonly unreadDocumentWords: number;
    /** Each page that the site links and does not show may hold a contradiction; so many at most are counted. */
    readonly lostPagesMost: number;
  };
  /** Features of which one at least must be known before anything is said, as price, liquidity and supply must of a token. */
  readonly essential: readonly string[];
  /** What a member of the team counts towards the named share. */
  readonly namedCredit: Readonly<Record<'profile' | 'named' | 'pseudonymOld' | 'pseudonym', number>>;
}

export interface EvidenceLevel {
  readonly confidence: number;
  readonly independence: number;
}

export interface MethodologyChange {
  readonly version: string;
  readonly date: string;
  readonly kind: 'MAJOR' | 'MINOR' | 'PATCH';
  readonly reason: string;
  readonly effect: string;
}

export interface Methodology {
  readonly version: string;
  readonly date: string;
  /** SHA-256 of the canonical JSON of the file, hex. Filled by the loader. */
  readonly hash: string;
  readonly consensus: {
    readonly classes: Readonly<Record<string, QuantityClass>>;
    readonly classOf: Readonly<Record<QuantityId, string>>;
    /** Liquidity from which the price counts as liquid, US dollars. */
    readonly liquidDepthUsd: number;
    readonly outlierZ: number;
    readonly readmissionShare: number;
    readonly groupWeightCap: number;
    readonly minimumBinding: number;
    readonly disputeNoiseMultiple: number;
    readonly disputedConfidenceCap: number;
    readonly singleSourceConfidenceCap: number;
    readonly chainIndependence: { readonly oneOperator: number; readonly twoOperators: number };
    readonly correlations: readonly { readonly families: readonly [string, string]; readonly rho: number }[];
    readonly defaultCorrelation: number;
    readonly chainCorrelation: number;
    readonly unitPowers: readonly number[];
    readonly unitResidual: number;
    readonly identityPenalty: number;
    /** Tolerances of the identities between quantities (methodology 1.4), by code. */
    readonly identities: Readonly<Record<string, number>>;
    /** How often values stated with a confidence were right (methodology 2.4): [confidence from, share]. */
    readonly calibration: {
      readonly reason: string;
      readonly steps: readonly (readonly [confidence: number, right: number])[];
    };
  };
  readonly trust: {
    readonly exponents: {
      readonly coverage: number;
      readonly agreement: number;
      readonly independence: number;
      readonly freshness: number;
    };
    readonly tiers: readonly {
      readonly tier: 'high' | 'adequate' | 'limited' | 'weak' | 'insufficient';
      readonly from: number;
      readonly cap: number | null;
    }[];
    readonly minimumMatch: number;
    readonly observedConfidence: number;
    readonly absentCredit: number;
    readonly criticalMultiple: number;
    readonly linkStrengths: Readonly<Record<string, number>>;
    readonly contradictionFactors: Readonly<Record<string, number>>;
  };
  /** What leaves the adjusted view of holders, and how (docs/decisions/0029-one-definition-per-metric.md). */
  readonly holders: {
    /** Kinds of owners that are neither holders nor supply. */
    readonly outsideSupply: readonly LabelKind[];
    /** Kinds that are no holders and stay in the supply. */
    readonly notHolders: readonly LabelKind[];
    /** True when the pools of the evidence name the owners at their addresses. */
    readonly namesPools: boolean;
  };
  readonly aggregation: {
    readonly floor: number;
    readonly shrinkConstant: number;
    readonly prior: number;
    readonly intervalZ: number;
    readonly sigmaUnknown: number;
    readonly sigmaBase: number;
    readonly exposureDays: number;
    /** Days after which a holder count says as much as it ever will. */
    readonly holderExposureDays: number;
    /** Days for which the last adverse points of a third party's feature stand while it is silent. */
    readonly adverseDays: number;
    /** Facts of the launch (who holds the pools, what else its creator made) count while a token is younger than so many days, ... */
    readonly launchDays: number;
    /** ... and as long as more than this share of its volume is traded in pools. */
    readonly launchPoolShare: number;
  };
  readonly bands: readonly {
    readonly band: Band;
    readonly from: number;
    readonly failureTarget: number | null;
    readonly meaning: string;
  }[];
  /** Words of registries that are no category of the asset itself. Lower case, letters and digits. */
  readonly categoryWords: {
    /** Where it lives or who holds it: "BNB Chain Ecosystem" makes no token a chain. */
    readonly ignoredEndings: readonly string[];
    /** What its protocol does: the token of one that issues a stablecoin is none. */
    readonly ignored: readonly string[];
    /** A token that governs a protocol is not what the protocol issues: never one of `notOfGovernance`, `ofGovernance` when no other word fits. */
    readonly governance: readonly string[];
    readonly notOfGovernance: readonly Category[];
    readonly ofGovernance: Category;
    /** Themes that assets of every kind share: they count where no other word fits. */
    readonly weak: readonly string[];
  };
  readonly categories: Readonly<
    Record<
      Category,
      {
        readonly title: string;
        readonly weights: Readonly<Record<PostTgeFactorCode, number>>;
        readonly keywords: readonly string[];
      }
    >
  >;
  readonly factors: Readonly<Record<PostTgeFactorCode, { readonly name: string }>>;
  readonly features: readonly FeatureDefinition[];
  readonly flags: readonly FlagDefinition[];
  readonly flagConfidence: { readonly raise: number; readonly critical: number };
  readonly caps: readonly CapDefinition[];
  readonly publication: PublicationRules;
  readonly preTge: PreTgeRules;
  /** What changed in each version, newest first. */
  readonly changes: readonly MethodologyChange[];
  readonly vfr: {
    readonly minimumPeers: number;
    readonly pseudoCount: number;
    readonly sdFloor: number;
    readonly sdMaximum: number;
    readonly driverCorrelation: number;
    readonly minimumDriverConfidence: number;
    readonly minimumTrust: number;
    readonly minimumR2: number;
    readonly ridgeLambda: number;
    /** Half the width of the interval in standard deviations, and the share of peers it must hold. */
    readonly intervalZ: number;
    readonly intervalShare: number;
    /** Residuals and logs of peers count at most so many robust standard deviations from their middle. */
    readonly winsorDeviations: number;
    /** Medians over so many days; `sums` are sums over many days already and stay as they are. */
    readonly smoothing: { readonly days: number; readonly sums: readonly QuantityId[] };
    /** Drivers of every category that say little: their confidence is multiplied by `share`, and none stands alone. */
    readonly weak: { readonly quantities: readonly QuantityId[]; readonly share: number };
    readonly rounds: VfrRounds;
    readonly zones: { readonly deep: number; readonly mild: number; readonly fairRatio: number };
    readonly peg: {
      readonly stablecoinFair: number;
      readonly lstFair: number;
      readonly mild: number;
      /** What registries file dollar stablecoins under, in lower case. */
      readonly dollarWords: readonly string[];
      /** Parts of what they file those under that gather their yield in their price: worth more than a dollar, by how much is not said. */
      readonly accruingWords: readonly string[];
    };
    readonly drivers: Readonly<Record<Category, readonly QuantityId[]>>;
  };
}

/** Value of projects before their token, by their last public round (methodology 5). */
export interface VfrRounds {
  /** Share of the project that a round is assumed to sell where only its amount is public. */
  readonly soldShare: number;
  /** Added to the standard deviation then. */
  readonly amountOnlySd: number;
  readonly sdFloor: number;
  /** Standard deviations that a score `scoreSpread` points above `scoreCentre` adds to the fair value. */
  readonly scoreEffect: number;
  readonly scoreCentre: number;
  readonly scoreSpread: number;
  readonly minimumRounds: number;
  /** Days: an older round of a peer tells nothing of today's prices. */
  readonly maximumAgeDays: number;
}
