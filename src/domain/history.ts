import type { Asset } from './asset.ts';
import type { ConsensusSet } from './consensus.ts';

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
  /** Read from the chain, not told by a registry. */
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
