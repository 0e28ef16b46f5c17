import { divideDown, divideUp } from './integer.ts';
import type { PoolCurve, SwapResult } from './types.ts';

/**
 * How a program takes its fee. `folded`: the fee is part of one division (Uniswap v2: out = in * keep * y / (x * of +
 * in * keep)). `separate`: fees are whole amounts taken before the curve, after it, or both, as the program rounds them.
 */
export type ProductFee =
  | { readonly how: 'folded'; readonly keep: bigint; readonly of: bigint }
  | {
      readonly how: 'separate';
      /** Of what comes in. */
      readonly input: (amount: bigint, zeroForOne: boolean) => bigint;
      /** Of what the curve gives. */
      readonly output: (amount: bigint, zeroForOne: boolean) => bigint;
    };

export interface ConstantProduct {
  /** What the curve trades on, virtual reserves included. */
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly fee: ProductFee;
  /** What can really be taken out; the reserves themselves where nothing is virtual. */
  readonly available0?: bigint;
  readonly available1?: bigint;
  /** Of what the curve gives, what leaves the pool; absent: all of it. Compared with what is available. */
  readonly leaving?: (curveOut: bigint, zeroForOne: boolean) => bigint;
  /** Pump's curve answers a purchase of token 0 larger than what is left with what is left. */
  readonly capOutput0?: boolean;
}

/** x * y = k with the fee and rounding of the given program. Never throws; a pool without reserves fills nothing. */
export function constantProduct(pool: ConstantProduct): PoolCurve {
  const { reserve0, reserve1 } = pool;
  const available0 = pool.available0 ?? reserve0;
  const available1 = pool.available1 ?? reserve1;
  const alive = reserve0 > 0n && reserve1 > 0n;
  const price = alive ? Number(reserve1) / Number(reserve0) : 0;
  return {
    price,
    toPrice(target) {
      if (!alive || !(target > 0) || !Number.isFinite(target)) return { amount0: 0, amount1: 0, reached: false };
      const root = Math.sqrt(target / price);
      const amount0 = Number(reserve0) * (1 / root - 1);
      const amount1 = Number(reserve1) * (root - 1);
      if (-amount0 > Number(available0)) return untilEmpty0(pool, Number(available0));
      if (-amount1 > Number(available1)) return untilEmpty1(pool, Number(available1));
      return { amount0, amount1, reached: true };
    },
    swapExactIn(amountIn, zeroForOne) {
      if (!alive || amountIn <= 0n) return null;
      const swap = zeroForOne
        ? trade(pool, amountIn, reserve0, reserve1, true)
        : trade(pool, amountIn, reserve1, reserve0, false);
      const available = zeroForOne ? available1 : available0;
      if (swap === null) return null;
      const leaving = pool.leaving?.(swap.curveOut, zeroForOne) ?? swap.curveOut;
      if (leaving <= available) return swap;
      if (zeroForOne || pool.capOutput0 !== true) return null;
      return { ...swap, amountOut: available };
    },
    state: () => ({
      shape: 'constant_product',
      reserve0: String(reserve0),
      reserve1: String(reserve1),
      ...(available0 === reserve0 ? {} : { available0: String(available0) }),
      ...(available1 === reserve1 ? {} : { available1: String(available1) }),
    }),
  };
}

function trade(
  pool: ConstantProduct,
  amountIn: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  zeroForOne: boolean,
): (SwapResult & { readonly curveOut: bigint }) | null {
  const { fee } = pool;
  if (fee.how === 'folded') {
    const kept = amountIn * fee.keep;
    const amountOut = divideDown(kept * reserveOut, reserveIn * fee.of + kept);
    return { amountIn, amountOut, curveOut: amountOut, fee: divideUp(amountIn * (fee.of - fee.keep), fee.of) };
  }
  const feeIn = fee.input(amountIn, zeroForOne);
  const net = amountIn - feeIn;
  if (net < 0n) return null;
  const curveOut = divideDown(net * reserveOut, reserveIn + net);
  const feeOut = fee.output(curveOut, zeroForOne);
  if (feeOut > curveOut) return null;
  // A fee on the output is expressed as the part of the input it takes, so that `fee` has one unit.
  const outputFeeAsInput = curveOut === 0n ? 0n : divideUp(net * feeOut, curveOut);
  return { amountIn, amountOut: curveOut - feeOut, curveOut, fee: feeIn + outputFeeAsInput };
}

function untilEmpty0(pool: ConstantProduct, available0: number) {
  const left = Number(pool.reserve0) - available0;
  if (left <= 0) return { amount0: -available0, amount1: 0, reached: false };
  return { amount0: -available0, amount1: (Number(pool.reserve1) * available0) / left, reached: false };
}

function untilEmpty1(pool: ConstantProduct, available1: number) {
  const left = Number(pool.reserve1) - available1;
  if (left <= 0) return { amount0: 0, amount1: -available1, reached: false };
  return { amount0: (Number(pool.reserve0) * available1) / left, amount1: -available1, reached: false };
}
