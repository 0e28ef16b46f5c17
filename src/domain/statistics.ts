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
