import type { PoolRecord, PoolsSnapshot } from '../../domain/index.ts';
import { totalsOf } from './pools-snapshot.ts';

/** `verified`: read from the chain; `top`: the ten of them that hold most. */
export type PoolScope = 'all' | 'verified' | 'top';

const TOP_POOLS = 10;

/**
 * The part of a snapshot a reader asks for. Totals are those of the part; depth and slippage stay those of the whole
 * asset, since a trade is routed over everything.
 */
export function selectPools(
  snapshot: PoolsSnapshot,
  query: { readonly scope: PoolScope; readonly minTvlUsd: number | null },
): PoolsSnapshot {
  const pools = inScope(snapshot.pools, query.scope).filter(
    (pool) => query.minTvlUsd === null || (pool.tvl_usd !== null && pool.tvl_usd >= query.minTvlUsd),
  );
  return { ...snapshot, pools, totals: totalsOf(pools) };
}

function inScope(pools: readonly PoolRecord[], scope: PoolScope): readonly PoolRecord[] {
  if (scope === 'all') return pools;
  const verified = pools.filter((pool) => pool.verified);
  return scope === 'verified' ? verified : verified.slice(0, TOP_POOLS);
}
