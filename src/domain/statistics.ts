/** Middle of the values, in any order; of an even number the mean of the two middle ones. 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? high)) / 2;
}

/** Middle of the values, in any order; of an even number the lower of the two middle ones, so that it is one of them. Null for none. */
export function lowerMedian(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Sample standard deviation of daily ln returns. `closes` are daily closes, oldest first; null with fewer than 20 returns. */
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
