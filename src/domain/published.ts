import type { Asset, CanonicalRecord } from './asset.ts';
import type { AssetClass, Band, Category, FactorCode, FailureProbability, Severity, VfrZone } from './rating.ts';

/** `provisional`: a project without a token has no market that could show a direction. */
export type Outlook = 'positive' | 'stable' | 'negative' | 'developing' | 'provisional';
export type RatingActionKind = 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';

/** An event that may move the band is pending (methodology 4.3). */
export interface Watch {
  readonly direction: 'positive' | 'negative' | 'developing';
  /** `exploit_under_investigation`, `unlock_pending`, `authority_change`, `delisting_notice`, `source_conflict`, `evidence`. */
  readonly reason: string;
  readonly detail: string;
  /** RFC 3339 UTC. */
  readonly since: string;
  /** It is resolved or renewed with a reason by then. */
  readonly deadline: string;
}

/**
 * What moved the score since the rating before, in points; `code` is a factor, `CAP` for caps, `DEFAULT`, `STAGE` for another
 * model, or `RECORD` where the asset's name, symbol, website or category changed (0 points: the factors hold what that moved).
 */
export interface Driver {
  readonly code: FactorCode | 'CAP' | 'DEFAULT' | 'STAGE' | 'RECORD';
  readonly name: string;
  /** Signed, 0.1 steps; all drivers add up to the change of the score. */
  readonly points: number;
  readonly detail: string;
}

export interface PublishedFlag {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  /** When it was first seen raised, without a break. */
  readonly since: string;
}

/** A flag as publication remembers it. States of before flags were held have neither of the optional parts. */
export interface RememberedFlag {
  readonly code: string;
  readonly severity: Severity;
  /** First seen raised, without a break. */
  readonly since: string;
  /** Last seen raised. */
  readonly seenAt?: string;
  /** Since when its condition is known to be false. */
  readonly falseSince?: string;
  /** Keys of the consensus it rests on. */
  readonly basis?: readonly string[];
}

/** One default test that is met (methodology 4.4). */
export interface DefaultTest {
  readonly code: 'D1' | 'D2' | 'D3' | 'D4' | 'D5' | 'D6' | 'D7' | 'D8';
  readonly detail: string;
  readonly since: string;
}

/** A rating as it is published: immutable once stored. */
export interface PublishedRating {
  readonly asset: Asset;
  /** The class, and how it was decided; absent in ratings from before classes. */
  readonly class?: AssetClass;
  readonly categoryReason?: string;
  readonly category: Category;
  readonly stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1, at this moment; null when not rated. */
  readonly score: number | null;
  /** Smoothed over days (half-life 1 d down, 3 d up); what band changes rest on. */
  readonly smoothedScore: number | null;
  /** With hysteresis. */
  readonly band: Band;
  /** Of this moment's score alone. */
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
  /** Of the published band; absent in ratings from before probabilities. */
  readonly failure?: readonly FailureProbability[];
  readonly previous: { readonly score: number | null; readonly band: Band; readonly asOf: string } | null;
  readonly action: RatingActionKind;
  /** Why the action was taken, one line. */
  readonly actionReason: string;
  /** True when the action takes back one of the 30 days before. */
  readonly reversal: boolean;
  readonly drivers: readonly Driver[];
  readonly defaultTests: readonly DefaultTest[];
  /** Set once defaulted: since when, and what has cured since. */
  readonly default: { readonly since: string; readonly curesAt: string | null } | null;
  /** Features without a value, and quantities whose sources contradict each other. */
  readonly gaps: readonly { readonly feature: string; readonly reason: string }[];
  readonly conflicts: readonly {
    readonly quantity: string;
    readonly detail: string;
  }[];
  /** Stablecoins, wrapped and tokenised assets: the issuer's powers are by design. Null for others. */
  readonly issuerControl: {
    readonly kind: 'stablecoin' | 'wrapped' | 'tokenised_asset';
    /** The score as if the powers were a stranger's. */
    readonly technicalScore: number | null;
    readonly technicalBand: Band;
  } | null;
  /** Size for peer groups: market capitalisation in US dollars when known. */
  readonly marketCapUsd: number | null;
  readonly methodologyVersion: string;
  readonly methodologyHash: string;
  readonly jobId: string;
  readonly asOf: string;
}

/** One UTC day as publication remembers it. */
export interface DayPoint {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Last score of the day; null when not rated. */
  readonly score: number | null;
  readonly priceUsd: number | null;
  readonly liquidityUsd: number | null;
}

/**
 * What publication must remember of an asset between two ratings. Plain JSON: it is kept in the evidence of the next
 * rating, so that a replay gives the same published rating. Owned by `publication/`; others pass it on unread.
 */
export interface PublicationState {
  readonly schema: 'assay.publication/1';
  readonly asOf: string;
  readonly smoothedScore: number | null;
  readonly band: Band;
  /** Newest last, at most 100. */
  readonly days: readonly DayPoint[];
  /** Of the last published rating. */
  readonly last: {
    readonly score: number | null;
    readonly band: Band;
    readonly asOf: string;
    readonly uncappedScore: number | null;
    readonly factors: Readonly<Partial<Record<FactorCode, number>>>;
    /** Points of each factor from the prior. */
    readonly points: Readonly<Partial<Record<FactorCode, number>>>;
    /** Of the rating of that moment, before caps that fade and before a default. */
    readonly capped: number | null;
    readonly flags: readonly RememberedFlag[];
    readonly caps: readonly { readonly code: string; readonly cap: number }[];
  };
  /** Caps that were lifted less than seven days ago still bind: code, ceiling, and since when their condition is false. */
  readonly fadingCaps: readonly { readonly code: string; readonly cap: number; readonly falseSince: string }[];
  /** Days in a row whose smoothed score was above the cut-off of a better band: the newest of them, and the least score. */
  readonly above: { readonly count: number; readonly day: string; readonly least: number } | null;
  readonly watch: Watch | null;
  readonly default: {
    readonly since: string;
    /** Since when every test is false; null while one holds. */
    readonly clearSince: string | null;
    readonly tests: readonly DefaultTest[];
  } | null;
  /** Default tests that are being counted: code and since when. */
  readonly pendingTests: readonly { readonly code: string; readonly since: string }[];
  /** Band changes of the last 30 days. */
  readonly changes: readonly { readonly asOf: string; readonly from: Band; readonly to: Band }[];
  /** Since when it cannot be rated; null while it can. */
  readonly notRatedSince: string | null;
  /** Who holds the keys, as the rating before saw it. */
  readonly authorities: { readonly mint: string | null; readonly freeze: string | null };
  /** The asset's canonical record; absent in states from before it was kept. */
  readonly record?: CanonicalRecord;
  /** A website that was named and has yet to be confirmed. */
  readonly pendingWebsite?: PendingWebsite;
  /** The current rating, as published; published again while collections stay weak. Absent in older states. */
  readonly standing?: PublishedRating;
  /** What the published rating rests on; absent in states from before floors. */
  readonly basis?: EvidenceBasis;
  /** Collections since the published rating that were too weak to replace it; absent: the newest was not. */
  readonly weak?: WeakCollections;
  /** Features whose last value was below 40 points, with its sources: a missing value does not withdraw them. Absent: none. */
  readonly adverse?: readonly AdverseFeature[];
}

/** How much of the evidence a rating was made from. */
export interface EvidenceBasis {
  readonly asOf: string;
  /** Share of the applicable weight whose sources got requests and replied, 0-1. */
  readonly askedShare: number;
  /** False: it was published on a knock-out or default of its own evidence, below the floor. */
  readonly floorMet: boolean;
  /** Sources that replied, sorted. */
  readonly sources: readonly string[];
  /** Landing page that was read as the project's own; null: none. */
  readonly website: string | null;
}

export interface WeakCollections {
  /** As-of of the first of them. */
  readonly since: string;
  /** As-of of the newest. */
  readonly asOf: string;
  readonly count: number;
  /** Sources that failed the newest, sorted. */
  readonly sources: readonly string[];
}

/** A feature's last adverse value. */
export interface AdverseFeature {
  readonly feature: string;
  /** 0-40. */
  readonly points: number;
  readonly confidence: number;
  readonly seenAt: string;
  /** Lineage groups that said so, sorted. */
  readonly families: readonly string[];
}

export interface PendingWebsite {
  readonly value: string | null;
  /** First seen. */
  readonly since: string;
  readonly sources: readonly string[];
}

/** Why a result is not published: a closed set. */
export const NOT_PUBLISHED_CODES = [
  /** The tie between the asset and its project is below the floor. */
  'identity_below_floor',
  /** Critical quantities of its class are missing, or too little of the evidence could be read. */
  'evidence_below_floor',
  /** Less was read than for the current record; that one stays. */
  'weaker_than_standing',
  /** The caller's deadline came before the collection was whole; the collection goes on. */
  'partial_collection',
] as const;
export type NotPublishedCode = (typeof NOT_PUBLISHED_CODES)[number];

/** Whether the result of a collection becomes the published record. */
export interface PublicationDecision {
  readonly published: boolean;
  /** Empty when it is published. */
  readonly because: readonly { readonly code: NotPublishedCode; readonly detail: string }[];
}
