import { finite } from '../../domain/index.ts';

/** Division towards zero and away from it, for non-negative numbers. A zero divisor gives 0: callers check liquidity. */
export function divideDown(numerator: bigint, denominator: bigint): bigint {
  return denominator === 0n ? 0n : numerator / denominator;
}

export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return denominator === 0n ? 0n : (numerator + denominator - 1n) / denominator;
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Amount in whole tokens; null where it is no finite number (decimals may be anything from 0 to 255). */
export function wholeTokens(amount: bigint, decimals: number): number | null {
  return finite(Number(amount) / 10 ** decimals);
}
