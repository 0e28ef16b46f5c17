import type { Concentration } from '../domain/index.ts';

export interface MetricsInput {
  readonly sorted: SortedBalances;
  /** Supply from which shares are computed, in base units: total less burned and locked tokens. */
  readonly denominator: bigint;
  /** Base units that are worth one dollar; null without a price. */
  readonly unitsPerUsd: number | null;
}

const TOPS = [1, 5, 10, 20, 50, 100] as const;
export const NO_CONCENTRATION: Concentration = {
  holder_count: null,
  top_1_pct: null,
  top_5_pct: null,
  top_10_pct: null,
  top_20_pct: null,
  top_50_pct: null,
  top_100_pct: null,
  gini: null,
  gini_min: null,
  hhi: null,
  effective_holders: null,
  entropy: null,
  entropy_holders: null,
  entropy_normalised: null,
  nakamoto_50: null,
  nakamoto_33: null,
  notes: [],
};

/**
 * Concentration of one view (methodology 8). Sums, tops and Nakamoto coefficients are exact to the base unit; Gini, HHI
 * and entropy are compensated doubles. Empty views and a denominator of zero give nulls.
 */
export function concentrationOf({ sorted, denominator, unitsPerUsd }: MetricsInput): Concentration {
  const { count } = sorted;
  if (count === 0 || denominator <= 0n) return { ...NO_CONCENTRATION, holder_count: count };
  const supply = Number(denominator);
  const tops = topsOf(sorted, denominator);
  const moments = momentsOf(sorted, supply);
  const notes = [...(count < 100 ? ['n_lt_k'] : []), ...(count === 1 ? ['one_holder'] : [])];
  return {
    holder_count: count,
    top_1_pct: tops[0] ?? null,
    top_5_pct: tops[1] ?? null,
    top_10_pct: tops[2] ?? null,
    top_20_pct: tops[3] ?? null,
    top_50_pct: tops[4] ?? null,
    top_100_pct: tops[5] ?? null,
    gini: giniOf(sorted, 0),
    gini_min: unitsPerUsd === null ? null : giniOf(sorted, unitsPerUsd),
    hhi: 10_000 * moments.squares,
    effective_holders: 1 / moments.squares,
    entropy: moments.entropy,
    entropy_holders: Math.exp(moments.entropy),
    entropy_normalised: count === 1 ? null : moments.entropy / Math.log(count),
    nakamoto_50: nakamotoOf(sorted, denominator / 2n),
    nakamoto_33: nakamotoOf(sorted, denominator / 3n),
    notes,
  };
}

/** 100 x part / whole, of exact integers. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : 100 * (Number(part) / Number(whole));
}

function topsOf({ large, small }: SortedBalances, denominator: bigint): readonly number[] {
  const most = TOPS.at(-1) ?? 0;
  const cumulative = [0n];
  for (const balance of large.slice(0, most)) cumulative.push((cumulative.at(-1) ?? 0n) + balance);
  for (let index = small.length - 1; index >= 0 && cumulative.length <= most; index -= 1)
    cumulative.push((cumulative.at(-1) ?? 0n) + BigInt(small[index] ?? 0));
  return TOPS.map((top) => percentOf(cumulative[Math.min(top, cumulative.length - 1)] ?? 0n, denominator));
}

/**
 * Fewest holders that together hold more than `limit`, a fraction rounded down; null when all of them together do not.
 */
function nakamotoOf({ large, small, total }: SortedBalances, limit: bigint): number | null {
  if (total <= limit) return null;
  let left = limit;
  for (const [index, balance] of large.entries()) {
    left -= balance;
    if (left < 0n) return index + 1;
  }
  // Doubles are exact while their sum stays below 2^53: before it would exceed that, it is subtracted from `left`.
  let holders = large.length;
  let part = 0;
  let need = doubleOrInfinity(left);
  for (let index = small.length - 1; index >= 0; index -= 1) {
    const balance = small[index] ?? 0;
    if (part + balance > Number.MAX_SAFE_INTEGER) {
      left -= BigInt(part);
      part = 0;
      need = doubleOrInfinity(left);
    }
    part += balance;
    holders += 1;
    if (part > need) return holders;
  }
  return null;
}

function doubleOrInfinity(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}

/** Gini coefficient of the holders of at least `least` base units; null for fewer than two holders. */
function giniOf({ large, small }: SortedBalances, least: number): number | null {
  const from = least > 0 ? firstAtLeast(small, least) : 0;
  const above = large.filter((balance) => Number(balance) >= least);
  const count = small.length - from + above.length;
  if (count < 2) return null;
  const weighed = new Compensated();
  const all = new Compensated();
  let rank = 0;
  for (let index = from; index < small.length; index += 1) {
    const balance = small[index] ?? 0;
    rank += 1;
    weighed.add(rank * balance);
    all.add(balance);
  }
  for (let index = above.length - 1; index >= 0; index -= 1) {
    const balance = Number(above[index]);
    rank += 1;
    weighed.add(rank * balance);
    all.add(balance);
  }
  const gini = (2 * weighed.value) / (count * all.value) - (count + 1) / count;
  return Math.min(1, Math.max(0, gini));
}

/** Sum of squared shares and entropy -sum s ln s. */
function momentsOf(
  { large, small }: SortedBalances,
  supply: number,
): { readonly squares: number; readonly entropy: number } {
  const squares = new Compensated();
  const entropy = new Compensated();
  // Equal balances are adjacent: the logarithm is computed once for each run of them.
  let previous = -1;
  let square = 0;
  let part = 0;
  for (const balance of small) {
    if (balance !== previous) {
      const share = balance / supply;
      previous = balance;
      square = share * share;
      part = share > 0 ? -share * Math.log(share) : 0;
    }
    squares.add(square);
    entropy.add(part);
  }
  for (const balance of large) {
    const share = Number(balance) / supply;
    squares.add(share * share);
    entropy.add(-share * Math.log(share));
  }
  return { squares: squares.value, entropy: Math.max(0, entropy.value) };
}

/** Neumaier's sum: the error does not grow with the number of terms. */
class Compensated {
  #sum = 0;
  #lost = 0;

  add(term: number): void {
    const sum = this.#sum + term;
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - sum + term : term - sum + this.#sum;
    this.#sum = sum;
  }

  get value(): number {
    return this.#sum + this.#lost;
  }
}

/**
 * Sorted balances, exact: doubles up to 2^53, which represent every integer up to there, and larger ones as bigints (at
 * most 2,048 of a u64 supply).
 */
export interface SortedBalances {
  readonly count: number;
  /** Largest first, all above 2^53. */
  readonly large: readonly bigint[];
  /** Smallest first, all integers up to 2^53. */
  readonly small: Float64Array;
  readonly total: bigint;
}

/** Doubles represent every integer up to this one. */
export const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;

/** The balances without `removed` (owners that are set aside), each of which must be present. */
export function without(sorted: SortedBalances, removed: readonly bigint[]): SortedBalances {
  const leaving = new Map<bigint, number>();
  for (const balance of removed) leaving.set(balance, (leaving.get(balance) ?? 0) + 1);
  const stays = (balance: bigint) => {
    const left = leaving.get(balance) ?? 0;
    if (left > 0) leaving.set(balance, left - 1);
    return left === 0;
  };
  const large = sorted.large.filter(stays);
  const small = sorted.small.slice();
  // Equal balances cannot be distinguished here: the first ones of a run are removed.
  let kept = small.length;
  const holes: number[] = [];
  for (const [balance, times] of leaving) {
    if (times === 0 || balance > BigInt(LARGEST_EXACT)) continue;
    const first = firstAtLeast(sorted.small, Number(balance));
    for (let index = 0; index < times; index += 1)
      if (sorted.small[first + index] === Number(balance)) holes.push(first + index);
  }
  holes.sort((a, b) => a - b);
  if (holes.length > 0) {
    let into = holes[0] ?? 0;
    for (const [turn, hole] of holes.entries()) {
      const next = holes[turn + 1] ?? small.length;
      small.copyWithin(into, hole + 1, next);
      into += next - hole - 1;
    }
    kept = into;
  }
  const rest = small.subarray(0, kept);
  return { count: large.length + kept, large, small: rest, total: sum(large, rest) };
}

/** Index of the first balance of at least `least` among sorted doubles. */
export function firstAtLeast(sorted: Float64Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts balances in place: `large` above `LARGEST_EXACT`, `small` up to it. */
export function ordered(large: bigint[], small: Float64Array): SortedBalances {
  small.sort();
  large.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  return { count: large.length + small.length, large, small, total: sum(large, small) };
}

/** Exact: doubles are added only as long as no addition rounds. */
function sum(large: readonly bigint[], small: Float64Array): bigint {
  let total = large.reduce((all, balance) => all + balance, 0n);
  let part = 0;
  for (const balance of small) {
    if (part + balance > LARGEST_EXACT) {
      total += BigInt(part);
      part = 0;
    }
    part += balance;
  }
  return total + BigInt(part);
}
