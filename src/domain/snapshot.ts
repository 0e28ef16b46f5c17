/** Snapshots of chain data; their types are made of the schemas in `contract/`. */
export type SnapshotKind = 'market' | 'holders' | 'pools';
export const SNAPSHOT_KINDS: readonly SnapshotKind[] = ['market', 'holders', 'pools'];

/** How often the readers of an asset need new snapshots, from rare to frequent: the freshness grids of the plans. */
export const CADENCES = ['hourly', 'five_minutes', 'newest'] as const;
export type Cadence = (typeof CADENCES)[number];

/** State of a first snapshot that was not made yet. */
export interface AwaitedSnapshot {
  /** False: the asset has no snapshots of this kind. */
  readonly isMade: boolean;
  readonly isPaused: boolean;
  /** No demand for the asset is left. */
  readonly isOver: boolean;
  /** Consecutive attempts without a snapshot. */
  readonly failures: number;
  /** Outcome of the last attempt; null before the first. */
  readonly outcome: string | null;
  /** RFC 3339; null where nothing is planned. */
  readonly dueAt: string | null;
  /** A process makes it now. */
  readonly isRunning: boolean;
  /** First snapshots of this kind that are due before it, counted up to a thousand. */
  readonly ahead: number;
}

/** How good a holder list is: every account read from the chain, an indexer's list, or the twenty largest accounts only. */
export type HolderMethod = 'full_scan' | 'indexer' | 'top20_only';

/** Metrics of methodology 8 over one view of the holders. A number that the view cannot give is null. */
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
  /** Fewest holders with more than half (a third) of the view's supply; null when exclusions make it unattainable. */
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
 * A complete scan of the holders by the indexer as an observation of a rating. Its reliability is that of a chain node; of the
 * labels it keeps those of the chain itself and of the built-in address book, not those that indexers gave (below this confidence).
 */
export const HOLDER_SCAN = {
  source: 'holder_scan',
  family: 'chain:scan',
  reliability: 0.97,
  leastLabelConfidence: 0.95,
} as const;

/** The launch of an asset, read from the chain by the forensics, as an observation of a rating. */
export const LAUNCH_READ = { source: 'launch_read', family: 'chain:launch' } as const;

export interface HolderLabel {
  readonly kind: LabelKind;
  /** Readable: `Raydium AMM v4 pool`, `Binance 14`. */
  readonly name: string;
  /** Where the label comes from: `program_owner`, `burn_addresses`, a source's name, a list with its date. */
  readonly source: string;
  /** 0-1. */
  readonly confidence: number;
}

/** Mathematics a pool trades by. */
export type PoolKind = 'constant_product' | 'concentrated' | 'bins' | 'stableswap' | 'bonding_curve';

export interface PoolDepth {
  readonly move_pct: number;
  /** Quote value, in USD, that sellers take out (down) or buyers put in (up) before the price has moved so far. */
  readonly down_usd: number | null;
  readonly up_usd: number | null;
}
export interface PoolSlippage {
  readonly size_usd: number;
  /** Average price paid against the price before, fee included; null when the pool cannot fill it. */
  readonly buy_pct: number | null;
  readonly sell_pct: number | null;
}
