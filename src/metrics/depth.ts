import type { ConsensusSet, PoolDepth } from '../domain/index.ts';
import { finite } from '../domain/index.ts';
import { consensusAt, type Known, liquidityOf, numberAt, scopesWith } from './agreed.ts';
import { DEPTH_MOVES_PCT, type RoutedPool, routedDepth } from './routing.ts';

/** Depth at 2 % on both sides, in US dollars, over all venues of the evidence. */
export interface Depth {
  readonly upUsd: number;
  readonly downUsd: number;
  readonly confidence: number;
  readonly support: readonly Known<unknown>[];
  /** The computed pools and the methods, as text. */
  readonly method: string;
}

/**
 * A pool whose state was not read from the chain. `constant_product`: depth is computed from the reserve that indexers
 * report. `tvl_proxy`: depth is a share of the value locked, since the liquidity near the price is not known.
 */
export type ReportedPool =
  | { readonly basis: 'constant_product'; readonly quoteUsd: number }
  | { readonly basis: 'tvl_proxy'; readonly liquidityUsd: number };

/** A pool whose state was read from the chain, with the confidence of that read. */
export interface ReadPool {
  readonly pool: RoutedPool;
  readonly confidence: number;
}

/** Data of the methodology. */
export interface DepthRules {
  /** Highest confidence of depth that is estimated from liquidity. */
  readonly proxyConfidence: number;
  /** A venue with a smaller share of the depth does not support it: anybody can open a pool. */
  readonly smallestPart: number;
}

/**
 * Liquidity as far as a source shows that something else than the asset was paid in. An issuer can put any amount of its
 * own token on one side of a concentrated pool, or pair it with a token that nobody else holds, and indexers count it at
 * its price.
 */
export interface ShownLiquidity {
  /** Liquidity that is shown, US dollars, by the scopes of the pools that show it. */
  readonly pools: ReadonlyMap<string, number>;
  /** The most that a stated total counts for, US dollars. */
  readonly mostOf: (totalUsd: number) => number;
}

/** A pool of the evidence, with the input from which its depth is computed. */
export interface PoolInEvidence {
  readonly scope: string;
  readonly liquidity: Known<number>;
  readonly reported: ReportedPool;
}

const MOVE_PCT = 2;
/** Depth at 2 % on each side as a share of the value locked, where ticks or bins are not read (methodology 9). */
const PROXY_SHARE = 0.005;
/**
 * Least number of lineage groups for a pool beside pools read from the chain: one indexer alone could add any depth.
 */
const GROUPS_BESIDE_CHAIN = 2;
const NONE_READ: ReadonlyMap<string, ReadPool> = new Map();

/** The pools that sources list, by scope; those without liquidity are left out. */
export function poolsIn(set: ConsensusSet): readonly PoolInEvidence[] {
  return scopesWith(set, 'pool_liquidity_usd').flatMap((scope) => {
    const liquidity = numberAt(set, 'pool_liquidity_usd', scope);
    if (!liquidity || liquidity.value <= 0) return [];
    const isConstantProduct = consensusAt(set, 'pool_kind', scope)?.value === 'constant_product';
    // Without the quote reserve the pool is assumed to be balanced, as constant-product pools always are.
    const quoteUsd = numberAt(set, 'pool_quote_reserve_usd', scope)?.value ?? liquidity.value / 2;
    const reported: ReportedPool = isConstantProduct
      ? { basis: 'constant_product', quoteUsd }
      : { basis: 'tvl_proxy', liquidityUsd: liquidity.value };
    return [{ scope, liquidity, reported }];
  });
}

/** The listed pools with what is shown of them alone; all of them, as stated, where `shown` is null. */
function shownPoolsIn(set: ConsensusSet, shown: ShownLiquidity | null): readonly PoolInEvidence[] {
  if (shown === null) return poolsIn(set);
  return poolsIn(set).flatMap((pool) => {
    const usd = shown.pools.get(pool.scope);
    if (usd === undefined) return [];
    const liquidity = { ...pool.liquidity, value: usd };
    const reported: ReportedPool =
      pool.reported.basis === 'constant_product'
        ? { basis: 'constant_product', quoteUsd: Math.min(pool.reported.quoteUsd, usd / 2) }
        : { basis: 'tvl_proxy', liquidityUsd: usd };
    return [{ ...pool, liquidity, reported }];
  });
}

/** True when a pool that was not read from the chain counts for depth, given how many pools were read. */
export function countsBeside(read: number, families: number): boolean {
  return read === 0 || families >= GROUPS_BESIDE_CHAIN;
}

/**
 * Quote value that moves the price of a listed pool by `movePct`, US dollars. Constant product: a reserve of y needs or
 * returns y (sqrt(1 +- d) - 1). The proxy is linear in the move.
 */
export function reportedSides(
  pool: ReportedPool,
  movePct: number,
): { readonly upUsd: number; readonly downUsd: number } {
  const move = movePct / 100;
  if (pool.basis === 'constant_product')
    return {
      upUsd: pool.quoteUsd * (Math.sqrt(1 + move) - 1),
      downUsd: pool.quoteUsd * (1 - Math.sqrt(1 - move)),
    };
  const side = pool.liquidityUsd * PROXY_SHARE * (movePct / MOVE_PCT);
  return { upUsd: side, downUsd: side };
}

/**
 * Depth over pools at each of the published moves: exact for `read` pools, by `reportedSides` for the others. Values
 * are null when neither is known.
 */
export function poolsDepth(read: readonly RoutedPool[], told: readonly ReportedPool[]): readonly PoolDepth[] {
  const exact = routedDepth(read);
  return DEPTH_MOVES_PCT.map((movePct, index) => {
    const sum = (start: number | null, side: 'upUsd' | 'downUsd') =>
      start === null && told.length === 0
        ? null
        : finite(told.reduce((total, pool) => total + reportedSides(pool, movePct)[side], start ?? 0));
    return {
      move_pct: movePct,
      down_usd: sum(exact[index]?.down_usd ?? null, 'downUsd'),
      up_usd: sum(exact[index]?.up_usd ?? null, 'upUsd'),
    };
  });
}

/**
 * Depth of the asset over pools and the order books of exchanges. `read` holds the pools whose state was read from the
 * chain, by scope; all others are estimated, from `shown` liquidity alone unless it is null. Null when nothing is known.
 */
export function depthOf(
  set: ConsensusSet,
  rules: DepthRules,
  read: ReadonlyMap<string, ReadPool> = NONE_READ,
  shown: ShownLiquidity | null = null,
): Depth | null {
  const told = shownPoolsIn(set, shown).filter(
    ({ scope, liquidity }) => !read.has(scope) && countsBeside(read.size, liquidity.consensus.families),
  );
  const parts = [
    ...[...read].map(([scope, { pool, confidence }]) => {
      const known = numberAt(set, 'pool_liquidity_usd', scope);
      return { usd: bothSides(poolsDepth([pool], [])), confidence, known, basis: 'exact' as const };
    }),
    ...told.map(({ liquidity, reported: pool }) => ({
      usd: bothSides(poolsDepth([], [pool])),
      confidence:
        pool.basis === 'tvl_proxy' ? Math.min(rules.proxyConfidence, liquidity.confidence) : liquidity.confidence,
      known: liquidity,
      basis: pool.basis,
    })),
    ...booksIn(set).map(({ up, down }) => ({
      usd: up.value + down.value,
      confidence: Math.min(up.confidence, down.confidence),
      known: up,
      basis: 'book' as const,
    })),
  ];
  const whole = parts.reduce((sum, part) => sum + part.usd, 0);
  if (whole === 0) return ofWholeLiquidity(set, rules, shown);
  const pools = at2(
    poolsDepth(
      [...read.values()].map(({ pool }) => pool),
      told.map((row) => row.reported),
    ),
  );
  const counted = (basis: (typeof parts)[number]['basis']) => parts.filter((part) => part.basis === basis).length;
  return {
    upUsd: booksIn(set).reduce((sum, { up }) => sum + up.value, pools?.up_usd ?? 0),
    downUsd: booksIn(set).reduce((sum, { down }) => sum + down.value, pools?.down_usd ?? 0),
    confidence: parts.reduce((sum, part) => sum + part.usd * part.confidence, 0) / whole,
    support: parts.flatMap(({ usd, known }) => (known && usd >= whole * rules.smallestPart ? [known] : [])),
    method: [
      [counted('exact'), (pools: number) => `${pools} pools read from the chain`] as const,
      [counted('constant_product'), (pools: number) => `constant product over ${pools} pools`] as const,
      [
        counted('tvl_proxy'),
        (pools: number) => `0.5 % of liquidity over ${pools} pools whose ticks were not read`,
      ] as const,
      [counted('book'), (books: number) => `${books} order books`] as const,
    ]
      .flatMap(([count, words]) => (count > 0 ? [words(count)] : []))
      .join(', '),
  };
}

/**
 * Depth at 2 % of the liquidity that no counted pool holds, by the proxy, US dollars: what `depthOf` misses where the
 * sources that list the pools failed, or list them alone beside pools that were read.
 */
export function uncountedDepthUsd(
  set: ConsensusSet,
  read: ReadonlyMap<string, ReadPool> = NONE_READ,
  shown: ShownLiquidity | null = null,
): number {
  const counted = shownPoolsIn(set, shown)
    .filter(({ scope, liquidity }) => read.has(scope) || countsBeside(read.size, liquidity.consensus.families))
    .reduce((sum, { liquidity }) => sum + liquidity.value, 0);
  return Math.max(0, totalIn(set, shown) - counted) * PROXY_SHARE;
}

/** The stated total as far as it counts, US dollars; 0 where none is stated. */
function totalIn(set: ConsensusSet, shown: ShownLiquidity | null): number {
  const stated = liquidityOf(set)?.value ?? 0;
  return shown === null ? stated : shown.mostOf(stated);
}

/**
 * A listed pool as the curve x * y = k with half of the value on each side, so that a trade can be routed over it
 * together with pools that were read. Null when it cannot trade.
 */
export function proxyCurve(tvlUsd: number, priceUsd: number, feeRate: number): RoutedPool | null {
  const quote = tvlUsd / 2;
  const asset = quote / priceUsd;
  if (!(quote > 0) || !(asset > 0) || !Number.isFinite(asset)) return null;
  const price = quote / asset;
  return {
    curve: {
      price,
      toPrice(target) {
        const root = Math.sqrt(target / price);
        return { amount0: asset * (1 / root - 1), amount1: quote * (root - 1), reached: true };
      },
    },
    assetIsToken0: true,
    assetDecimals: 0,
    quoteDecimals: 0,
    quoteUsd: 1,
    feeRate,
  };
}

/** Depth by the proxy of the total liquidity, where neither pools nor books are known. */
function ofWholeLiquidity(
  set: ConsensusSet,
  { proxyConfidence }: DepthRules,
  shown: ShownLiquidity | null,
): Depth | null {
  const liquidity = liquidityOf(set);
  if (!liquidity) return null;
  return {
    ...reportedSides({ basis: 'tvl_proxy', liquidityUsd: totalIn(set, shown) }, MOVE_PCT),
    confidence: Math.min(proxyConfidence, liquidity.confidence),
    support: [liquidity],
    method: '0.5 % of total liquidity, pools unknown',
  };
}

/**
 * Order books of centralised markets with both sides known. Where no source states the depth within 2 %, the visible
 * part of the book is used, which is a lower bound.
 */
export function booksIn(set: ConsensusSet): readonly { readonly up: Known<number>; readonly down: Known<number> }[] {
  const scopes = [...scopesWith(set, 'venue_depth_up_2pct_usd'), ...scopesWith(set, 'venue_depth_up_2pct_min_usd')];
  return [...new Set(scopes)].sort().flatMap((scope) => {
    const up = numberAt(set, 'venue_depth_up_2pct_usd', scope) ?? numberAt(set, 'venue_depth_up_2pct_min_usd', scope);
    const down =
      numberAt(set, 'venue_depth_down_2pct_usd', scope) ?? numberAt(set, 'venue_depth_down_2pct_min_usd', scope);
    return up && down ? [{ up, down }] : [];
  });
}

function at2(depth: readonly PoolDepth[]): PoolDepth | undefined {
  return depth.find((row) => row.move_pct === MOVE_PCT);
}

function bothSides(depth: readonly PoolDepth[]): number {
  const row = at2(depth);
  return (row?.up_usd ?? 0) + (row?.down_usd ?? 0);
}
