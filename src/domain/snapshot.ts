import type { Asset } from './asset.ts';

/**
 * Snapshots of chain data, in the very shape they are stored, served and exported (contract.md, "Chain data").
 * Numbers not known are null, never 0. Raw token amounts are decimal strings in base units; the same amount in whole
 * tokens is a number. `_pct` is 0-100, `_usd` is US dollars. A stored snapshot never changes.
 */
export type SnapshotKind = 'market' | 'holders' | 'pools';
export const SNAPSHOT_KINDS: readonly SnapshotKind[] = ['market', 'holders', 'pools'];

/** How often the readers of an asset need new snapshots, from rare to frequent: the freshness grids of the plans. */
export const CADENCES = ['hourly', 'five_minutes', 'newest'] as const;
export type Cadence = (typeof CADENCES)[number];

/** What every snapshot carries. `age_seconds` and `data_mode` are added when it is served. */
export interface SnapshotHead {
  readonly asset: Asset;
  /** When the facts were true, RFC 3339 UTC. */
  readonly as_of: string;
  /** Names of the sources it rests on, sorted. */
  readonly sources: readonly string[];
  readonly attributions: readonly { readonly source: string; readonly text: string; readonly url: string }[];
  /** What a reader should know (a fallback taken, a part that is missing), in plain words. */
  readonly warnings: readonly string[];
}

/** Where one number comes from. */
export interface Provenance {
  /** Sources whose values made the number. */
  readonly sources: readonly string[];
  /** A value is null where the source's terms keep it from being passed on. */
  readonly outvoted: readonly { readonly source: string; readonly value: number | null; readonly reason: string }[];
  /** 0-1 (methodology 1). */
  readonly confidence: number;
  readonly interval: readonly [number, number] | null;
  /** `consensus` of several, `derived` from other numbers here, `history` from our own kept prices. */
  readonly method: 'consensus' | 'derived' | 'history';
}

export interface MarketNumbers {
  readonly price_usd: number | null;
  readonly change_1h_pct: number | null;
  readonly change_24h_pct: number | null;
  readonly change_7d_pct: number | null;
  readonly change_30d_pct: number | null;
  readonly volume_24h_usd: number | null;
  readonly market_cap_usd: number | null;
  readonly fully_diluted_value_usd: number | null;
  readonly circulating_supply: number | null;
  readonly total_supply: number | null;
  readonly max_supply: number | null;
  /** Two-sided, over all pools. */
  readonly liquidity_usd: number | null;
  /** Volume 24 h over market capitalisation. */
  readonly turnover_pct: number | null;
  /** Volume 24 h over liquidity, a ratio. */
  readonly volume_to_liquidity: number | null;
  /** Standard deviation of daily log returns over 30 days (at least 20 of them), per day. */
  readonly volatility_30d_pct: number | null;
  readonly ath_usd: number | null;
  /** Below the all-time high; 0 at the high. */
  readonly drawdown_pct: number | null;
  /** 1.4826 MAD of the venues' log prices. */
  readonly price_dispersion_pct: number | null;
}

export interface MarketSnapshot extends SnapshotHead, MarketNumbers {
  readonly kind: 'market';
  /**
   * `total_supply` without rounding, whole tokens as decimal text with all decimals of the token. One read of the chain that
   * counted in the consensus of `total_supply` and lies inside its interval; null when there is none or the sources stand
   * against each other. Absent in snapshots from before it was kept.
   */
  readonly total_supply_exact?: string | null;
  /** The source that read it from the chain; null with it. */
  readonly total_supply_exact_source?: string | null;
  readonly ath_at: string | null;
  readonly venues: readonly {
    readonly venue: string;
    readonly price_usd: number | null;
    readonly volume_24h_usd: number | null;
    readonly sources: readonly string[];
  }[];
  readonly provenance: { readonly [Name in keyof MarketNumbers]?: Provenance };
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

export interface HolderLabel {
  readonly kind: LabelKind;
  /** Readable: `Raydium AMM v4 pool`, `Binance 14`. */
  readonly name: string;
  /** Where the label comes from: `program_owner`, `burn_addresses`, a source's name, a list with its date. */
  readonly source: string;
  /** 0-1. */
  readonly confidence: number;
}

export interface HolderTier {
  /** `<1`, `1-10`, ... (USD) or `<0.0001%`, ... (share of supply). */
  readonly tier: string;
  readonly holders: number;
  readonly share_pct: number;
}

export interface HoldersSnapshot extends SnapshotHead {
  readonly kind: 'holders';
  readonly method: HolderMethod;
  readonly status: 'complete' | 'incomplete_enumeration' | 'zero_supply' | 'top20_only';
  readonly holder_count: number | null;
  readonly decimals: number;
  readonly supply: {
    readonly total_raw: string;
    readonly burned_raw: string;
    /** Under locks or vesting: outside the adjusted supply besides what is burned. */
    readonly locked_raw: string;
    readonly adjusted_raw: string;
    /** Sum of the balances seen over the total; 1 when all were seen. */
    readonly coverage: number | null;
  };
  readonly raw: Concentration;
  readonly adjusted: Concentration;
  /** Null without a price. */
  readonly tiers_usd: readonly HolderTier[] | null;
  readonly tiers_supply: readonly HolderTier[] | null;
  readonly top_holders: readonly {
    readonly rank: number;
    readonly address: string;
    readonly amount_raw: string;
    readonly amount: number;
    readonly share_pct: number;
    readonly labels: readonly HolderLabel[];
    /** Why it is not among the adjusted view's holders; null when it is. */
    readonly set_aside: string | null;
  }[];
  readonly unlabelled_top20_share_pct: number | null;
  /** What is set aside, by label kind. */
  readonly set_aside: readonly { readonly kind: LabelKind; readonly holders: number; readonly share_pct: number }[];
  /** Since the previous snapshot of the same method; null when there is none. */
  readonly change: {
    readonly since: string;
    readonly holder_count: number | null;
    readonly top_10_pct: number | null;
    readonly adjusted_top_10_pct: number | null;
  } | null;
  /** What was read to make it. */
  readonly scan: {
    readonly accounts: number | null;
    /** Slot (Solana) or block number (EVM) the list is true at. */
    readonly height: number | null;
    readonly bytes: number | null;
    readonly milliseconds: number | null;
  };
  /** Log-bucket histogram of balances: another day or shard can be merged with it. Null for `top20_only`. */
  readonly histogram: HistogramRecord | null;
}

/** Mergeable form: bucket i holds balances in [base^i, base^(i+1)) base units. */
export interface HistogramRecord {
  readonly base: number;
  readonly buckets: readonly (readonly [index: number, count: number, sum: number])[];
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

export interface PoolRecord {
  /** `raydium`, `orca`, `uniswap`, ... */
  readonly dex: string;
  readonly address: string;
  readonly kind: PoolKind | null;
  /** The program or protocol version: `raydium_amm_v4`, `uniswap_v3`, ... */
  readonly protocol: string;
  readonly tokens: readonly {
    readonly address: string;
    readonly symbol: string | null;
    readonly decimals: number | null;
    readonly reserve_raw: string | null;
    readonly reserve: number | null;
  }[];
  /** Of the asset, in the other token and in dollars. */
  readonly price_quote: number | null;
  readonly price_usd: number | null;
  readonly tvl_usd: number | null;
  readonly volume_24h_usd: number | null;
  readonly fees_24h_usd: number | null;
  readonly fee_rate_pct: number | null;
  readonly created_at: string | null;
  readonly lp: {
    readonly burned_pct: number | null;
    readonly locked_pct: number | null;
    /** Who holds the lock, by name; null when none or unknown. */
    readonly locker: string | null;
    readonly unlocks_at: string | null;
    readonly source: string;
  } | null;
  /** Read from the chain itself, not told by an indexer. */
  readonly verified: boolean;
  readonly depth: readonly PoolDepth[];
  readonly slippage: readonly PoolSlippage[];
  /** `exact`, or `tvl_proxy` where the pool's own mathematics could not be read. */
  readonly depth_method: 'exact' | 'tvl_proxy' | null;
  readonly sources: readonly string[];
  /** Values of indexers that stand against the chain's: what, whose, how far. */
  readonly conflicts: readonly {
    readonly what: string;
    readonly source: string;
    readonly value: number;
    readonly chain: number;
  }[];
  /** Why something is missing or doubtful, in plain words. */
  readonly notes: readonly string[];
}

export interface PoolsSnapshot extends SnapshotHead {
  readonly kind: 'pools';
  readonly pools: readonly PoolRecord[];
  readonly totals: {
    readonly pools: number;
    readonly verified_pools: number;
    readonly tvl_usd: number | null;
    readonly volume_24h_usd: number | null;
    readonly fees_24h_usd: number | null;
  };
  /** Over all pools whose mathematics is known, by ideal routing (equal marginal prices; methodology 9). */
  readonly depth: readonly PoolDepth[];
  readonly slippage: readonly PoolSlippage[];
  readonly depth_method: 'exact' | 'mixed' | 'tvl_proxy' | null;
  /** Slot or block number the pools were read at; null when none was read from the chain. */
  readonly height: number | null;
}

export type Snapshot = MarketSnapshot | HoldersSnapshot | PoolsSnapshot;
