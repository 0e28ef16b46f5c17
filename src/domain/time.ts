/** Lengths of time in milliseconds; a day is 24 hours of UTC, without leap seconds. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
