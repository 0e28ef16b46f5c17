import { DAY_MS, type ObservationDraft } from '../domain/index.ts';
import { dated, observed } from './observations.ts';

/** Share of the peg below which a close counts, and days that are looked at. */
const BROKEN = 0.8;
const WINDOW_DAYS = 90;

/**
 * The longest run of days in a row whose last price is below 0.80 of the peg, of the last 90 days; nothing where there is none. `points`: unix milliseconds
 * and the price in units of what the coin is pegged to; `scope`: that of its currency (`currency:EUR`) where that is no dollar. A day without a price ends a run: nothing is known of it.
 */
export function brokenDays(
  points: readonly (readonly [number, number | null])[],
  scope = 'asset',
): readonly ObservationDraft[] {
  const closes = new Map<number, number>();
  for (const [at, price] of points) {
    const day = Math.floor(at / DAY_MS);
    // A time beyond all dates has no day before it.
    if (price !== null && price > 0 && Number.isSafeInteger(day)) closes.set(day, price);
  }
  if (closes.size === 0) return [];
  const last = Math.max(...closes.keys());
  let [run, longest] = [0, 0];
  for (let back = WINDOW_DAYS - 1; back >= 0; back -= 1) {
    const close = closes.get(last - back);
    run = close !== undefined && close < BROKEN ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return observed('peg_days_below_80', longest > 0 ? longest : null, 'daily closes below 0.80 in a row', {
    scope,
    ...dated(points.at(-1)?.[0]),
  });
}
