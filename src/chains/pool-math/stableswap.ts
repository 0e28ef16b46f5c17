import { divideDown, type PoolCurve, type SwapResult } from './pool-curve.ts';

export interface Stableswap {
  /** Balances of all coins, base units. */
  readonly balances: readonly bigint[];
  /** 1e18-scaled multipliers that convert each coin to 18 decimals (and apply its rate, if it has one). */
  readonly rates: readonly bigint[];
  /** The contract multiplies sums by `amplification * n`. The value is A() * precision if A has a precision (A_precise). */
  readonly amplification: bigint;
  /** 1 for the first pools (3pool), 100 for later ones. */
  readonly amplificationPrecision: bigint;
  /** In units of 1e-10. */
  readonly fee: bigint;
  /** Stableswap-ng's dynamic fee, in units of 1e-10. Absent or at most 1e10: the fee is constant. */
  readonly offpegFeeMultiplier?: bigint;
  /** The order of divisions in get_D: `ng` divides by n^n once. */
  readonly rounding: 'classic' | 'ng';
  /** The chosen pair: token 0 and token 1 of the curve. */
  readonly pair: readonly [number, number];
}

const PRECISION = 10n ** 18n;
const FEE_SCALE = 10n ** 10n;
const MAX_ROUNDS = 255;
/** The search covers balances up to e^30 times away: beyond that no pool of this kind has a price. */
const WIDEST = 30;

/**
 * Curve's invariant over n coins, for one pair of them. `swapExactIn` follows `exchange` of the Vyper code in integers
 * (get_D, get_y, fee after the curve); prices and `toPrice` are computed in floating point.
 */
export function stableswap(pool: Stableswap): PoolCurve {
  const [i, j] = pool.pair;
  const scaled = pool.balances.map((balance, at) => (balance * (pool.rates[at] ?? 0n)) / PRECISION);
  const alive = scaled.length >= 2 && scaled.every((balance) => balance > 0n) && i !== j && i in scaled && j in scaled;
  const invariant = alive ? invariantOf(pool, scaled) : null;
  const model = invariant === null ? null : numericModel(pool, scaled, invariant);
  return {
    price: model?.price(Number(scaled[i])) ?? 0,
    toPrice: (target) => model?.toPrice(target) ?? { amount0: 0, amount1: 0, reached: false },
    swapExactIn(amountIn, zeroForOne) {
      if (invariant === null || amountIn <= 0n) return null;
      return zeroForOne
        ? exchange(pool, scaled, invariant, amountIn, i, j)
        : exchange(pool, scaled, invariant, amountIn, j, i);
    },
  };
}

function exchange(
  pool: Stableswap,
  scaled: readonly bigint[],
  invariant: bigint,
  amountIn: bigint,
  from: number,
  to: number,
): SwapResult | null {
  const fromBalance = scaled[from] as bigint;
  const toBalance = scaled[to] as bigint;
  const x = fromBalance + (amountIn * (pool.rates[from] as bigint)) / PRECISION;
  const y = balanceOf(pool, scaled, invariant, from, to, x);
  if (y === null || toBalance - y - 1n < 0n) return null;
  const out = toBalance - y - 1n;
  const rate = feeAt(pool, (fromBalance + x) / 2n, (toBalance + y) / 2n);
  const fee = (out * rate) / FEE_SCALE;
  const amountOut = divideDown((out - fee) * PRECISION, pool.rates[to] as bigint);
  return { amountIn, amountOut, fee: (amountIn * rate) / FEE_SCALE };
}

/** Stableswap-ng `_dynamic_fee`. */
function feeAt(pool: Stableswap, xpi: bigint, xpj: bigint): bigint {
  const multiplier = pool.offpegFeeMultiplier ?? 0n;
  if (multiplier <= FEE_SCALE) return pool.fee;
  const sum = (xpi + xpj) ** 2n;
  return (multiplier * pool.fee) / (((multiplier - FEE_SCALE) * 4n * xpi * xpj) / sum + FEE_SCALE);
}

/** get_D of the Vyper code; null when it does not converge. */
function invariantOf(pool: Stableswap, scaled: readonly bigint[]): bigint | null {
  const n = BigInt(scaled.length);
  const precision = pool.amplificationPrecision;
  const ann = pool.amplification * n;
  const sum = scaled.reduce((total, balance) => total + balance, 0n);
  if (ann < precision || precision <= 0n) return null;
  let d = sum;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let product = d;
    for (const balance of scaled) {
      product = pool.rounding === 'classic' ? (product * d) / (balance * n) : (product * d) / balance;
    }
    if (pool.rounding === 'ng') product /= n ** n;
    const before = d;
    const denominator = ((ann - precision) * d) / precision + (n + 1n) * product;
    if (denominator === 0n) return null;
    d = (((ann * sum) / precision + product * n) * d) / denominator;
    if (within1(d, before)) return d;
  }
  return null;
}

/** get_y: the balance of coin `to` when coin `from` has balance `x`. */
function balanceOf(
  pool: Stableswap,
  scaled: readonly bigint[],
  d: bigint,
  from: number,
  to: number,
  x: bigint,
): bigint | null {
  const n = BigInt(scaled.length);
  const precision = pool.amplificationPrecision;
  const ann = pool.amplification * n;
  let sum = 0n;
  let c = d;
  for (const [at, balance] of scaled.entries()) {
    if (at === to) continue;
    const present = at === from ? x : balance;
    sum += present;
    c = (c * d) / (present * n);
  }
  c = (c * d * precision) / (ann * n);
  const b = sum + (d * precision) / ann;
  let y = d;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = y;
    const denominator = 2n * y + b - d;
    if (denominator <= 0n) return null;
    y = (y * y + c) / denominator;
    if (within1(y, before)) return y;
  }
  return null;
}

function within1(a: bigint, b: bigint): boolean {
  return a > b ? a - b <= 1n : b - a <= 1n;
}

/** The same invariant in floating point: marginal price from its partial derivatives, target found by bisection. */
function numericModel(pool: Stableswap, scaled: readonly bigint[], invariant: bigint) {
  const [i, j] = pool.pair;
  const n = scaled.length;
  const d = Number(invariant);
  const ann = (Number(pool.amplification) * n) / Number(pool.amplificationPrecision);
  const x0 = Number(scaled[i]);
  const y0 = Number(scaled[j]);
  const others = scaled.filter((_, at) => at !== i && at !== j).map(Number);
  const othersSum = others.reduce((total, balance) => total + balance, 0);
  const unitsPerScaled0 = Number(PRECISION) / Number(pool.rates[i]);
  const unitsPerScaled1 = Number(PRECISION) / Number(pool.rates[j]);

  const yAt = (x: number): number => {
    let c = d;
    for (const balance of [...others, x]) c = (c * d) / (balance * n);
    c = (c * d) / (ann * n);
    const b = othersSum + x + d / ann - d;
    // Root of y^2 + b y - c, in the form without cancellation for either sign of b.
    const root = Math.sqrt(b * b + 4 * c);
    return b > 0 ? (2 * c) / (b + root) : (root - b) / 2;
  };
  const price = (x: number): number => {
    const y = yAt(x);
    let product = d;
    for (const balance of [...others, x, y]) product = (product * d) / (balance * n);
    const slope = (ann + product / x) / (ann + product / y);
    return (slope * unitsPerScaled1) / unitsPerScaled0;
  };
  return {
    price,
    toPrice(target: number) {
      if (!(target > 0) || !Number.isFinite(target)) return { amount0: 0, amount1: 0, reached: false };
      // The price of token 0 falls as its share of the pool rises; the search is over its logarithm.
      let low = Math.log(x0) - WIDEST;
      let high = Math.log(x0) + WIDEST;
      const reached = price(Math.exp(low)) >= target && price(Math.exp(high)) <= target;
      for (let round = 0; round < 100; round++) {
        const middle = (low + high) / 2;
        if (price(Math.exp(middle)) > target) low = middle;
        else high = middle;
      }
      const x = Math.exp((low + high) / 2);
      return { amount0: (x - x0) * unitsPerScaled0, amount1: (yAt(x) - y0) * unitsPerScaled1, reached };
    },
  };
}

export interface SolidlyStable {
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly decimals0: number;
  readonly decimals1: number;
  /** In basis points; taken from the input, rounded down. */
  readonly fee: bigint;
}

const SOLIDLY_FEE_SCALE = 10_000n;
const BISECTIONS = 200;
/** The search covers balances up to e^20 times away. */
const SOLIDLY_WIDEST = 20;

/**
 * The stable pools of Solidly and its forks (Velodrome v2, Aerodrome): x^3 y + y^3 x = k in 18 decimals.
 * `swapExactIn` follows getAmountOut of their Pool.sol in integers; prices and `toPrice` are computed in floating point.
 */
export function solidlyStable(pool: SolidlyStable): PoolCurve {
  const [unit0, unit1] = [10n ** BigInt(pool.decimals0), 10n ** BigInt(pool.decimals1)];
  const x = (pool.reserve0 * PRECISION) / unit0;
  const y = (pool.reserve1 * PRECISION) / unit1;
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
      const fee = (amountIn * pool.fee) / SOLIDLY_FEE_SCALE;
      const [unitIn, unitOut] = zeroForOne ? [unit0, unit1] : [unit1, unit0];
      const [from, to] = zeroForOne ? [x, y] : [y, x];
      const kept = ((amountIn - fee) * PRECISION) / unitIn;
      const left = solveFor(kept + from, invariant(x, y), to);
      if (left === null || left > to) return null;
      return { amountIn, amountOut: ((to - left) * unitOut) / PRECISION, fee } satisfies SwapResult;
    },
  };
}

/** x^3 y + y^3 x, rounded as the contract rounds. */
function invariant(x: bigint, y: bigint): bigint {
  return (((x * y) / PRECISION) * ((x * x) / PRECISION + (y * y) / PRECISION)) / PRECISION;
}

function derivative(x: bigint, y: bigint): bigint {
  return (3n * x * ((y * y) / PRECISION)) / PRECISION + (((x * x) / PRECISION) * x) / PRECISION;
}

/** The y that keeps the invariant at `k` when the other side is `x`, by the contract's Newton steps. Null: they do not converge. */
function solveFor(x: bigint, k: bigint, guess: bigint): bigint | null {
  let y = guess;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const now = invariant(x, y);
    const slope = derivative(x, y);
    if (slope === 0n || y < 0n) return null;
    if (now < k) {
      let step = ((k - now) * PRECISION) / slope;
      if (step === 0n) {
        if (invariant(x, y + 1n) > k) return y + 1n;
        step = 1n;
      }
      y += step;
    } else {
      let step = ((now - k) * PRECISION) / slope;
      if (step === 0n) {
        if (now === k || invariant(x, y - 1n) < k) return y;
        step = 1n;
      }
      y -= step;
    }
  }
  return null;
}

/** Marginal price: whole token 1 per whole token 0. */
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
  // The price falls as token 0 enters the pool.
  let [low, high] = [Math.log(start.x) - SOLIDLY_WIDEST, Math.log(start.x) + SOLIDLY_WIDEST];
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
