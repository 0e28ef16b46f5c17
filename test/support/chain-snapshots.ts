import type { HoldersSnapshot, MarketSnapshot, PoolRecord, PoolsSnapshot } from '../../src/contract/index.ts';
import type { Asset } from '../../src/domain/asset.ts';
import type { Concentration } from '../../src/domain/snapshot.ts';

export const MINT = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const CONTRACT = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';

export function solanaAsset(address: string, symbol: string, name = symbol): Asset {
  return { id: `${SOLANA}/token:${address}`, chain: 'solana', address, symbol, name, category: null, website: null };
}

export const JUP = solanaAsset(MINT, 'JUP', 'Jupiter');

export const UNI: Asset = {
  ...JUP,
  id: `eip155:1/erc20:${CONTRACT}`,
  chain: 'ethereum',
  address: CONTRACT,
  symbol: 'UNI',
  name: 'Uniswap',
};

const head = (asset: Asset, asOf: string) => ({
  asset,
  as_of: asOf,
  sources: ['coingecko', 'dexscreener'],
  attributions: [{ source: 'coingecko', text: 'Data by CoinGecko', url: 'https://www.coingecko.com/' }],
  warnings: [],
});

export function marketSnapshot(asset: Asset, asOf: string, priceUsd = 1.25): MarketSnapshot {
  return {
    ...head(asset, asOf),
    kind: 'market',
    price_usd: priceUsd,
    change_1h_pct: 0.1,
    change_24h_pct: -2.5,
    change_7d_pct: null,
    change_30d_pct: null,
    volume_24h_usd: 1_000_000,
    market_cap_usd: 1.7e9,
    fully_diluted_value_usd: 8.7e9,
    circulating_supply: 1.35e9,
    total_supply: 7e9,
    max_supply: null,
    liquidity_usd: 2e7,
    turnover_pct: 0.06,
    volume_to_liquidity: 0.05,
    volatility_30d_pct: 4.2,
    ath_usd: 2.04,
    drawdown_pct: 38.7,
    price_dispersion_pct: 0.2,
    ath_at: '2024-01-31T00:00:00.000Z',
    venues: [{ venue: 'raydium', price_usd: priceUsd, volume_24h_usd: 5e5, sources: ['dexscreener'] }],
    provenance: {
      price_usd: {
        sources: ['coingecko', 'dexscreener'],
        outvoted: [{ source: 'rugcheck', value: 1250, reason: 'a thousand times too high' }],
        confidence: 0.97,
        interval: [1.24, 1.26],
        method: 'consensus',
      },
    },
  };
}

const concentration: Concentration = {
  holder_count: 3,
  top_1_pct: 50,
  top_5_pct: 100,
  top_10_pct: 100,
  top_20_pct: 100,
  top_50_pct: 100,
  top_100_pct: 100,
  gini: 0.2,
  gini_min: null,
  hhi: 3_800,
  effective_holders: 2.63,
  entropy: 1.03,
  entropy_holders: 2.8,
  entropy_normalised: 0.94,
  nakamoto_50: 2,
  nakamoto_33: 1,
  notes: ['n_lt_k'],
};

export function holdersSnapshot(asset: Asset, asOf: string): HoldersSnapshot {
  return {
    ...head(asset, asOf),
    kind: 'holders',
    method: 'full_scan',
    status: 'complete',
    holder_count: 3,
    decimals: 6,
    supply: { total_raw: '10000000', burned_raw: '0', locked_raw: '0', adjusted_raw: '10000000', coverage: 1 },
    raw: concentration,
    adjusted: concentration,
    tiers_usd: null,
    tiers_supply: [{ tier: '>1%', holders: 3, share_pct: 100 }],
    top_holders: [
      {
        rank: 1,
        address: MINT,
        amount_raw: '5000000',
        amount: 5,
        share_pct: 50,
        labels: [{ kind: 'exchange', name: 'Binance 14', source: 'labels', confidence: 0.9 }],
        set_aside: null,
      },
    ],
    unlabelled_top20_share_pct: 50,
    set_aside: [],
    change: null,
    scan: { accounts: 3, height: 1, bytes: 900, milliseconds: 2 },
    histogram: { base: 2, buckets: [[22, 3, 10_000_000]] },
  };
}

export function pool(address: string, tvlUsd: number | null, verified: boolean): PoolRecord {
  return {
    dex: 'raydium',
    address,
    kind: 'constant_product',
    protocol: 'raydium_amm_v4',
    tokens: [{ address: MINT, symbol: 'JUP', decimals: 6, reserve_raw: '1000', reserve: 0.001 }],
    price_quote: 0.01,
    price_usd: 1.25,
    tvl_usd: tvlUsd,
    volume_24h_usd: 100,
    fees_24h_usd: null,
    fee_rate_pct: 0.25,
    created_at: null,
    lp: { burned_pct: 100, locked_pct: 0, locker: null, unlocks_at: null, source: 'chain' },
    verified,
    depth: [{ move_pct: 1, down_usd: 10, up_usd: 11 }],
    slippage: [{ size_usd: 1_000, buy_pct: 0.3, sell_pct: 0.3 }],
    depth_method: 'exact',
    sources: ['dexscreener'],
    conflicts: [],
    notes: [],
  };
}

export function poolsSnapshot(asset: Asset, asOf: string, pools: readonly PoolRecord[]): PoolsSnapshot {
  return {
    ...head(asset, asOf),
    kind: 'pools',
    pools,
    totals: { pools: pools.length, verified_pools: 1, tvl_usd: 1, volume_24h_usd: 1, fees_24h_usd: null },
    depth: [{ move_pct: 1, down_usd: 10, up_usd: 11 }],
    slippage: [],
    depth_method: 'mixed',
    height: 300,
  };
}
