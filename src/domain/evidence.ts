import type { Asset, Identification, ScoreRequest } from './asset.ts';
import type { ConsensusSet } from './consensus.ts';
import { sourceFor } from './information-kinds.ts';
import type { Json, Observation } from './observation.ts';
import type { PublicationDecision, PublicationState, PublishedRating } from './published.ts';
import type { DriverDay, PeerRow, PreviousRating, Rating } from './rating.ts';

/** What the service itself kept of an asset at one moment. A number that was not known then is null, never 0. */
export interface HistoryPoint {
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly priceUsd: number | null;
  /** Both sides of all pools. */
  readonly liquidityUsd: number | null;
  readonly volume24hUsd: number | null;
}

export interface SupplyPoint {
  readonly at: string;
  /** Whole tokens. */
  readonly totalSupply: number;
  /** Read from the chain, not stated by a registry. */
  readonly isOnChain: boolean;
}

/**
 * What the service kept of an asset before a rating, as far as flags need it. It lies in the rating's evidence, so that a
 * replay sees what the rating saw.
 */
export interface AssetHistory {
  /** The last point of each hour of the 26 hours before, oldest first. */
  readonly hours: readonly HistoryPoint[];
  /** The last point of each UTC day of the 31 days before the rating's own day, oldest first. */
  readonly days: readonly HistoryPoint[];
  /** Days in a row up to the newest point whose every kept point says that nothing was traded; null when the newest says otherwise. */
  readonly quiet: { readonly since: string; readonly points: number } | null;
  /** Total supply as the market snapshots of a day before, and of a year before (or the oldest of at least 90 days), had it. */
  readonly supply: { readonly dayAgo: SupplyPoint | null; readonly oldest: SupplyPoint | null };
  /** Circulating supply by days, oldest first, of an asset that keeps its price: market value over price. Not given, or none: its price moves. */
  readonly circulating?: readonly { readonly at: string; readonly priceUsd: number; readonly tokens: number }[];
  /** Centralised markets that traded a day before, as that day's market snapshot had them (`binance:HLDUSDT`). */
  readonly listings: readonly { readonly at: string; readonly venue: string; readonly volume24hUsd: number }[];
}

/** An asset to be looked into, with what its rating's evidence says of it. */
export interface ForensicSubject {
  readonly asset: Asset;
  readonly consensus: ConsensusSet;
  /** The rating's flags, and the default tests that hold. */
  readonly flags: readonly string[];
  readonly defaultTests: readonly string[];
}

/** What a search has come to: found (kept `until`, milliseconds), still under way, not begun because others are, or not possible. */
export type SearchState<Found> =
  | { readonly state: 'found'; readonly record: Found; readonly until: number }
  | { readonly state: 'searching'; readonly startedAt: number }
  | { readonly state: 'busy' }
  | { readonly state: 'unsupported' };

/** Closed set of outcomes of one request to one source. */
export type RequestOutcome =
  | 'ok'
  | 'empty'
  | 'not_found'
  | 'unsupported'
  | 'disabled'
  | 'rate_limited'
  | 'budget_spent'
  | 'circuit_open'
  | 'timeout'
  | 'deadline'
  | 'unreachable'
  | 'refused_address'
  | 'too_large'
  | 'http_error'
  | 'wrong_content_type'
  | 'truncated'
  | 'malformed'
  | 'error_reply'
  | 'cancelled';

/** Outcomes of replies by the source itself: a thing that such a reply does not list is known to be absent. */
export const REPLIED: ReadonlySet<RequestOutcome> = new Set(['ok', 'empty', 'not_found']);

const SITE = sourceFor('site');

/**
 * True when a request was not sent, or was refused, because a request budget was spent: ours, or a public source's for our
 * address. That says nothing about the asset. The project's own website has no budget of ours to refer to: its 429 is its own.
 */
export function isOverBudget(source: string, outcome: RequestOutcome): boolean {
  return outcome === 'budget_spent' || (outcome === 'rate_limited' && source !== SITE);
}

/** One archived reply: kept for good, without the body. */
export interface ResponseRecord {
  /** Unique inside one evidence record: `<source>.<endpoint>#<8 hex of the params' hash>`. */
  readonly id: string;
  readonly source: string;
  readonly endpoint: string;
  /** The parameters the request was built from; with the body they give the observations again. */
  readonly params: Json;
  readonly outcome: RequestOutcome;
  readonly method: string;
  /** Without keys or any other secret. */
  readonly url: string;
  readonly status: number | null;
  readonly fetchedAt: string;
  readonly milliseconds: number;
  /** The few reply headers an observation may depend on (`link`, `last-modified`, ...), lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the decoded body; null if there is none. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  /** Message for people when the outcome is a failure, or when a reply is incomplete; never holds addresses of our own network or keys. */
  readonly detail: string | null;
  /** True when another request of ours had fetched it shortly before, or when it is a row of a shared list. */
  readonly fromCache: boolean;
  /** Set on the reply of an earlier published collection that is used because the same request failed this time: the job that made it. */
  readonly carriedFrom?: string;
  /** Milliseconds that a turn of the source's budget was waited for; absent: none. */
  readonly waitedMs?: number;
}

/** What became of one source in one job. */
export interface SourceOutcome {
  readonly name: string;
  readonly outcome: RequestOutcome;
  readonly milliseconds: number;
  readonly observations: number;
  readonly asked: number;
  readonly answered: number;
  /** Requests that failed while others succeeded. */
  readonly failures: readonly { readonly endpoint: string; readonly outcome: RequestOutcome }[];
  readonly detail: string | null;
  /**
   * Earlier replies that are used for requests that failed or could not be sent this time; absent: none. `credit` is what they are
   * worth by their age, between 0 and their number.
   */
  readonly carried?: { readonly failed: number; readonly unasked: number; readonly credit: number };
}

export interface Attribution {
  readonly source: string;
  readonly text: string;
  readonly url: string;
}

/** One of several underlying assets of a token, by its published score (0-100) and its share of the backing (0-1). */
export interface Underlying {
  readonly name: string;
  readonly share: number;
  readonly score: number;
}

/** Everything a rating rests on. The rating is a pure function of this and the methodology. */
export interface EvidenceRecord {
  readonly schema: 'assay.evidence/1';
  readonly jobId: string;
  readonly dataMode: 'live' | 'sandbox';
  readonly request: ScoreRequest;
  readonly startedAt: string;
  /** The moment that the rating describes. */
  readonly asOf: string;
  readonly executionSeconds: number;
  readonly methodologyVersion: string;
  readonly methodologyHash: string;
  readonly identification: Identification;
  readonly observations: readonly Observation[];
  readonly responses: readonly ResponseRecord[];
  readonly sources: readonly SourceOutcome[];
  readonly attributions: readonly Attribution[];
  /** Sources whose terms forbid passing their raw values on: they count, but only consensus values leave the house. */
  readonly notRedistributable: readonly string[];
  readonly peers: readonly PeerRow[];
  /** The asset's own drivers on the days before, oldest first; absent in records from before they were kept. */
  readonly driverDays?: readonly DriverDay[];
  readonly previous: PreviousRating | null;
  /** The underlying asset, by its published score (0-100) at that time; absent or null: it is not rated. */
  readonly underlying?: { readonly name: string; readonly score: number } | null;
  /** The same for a token with several underlying assets, each with its share of the backing (0-1); unrated ones are left out. */
  readonly underlyings?: readonly Underlying[];
  /** What publication remembered of the asset when this was stored; absent or null: it was never rated before. */
  readonly publication?: PublicationState | null;
  /** What the service itself had kept of the asset; absent or null: nothing. */
  readonly history?: AssetHistory | null;
  readonly warnings: readonly string[];
  /**
   * `publication`: a whole collection for the published record. `partial`: what was known when a caller's deadline came; never
   * published. Absent: a record from before kinds of collections were distinguished, which counts as `publication`.
   */
  readonly purpose?: 'publication' | 'partial';
}

/** What one scoring job found: evidence, the values agreed on, the rating. Every output format is a view of this. */
export interface ScoreReport {
  readonly evidence: EvidenceRecord;
  readonly consensus: ConsensusSet;
  /** Of this moment alone. */
  readonly rating: Rating;
  /** As it is published: with the history of the asset. */
  readonly published: PublishedRating;
  /** What the next publication must remember. */
  readonly state: PublicationState;
  /** Whether it is published, and why not. */
  readonly decision: PublicationDecision;
}

/** Archived evidence that is kept and cannot be read now. The message is for callers: it names no address. */
export class EvidenceUnavailable extends Error {}
