import type { Asset, CanonicalRecord } from './asset.ts';
import type { AssetClass, Band, Category, FactorCode, FailureProbability, Severity, VfrZone } from './rating.ts';

/** `provisional`: a project without a token has no market that could show a direction. */
export type Outlook = 'positive' | 'stable' | 'negative' | 'developing' | 'provisional';
export type RatingActionKind = 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';

/** A pending event that may move the band (methodology 4.3). */
export interface Watch {
  readonly direction: 'positive' | 'negative' | 'developing';
  /**
   * `exploit_under_investigation`, `unlock_pending`, `authority_change`, `delisting_notice`, `source_conflict` or
   * `evidence`.
   */
  readonly reason: string;
  readonly detail: string;
  /** RFC 3339 UTC. */
  readonly since: string;
  /** Time by which it is resolved, or renewed with a reason. */
  readonly deadline: string;
}

/**
 * A part of the change in score since the previous rating, in points. `code` is a factor, `CAP` for caps, `DEFAULT`,
 * `STAGE` for a change of model, or `RECORD` when the asset's name, symbol, website or category changed (0 points: the
 * effect is part of the factors).
 */
export interface Driver {
  readonly code: FactorCode | 'CAP' | 'DEFAULT' | 'STAGE' | 'RECORD';
  readonly name: string;
  /** Signed, in steps of 0.1; all drivers add up to the change of the score. */
  readonly points: number;
  readonly detail: string;
}

export interface PublishedFlag {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  /** Start of the uninterrupted period in which it has been raised. */
  readonly since: string;
}

/** A flag in the publication state. The optional fields are absent in states from before flags were held. */
export interface RememberedFlag {
  readonly code: string;
  readonly severity: Severity;
  /** Start of the uninterrupted period in which it has been raised. */
  readonly since: string;
  /** Last seen raised. */
  readonly seenAt?: string;
  /** Time since which its condition is known to be false. */
  readonly falseSince?: string;
  /** Consensus keys of its evidence. */
  readonly basis?: readonly string[];
}

/** A default test that is met (methodology 4.4). */
export interface DefaultTest {
  readonly code: 'D1' | 'D2' | 'D3' | 'D4' | 'D5' | 'D6' | 'D7' | 'D8';
  readonly detail: string;
  readonly since: string;
}

/** A published rating: immutable once stored. */
export interface PublishedRating {
  readonly asset: Asset;
  /** The class, and how it was decided; absent in ratings from before classes existed. */
  readonly class?: AssetClass;
  readonly categoryReason?: string;
  readonly category: Category;
  readonly stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1, for this time; null when not rated. */
  readonly score: number | null;
  /** Smoothed over days (half-life 1 day down, 3 days up); decides changes of the band. */
  readonly smoothedScore: number | null;
  /** The band with hysteresis. */
  readonly band: Band;
  /** The band of this time's score alone. */
  readonly indicativeBand: Band;
  readonly scoreInterval: readonly [number, number] | null;
  readonly trust: number;
  readonly flags: readonly PublishedFlag[];
  readonly outlook: Outlook | null;
  readonly watch: Watch | null;
  readonly vfr: {
    readonly value: number | null;
    readonly zone: VfrZone;
    readonly interval: readonly [number, number] | null;
  };
  /** Probabilities for the published band; absent in ratings from before they existed. */
  readonly failure?: readonly FailureProbability[];
  readonly previous: { readonly score: number | null; readonly band: Band; readonly asOf: string } | null;
  readonly action: RatingActionKind;
  /** One-line reason for the action. */
  readonly actionReason: string;
  /** True when the action reverses one of the last 30 days. */
  readonly reversal: boolean;
  readonly drivers: readonly Driver[];
  readonly defaultTests: readonly DefaultTest[];
  /** Set once defaulted: the start of the default, and when it is cured. */
  readonly default: { readonly since: string; readonly curesAt: string | null } | null;
  /** Features without a value, and quantities on which sources contradict each other. */
  readonly gaps: readonly { readonly feature: string; readonly reason: string }[];
  readonly conflicts: readonly {
    readonly quantity: string;
    readonly detail: string;
  }[];
  /** For stablecoins, wrapped and tokenised assets, whose issuer has powers by design. Null for others. */
  readonly issuerControl: {
    readonly kind: 'stablecoin' | 'wrapped' | 'tokenised_asset';
    /** The score if the powers were a stranger's. */
    readonly technicalScore: number | null;
    readonly technicalBand: Band;
  } | null;
  /** Size for peer groups: market capitalisation in US dollars if known. */
  readonly marketCapUsd: number | null;
  readonly methodologyVersion: string;
  readonly methodologyHash: string;
  readonly jobId: string;
  readonly asOf: string;
}

/** One UTC day in the publication state. */
export interface DayPoint {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Last score of the day; null when not rated. */
  readonly score: number | null;
  readonly priceUsd: number | null;
  readonly liquidityUsd: number | null;
}

/**
 * State of an asset that publication needs from one rating to the next. Plain JSON, stored in the evidence of the next
 * rating, so that a replay gives the same published rating. Owned by `publication/`; other modules pass it on without
 * reading it.
 */
export interface PublicationState {
  readonly schema: 'assay.publication/1';
  readonly asOf: string;
  readonly smoothedScore: number | null;
  readonly band: Band;
  /** Newest last, at most 100. */
  readonly days: readonly DayPoint[];
  /** The last published rating. */
  readonly last: {
    readonly score: number | null;
    readonly band: Band;
    readonly asOf: string;
    readonly uncappedScore: number | null;
    readonly factors: Readonly<Partial<Record<FactorCode, number>>>;
    /** Points of each factor relative to the prior. */
    readonly points: Readonly<Partial<Record<FactorCode, number>>>;
    /** Score of that time's rating alone, before fading caps and before a default. */
    readonly capped: number | null;
    readonly flags: readonly RememberedFlag[];
    readonly caps: readonly { readonly code: string; readonly cap: number }[];
  };
  /**
   * Caps that ended less than seven days ago and still bind: code, ceiling, and time since which the condition is
   * false.
   */
  readonly fadingCaps: readonly { readonly code: string; readonly cap: number; readonly falseSince: string }[];
  /**
   * Consecutive days whose smoothed score was above the cut-off of a better band: their number, the newest day, and the
   * lowest score.
   */
  readonly above: { readonly count: number; readonly day: string; readonly least: number } | null;
  readonly watch: Watch | null;
  readonly default: {
    readonly since: string;
    /** Time since which every test is false; null while one is met. */
    readonly clearSince: string | null;
    readonly tests: readonly DefaultTest[];
    /**
     * Liquidity below which test D1 was met when it defaulted, US dollars: the default lasts until the liquidity is
     * above it again. Absent: another test, or a state from before it was stored.
     */
    readonly liquidityUsd?: number;
  } | null;
  /** Default tests whose duration is being counted: code and start. */
  readonly pendingTests: readonly { readonly code: string; readonly since: string }[];
  /** Band changes of the last 30 days. */
  readonly changes: readonly { readonly asOf: string; readonly from: Band; readonly to: Band }[];
  /** Time since which it cannot be rated; null while it can. */
  readonly notRatedSince: string | null;
  /** States of the key holders in the previous rating. */
  readonly authorities: { readonly mint: string | null; readonly freeze: string | null };
  /** The asset's canonical record; absent in states from before it was stored. */
  readonly record?: CanonicalRecord;
  /** A website that a source named and that is not yet confirmed. */
  readonly pendingWebsite?: PendingWebsite;
  /** The current published rating, which is published again while collections are weak. Absent in older states. */
  readonly standing?: PublishedRating;
  /** Evidence behind the published rating; absent in states from before floors existed. */
  readonly basis?: EvidenceBasis;
  /** Collections since the published rating that were too weak to replace it; absent: the newest one was not weak. */
  readonly weak?: WeakCollections;
  /**
   * Features whose last value was below 40 points, with its sources. A missing value does not withdraw them. Absent:
   * none.
   */
  readonly adverse?: readonly AdverseFeature[];
}

/** How much evidence a rating was made from. */
export interface EvidenceBasis {
  readonly asOf: string;
  /** Share of the applicable weight whose sources were requested and replied, 0-1. */
  readonly askedShare: number;
  /** False when the rating was published below the floor, because of a knock-out or a default with its own evidence. */
  readonly floorMet: boolean;
  /** Sources that replied, sorted. */
  readonly sources: readonly string[];
  /** Landing page that was read as the project's own site; null: none. */
  readonly website: string | null;
  /** The highest score that the asked share supports, and why, where it limits the rating; never before methodology 1.8.0. */
  readonly limit?: { readonly score: number; readonly detail: string };
}

export interface WeakCollections {
  /** Time of the first weak collection. */
  readonly since: string;
  /** Time of the newest one. */
  readonly asOf: string;
  readonly count: number;
  /** Sources that failed in the newest one, sorted. */
  readonly sources: readonly string[];
}

/** A feature's last adverse value. */
export interface AdverseFeature {
  readonly feature: string;
  /** 0-40. */
  readonly points: number;
  readonly confidence: number;
  readonly seenAt: string;
  /** Lineage groups that stated it, sorted. */
  readonly families: readonly string[];
}

export interface PendingWebsite {
  readonly value: string | null;
  /** When it was first seen. */
  readonly since: string;
  readonly sources: readonly string[];
}

/** Why a result is not published (a closed set). */
export const NOT_PUBLISHED_CODES = [
  /** The link between the asset and its project is below the floor. */
  'identity_below_floor',
  /** Critical quantities of the class are missing, or too little of the evidence could be read. */
  'evidence_below_floor',
  /** Less was read than for the current record, which stays. */
  'weaker_than_standing',
  /** The caller's deadline passed before the collection was complete; the collection continues. */
  'partial_collection',
] as const;
export type NotPublishedCode = (typeof NOT_PUBLISHED_CODES)[number];

/** Whether the result of a collection becomes the published record. */
export interface PublicationDecision {
  readonly published: boolean;
  /** Empty when the result is published. */
  readonly because: readonly { readonly code: NotPublishedCode; readonly detail: string }[];
}
