import { DAY_MS, dailyVolatility, type ObservationDraft } from '../domain/index.ts';
import { dated, observed } from './observations.ts';

/** A time (unix ms) and the price at that time. */
export type PricePoint = readonly [at: number, price: number];

/** The last price of each UTC day with its time, oldest first; invalid prices are dropped. */
export function dailyCloses(points: readonly (readonly [number, number | null])[]): readonly PricePoint[] {
  const days = new Map<number, PricePoint>();
  for (const [at, price] of points) {
    if (price === null || !(price > 0) || !Number.isFinite(price) || !(at > 0)) continue;
    const day = Math.floor(at / DAY_MS);
    if ((days.get(day)?.[0] ?? 0) <= at) days.set(day, [at, price]);
  }
  return [...days.values()].sort(([a], [b]) => a - b);
}

const YEAR_DAYS = 365;
/** Minimum number of returns for the volatility of a year; with fewer, only that of the month is observed. */
const LEAST_RETURNS = 30;

/** Volatility of a month and of up to a year, with the number of days used. `at`: time of the last price; for candles, which are dated by their start, only if they have ended. */
export function volatilityDrafts(
  closes: readonly PricePoint[],
  of: string,
  at: ReturnType<typeof dated> = {},
): readonly ObservationDraft[] {
  const prices = closes.map(([, price]) => price);
  const year = prices.slice(-YEAR_DAYS - 1);
  const returns = year.length - 1;
  const known = returns >= LEAST_RETURNS ? dailyVolatility(year) : null;
  return [
    ...observed('volatility_30d', dailyVolatility(prices.slice(-31)), `${of} of the last 30 days`, at),
    ...observed('volatility_365d', known, `${of} of the last ${returns} days`, at),
    ...observed('price_history_days', known === null ? null : returns, of, at),
  ];
}

/**
 * Largest share of the price that was lost between two consecutive closes and not recovered; 0 if there was no fall, null without two closes. The
 * recovery is measured by the median of the closes since, so that purchases on a single day do not undo a fall.
 */
export function lastingFall(closes: readonly PricePoint[]): number | null {
  const prices = closes.map(([, price]) => price);
  if (prices.length < 2) return null;
  return prices.slice(1).reduce((worst, price, index) => {
    const before = prices[index] ?? price;
    // The remaining loss never exceeds the loss of the day.
    if (1 - price / before <= worst) return worst;
    const since = prices.slice(index + 1).sort((a, b) => a - b);
    // The lower median: right after a fall it is cheap to raise a single close by purchases.
    const usual = since[(since.length - 1) >> 1] ?? price;
    return Math.max(worst, 1 - Math.max(price, usual) / before);
  }, 0);
}

/** Period of the largest deviation from the peg. */
const PEG_DAYS = 90;
/** Minimum number of prices in the last 24 h for the deviation of the day. */
const LEAST_OF_DAY = 12;
/** Minimum deviation of a departure; its weight halves every two years. */
const DEPARTED = 0.02;
const HALF_LIFE_DAYS = 730;

/** Deviation of a coin from its peg: `points` in units of the peg, `unit` as text. */
export function pegDrafts(
  points: readonly (readonly [number, number | null])[],
  unit: string,
): readonly ObservationDraft[] {
  const closes = dailyCloses(points);
  const last = closes.at(-1)?.[0];
  if (last === undefined || closes.length < 30) return [];
  const at = dated(last);
  const day = points.flatMap(([time, price]) => (price !== null && last - time <= DAY_MS ? [Math.abs(price - 1)] : []));
  return [
    ...observed(
      'peg_deviation_90d_max',
      Math.max(...closes.filter(([time]) => last - time <= PEG_DAYS * DAY_MS).map(([, price]) => Math.abs(price - 1))),
      `largest distance of a daily close from ${unit}`,
      at,
    ),
    ...observed(
      'peg_deviation_24h_held',
      day.length >= LEAST_OF_DAY ? Math.min(...day) : null,
      `distance from ${unit} held through 24 h`,
      at,
    ),
    ...observed('depeg_aged_sum', agedDepartures(closes), `departures from ${unit} in ${closes.length} days`, at),
  ];
}

/** Sum of the largest deviation of each departure (two or more consecutive daily closes), discounted by the age of its end. */
function agedDepartures(closes: readonly PricePoint[]): number {
  const [now = 0] = closes.at(-1) ?? [];
  let sum = 0;
  let largest = 0;
  let days = 0;
  let end = 0;
  const settle = () => {
    if (days > 1) sum += largest * 2 ** (-(now - end) / DAY_MS / HALF_LIFE_DAYS);
    largest = 0;
    days = 0;
  };
  for (const [at, price] of closes) {
    const distance = Math.abs(price - 1);
    if (distance <= DEPARTED) settle();
    else {
      largest = Math.max(largest, distance);
      days += 1;
      end = at;
    }
  }
  settle();
  return sum;
}

/** True if the prices are those of a coin that stays at one dollar: half of the closes are within 2 % of it. */
export function staysAtOne(closes: readonly PricePoint[]): boolean {
  const near = closes.filter(([, price]) => Math.abs(price - 1) <= DEPARTED).length;
  return closes.length >= 30 && near * 2 >= closes.length;
}
