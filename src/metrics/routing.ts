import type { PoolDepth, PoolSlippage } from '../domain/index.ts';
import { finite } from '../domain/index.ts';

/**
 * The price of a pool as a curve. Prices are token 1 per token 0 in base units; `toPrice` returns the amounts, without
 * the fee, that move the marginal price to `target`: positive into the pool. `reached` is false when the liquidity ends
 * first.
 */
export interface PriceCurve {
  readonly price: number;
  toPrice(target: number): { readonly amount0: number; readonly amount1: number; readonly reached: boolean };
}

/** A pool's curve, the asset's side of it, and the value of one whole quote token. */
export interface RoutedPool {
  readonly curve: PriceCurve;
  readonly assetIsToken0: boolean;
  readonly assetDecimals: number;
  readonly quoteDecimals: number;
  readonly quoteUsd: number;
  /** Taker's fee as a fraction. */
  readonly feeRate: number;
}

/** Price moves, percent, and trade sizes, US dollars, that are published for each pool and for all pools together. */
export const DEPTH_MOVES_PCT: readonly number[] = [0.5, 1, 2, 5];
export const SLIPPAGE_SIZES_USD: readonly number[] = [1_000, 10_000, 100_000, 1_000_000];

/** A pool whose price differs from the reference by more than this factor is excluded. */
const MOST_APART = 1.1;

/**
 * Depth over pools: the quote value that moves the price from the common reference to P(1 +- d), without fees. Every
 * pool goes to the same price (equal marginal prices, methodology 9); one that is already beyond it adds nothing. For
 * one pool this is its own depth. If the known liquidity of a side ends first, all of it is the depth of that side.
 */
export function routedDepth(pools: readonly RoutedPool[]): readonly PoolDepth[] {
  const { reference, usable } = nearReference(pools);
  return DEPTH_MOVES_PCT.map((movePct) => {
    if (reference === null) return { move_pct: movePct, down_usd: null, up_usd: null };
    const quoteTo = (target: number, sign: number) =>
      usable.reduce((total, pool) => total + Math.max(0, sign * flowTo(pool, target).quoteUsd), 0);
    return {
      move_pct: movePct,
      down_usd: finite(quoteTo(reference * (1 - movePct / 100), -1)),
      up_usd: finite(quoteTo(reference * (1 + movePct / 100), 1)),
    };
  });
}

/**
 * Average price paid (or received) against the reference price for trades of fixed size, including fees, split over the
 * pools so that the marginal price after fees is the same in all of them. Null when all pools together cannot fill the
 * trade; slightly negative when prices differ between pools and the trade takes the difference.
 */
export function slippageOf(pools: readonly RoutedPool[]): readonly PoolSlippage[] {
  const { reference, usable } = nearReference(pools);
  return SLIPPAGE_SIZES_USD.map((sizeUsd) => {
    if (reference === null) return { size_usd: sizeUsd, buy_pct: null, sell_pct: null };
    const bought = buy(usable, reference, sizeUsd);
    const sold = sell(usable, reference, sizeUsd / reference);
    return {
      size_usd: sizeUsd,
      buy_pct: bought === null ? null : finite((sizeUsd / bought / reference - 1) * 100),
      sell_pct: sold === null ? null : finite((1 - sold / sizeUsd) * 100),
    };
  });
}

/** The largest sale that costs no more than a share of its value. */
export interface Exit {
  /** Sold amount at the reference price, US dollars. */
  readonly sizeUsd: number;
  /** Proceeds of the sale after fees, US dollars. */
  readonly receivedUsd: number;
  /** Part of the sale for each of the given pools, in their order, US dollars at the reference price. */
  readonly parts: readonly number[];
}

/** The amounts of a smaller sale are rounding errors of the pools' mathematics. */
const NO_SALE_USD = 0.01;

/**
 * The largest sale whose average price, including fees, is at most `mostCostPct` percent below the reference price,
 * split as in `slippageOf`. The proceeds per token fall with the size, so one search over the limit price finds it;
 * where the flow jumps at one price (bins), the part of the jump that still fits is taken. Null without a pool that
 * trades.
 */
export function largestExit(pools: readonly RoutedPool[], mostCostPct: number): Exit | null {
  const { reference, usable } = nearReference(pools);
  if (reference === null) return null;
  const least = reference * (1 - mostCostPct / 100);
  const flowsAt = (limit: number) => usable.map((pool) => saleTo(pool, limit));
  const fits = ({ spent, got }: Total) => spent * reference <= NO_SALE_USD || got >= least * spent;
  let low = Math.log(1 / reference) - WIDEST;
  let high = Math.log(1 / reference) + WIDEST;
  let [below, above] = [flowsAt(Math.exp(low)), flowsAt(Math.exp(high))];
  if (fits(totalOf(above))) below = above;
  for (let round = 0; round < ROUNDS && below !== above && high - low > 1e-15 * Math.abs(high); round++) {
    const middle = (low + high) / 2;
    const flows = flowsAt(Math.exp(middle));
    if (fits(totalOf(flows))) [low, below] = [middle, flows];
    else [high, above] = [middle, flows];
  }
  const [inside, outside] = [totalOf(below), totalOf(above)];
  const room = inside.got - least * inside.spent;
  const missing = least * (outside.spent - inside.spent) - (outside.got - inside.got);
  const share = below !== above && missing > 0 ? Math.min(1, Math.max(0, room / missing)) : 0;
  const sold = below.map(({ spent, got }, index) => {
    const next = above[index] ?? { spent, got };
    return { spent: spent + share * (next.spent - spent), got: got + share * (next.got - got) };
  });
  const whole = totalOf(sold);
  if (!(whole.spent * reference > NO_SALE_USD)) return { sizeUsd: 0, receivedUsd: 0, parts: pools.map(() => 0) };
  const partOf = new Map(usable.map((pool, index) => [pool, (sold[index]?.spent ?? 0) * reference]));
  return {
    sizeUsd: finite(whole.spent * reference) ?? 0,
    receivedUsd: finite(whole.got) ?? 0,
    parts: pools.map((pool) => partOf.get(pool) ?? 0),
  };
}

/** Price of the asset in this pool, US dollars before fees. */
export function poolPriceUsd(pool: RoutedPool): number {
  const { price } = pool.curve;
  const inQuote = pool.assetIsToken0
    ? price * 10 ** (pool.assetDecimals - pool.quoteDecimals)
    : (1 / price) * 10 ** (pool.assetDecimals - pool.quoteDecimals);
  return inQuote * pool.quoteUsd;
}

/** Reference price of the pools: the median of their prices, weighted by the dollars that move each by 1 %. */
export function referencePriceUsd(pools: readonly RoutedPool[]): number | null {
  const weighted = pools
    .filter(trades)
    .map((pool) => {
      const price = poolPriceUsd(pool);
      const up = Math.max(0, flowTo(pool, price * 1.01).quoteUsd);
      const down = Math.max(0, -flowTo(pool, price * 0.99).quoteUsd);
      return { price, weight: up + down };
    })
    .sort((a, b) => a.price - b.price);
  if (weighted.length === 0) return null;
  const half = weighted.reduce((total, { weight }) => total + weight, 0) / 2;
  let passed = 0;
  for (const { price, weight } of weighted) {
    passed += weight;
    if (passed >= half) return price;
  }
  return weighted.at(-1)?.price ?? null;
}

/**
 * Pools over which a trade can be routed together. A pool whose price is far from the reference is inactive or a trap:
 * routing through it would promise gains that the first arbitrage takes away.
 */
function nearReference(pools: readonly RoutedPool[]) {
  const reference = referencePriceUsd(pools);
  const usable = pools.filter((pool) => {
    if (reference === null || !trades(pool)) return false;
    const apart = poolPriceUsd(pool) / reference;
    return apart <= MOST_APART && apart >= 1 / MOST_APART;
  });
  return { reference, usable };
}

function trades(pool: RoutedPool): boolean {
  const price = poolPriceUsd(pool);
  return price > 0 && Number.isFinite(price) && pool.feeRate >= 0 && pool.feeRate < 1;
}

/**
 * Amounts when the pool's price moves to `targetUsd`: quote dollars into the pool, and whole asset tokens out of it.
 */
function flowTo(pool: RoutedPool, targetUsd: number): { readonly quoteUsd: number; readonly asset: number } {
  const inQuote = targetUsd / pool.quoteUsd;
  const scale = 10 ** (pool.assetDecimals - pool.quoteDecimals);
  const flow = pool.curve.toPrice(pool.assetIsToken0 ? inQuote / scale : scale / inQuote);
  const asset = pool.assetIsToken0 ? -flow.amount0 : -flow.amount1;
  const quote = pool.assetIsToken0 ? flow.amount1 : flow.amount0;
  return {
    asset: finite(asset / 10 ** pool.assetDecimals) ?? 0,
    quoteUsd: finite((quote / 10 ** pool.quoteDecimals) * pool.quoteUsd) ?? 0,
  };
}

interface Total {
  readonly spent: number;
  readonly got: number;
}

/** Tokens that `sizeUsd` buys; null when it cannot be filled. */
function buy(pools: readonly RoutedPool[], reference: number, sizeUsd: number): number | null {
  const at = (limit: number): Total => {
    let spent = 0;
    let got = 0;
    for (const pool of pools) {
      // A buyer's price after the fee is P / (1 - f): each pool is bought from until this reaches the limit.
      const flow = flowTo(pool, limit * (1 - pool.feeRate));
      if (flow.quoteUsd <= 0 || flow.asset <= 0) continue;
      spent += flow.quoteUsd / (1 - pool.feeRate);
      got += flow.asset;
    }
    return { spent, got };
  };
  return fill(at, reference, sizeUsd);
}

/** Proceeds of a sale of `tokens`, US dollars; null when it cannot be filled. */
function sell(pools: readonly RoutedPool[], reference: number, tokens: number): number | null {
  return fill((limit) => totalOf(pools.map((pool) => saleTo(pool, limit))), 1 / reference, tokens);
}

/** Tokens sold into one pool and their proceeds, until the last token brings 1 / `limit` dollars after the fee. */
function saleTo(pool: RoutedPool, limit: number): Total {
  // A seller's price after the fee is P (1 - f).
  const flow = flowTo(pool, 1 / limit / (1 - pool.feeRate));
  if (flow.quoteUsd >= 0 || flow.asset >= 0) return { spent: 0, got: 0 };
  return { spent: -flow.asset / (1 - pool.feeRate), got: -flow.quoteUsd };
}

function totalOf(flows: readonly Total[]): Total {
  return flows.reduce((sum, flow) => ({ spent: sum.spent + flow.spent, got: sum.got + flow.got }), {
    spent: 0,
    got: 0,
  });
}

const ROUNDS = 80;
const WIDEST = Math.log(1e12);

/**
 * What `size` buys: bisection over the logarithm of the marginal limit price. Where the flow jumps at one price (bins),
 * the rest is bought at that price, by linear interpolation between the two sides of the jump.
 */
function fill(at: (limit: number) => Total, reference: number, size: number): number | null {
  let low = Math.log(reference) - WIDEST;
  let high = Math.log(reference) + WIDEST;
  let below = at(Math.exp(low));
  let above = at(Math.exp(high));
  if (!(above.spent >= size)) return null;
  for (let round = 0; round < ROUNDS && high - low > 1e-15 * Math.abs(high); round++) {
    const middle = (low + high) / 2;
    const total = at(Math.exp(middle));
    if (total.spent >= size) {
      high = middle;
      above = total;
    } else {
      low = middle;
      below = total;
    }
  }
  const jump = above.spent - below.spent;
  return jump > 0 ? below.got + ((size - below.spent) / jump) * (above.got - below.got) : above.got;
}
