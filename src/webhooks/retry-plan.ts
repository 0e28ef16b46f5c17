const MINUTE = 60;
const HOUR = 3_600;

/** Seconds to wait after each failed attempt (Standard Webhooks, "Deliverability and reliability"): three days in all. */
const WAITS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Endpoints that failed together are not all asked again together. */
const JITTER = 0.1;
const LONGEST_SECONDS = 24 * HOUR;

/**
 * Seconds until the next attempt after `attempts` failed ones, or null when that was the last. What the endpoint asks for
 * (Retry-After) is waited for, up to a day. `random` in [0, 1).
 */
export function nextWait(attempts: number, retryAfterSeconds: number | null, random: () => number): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 + JITTER * random()), Math.min(LONGEST_SECONDS, retryAfterSeconds ?? 0));
}
