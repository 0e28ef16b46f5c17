import { finite, type PoolKind } from '../../domain/index.ts';

/** One side of a pool. Amounts in base units. */
export interface PoolToken {
  /** Mint, ERC-20 contract (lower-case) or `native`. */
  readonly address: string;
  readonly decimals: number;
  /** What the pool holds for its liquidity providers, without protocol fees and virtual reserves. */
  readonly reserve: bigint;
}

/** Result of a swap as the pool's program would execute it, in base units. */
export interface SwapResult {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Part of `amountIn`. */
  readonly fee: bigint;
}

/**
 * A pool's pricing function at one moment. Token 0 and token 1 are in the pool's order. Prices are token 1 per token 0 in
 * BASE units (multiply by 10^(decimals0 - decimals1) for whole tokens). Pure.
 */
export interface PoolCurve {
  /** Marginal price now, before fees. */
  readonly price: number;
  /**
   * Amounts, fee not included, that move the marginal price to `target`. Positive amounts enter the pool, negative amounts
   * leave it. `reached` is false when liquidity ends first; the amounts are then those up to the end.
   */
  toPrice(target: number): { readonly amount0: number; readonly amount1: number; readonly reached: boolean };
  /** Exact input, in the program's integer arithmetic. `zeroForOne`: token 0 is the input. Null: the pool cannot fill the swap. */
  swapExactIn(amountIn: bigint, zeroForOne: boolean): SwapResult | null;
  /** The inputs of `price` and `toPrice`, as JSON; absent for curves without an archived form (stable curves). */
  state?(): CurveState;
}

/** The archived form of a curve (`archived-pool.ts` restores it). Integers that a double cannot hold are decimal text. */
export type CurveState =
  | {
      readonly shape: 'constant_product';
      readonly reserve0: string;
      readonly reserve1: string;
      readonly available0?: string;
      readonly available1?: string;
    }
  | {
      readonly shape: 'concentrated';
      readonly bits: 64 | 96;
      readonly sqrtPrice: string;
      readonly tick: number;
      readonly liquidity: string;
      readonly lowest: number;
      readonly highest: number;
      /** Tick and the liquidity added when the price rises through it. */
      readonly ticks: readonly (readonly [number, string])[];
    }
  | {
      readonly shape: 'bins';
      readonly bits: number;
      readonly active: number;
      readonly activePrice: string;
      readonly lowest: number;
      readonly highest: number;
      /** Bin id, token 0 and token 1 in the bin, limit orders included, and its price. */
      readonly bins: readonly (readonly [number, string, string, string])[];
    };

/** A pool as read from its chain. */
export interface PoolReading {
  readonly dex: string;
  /** `raydium_amm_v4`, `uniswap_v3`, ... */
  readonly protocol: string;
  readonly kind: PoolKind;
  readonly address: string;
  readonly tokens: readonly [PoolToken, PoolToken];
  /** Taker's fee as a fraction, 0.0025 is 0.25 %; the current value if the fee varies. */
  readonly feeRate: number;
  readonly curve: PoolCurve;
  readonly lp: {
    /** Fractions 0-1 of the liquidity; null: not known. */
    readonly burned: number | null;
    readonly locked: number | null;
    readonly locker: string | null;
    /** RFC 3339. */
    readonly unlocksAt: string | null;
    /** Where the statement comes from, as text for readers. */
    readonly source: string;
  } | null;
  /** Slot or block number. */
  readonly height: number;
  /** Why trading is off (paused, migrated, completed curve), as text for readers; null when the pool trades. */
  readonly inactive: string | null;
  /** Why the curve may differ from real swaps (a hook changes them); no depth is published then. Absent or null: no such reason. */
  readonly unsure?: string | null;
  readonly notes: readonly string[];
}

/** Division rounded down (`divideUp`: rounded up) for non-negative numbers. A zero divisor gives 0, because callers check liquidity. */
export function divideDown(numerator: bigint, denominator: bigint): bigint {
  return denominator === 0n ? 0n : numerator / denominator;
}

export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return denominator === 0n ? 0n : (numerator + denominator - 1n) / denominator;
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Amount in whole tokens; null when it is not a finite number (decimals may be anything from 0 to 255). */
export function wholeTokens(amount: bigint, decimals: number): number | null {
  return finite(Number(amount) / 10 ** decimals);
}

/**
 * How a program takes its fee. `folded`: the fee is part of one division (Uniswap v2: out = in * keep * y / (x * of +
 * in * keep)). `separate`: fees are whole amounts, rounded as in the program, taken before the curve, after it, or both.
 */
export type ProductFee =
  | { readonly how: 'folded'; readonly keep: bigint; readonly of: bigint }
  | {
      readonly how: 'separate';
      /** Fee on the input. */
      readonly input: (amount: bigint, zeroForOne: boolean) => bigint;
      /** Fee on the curve's output. */
      readonly output: (amount: bigint, zeroForOne: boolean) => bigint;
    };

export interface ConstantProduct {
  /** Reserve used in the formula, virtual reserves included. */
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly fee: ProductFee;
  /** What the pool can pay out. Absent: the reserve, because nothing is virtual. */
  readonly available0?: bigint;
  readonly available1?: bigint;
  /** The part of the curve's output that leaves the pool; it is compared with the available amount. Absent: all of it. */
  readonly leaving?: (curveOut: bigint, zeroForOne: boolean) => bigint;
  /** Pump's curve fills a purchase of more token 0 than remains with the remainder. */
  readonly capOutput0?: boolean;
}

/** x * y = k with the fee and rounding of the given program. Never throws; a pool without reserves fills no swap. */
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
  // A fee on the output is converted into the input token, so that `fee` has one unit.
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
