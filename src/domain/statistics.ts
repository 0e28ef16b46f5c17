/** Converts the median absolute deviation of a normal sample to its standard deviation. */
export const MAD_TO_SD = 1.4826;

/** The median; for an even number of values the mean of the two middle ones. Null for no values. */
export function median(values: readonly number[]): number | null {
  const sorted = ascending(values);
  const high = sorted[sorted.length >> 1];
  if (high === undefined) return null;
  return sorted.length % 2 === 1 ? high : (high + (sorted[(sorted.length >> 1) - 1] ?? high)) / 2;
}

/**
 * The upper median: for an even number of values the larger of the two middle ones, so that it is always one of the
 * values. Null for no values.
 */
export function medianHigh(values: readonly number[]): number | null {
  return ascending(values)[values.length >> 1] ?? null;
}

/**
 * Quantile by linear interpolation between the ordered values (Hyndman-Fan type 7); `probability` 0-1. Null for no
 * values.
 */
export function quantile(values: readonly number[], probability: number): number | null {
  const sorted = ascending(values);
  const place = probability * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
}

/**
 * Standard deviation from the median distance to `centre`; robust while fewer than half of the values are wrong. Null
 * for no values.
 */
export function robustSd(values: readonly number[], centre: number): number | null {
  const spread = median(values.map((value) => Math.abs(value - centre)));
  return spread === null ? null : MAD_TO_SD * spread;
}

/** Returns the number if it is finite, otherwise null. */
export function finite(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * Sample standard deviation of daily ln returns. `closes`: daily closes, oldest first. Null with fewer than 20 returns.
 */
export function dailyVolatility(closes: readonly number[]): number | null {
  const returns: number[] = [];
  for (let i = 1; i < closes.length; i += 1) {
    const before = closes[i - 1] ?? 0;
    const after = closes[i] ?? 0;
    if (before > 0 && after > 0) returns.push(Math.log(after / before));
  }
  if (returns.length < 20) return null;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return Math.sqrt(variance);
}

function ascending(values: readonly number[]): Float64Array {
  return new Float64Array(values).sort();
}

/** Lengths of time in milliseconds; a day is 24 hours of UTC, without leap seconds. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
