import type { Input, PoolRecord, PoolsQuery, PoolsSnapshot } from '../../contract/index.ts';
import type { StoredSnapshot } from '../../indexer/index.ts';

type PoolScope = Input<typeof PoolsQuery>['scope'];

/** How many pools `top` holds. */
const TOP = 10;

/**
 * The stored pools snapshot with only the requested pools, and their totals. Depth and slippage stay those of all pools: they
 * describe the market, and cannot be cut to a list afterwards.
 */
export function scopedPools(stored: StoredSnapshot, scope: PoolScope, minTvlUsd: number): StoredSnapshot {
  if (scope === 'all' && minTvlUsd === 0) return stored;
  const snapshot = JSON.parse(Buffer.from(stored.body).toString('utf8')) as PoolsSnapshot;
  const rich = snapshot.pools.filter((pool) => minTvlUsd === 0 || (pool.tvl_usd ?? -1) >= minTvlUsd);
  const pools = inScope(rich, scope);
  const body = {
    ...snapshot,
    pools,
    totals: totalsOf(pools),
    scope: { name: scope, min_tvl_usd: minTvlUsd, pools_left_out: snapshot.pools.length - pools.length },
  };
  return { ...stored, body: Buffer.from(JSON.stringify(body)) };
}

function inScope(pools: readonly PoolRecord[], scope: PoolScope): readonly PoolRecord[] {
  if (scope === 'verified') return pools.filter((pool) => pool.verified);
  if (scope === 'top') return [...pools].sort((a, b) => (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1)).slice(0, TOP);
  return pools;
}

function totalsOf(pools: readonly PoolRecord[]): PoolsSnapshot['totals'] {
  return {
    pools: pools.length,
    verified_pools: pools.filter((pool) => pool.verified).length,
    tvl_usd: sumOfKnown(pools.map((pool) => pool.tvl_usd)),
    volume_24h_usd: sumOfKnown(pools.map((pool) => pool.volume_24h_usd)),
    fees_24h_usd: sumOfKnown(pools.map((pool) => pool.fees_24h_usd)),
  };
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
