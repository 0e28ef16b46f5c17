import { divideDown, divideUp, type PoolCurve, type SwapResult } from './pool-curve.ts';

export interface Tick {
  readonly index: number;
  /** Added to the liquidity when the price rises through the tick. */
  readonly liquidityNet: bigint;
}

export interface Concentrated {
  /** Fraction bits of square roots of prices: 64 on Solana, 96 on EVM chains. */
  readonly bits: 64 | 96;
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Taker's fee in millionths of the input. */
  readonly feeMillionths: bigint;
  /** False when the fee is taken from the output (some Raydium CLMM pools). Absent: always from the input. */
  readonly feeOnInput?: (zeroForOne: boolean) => boolean;
  /** All initialised ticks of `lowest..highest`, in any order. */
  readonly ticks: readonly Tick[];
  /** Ticks that were read, both included; a swap that would leave them cannot be computed. */
  readonly lowest: number;
  readonly highest: number;
  /**
   * Ticks per bitmap word times the tick spacing. Uniswap ends a step, and rounds, at the end of each word even without a
   * tick there. Null when steps end at initialised ticks only (Solana programs).
   */
  readonly wordTicks: number | null;
  readonly tickSpacing: number;
  /** The program's table of square roots (tick-math.ts). */
  readonly sqrtPriceAtTick: (tick: number) => bigint;
}

/**
 * Concentrated liquidity. `swapExactIn` uses the integer arithmetic of Uniswap v3's SwapMath, to which Whirlpool and Raydium
 * CLMM are identical to the unit; `toPrice` walks the ticks in floating point (methodology 9).
 */
export function concentrated(pool: Concentrated): PoolCurve {
  const ticks = [...pool.ticks].sort((a, b) => a.index - b.index);
  const scale = 2 ** pool.bits;
  const root = Number(pool.sqrtPrice) / scale;
  const ways: { down?: readonly Segment[]; up?: readonly Segment[] } = {};
  const wayTo = (down: boolean) => (ways[down ? 'down' : 'up'] ??= segmentsOf(pool, ticks, root, down));
  return {
    price: root * root,
    toPrice(target) {
      const wanted = Math.sqrt(target);
      if (!(root > 0) || !(wanted > 0) || !Number.isFinite(wanted)) return { amount0: 0, amount1: 0, reached: false };
      const down = wanted < root;
      const way = wayTo(down);
      const edge = rootAtTick(down ? pool.lowest : pool.highest);
      // The current price may lie outside the range of ticks that was read.
      if (down ? edge > root : edge < root) return { amount0: 0, amount1: 0, reached: false };
      return moveTo(way, edge, wanted, down);
    },
    swapExactIn: (amountIn, zeroForOne) => swap(pool, ticks, amountIn, zeroForOne),
    state: () => ({
      shape: 'concentrated',
      bits: pool.bits,
      sqrtPrice: String(pool.sqrtPrice),
      tick: pool.tick,
      liquidity: String(pool.liquidity),
      lowest: pool.lowest,
      highest: pool.highest,
      ticks: ticks.flatMap(({ index, liquidityNet }) =>
        liquidityNet === 0n ? [] : [[index, String(liquidityNet)] as const],
      ),
    }),
  };
}

/** More steps than any swap can take in one transaction. */
const MAX_STEPS = 20_000;

function swap(pool: Concentrated, ticks: readonly Tick[], amountIn: bigint, zeroForOne: boolean): SwapResult | null {
  if (amountIn <= 0n || pool.sqrtPrice <= 0n) return null;
  let { sqrtPrice, tick, liquidity } = pool;
  let remaining = amountIn;
  let amountOut = 0n;
  let fee = 0n;
  for (let steps = 0; remaining > 0n; steps++) {
    const next = nextStop(pool, ticks, tick, zeroForOne);
    if (next === null || steps > MAX_STEPS) return null;
    const target = pool.sqrtPriceAtTick(next.index);
    const step = computeStep(pool, sqrtPrice, target, liquidity, remaining, zeroForOne);
    remaining -= step.spent;
    amountOut += step.amountOut;
    fee += step.fee;
    sqrtPrice = step.sqrtPrice;
    if (sqrtPrice !== target) continue;
    liquidity += zeroForOne ? -next.liquidityNet : next.liquidityNet;
    if (liquidity < 0n) return null;
    tick = zeroForOne ? next.index - 1 : next.index;
  }
  return { amountIn, amountOut, fee };
}

/** Where the next step ends: at an initialised tick, or at the end of a bitmap word if the program stops there too. */
function nextStop(pool: Concentrated, ticks: readonly Tick[], tick: number, zeroForOne: boolean): Tick | null {
  const at = zeroForOne ? lastAtOrBelow(ticks, tick) : lastAtOrBelow(ticks, tick) + 1;
  const initialised = ticks[at];
  const edge = zeroForOne ? pool.lowest : pool.highest;
  let stop: Tick = initialised ?? { index: edge, liquidityNet: 0n };
  if (pool.wordTicks !== null) {
    const end = wordEnd(pool.wordTicks, pool.tickSpacing, tick, zeroForOne);
    if (zeroForOne ? end > stop.index : end < stop.index) stop = { index: end, liquidityNet: 0n };
  }
  const passed = zeroForOne ? stop.index > tick || stop.index < edge : stop.index <= tick || stop.index > edge;
  return passed ? null : stop;
}

/** First (going down) or last (going up) tick of the bitmap word in which Uniswap looks for the next tick. */
function wordEnd(wordTicks: number, spacing: number, tick: number, zeroForOne: boolean): number {
  const compressed = Math.floor(tick / spacing) + (zeroForOne ? 0 : 1);
  const word = Math.floor((compressed * spacing) / wordTicks);
  return zeroForOne ? word * wordTicks : (word + 1) * wordTicks - spacing;
}

/** Index of the last tick at or below `tick`; -1 if there is none. */
function lastAtOrBelow(ticks: readonly Tick[], tick: number): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ticks[middle] as Tick).index <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A point where the liquidity changes on the path from the current price, with the amounts traded up to it. */
interface Segment {
  readonly root: number;
  readonly liquidity: number;
  readonly amount0: number;
  readonly amount1: number;
}

/** The path down or up, computed once because routing needs many prices of the same pool. */
function segmentsOf(pool: Concentrated, ticks: readonly Tick[], startRoot: number, down: boolean): readonly Segment[] {
  let exact = pool.liquidity;
  let segment: Segment = { root: startRoot, liquidity: Number(exact), amount0: 0, amount1: 0 };
  const segments = [segment];
  const first = lastAtOrBelow(ticks, pool.tick) + (down ? 0 : 1);
  for (let at = first; at >= 0 && at < ticks.length; at += down ? -1 : 1) {
    const tick = ticks[at] as Tick;
    const next = rootAtTick(tick.index);
    // Because of rounding, the current price may lie slightly beyond its own tick: never walk backwards.
    const root = down ? Math.min(next, segment.root) : Math.max(next, segment.root);
    // Summed in integers: floating-point sums would leave a remainder where liquidity is zero.
    exact += down ? -tick.liquidityNet : tick.liquidityNet;
    segment = { ...flowTo(segment, root), root, liquidity: exact > 0n ? Number(exact) : 0 };
    segments.push(segment);
  }
  return segments;
}

function flowTo({ root, liquidity, amount0, amount1 }: Segment, end: number) {
  return { amount0: amount0 + liquidity * (1 / end - 1 / root), amount1: amount1 + liquidity * (end - root) };
}

function moveTo(segments: readonly Segment[], edge: number, wanted: number, down: boolean) {
  const end = down ? Math.max(wanted, edge) : Math.min(wanted, edge);
  let low = 0;
  let high = segments.length;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    const { root } = segments[middle] as Segment;
    if (down ? root >= end : root <= end) low = middle;
    else high = middle;
  }
  return { ...flowTo(segments[low] as Segment, end), reached: end === wanted };
}

function rootAtTick(tick: number): number {
  return 1.0001 ** (tick / 2);
}

export interface StepResult {
  readonly sqrtPrice: bigint;
  /** Input used, fee included. */
  readonly spent: bigint;
  readonly amountOut: bigint;
  /** In input units. */
  readonly fee: bigint;
}

const MILLION = 1_000_000n;
const WORD_256 = 1n << 256n;

/**
 * One step of an exact-input swap inside one liquidity range: Uniswap v3-core SwapMath.computeSwapStep with
 * SqrtPriceMath; Whirlpool (swap_math.rs) and Raydium CLMM (swap_math.rs) round the same way with 64 fraction bits.
 */
export function computeStep(
  pool: {
    readonly bits: 64 | 96;
    readonly feeMillionths: bigint;
    readonly feeOnInput?: (zeroForOne: boolean) => boolean;
  },
  current: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  zeroForOne: boolean,
): StepResult {
  const bits = BigInt(pool.bits);
  const onInput = pool.feeOnInput?.(zeroForOne) ?? true;
  const delta0 = (a: bigint, b: bigint, up: boolean) => amount0Delta(bits, a, b, liquidity, up);
  const delta1 = (a: bigint, b: bigint, up: boolean) => amount1Delta(bits, a, b, liquidity, up);
  const forPrice = onInput ? (remaining * (MILLION - pool.feeMillionths)) / MILLION : remaining;
  const toTarget = zeroForOne ? delta0(target, current, true) : delta1(current, target, true);
  const next = forPrice >= toTarget ? target : nextSqrtPrice(bits, current, liquidity, forPrice, zeroForOne);
  const reached = next === target;
  const amountIn = reached ? toTarget : zeroForOne ? delta0(next, current, true) : delta1(current, next, true);
  const amountOut = zeroForOne ? delta1(next, current, false) : delta0(current, next, false);
  if (!onInput) {
    const spent = reached ? amountIn : remaining;
    const fee = divideUp(amountOut * pool.feeMillionths, MILLION);
    return { sqrtPrice: next, spent, amountOut: amountOut - fee, fee: divideUp(spent * pool.feeMillionths, MILLION) };
  }
  const fee = reached ? divideUp(amountIn * pool.feeMillionths, MILLION - pool.feeMillionths) : remaining - amountIn;
  return { sqrtPrice: next, spent: amountIn + fee, amountOut, fee };
}

/** Token 0 between two square roots of prices, `low` and `high`. */
function amount0Delta(bits: bigint, low: bigint, high: bigint, liquidity: bigint, up: boolean): bigint {
  const numerator = (liquidity << bits) * (high - low);
  return up ? divideUp(divideUp(numerator, high), low) : divideDown(divideDown(numerator, high), low);
}

/** Token 1 between two square roots of prices. */
function amount1Delta(bits: bigint, low: bigint, high: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (high - low);
  return up ? divideUp(product, 1n << bits) : product >> bits;
}

function nextSqrtPrice(bits: bigint, current: bigint, liquidity: bigint, amount: bigint, zeroForOne: boolean): bigint {
  if (!zeroForOne) return current + divideDown(amount << bits, liquidity);
  if (amount === 0n) return current;
  const shifted = liquidity << bits;
  const product = amount * current;
  // Beyond 256 bits Uniswap uses a second, less exact formula (SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp).
  if (product < WORD_256 && shifted + product < WORD_256) return divideUp(shifted * current, shifted + product);
  return divideUp(shifted, divideDown(shifted, current) + amount);
}

/**
 * Amounts held by the liquidity of all ticks that were read, in base units, rounded down: token 0 above the price, token 1
 * below it. For pools whose tokens are held together with those of other pools.
 */
export function amountsWithin(pool: Concentrated): readonly [amount0: bigint, amount1: bigint] {
  if (pool.sqrtPrice <= 0n) return [0n, 0n];
  const ticks = [...pool.ticks].sort((a, b) => a.index - b.index);
  const bits = BigInt(pool.bits);
  let amount0 = 0n;
  let liquidity = pool.liquidity;
  let root = pool.sqrtPrice;
  for (const tick of [...ticks.filter((one) => one.index > pool.tick), null]) {
    const next = pool.sqrtPriceAtTick(tick?.index ?? pool.highest);
    if (next > root) {
      if (liquidity > 0n) amount0 += ((liquidity << bits) * (next - root)) / (next * root);
      root = next;
    }
    liquidity += tick?.liquidityNet ?? 0n;
  }
  let amount1 = 0n;
  liquidity = pool.liquidity;
  root = pool.sqrtPrice;
  for (const tick of [...ticks.filter((one) => one.index <= pool.tick).reverse(), null]) {
    const next = pool.sqrtPriceAtTick(tick?.index ?? pool.lowest);
    if (next < root) {
      if (liquidity > 0n) amount1 += (liquidity * (root - next)) >> bits;
      root = next;
    }
    liquidity -= tick?.liquidityNet ?? 0n;
  }
  return [amount0, amount1];
}
