import type { PoolReading } from '../../chains/pool-math/types.ts';
import type { PoolRecord, PoolsSnapshot, SnapshotHead } from '../../domain/snapshot.ts';
import { depthOf, type RoutedPool, slippageOf } from './aggregate.ts';
import { describePool, type PoolPrices, routedPool } from './describe.ts';
import { type IndexedPool, poolKey } from './indexed.ts';
import { toldByIndexers, withIndexers } from './merge.ts';
import { tvlProxyPool } from './tvl-proxy.ts';

export interface PoolsInput {
  readonly head: SnapshotHead;
  /** Pools read from the chain. */
  readonly readings: readonly PoolReading[];
  /** What indexers say, any number of rows per pool. */
  readonly rows: readonly IndexedPool[];
  readonly prices: PoolPrices;
}

/** All pools of an asset: chain readings with what indexers add, totals, and depth and slippage over all of them. Pure. */
export function buildPoolsSnapshot({ head, readings, rows, prices }: PoolsInput): PoolsSnapshot {
  const told = Map.groupBy(rows, (row) => poolKey(row.address));
  const read = new Map(readings.map((reading) => [poolKey(reading.address), reading]));
  const records = [...read].map(([key, reading]) => withIndexers(describePool(reading, prices), told.get(key) ?? []));
  for (const [key, [first, ...rest]] of told) {
    if (first !== undefined && !read.has(key)) records.push(toldByIndexers([first, ...rest]));
  }
  const pools = records.toSorted(byValueLocked);
  const exact = [...read.values()].map((reading) => routedPool(reading, prices)).filter((pool) => pool !== null);
  const proxies = proxyPools(pools, prices, exact.length > 0);
  const routed = [...exact, ...proxies];
  return {
    ...head,
    sources: [...new Set([...head.sources, ...pools.flatMap((pool) => pool.sources)])].sort(),
    kind: 'pools',
    pools,
    totals: totalsOf(pools),
    depth: routed.length > 0 ? depthOf(routed) : [],
    slippage: routed.length > 0 ? slippageOf(routed) : [],
    depth_method:
      routed.length === 0 ? null : proxies.length === 0 ? 'exact' : exact.length === 0 ? 'tvl_proxy' : 'mixed',
    height: readings.length === 0 ? null : Math.min(...readings.map((reading) => reading.height)),
  };
}

/** Sums over the given pools; null where no pool tells the number. */
export function totalsOf(pools: readonly PoolRecord[]): PoolsSnapshot['totals'] {
  return {
    pools: pools.length,
    verified_pools: pools.filter((pool) => pool.verified).length,
    tvl_usd: sum(pools.map((pool) => pool.tvl_usd)),
    volume_24h_usd: sum(pools.map((pool) => pool.volume_24h_usd)),
    fees_24h_usd: sum(pools.map((pool) => pool.fees_24h_usd)),
  };
}

/** Largest value locked first, unknown last, then by address: the same pools always come in the same order. */
export function byValueLocked(a: PoolRecord, b: PoolRecord): number {
  const difference = (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1);
  return difference !== 0 ? difference : a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}

/**
 * Pools known by value locked only. Beside exact pools they count when two indexers tell of them: one alone could
 * add any depth it likes.
 */
function proxyPools(pools: readonly PoolRecord[], prices: PoolPrices, besideExact: boolean): readonly RoutedPool[] {
  const assetUsd = prices.usd.get(prices.asset);
  return pools
    .filter((pool) => !pool.verified && pool.depth_method === 'tvl_proxy' && pool.tvl_usd !== null)
    .filter((pool) => !besideExact || pool.sources.length >= 2)
    .map((pool) => {
      const price = pool.price_usd ?? assetUsd ?? null;
      return price === null ? null : tvlProxyPool(pool.tvl_usd ?? 0, price, (pool.fee_rate_pct ?? 0.3) / 100);
    })
    .filter((pool) => pool !== null);
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
