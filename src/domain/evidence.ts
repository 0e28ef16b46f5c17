import type { Asset, Identification, ScoreRequest } from './asset.ts';
import type { ConsensusSet } from './consensus.ts';
import { sourceFor } from './information-kinds.ts';
import type { Json, Observation } from './observation.ts';
import type { PublicationDecision, PublicationState, PublishedRating } from './published.ts';
import type { DriverDay, PeerRow, PreviousRating, Rating } from './rating.ts';

/** Values of an asset that the service stored at one time. A number that was unknown is null, never 0. */
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
  /** True when read from the chain, false when stated by a registry. */
  readonly isOnChain: boolean;
}

/**
 * Values of an asset stored before a rating, as far as flags need them. They are part of the rating's evidence, so that
 * a replay sees the same values.
 */
export interface AssetHistory {
  /** The last point of each hour, for the 26 hours before the rating, oldest first. */
  readonly hours: readonly HistoryPoint[];
  /** The last point of each UTC day, for the 31 days before the day of the rating, oldest first. */
  readonly days: readonly HistoryPoint[];
  /**
   * Consecutive days up to the newest point in which every stored point shows no trades; null when the newest one shows
   * trades.
   */
  readonly quiet: { readonly since: string; readonly points: number } | null;
  /**
   * Total supply in the market snapshots of a day before and of a year before (or the oldest one of at least 90 days).
   */
  readonly supply: { readonly dayAgo: SupplyPoint | null; readonly oldest: SupplyPoint | null };
  /**
   * Circulating supply by day, oldest first, computed as market value over price, for an asset with a stable price.
   * Absent or empty: its price moves.
   */
  readonly circulating?: readonly { readonly at: string; readonly priceUsd: number; readonly tokens: number }[];
  /** Centralised markets that traded a day before, from that day's market snapshot (`binance:HLDUSDT`). */
  readonly listings: readonly { readonly at: string; readonly venue: string; readonly volume24hUsd: number }[];
}

/** An asset to investigate, with the facts about it from its rating's evidence. */
export interface ForensicSubject {
  readonly asset: Asset;
  readonly consensus: ConsensusSet;
  /** The rating's flags, and the default tests that are met. */
  readonly flags: readonly string[];
  readonly defaultTests: readonly string[];
}

/**
 * State of a search: found (stored until `until`, milliseconds), running, not started because others are running, or
 * not possible.
 */
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

/** Outcomes in which the source itself replied. Something that such a reply does not list is known to be absent. */
export const REPLIED: ReadonlySet<RequestOutcome> = new Set(['ok', 'empty', 'not_found']);

const SITE = sourceFor('site');

/**
 * True when a request was not sent, or was refused, because a request budget was spent: ours, or a public source's
 * budget for our address. This says nothing about the asset. The project's own website has no such budget: a 429 from
 * it counts as its own refusal.
 */
export function isOverBudget(source: string, outcome: RequestOutcome): boolean {
  return outcome === 'budget_spent' || (outcome === 'rate_limited' && source !== SITE);
}

/** One archived reply: stored permanently, without the body. */
export interface ResponseRecord {
  /** Unique inside one evidence record: `<source>.<endpoint>#<8 hex of the params' hash>`. */
  readonly id: string;
  readonly source: string;
  readonly endpoint: string;
  /** The parameters of the request. Together with the body they reproduce the observations. */
  readonly params: Json;
  readonly outcome: RequestOutcome;
  readonly method: string;
  /** Contains no keys or other secrets. */
  readonly url: string;
  readonly status: number | null;
  readonly fetchedAt: string;
  readonly milliseconds: number;
  /** Reply headers that an observation may depend on (`link`, `last-modified`, ...), with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the decoded body; null if there is none. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  /**
   * Message for people, set when the outcome is a failure or a reply is incomplete. Never contains internal addresses
   * or keys.
   */
  readonly detail: string | null;
  /** True when an earlier request fetched it shortly before, or when it is a row of a shared list. */
  readonly fromCache: boolean;
  /**
   * Set when the reply of an earlier published collection is used because the same request failed this time: the id of
   * the earlier job.
   */
  readonly carriedFrom?: string;
  /** Milliseconds spent waiting for the source's request budget; absent: none. */
  readonly waitedMs?: number;
}

/** Outcome of one source in one job. */
export interface SourceOutcome {
  readonly name: string;
  readonly outcome: RequestOutcome;
  readonly milliseconds: number;
  readonly observations: number;
  readonly asked: number;
  readonly answered: number;
  /** Requests that failed, with their outcome. */
  readonly failures: readonly { readonly endpoint: string; readonly outcome: RequestOutcome }[];
  readonly detail: string | null;
  /**
   * Earlier replies that replace requests that failed or could not be sent this time; absent: none. `credit` is their
   * value reduced by age, between 0 and their number.
   */
  readonly carried?: { readonly failed: number; readonly unasked: number; readonly credit: number };
}

export interface Attribution {
  readonly source: string;
  readonly text: string;
  readonly url: string;
}

/**
 * One of several underlying assets of a token, by its last published score (0-100), null where it never had one, and its
 * share of the backing (0-1).
 */
export interface Underlying {
  readonly name: string;
  readonly share: number;
  readonly score: number | null;
}

/** All evidence of a rating. The rating is a pure function of it and the methodology. */
export interface EvidenceRecord {
  readonly schema: 'assay.evidence/1';
  readonly jobId: string;
  readonly dataMode: 'live' | 'sandbox';
  readonly request: ScoreRequest;
  readonly startedAt: string;
  /** The time that the rating describes. */
  readonly asOf: string;
  readonly executionSeconds: number;
  readonly methodologyVersion: string;
  readonly methodologyHash: string;
  readonly identification: Identification;
  readonly observations: readonly Observation[];
  readonly responses: readonly ResponseRecord[];
  readonly sources: readonly SourceOutcome[];
  readonly attributions: readonly Attribution[];
  /** Sources whose terms forbid redistribution of raw values: they count, but only consensus values are published. */
  readonly notRedistributable: readonly string[];
  readonly peers: readonly PeerRow[];
  /** The asset's own drivers on earlier days, oldest first. Absent in records from before they were stored. */
  readonly driverDays?: readonly DriverDay[];
  readonly previous: PreviousRating | null;
  /**
   * The underlying asset with its last published score (0-100), null where it never had one. Absent or null: none is
   * named, it is in a register and was not rated here yet, or (in older records) its rating was withheld.
   */
  readonly underlying?: Omit<Underlying, 'share'> | null;
  /** The same for each of several underlying assets; those for which it would be null are omitted. */
  readonly underlyings?: readonly Underlying[];
  /** The publication state of the asset when this was stored. Absent or null: it was never rated before. */
  readonly publication?: PublicationState | null;
  /** Values of the asset that the service had stored. Absent or null: none. */
  readonly history?: AssetHistory | null;
  readonly warnings: readonly string[];
  /**
   * `publication`: a complete collection for the published record. `partial`: what was known at a caller's deadline;
   * never published. Absent in records from before the distinction, which count as `publication`.
   */
  readonly purpose?: 'publication' | 'partial';
}

/** Result of one scoring job: evidence, consensus values and rating. Every output format is a view of it. */
export interface ScoreReport {
  readonly evidence: EvidenceRecord;
  readonly consensus: ConsensusSet;
  /** The rating of this time alone. */
  readonly rating: Rating;
  /** The published rating, which takes the history of the asset into account. */
  readonly published: PublishedRating;
  /** State that the next publication needs. */
  readonly state: PublicationState;
  /** Whether the result is published and, if not, why. */
  readonly decision: PublicationDecision;
}

/** Archived evidence exists but cannot be read now. The message is shown to callers and contains no address. */
export class EvidenceUnavailable extends Error {}
