import type { ArchivedPool, ChainFault } from '../../chains/index.ts';
import type { PoolRecord, PoolsSnapshot, SnapshotHead } from '../../contract/index.ts';
import { type Asset, ok, type Result, sourcesFor } from '../../domain/index.ts';
import {
  countsBeside,
  poolsDepth,
  proxyCurve,
  quotePrices,
  type RoutedPool,
  slippageOf,
  statedPools,
} from '../../metrics/index.ts';
import type { Gathered, QuotePrices } from '../gather.ts';
import { type AgreedPool, addressesOf, agreedPools, type IndexedPool, indexedPools, poolKey } from './indexed.ts';
import { describePool, type PoolPrices, reportedByIndexers, routedPool, withIndexers } from './record.ts';

export interface PoolsInput {
  readonly head: SnapshotHead;
  /** Pools read from the chain. */
  readonly readings: readonly ArchivedPool[];
  /** The indexers' rows, any number per pool. */
  readonly rows: readonly IndexedPool[];
  /** Agreed values, by pool key. */
  readonly agreed: ReadonlyMap<string, AgreedPool>;
  readonly prices: PoolPrices;
}

/**
 * All pools of an asset: chain readings with the values that indexers add, totals, and depth and slippage over all
 * pools. Pure.
 */
export function buildPoolsSnapshot({ head, readings, rows, agreed, prices }: PoolsInput): PoolsSnapshot {
  const told = Map.groupBy(rows, (row) => poolKey(row.address));
  const read = new Map(readings.map((reading) => [poolKey(reading.address), reading]));
  const records = [...read].map(([key, reading]) =>
    withIndexers(describePool(reading, prices), told.get(key) ?? [], agreed.get(key)),
  );
  for (const [key, [first, ...rest]] of told) {
    if (first !== undefined && !read.has(key)) records.push(reportedByIndexers([first, ...rest], agreed.get(key)));
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
            beside.flatMap((pool) => agreed.get(pool.address)?.reported ?? []),
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

/** Sums over the given pools; null where no pool has the number. */
export function totalsOf(pools: readonly PoolRecord[]): PoolsSnapshot['totals'] {
  return {
    pools: pools.length,
    verified_pools: pools.filter((pool) => pool.verified).length,
    tvl_usd: sum(pools.map((pool) => pool.tvl_usd)),
    volume_24h_usd: sum(pools.map((pool) => pool.volume_24h_usd)),
    fees_24h_usd: sum(pools.map((pool) => pool.fees_24h_usd)),
  };
}

/** Largest value locked first, unknown last, then by address, so that the order of pools is always the same. */
export function byValueLocked(a: PoolRecord, b: PoolRecord): number {
  const difference = (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1);
  return difference !== 0 ? difference : a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}

/**
 * Pools that were not read, as curves from the value locked, so that trades can be routed over them; pools without a
 * price are left out.
 */
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

/** Sources that list pools. */
export const POOL_SOURCES: ReadonlySet<string> = new Set(sourcesFor('pools'));

/** Pools as read from a chain. */
export interface PoolsRead {
  readonly readings: readonly ArchivedPool[];
  readonly failures: readonly { readonly address: string; readonly detail: string }[];
}

export type ReadPools = (
  asset: Asset,
  addresses: readonly string[],
  signal: AbortSignal,
) => Promise<Result<PoolsRead, ChainFault>>;

/** Most pools read from the chain; smaller ones come from indexers only. */
const MOST_READ = 40;

/** The pools snapshot: pools found through indexers and read from the chain, with the two compared. */
export async function poolsOf(
  asset: Asset,
  gathered: Gathered,
  read: ReadPools | null,
  quotes: QuotePrices,
  signal: AbortSignal,
): Promise<PoolsSnapshot> {
  const address = asset.address ?? '';
  const wanted = addressesOf(indexedPools(gathered.consensus, address), MOST_READ);
  const found = read === null || wanted.length === 0 ? null : await read(asset, wanted, signal);
  const readings = found?.ok ? found.value.readings : [];
  const others = new Set(readings.flatMap((reading) => reading.tokens.map((token) => token.address)));
  others.delete(address);
  return poolsOfReadings(asset, gathered, found, await quotes.pricesOf(asset.chain ?? '', [...others], signal));
}

/** The pools snapshot of the observations alone: those of indexers, and the pool states that nodes gave. */
export function poolsOfEvidence(asset: Asset, gathered: Gathered): PoolsSnapshot {
  const stated = statedPools(gathered.consensus, asset);
  const readings = stated.map(({ pool }) => pool);
  const found = readings.length === 0 ? null : ok({ readings, failures: [] });
  return poolsOfReadings(asset, gathered, found, quotePrices(gathered.consensus, asset, stated));
}

/**
 * The pools snapshot of the indexers' observations and the pools read from the chain, if any; `quotes` prices the
 * counter tokens in dollars.
 */
function poolsOfReadings(
  asset: Asset,
  gathered: Gathered,
  found: Result<PoolsRead, ChainFault> | null,
  quotes: ReadonlyMap<string, number>,
): PoolsSnapshot {
  const address = asset.address ?? '';
  const usd = new Map(quotes);
  const price = gathered.consensus.price_usd;
  if (typeof price?.value === 'number' && price.status !== 'missing') usd.set(address, price.value);
  const symbols = new Map(asset.symbol === null ? [] : [[address, asset.symbol]]);
  const snapshot = buildPoolsSnapshot({
    head: {
      asset,
      as_of: gathered.asOf,
      sources: [],
      attributions: gathered.attributions,
      warnings: [...gathered.warnings, ...readWarnings(found)],
    },
    readings: found?.ok ? found.value.readings : [],
    rows: indexedPools(gathered.consensus, address),
    agreed: agreedPools(gathered.consensus),
    prices: { asset: address, usd, symbols },
  });
  return withoutForeignValues(snapshot, gathered.notRedistributable);
}

function readWarnings(found: Result<PoolsRead, ChainFault> | null): readonly string[] {
  if (found === null) return [];
  if (!found.ok) return [`the pools could not be read from the chain: ${found.detail}`];
  return found.value.failures.map(
    (failure) => `pool ${failure.address} was not read from the chain: ${failure.detail}`,
  );
}

/** Removes values that indexers' terms do not allow to be redistributed; they remain only as part of medians. */
function withoutForeignValues(snapshot: PoolsSnapshot, foreign: ReadonlySet<string>): PoolsSnapshot {
  if (foreign.size === 0) return snapshot;
  return {
    ...snapshot,
    pools: snapshot.pools.map((pool) => ({
      ...pool,
      conflicts: pool.conflicts.filter((conflict) => !foreign.has(conflict.source)),
    })),
  };
}
