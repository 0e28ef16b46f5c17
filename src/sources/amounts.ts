/**
 * Whole tokens of a raw integer amount, exactly: decimal text with as many digits after the point as the token has
 * decimals (no point when it has none). Null when `decimals` is not an integer 0-255 or the amount is negative.
 */
export function exactTokensOf(raw: bigint, decimals: number): string | null {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255 || raw < 0n) return null;
  const digits = raw.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * Whole tokens of a raw integer amount. The division is done on decimal digits, so that the only rounding is the
 * final one to the nearest double; null when `decimals` is not an integer 0-255.
 */
export function tokensOf(raw: bigint, decimals: number): number | null {
  const exact = exactTokensOf(raw, decimals);
  return exact === null ? null : Number(exact);
}

/** Part of a whole in percent, 0-100, to about nine digits; null when there is no whole or the part exceeds it. */
export function sharePctOf(part: bigint, whole: bigint): number | null {
  if (whole <= 0n || part < 0n || part > whole) return null;
  return Number((part * 100_000_000_000n) / whole) / 1_000_000_000;
}

/** A non-negative integer written in decimal digits (an amount that JSON numbers cannot hold); null for anything else. */
export function readRaw(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : null;
}
