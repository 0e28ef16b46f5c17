import { median, robustSd } from '../../domain/index.ts';

/** The median without each of the values in turn, in their order. */
export function mediansWithout(values: readonly number[]): readonly number[] {
  const sorted = ascending(values);
  const below = Math.floor((sorted.length - 1) / 2);
  const at = (place: number) => sorted[place] ?? 0;
  // Taking a value away moves all above it down by one place.
  const left = (place: number, taken: number) => (taken <= at(place) ? at(place + 1) : at(place));
  return values.map((taken) =>
    sorted.length % 2 === 0 ? left(below, taken) : (left(below - 1, taken) + left(below, taken)) / 2,
  );
}

/**
 * The standard deviation whose interval (`intervalZ` to either side) holds the wanted share of the errors, and of one more beyond
 * them all: the errors are of the peers that the estimate was made from, and so a little too small. 0 for none.
 */
export function spanOf(
  errors: readonly number[],
  rules: { readonly intervalShare: number; readonly intervalZ: number },
): number {
  const sizes = ascending(errors.map(Math.abs));
  const place = Math.min(sizes.length, Math.ceil(rules.intervalShare * (sizes.length + 1)));
  return (sizes[place - 1] ?? 0) / rules.intervalZ;
}

/** How far values may lie from their median: `deviations` robust standard deviations to either side. */
export function boundsOf(values: readonly number[], deviations: number): readonly [number, number] {
  const centre = median(values) ?? 0;
  const most = deviations * (robustSd(values, centre) ?? 0);
  // More than half are equal: there is no scale to measure the others by.
  return most === 0 ? [-Infinity, Infinity] : [centre - most, centre + most];
}

/** The value, or the bound it lies beyond. */
export function within(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(high, Math.max(low, value));
}

/** The values, those further than `deviations` robust standard deviations from their median moved to that distance. */
export function winsorised(values: readonly number[], deviations: number): readonly number[] {
  const bounds = boundsOf(values, deviations);
  return values.map((value) => within(value, bounds));
}

/** Pulls the median of a group towards a wider one by a pseudo-count: small groups say little. */
export function shrunk(group: number, size: number, wider: number, pseudoCount: number): number {
  return (size * group + pseudoCount * wider) / (size + pseudoCount);
}

function ascending(values: readonly number[]): readonly number[] {
  return [...values].sort((a, b) => a - b);
}
