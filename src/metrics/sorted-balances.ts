/**
 * Balances in order, exact: doubles up to 2^53, where every integer is one, and the few above as bigints. (The balances
 * of a u64 supply that pass 2^53 are at most 2,048.)
 */
export interface SortedBalances {
  readonly count: number;
  /** Largest first, all above 2^53. */
  readonly large: readonly bigint[];
  /** Smallest first, all integers up to 2^53. */
  readonly small: Float64Array;
  readonly total: bigint;
}

/** Every integer up to here is a double. */
export const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;

/** The same without some of its balances (owners that are set aside); each must be there. */
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
  // Equal balances cannot be told apart here, so the first of a run may go for any of them.
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

/** Puts balances in order, in place: `large` above `LARGEST_EXACT`, `small` up to it. */
export function ordered(large: bigint[], small: Float64Array): SortedBalances {
  small.sort();
  large.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  return { count: large.length + small.length, large, small, total: sum(large, small) };
}

/** Exact: doubles are added up only as far as no addition can round. */
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
