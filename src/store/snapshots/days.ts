import { DAY_MS } from '../../domain/index.ts';

/**
 * How long before a day's end a snapshot may lie and still stand for the day. Two days: an asset whose sources were away
 * for one day keeps its row, with its honest `as_of`; one without news for longer is left out rather than shown as if known.
 */
export const CARRY_HOURS = 48;

/** The UTC day (YYYY-MM-DD) of a time in milliseconds since the epoch. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** First millisecond of a UTC day. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The midnight that ends a UTC day. */
export function endOfDay(day: string): number {
  return startOfDay(day) + DAY_MS;
}

export function dayAfter(day: string): string {
  return dayOf(endOfDay(day));
}

/** `count` days before (negative: after) `day`. */
export function daysBefore(day: string, count: number): string {
  return dayOf(startOfDay(day) - count * DAY_MS);
}
