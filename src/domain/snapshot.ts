/** Snapshots of chain data. Their types are derived from the schemas in `contract/`. */
export type SnapshotKind = 'market' | 'holders' | 'pools';
export const SNAPSHOT_KINDS: readonly SnapshotKind[] = ['market', 'holders', 'pools'];

/**
 * How often an asset's readers need new snapshots, from rare to frequent; corresponds to the freshness grids of the
 * plans.
 */
export const CADENCES = ['hourly', 'five_minutes', 'newest'] as const;
export type Cadence = (typeof CADENCES)[number];

/** State of a first snapshot that does not exist yet. */
export interface AwaitedSnapshot {
  /** False: this kind of snapshot is not made for the asset. */
  readonly isMade: boolean;
  readonly isPaused: boolean;
  /** True when no demand for the asset is left. */
  readonly isOver: boolean;
  /** Consecutive attempts without a snapshot. */
  readonly failures: number;
  /** Outcome of the last attempt; null before the first. */
  readonly outcome: string | null;
  /** RFC 3339; null when nothing is scheduled. */
  readonly dueAt: string | null;
  /** True while a process is making it. */
  readonly isRunning: boolean;
  /** Number of first snapshots of this kind that are due earlier, counted up to a thousand. */
  readonly ahead: number;
}

/**
 * Completeness of a holder list: every account read from the chain, an indexer's list, or only the twenty largest
 * accounts.
 */
export type HolderMethod = 'full_scan' | 'indexer' | 'top20_only';

/** Metrics of methodology 8 over one view of the holders. A number that the view cannot provide is null. */
export interface Concentration {
  readonly holder_count: number | null;
  readonly top_1_pct: number | null;
  readonly top_5_pct: number | null;
  readonly top_10_pct: number | null;
  readonly top_20_pct: number | null;
  readonly top_50_pct: number | null;
  readonly top_100_pct: number | null;
  /** 0-1; null for fewer than two holders. */
  readonly gini: number | null;
  /** Over holders with at least one dollar; null without a price. */
  readonly gini_min: number | null;
  /** 0-10,000. */
  readonly hhi: number | null;
  /** 1 / sum of squared shares. */
  readonly effective_holders: number | null;
  /** Natural logarithm. */
  readonly entropy: number | null;
  /** e^entropy. */
  readonly entropy_holders: number | null;
  /** entropy / ln n; null for one holder. */
  readonly entropy_normalised: number | null;
  /**
   * Smallest number of holders that together have more than half (a third) of the view's supply; null when exclusions
   * make it unattainable.
   */
  readonly nakamoto_50: number | null;
  readonly nakamoto_33: number | null;
  /** Notes such as `n_lt_k`, `one_holder`. */
  readonly notes: readonly string[];
}

export const LABEL_KINDS = [
  'pool',
  'burn',
  'locker',
  'vesting',
  'bridge',
  'exchange',
  'staking',
  'lending',
  'issuer',
  'program',
] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/**
 * A complete holder scan of the indexer, as an observation of a rating. Its reliability is that of a chain node. It
 * keeps the labels of the chain itself and of the built-in address book, but not those of indexers (below this
 * confidence).
 */
export const HOLDER_SCAN = {
  source: 'holder_scan',
  family: 'chain:scan',
  reliability: 0.97,
  leastLabelConfidence: 0.95,
} as const;

/** The launch of an asset, read from the chain by the forensics module, as an observation of a rating. */
export const LAUNCH_READ = { source: 'launch_read', family: 'chain:launch' } as const;

export interface HolderLabel {
  readonly kind: LabelKind;
  /** Name for display: `Raydium AMM v4 pool`, `Binance 14`. */
  readonly name: string;
  /** Origin of the label: `program_owner`, `burn_addresses`, the name of a source, a list with its date. */
  readonly source: string;
  /** 0-1. */
  readonly confidence: number;
}

/** Pricing formula of a pool. */
export type PoolKind = 'constant_product' | 'concentrated' | 'bins' | 'stableswap' | 'bonding_curve';

export interface PoolDepth {
  readonly move_pct: number;
  /**
   * Quote value in US dollars that sellers take out (down) or buyers put in (up) until the price has moved by
   * `move_pct`.
   */
  readonly down_usd: number | null;
  readonly up_usd: number | null;
}
export interface PoolSlippage {
  readonly size_usd: number;
  /**
   * Difference of the average price paid from the price before, including the fee; null when the pool cannot fill the
   * order.
   */
  readonly buy_pct: number | null;
  readonly sell_pct: number | null;
}
