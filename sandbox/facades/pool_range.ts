import type { PoolState } from '../world/market.ts';
import type { PoolSpec } from '../world/types.ts';

/** One position over a fixed range of prices: how the world's ranged pools hold their liquidity. */
export interface Range {
  readonly lower: number;
  readonly upper: number;
  readonly tick: number;
  /** sqrt of raw token 1 per raw token 0. */
  readonly root: number;
  readonly liquidity: bigint;
}

const LN_TICK = Math.log(1.0001);

/**
 * The range of a pool: from a quarter to four times its price at the world's anchor, with the largest liquidity that
 * both sides allow. `flipped`: the counter token is token 0.
 */
export function rangeOf(anchor: PoolState, now: PoolState, decimals: number, spacing: number, flipped: boolean): Range {
  const priceOf = (state: PoolState) => {
    const inQuote = state.baseAmount > 0 ? priceInQuote(state) : 1;
    return (flipped ? 1 / inQuote : inQuote) * scaleOf(state.pool, decimals, flipped);
  };
  const ground = (price: number) => Math.floor(Math.log(price) / LN_TICK / spacing) * spacing;
  const lower = ground(priceOf(anchor) / 4);
  const upper = ground(priceOf(anchor) * 4) + spacing;
  const price = priceOf(now);
  const root = Math.sqrt(price);
  const [low, high] = [Math.exp((lower * LN_TICK) / 2), Math.exp((upper * LN_TICK) / 2)];
  const amounts = rawAmounts(now, decimals);
  const [amount0, amount1] = flipped ? [amounts.quote, amounts.base] : [amounts.base, amounts.quote];
  const from0 = amount0 / (1 / root - 1 / high);
  const from1 = amount1 / (root - low);
  return {
    lower,
    upper,
    tick: Math.floor(Math.log(price) / LN_TICK),
    root,
    liquidity: BigInt(Math.floor(Math.max(0, Math.min(from0, from1)))),
  };
}

/** Base and counter token in base units, as numbers. */
export function rawAmounts(state: PoolState, decimals: number): { readonly base: number; readonly quote: number } {
  return { base: state.baseAmount * 10 ** decimals, quote: state.quoteAmount * 10 ** state.pool.quote.decimals };
}

/** Raw counter tokens per raw token. */
export function priceOfState(state: PoolState, decimals: number): number {
  return (state.baseAmount > 0 ? priceInQuote(state) : 1) * scaleOf(state.pool, decimals, false);
}

/** Whole counter tokens per whole token: both sides are valued at one price, whatever their amounts. */
function priceInQuote(state: PoolState): number {
  const { baseSide } = state.pool;
  return (state.quoteAmount / (1 - baseSide) / state.baseAmount) * baseSide;
}

function scaleOf(pool: PoolSpec, decimals: number, flipped: boolean): number {
  const power = pool.quote.decimals - decimals;
  return 10 ** (flipped ? -power : power);
}
