/** Whole cents of a price that has no more decimals (the plans file is held to that). */
export function centsOf(dollars: number): bigint {
  return BigInt(Math.round(dollars * 100));
}

/** A part of an amount, to the cent, halves up. `percent` to two decimals. */
export function shareOf(cents: bigint, percent: number): bigint {
  return (cents * BigInt(Math.round(percent * 100)) + 5_000n) / 10_000n;
}

/** `1500.00`. */
export function dollarText(cents: bigint): string {
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
