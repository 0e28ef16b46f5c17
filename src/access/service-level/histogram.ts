/** Counts by bucket; buckets grow by the sixteenth root of 2: quantiles are at most 4.5 % too high, never too low. */
export type Histogram = Uint32Array;

const LOWEST = 0.01;
const PER_OCTAVE = 16;
const HIGHEST_INDEX = 640;

export function emptyHistogram(): Histogram {
  return new Uint32Array(HIGHEST_INDEX + 1);
}

/** Counts a value (milliseconds, seconds: any unit above 0.01). */
export function addValue(histogram: Histogram, value: number): void {
  const index = indexOf(value);
  histogram[index] = (histogram[index] ?? 0) + 1;
}

/** The upper edge of the bucket that holds the quantile (0 to 1), from counts by bucket; null without any. */
export function quantile(counts: ReadonlyMap<number, number>, share: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  for (const index of [...counts.keys()].sort((a, b) => a - b)) {
    left -= counts.get(index) ?? 0;
    if (left <= 0) return LOWEST * 2 ** (index / PER_OCTAVE);
  }
  return null;
}

/** `index:count` pairs with blanks between, in order. */
export function histogramText(histogram: Histogram): string {
  const pairs: string[] = [];
  for (const [index, count] of histogram.entries()) if (count > 0) pairs.push(`${index}:${count}`);
  return pairs.join(' ');
}

function indexOf(value: number): number {
  if (!(value > LOWEST)) return 0;
  return Math.min(HIGHEST_INDEX, Math.ceil(Math.log2(value / LOWEST) * PER_OCTAVE));
}
