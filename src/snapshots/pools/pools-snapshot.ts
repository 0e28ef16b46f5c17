import type { ArchivedPool } from '../../chains/index.ts';
import type { PoolRecord, PoolsSnapshot, SnapshotHead } from '../../domain/index.ts';
import { countsBeside, poolsDepth, proxyCurve, type RoutedPool, slippageOf } from '../../metrics/index.ts';
import { describePool, type PoolPrices, routedPool } from './describe.ts';
import { type AgreedPool, type IndexedPool, poolKey } from './indexed.ts';
import { toldByIndexers, withIndexers } from './merge.ts';

export interface PoolsInput {
  readonly head: SnapshotHead;
  /** Pools read from the chain. */
  readonly readings: readonly ArchivedPool[];
  /** What indexers say, any number of rows per pool. */
  readonly rows: readonly IndexedPool[];
  /** What they agree on, by pool key. */
  readonly agreed: ReadonlyMap<string, AgreedPool>;
  readonly prices: PoolPrices;
}

/** All pools of an asset: chain readings with what indexers add, totals, and depth and slippage over all of them. Pure. */
export function buildPoolsSnapshot({ head, readings, rows, agreed, prices }: PoolsInput): PoolsSnapshot {
  const told = Map.groupBy(rows, (row) => poolKey(row.address));
  const read = new Map(readings.map((reading) => [poolKey(reading.address), reading]));
  const records = [...read].map(([key, reading]) =>
    withIndexers(describePool(reading, prices), told.get(key) ?? [], agreed.get(key)),
  );
  for (const [key, [first, ...rest]] of told) {
    if (first !== undefined && !read.has(key)) records.push(toldByIndexers([first, ...rest], agreed.get(key)));
  }
  const pools = records.toSorted(byValueLocked);
  const exact = [...read.values()].map((reading) => routedPool(reading, prices)).filter((pool) => pool !== null);
  const beside = pools.filter(
    (pool) => pool.depth_method === 'tvl_proxy' && countsBeside(exact.length, agreed.get(pool.address)?.families ?? 0),
  );
  const routed = [...exact, ...curvesOf(beside, prices)];
  return {
    ...head,
    sources: [...new Set([...head.sources, ...pools.flatMap((pool) => pool.sources)])].sort(),
    kind: 'pools',
    pools,
    totals: totalsOf(pools),
    depth:
      exact.length + beside.length > 0
        ? poolsDepth(
            exact,
            beside.flatMap((pool) => agreed.get(pool.address)?.told ?? []),
          )
        : [],
    slippage: routed.length > 0 ? slippageOf(routed) : [],
    depth_method:
      exact.length + beside.length === 0
        ? null
        : beside.length === 0
          ? 'exact'
          : exact.length === 0
            ? 'tvl_proxy'
            : 'mixed',
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

/** Pools that were not read, as curves over the value locked, so that trades can be routed over them; those without a price are left out. */
function curvesOf(pools: readonly PoolRecord[], prices: PoolPrices): readonly RoutedPool[] {
  const assetUsd = prices.usd.get(prices.asset);
  return pools.flatMap((pool) => {
    const price = pool.price_usd ?? assetUsd ?? null;
    const curve = price === null ? null : proxyCurve(pool.tvl_usd ?? 0, price, (pool.fee_rate_pct ?? 0.3) / 100);
    return curve ?? [];
  });
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
