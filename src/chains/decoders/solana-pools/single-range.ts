import { divideDown, divideUp } from '../../pool-math/integer.ts';
import type { PoolCurve } from '../../pool-math/types.ts';

export interface SingleRange {
  readonly liquidity: bigint;
  /** Q64.64. */
  readonly sqrtPrice: bigint;
  readonly sqrtMin: bigint;
  readonly sqrtMax: bigint;
  readonly input: (amount: bigint, zeroForOne: boolean) => bigint;
  readonly output: (amount: bigint, zeroForOne: boolean) => bigint;
}

/** One range for all liquidity, which carries 64 fraction bits of its own (Meteora DAMM v2, liquidity/concentrated). */
export function singleRange(pool: SingleRange): PoolCurve {
  const scale = 2 ** 64;
  const liquidity = Number(pool.liquidity) / scale;
  const [root, low, high] = [pool.sqrtPrice, pool.sqrtMin, pool.sqrtMax].map((value) => Number(value) / scale) as [
    number,
    number,
    number,
  ];
  return {
    price: root * root,
    toPrice(target) {
      const wanted = Math.sqrt(target);
      if (!(root > 0) || !(wanted > 0) || !Number.isFinite(wanted)) return { amount0: 0, amount1: 0, reached: false };
      const end = Math.min(Math.max(wanted, low), high);
      if (!(end > 0)) return { amount0: 0, amount1: 0, reached: false };
      return {
        amount0: liquidity * (1 / end - 1 / root),
        amount1: liquidity * (end - root),
        reached: end === wanted,
      };
    },
    swapExactIn(amountIn, zeroForOne) {
      if (amountIn <= 0n || pool.liquidity <= 0n || pool.sqrtPrice <= 0n) return null;
      const feeIn = pool.input(amountIn, zeroForOne);
      const gross = zeroForOne ? swap0(pool, amountIn - feeIn) : swap1(pool, amountIn - feeIn);
      if (gross === null) return null;
      const feeOut = pool.output(gross, zeroForOne);
      const asInput = gross === 0n ? 0n : divideUp(amountIn * feeOut, gross);
      return { amountIn, amountOut: gross - feeOut, fee: feeIn + asInput };
    },
  };
}

function swap0({ liquidity, sqrtPrice, sqrtMin }: SingleRange, amount: bigint): bigint | null {
  const next = divideUp(liquidity * sqrtPrice, liquidity + amount * sqrtPrice);
  return next < sqrtMin ? null : (liquidity * (sqrtPrice - next)) >> 128n;
}

function swap1({ liquidity, sqrtPrice, sqrtMax }: SingleRange, amount: bigint): bigint | null {
  const next = sqrtPrice + (amount << 128n) / liquidity;
  return next > sqrtMax ? null : divideDown(liquidity * (next - sqrtPrice), sqrtPrice * next);
}
