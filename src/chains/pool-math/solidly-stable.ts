import type { PoolCurve, SwapResult } from './types.ts';

export interface SolidlyStable {
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly decimals0: number;
  readonly decimals1: number;
  /** Of 10,000; taken from what comes in, rounded down. */
  readonly fee: bigint;
}

const ONE = 10n ** 18n;
const FEE_SCALE = 10_000n;
const MOST_ROUNDS = 255;
const BISECTIONS = 200;
/** Balances up to e^20 times away are searched. */
const WIDEST = 20;

/**
 * The stable pools of Solidly and its heirs (Velodrome v2, Aerodrome): x^3 y + y^3 x = k in 18 decimals.
 * `swapExactIn` is getAmountOut of their Pool.sol in integers; prices and `toPrice` are numeric.
 */
export function solidlyStable(pool: SolidlyStable): PoolCurve {
  const [unit0, unit1] = [10n ** BigInt(pool.decimals0), 10n ** BigInt(pool.decimals1)];
  const x = (pool.reserve0 * ONE) / unit0;
  const y = (pool.reserve1 * ONE) / unit1;
  const alive = x > 0n && y > 0n;
  const scale = Number(unit1) / Number(unit0);
  const start = { x: Number(x) / 1e18, y: Number(y) / 1e18 };
  return {
    price: alive ? slopeAt(start.x, start.y) * scale : 0,
    toPrice(target) {
      if (!alive || !(target > 0) || !Number.isFinite(target)) return { amount0: 0, amount1: 0, reached: false };
      return moveTo(start, target / scale, Number(unit0), Number(unit1));
    },
    swapExactIn(amountIn, zeroForOne) {
      if (!alive || amountIn <= 0n) return null;
      const fee = (amountIn * pool.fee) / FEE_SCALE;
      const [unitIn, unitOut] = zeroForOne ? [unit0, unit1] : [unit1, unit0];
      const [from, to] = zeroForOne ? [x, y] : [y, x];
      const kept = ((amountIn - fee) * ONE) / unitIn;
      const left = solveFor(kept + from, invariant(x, y), to);
      if (left === null || left > to) return null;
      return { amountIn, amountOut: ((to - left) * unitOut) / ONE, fee } satisfies SwapResult;
    },
  };
}

/** x^3 y + y^3 x, rounded as the contract rounds. */
function invariant(x: bigint, y: bigint): bigint {
  return (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE;
}

function derivative(x: bigint, y: bigint): bigint {
  return (3n * x * ((y * y) / ONE)) / ONE + (((x * x) / ONE) * x) / ONE;
}

/** The y that keeps the invariant at `k` when the other side is `x`, by the contract's own Newton steps. Null: they do not end. */
function solveFor(x: bigint, k: bigint, guess: bigint): bigint | null {
  let y = guess;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const now = invariant(x, y);
    const slope = derivative(x, y);
    if (slope === 0n || y < 0n) return null;
    if (now < k) {
      let step = ((k - now) * ONE) / slope;
      if (step === 0n) {
        if (invariant(x, y + 1n) > k) return y + 1n;
        step = 1n;
      }
      y += step;
    } else {
      let step = ((now - k) * ONE) / slope;
      if (step === 0n) {
        if (now === k || invariant(x, y - 1n) < k) return y;
        step = 1n;
      }
      y -= step;
    }
  }
  return null;
}

/** Whole token 1 per whole token 0 at the margin. */
function slopeAt(x: number, y: number): number {
  return (3 * x * x * y + y * y * y) / (x * x * x + 3 * x * y * y);
}

/** y on the curve of `k` at `x`, by bisection in doubles. */
function otherSide(x: number, k: number): number {
  let [low, high] = [0, 1];
  while (x * high * (x * x + high * high) < k) high *= 2;
  for (let turn = 0; turn < BISECTIONS && high - low > 1e-16 * high; turn += 1) {
    const middle = (low + high) / 2;
    if (x * middle * (x * x + middle * middle) < k) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function moveTo(start: { readonly x: number; readonly y: number }, target: number, unit0: number, unit1: number) {
  const k = start.x * start.y * (start.x ** 2 + start.y ** 2);
  // The price falls as token 0 comes in.
  let [low, high] = [Math.log(start.x) - WIDEST, Math.log(start.x) + WIDEST];
  const priceAt = (logX: number) => slopeAt(Math.exp(logX), otherSide(Math.exp(logX), k));
  const reached = priceAt(low) >= target && priceAt(high) <= target;
  for (let turn = 0; turn < BISECTIONS && high - low > 1e-15; turn += 1) {
    const middle = (low + high) / 2;
    if (priceAt(middle) > target) low = middle;
    else high = middle;
  }
  const x = Math.exp((low + high) / 2);
  return { amount0: (x - start.x) * unit0, amount1: (otherSide(x, k) - start.y) * unit1, reached };
}
