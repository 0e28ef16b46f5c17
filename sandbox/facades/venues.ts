import { type Facade, iso, matchPath } from '../facade.ts';
import type { AssetView, PoolView, Scene } from '../scene.ts';
import type { Venue } from '../world/types.ts';

interface Hit {
  readonly view: AssetView;
  readonly row: PoolView;
}

/** Raydium API v3: pools of a mint. */
export const raydium: Facade = ({ path, query }, scene) => {
  const id = iso(scene.now);
  if (matchPath(path, '/main/info')) return { json: { id, success: true, data: { volume24: 1e8, tvl: 1e9 } } };
  if (matchPath(path, '/pools/info/ids')) {
    const wanted = (query.get('ids') ?? '').split(',');
    const hits = poolsOf(scene, 'raydium', ['raydium', 'raydium_clmm']);
    const data = wanted.map((address) => {
      const hit = hits.find(({ row }) => row.pool.address === address);
      return hit ? raydiumRow(hit) : null;
    });
    return { json: { id, success: true, data } };
  }
  if (matchPath(path, '/pools/info/mint') || matchPath(path, '/pools/info/list-v2')) {
    const mint = query.get('mint1') ?? '';
    const data = poolsOf(scene, 'raydium', ['raydium', 'raydium_clmm'], mint).map(raydiumRow);
    return { json: { id, success: true, data: { count: data.length, data, hasNextPage: false } } };
  }
  return { status: 404, json: { id, success: false, msg: 'not found' } };
};

/** Orca v2: numbers as strings, no creation date. */
export const orca: Facade = ({ path, query }, scene) => {
  const all = poolsOf(scene, 'orca', ['orca'], query.get('token') ?? undefined).map(orcaRow);
  const meta = { next: null, previous: null, cursor: { next: null, previous: null } };
  if (matchPath(path, '/pools')) return { json: { data: all, meta } };
  if (matchPath(path, '/pools/search')) return { json: { data: all, meta } };
  const pool = matchPath(path, '/pools/:address');
  const row = all.find((candidate) => candidate.address === pool?.address);
  return row ? { json: { data: row, meta } } : { status: 404, json: { inner: 'not found', status: 404 } };
};

/** Meteora data API: `main` is DLMM, `damm_v2` the constant-product product (which this world does not use). */
export const meteora: Facade = ({ path, query, base }, scene) => {
  const wanted = (query.get('query') ?? '').trim();
  const rows = (base === 'main' ? poolsOf(scene, 'meteora', ['meteora'], wanted || undefined) : []).map(meteoraRow);
  if (matchPath(path, '/pools')) {
    return { json: { total: rows.length, pages: 1, current_page: 1, page_size: 100, data: rows } };
  }
  const pool = matchPath(path, '/pools/:address');
  const row = rows.find((candidate) => candidate.address === pool?.address);
  return row ? { json: row } : { status: 404, json: { message: 'pool not found' } };
};

function poolsOf(scene: Scene, source: string, venues: readonly Venue[], mint?: string): readonly Hit[] {
  return scene.world.tokens
    .filter((asset) => asset.chain === 'solana' && (mint === undefined || asset.address === mint))
    .flatMap((asset) => {
      const view = scene.see(source, asset);
      return view.pools.filter((row) => venues.includes(row.pool.venue)).map((row) => ({ view, row }));
    });
}

function raydiumRow({ view, row }: Hit) {
  const { asset } = view;
  const standard = row.pool.kind === 'constant_product';
  const fees = row.volume24hUsd * row.pool.feeRate;
  const period = (days: number) => ({
    volume: row.volume24hUsd * days,
    volumeQuote: (row.volume24hUsd * days) / row.quoteUsd,
    volumeFee: fees * days,
    apr: ((fees * 365) / row.liquidityUsd) * 100,
    feeApr: ((fees * 365) / row.liquidityUsd) * 100,
    priceMin: (row.priceUsd / row.quoteUsd) * 0.98,
    priceMax: (row.priceUsd / row.quoteUsd) * 1.02,
    rewardApr: [],
  });
  const mint = (address: string, symbol: string, name: string, decimals: number) => ({
    chainId: 101,
    address,
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    logoURI: '',
    symbol,
    name,
    decimals,
    tags: [],
    extensions: {},
  });
  return {
    type: standard ? 'Standard' : 'Concentrated',
    programId: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
    id: row.pool.address,
    mintA: mint(asset.address, asset.symbol, asset.name, asset.decimals),
    mintB: mint(row.pool.quote.address, row.pool.quote.symbol, row.pool.quote.name, row.pool.quote.decimals),
    price: row.priceUsd / row.quoteUsd,
    mintAmountA: row.baseAmount,
    mintAmountB: row.quoteAmount,
    feeRate: row.pool.feeRate,
    openTime: String(Math.round(row.createdAt / 1000)),
    tvl: row.liquidityUsd,
    day: period(1),
    week: period(7),
    month: period(30),
    pooltype: [],
    farmUpcomingCount: 0,
    farmOngoingCount: 0,
    farmFinishedCount: 0,
    burnPercent: standard ? asset.traits.lpLockedShare * 90 : 0,
    launchMigratePool: false,
    ...(standard
      ? {
          marketId: '',
          lpMint: mint(row.pool.lpMint, '', '', 9),
          lpPrice: row.liquidityUsd / 1e6,
          lpAmount: 1e6,
        }
      : {}),
  };
}

function orcaRow({ view, row }: Hit) {
  const { asset } = view;
  const stat = (days: number) => ({
    volume: String(row.volume24hUsd * days),
    fees: String(row.volume24hUsd * days * row.pool.feeRate),
    rewards: null,
    yieldOverTvl: String((row.volume24hUsd * days * row.pool.feeRate) / row.liquidityUsd),
  });
  const raw = (amount: number, decimals: number) =>
    BigInt(Math.round(amount * 10 ** Math.min(decimals, 6))) * 10n ** BigInt(Math.max(0, decimals - 6));
  return {
    address: row.pool.address,
    whirlpoolsConfig: '2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ',
    feeRate: Math.round(row.pool.feeRate * 1e6),
    protocolFeeRate: 1300,
    tickSpacing: 64,
    price: String(row.priceUsd / row.quoteUsd),
    tokenMintA: asset.address,
    tokenMintB: row.pool.quote.address,
    tokenA: {
      address: asset.address,
      symbol: asset.symbol,
      name: asset.name,
      decimals: asset.decimals,
      imageUrl: null,
      tags: [],
    },
    tokenB: {
      address: row.pool.quote.address,
      symbol: row.pool.quote.symbol,
      name: row.pool.quote.name,
      decimals: row.pool.quote.decimals,
      imageUrl: null,
      tags: [],
    },
    tokenVaultA: row.pool.baseVault,
    tokenVaultB: row.pool.quoteVault,
    tokenBalanceA: raw(row.baseAmount, asset.decimals).toString(),
    tokenBalanceB: raw(row.quoteAmount, row.pool.quote.decimals).toString(),
    tvlUsdc: String(row.liquidityUsd),
    stats: { '24h': stat(1), '7d': stat(7), '30d': stat(30) },
    hasWarning: false,
    poolType: 'whirlpool',
    lockedLiquidityPercent: [],
    tradeEnableTimestamp: '1970-01-01T00:00:00Z',
    updatedAt: iso(view.at),
  };
}

function meteoraRow({ view, row }: Hit) {
  const { asset } = view;
  const volumes = (value: number) => ({
    '30m': value / 48,
    '1h': value / 24,
    '2h': value / 12,
    '4h': value / 6,
    '12h': value / 2,
    '24h': value,
  });
  const side = (address: string, symbol: string, name: string, decimals: number, price: number) => ({
    address,
    symbol,
    name,
    decimals,
    is_verified: true,
    holders: address === asset.address ? view.holders : 3_000_000,
    freeze_authority_disabled: asset.traits.freezeAuthority === 'none',
    total_supply: address === asset.address ? view.totalSupply : 1e9,
    price,
    market_cap: address === asset.address ? view.marketCapUsd : 1e10,
  });
  const { quote } = row.pool;
  return {
    address: row.pool.address,
    name: `${asset.symbol}-${quote.symbol}`,
    token_x: side(asset.address, asset.symbol, asset.name, asset.decimals, row.priceUsd),
    token_y: side(quote.address, quote.symbol, quote.name, quote.decimals, row.quoteUsd),
    reserve_x: row.pool.baseVault,
    reserve_y: row.pool.quoteVault,
    token_x_amount: row.baseAmount,
    token_y_amount: row.quoteAmount,
    created_at: Math.round(row.createdAt / 1000),
    pool_config: { bin_step: 20, base_fee_pct: row.pool.feeRate * 100, max_fee_pct: 10, protocol_fee_pct: 5 },
    dynamic_fee_pct: row.pool.feeRate * 100,
    tvl: row.liquidityUsd,
    current_price: row.priceUsd / row.quoteUsd,
    apr: 12.1,
    apy: 12.8,
    has_farm: false,
    volume: volumes(row.volume24hUsd),
    fees: volumes(row.volume24hUsd * row.pool.feeRate),
    fee_tvl_ratio: volumes(0.01),
    is_blacklisted: false,
    launchpad: null,
    tags: [],
  };
}
