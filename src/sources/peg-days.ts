import { DAY_MS, type ObservationDraft } from '../domain/index.ts';
import { dated, observed } from './observations.ts';

/** Share of the peg below which a close counts, and length of the period. */
const BROKEN = 0.8;
const WINDOW_DAYS = 90;

/**
 * The longest run of consecutive days in the last 90 whose last price is below 0.80 of the peg; [] if there is none. `points`: unix milliseconds and the
 * price in units of the peg; `scope`: that of the currency (`currency:EUR`) if it is not the dollar. A day without a price is unknown and ends a run.
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

/** Maximum run for a receipt token, equal to the length of its shortest chart. */
const RECEIPT_DAYS = 30;

/**
 * Number of consecutive days, up to the newest, whose last price is below 0.80 of the redemption value of a staked or wrapped token. 0 if the newest
 * day is not below; [] without prices. `points`: unix milliseconds and the price in units of that value. A day without a price ends the run.
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

/** The last price of each day, by day number. */
function closesByDay(points: readonly (readonly [number, number | null])[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  for (const [at, price] of points) {
    const day = Math.floor(at / DAY_MS);
    // Day arithmetic fails for times outside the range of safe integers.
    if (price !== null && price > 0 && Number.isSafeInteger(day)) closes.set(day, price);
  }
  return closes;
}
