import { divideDown, divideUp } from './integer.ts';

export interface StepResult {
  readonly sqrtPrice: bigint;
  /** Input used up, fee included. */
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
  // Past 256 bits Uniswap takes a second, less exact form (SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp).
  if (product < WORD_256 && shifted + product < WORD_256) return divideUp(shifted * current, shifted + product);
  return divideUp(shifted, divideDown(shifted, current) + amount);
}
