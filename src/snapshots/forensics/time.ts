/** Seconds of a block as RFC 3339; null when they are none. */
export function timeOf(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds <= 0 || seconds > 1e11) return null;
  return new Date(seconds * 1000).toISOString();
}
