import { MAD_TO_SD } from '../domain/index.ts';

/** A value with its weight. */
export type Weighted = readonly [value: number, weight: number];

/**
 * Weighted quantile: the smallest value whose cumulated weight reaches q; where the cumulated weight meets q exactly, the
 * midpoint to the next value (so that the median of two equal weights is their mean). NaN for no values.
 */
export function weightedQuantile(values: readonly Weighted[], q: number): number {
  const sorted = [...values].sort((a, b) => a[0] - b[0]);
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0);
  let cumulated = 0;
  for (const [index, [value, weight]] of sorted.entries()) {
    cumulated += weight;
    if (cumulated < q * total - 1e-12) continue;
    const next = sorted[index + 1];
    return next && Math.abs(cumulated - q * total) < 1e-12 ? (value + next[0]) / 2 : value;
  }
  return sorted.at(-1)?.[0] ?? Number.NaN;
}

/** 1.4826 x the weighted median absolute deviation from `centre`: a standard deviation for normal noise. */
export function robustSpread(values: readonly Weighted[], centre: number): number {
  return (
    MAD_TO_SD *
    weightedQuantile(
      values.map(([value, weight]) => [Math.abs(value - centre), weight] as const),
      0.5,
    )
  );
}
