import type { PoolKind } from '../../domain/index.ts';

/** One side of a pool. Amounts in base units. */
export interface PoolToken {
  /** Mint, ERC-20 contract (lower-case) or `native`. */
  readonly address: string;
  readonly decimals: number;
  /** What the pool really holds for its liquidity providers (protocol fees and virtual reserves taken out). */
  readonly reserve: bigint;
}

/** Outcome of a swap as the pool's program would do it, in base units; null when the pool cannot fill it. */
export interface SwapResult {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Of `amountIn`. */
  readonly fee: bigint;
}

/**
 * A pool's mathematics at one moment. Token 0 and token 1 are the pool's own order. Prices are token 1 per token 0 in
 * BASE units (multiply by 10^(decimals0 - decimals1) for whole tokens). Pure.
 */
export interface PoolCurve {
  /** Marginal price now, before fees. */
  readonly price: number;
  /**
   * Amounts, fee not included, that move the marginal price to `target`: positive goes into the pool, negative comes
   * out. `reached` is false when liquidity ends first; amounts are then those up to the end.
   */
  toPrice(target: number): { readonly amount0: number; readonly amount1: number; readonly reached: boolean };
  /** Exact input, integer arithmetic of the program itself. `zeroForOne`: token 0 goes in. Null: cannot be filled. */
  swapExactIn(amountIn: bigint, zeroForOne: boolean): SwapResult | null;
  /** What `price` and `toPrice` are computed from, as JSON; absent where it has no such form (stable curves). */
  state?(): CurveState;
}

/** A curve as it is archived (`curve-state.ts` makes the curve of it). Integers beyond a double are decimal text. */
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
      /** Tick and what is added to the liquidity when the price goes up through it. */
      readonly ticks: readonly (readonly [number, string])[];
    }
  | {
      readonly shape: 'bins';
      readonly bits: number;
      readonly active: number;
      readonly activePrice: string;
      readonly lowest: number;
      readonly highest: number;
      /** Bin, token 0 and token 1 in it, limit orders among them, and its price. */
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
  /** Taker's fee as a fraction, 0.0025 is 0.25 %; the present one where it moves. */
  readonly feeRate: number;
  readonly curve: PoolCurve;
  readonly lp: {
    /** Fractions 0-1 of the liquidity; null: not known. */
    readonly burned: number | null;
    readonly locked: number | null;
    readonly locker: string | null;
    /** RFC 3339. */
    readonly unlocksAt: string | null;
    /** Where the statement comes from, for people. */
    readonly source: string;
  } | null;
  /** Slot or block number. */
  readonly height: number;
  /** Trading is off (paused, migrated, finished curve), for people; null when it trades. */
  readonly inactive: string | null;
  /** Why its mathematics may not be what a swap gives (a hook that changes it): no depth is published then. Absent: it is. */
  readonly unsure?: string | null;
  readonly notes: readonly string[];
}
