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
  const closes = closesByDay(points);
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

/** Days of a receipt that are looked at: the shortest chart of one. */
const RECEIPT_DAYS = 30;

/**
 * Days in a row, up to the newest, whose last price is below 0.80 of what a staked or wrapped token stands for: 0 where the newest is not, nothing
 * without prices. `points`: unix milliseconds and the price in units of what one token is redeemed for. A day without a price ends the run.
 */
export function lostDays(points: readonly (readonly [number, number | null])[]): readonly ObservationDraft[] {
  const closes = closesByDay(points);
  if (closes.size === 0) return [];
  const last = Math.max(...closes.keys());
  let run = 0;
  while (run < RECEIPT_DAYS && (closes.get(last - run) ?? BROKEN) < BROKEN) run += 1;
  return observed('redemption_days_below_80', run, `newest of ${closes.size} daily prices, in a row`, {
    ...dated(points.at(-1)?.[0]),
  });
}

/** The last price of each day, by the number of the day. */
function closesByDay(points: readonly (readonly [number, number | null])[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  for (const [at, price] of points) {
    const day = Math.floor(at / DAY_MS);
    // A time beyond all dates has no day before it.
    if (price !== null && price > 0 && Number.isSafeInteger(day)) closes.set(day, price);
  }
  return closes;
}
