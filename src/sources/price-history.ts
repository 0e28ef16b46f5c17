import { DAY_MS, dailyVolatility, type ObservationDraft } from '../domain/index.ts';
import { dated, observed } from './observations.ts';

/** A price and when it was, unix ms. */
export type PricePoint = readonly [at: number, price: number];

/** The last price of each UTC day, oldest first, with its moment; invalid prices are left out. */
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
/** Fewer returns describe a year badly; below that only the month is stated. */
const LEAST_RETURNS = 30;

/** Volatility of a month and of up to a year, with the days behind it. `at`: when the last price was; candles state when they began. */
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
 * Share of the price that was lost between two closes in a row and is still lost: the largest of all days, 0 where none was lost. The median of the
 * closes since says what is still lost, so that one day's purchases do not make a fall good. Null without two closes.
 */
export function lastingFall(closes: readonly PricePoint[]): number | null {
  const prices = closes.map(([, price]) => price);
  if (prices.length < 2) return null;
  return prices.slice(1).reduce((worst, price, index) => {
    const before = prices[index] ?? price;
    // The remaining loss never exceeds that of the day.
    if (1 - price / before <= worst) return worst;
    const since = prices.slice(index + 1).sort((a, b) => a - b);
    // Of two the lower: the day after a fall, purchases for one close are cheap.
    const usual = since[(since.length - 1) >> 1] ?? price;
    return Math.max(worst, 1 - Math.max(price, usual) / before);
  }, 0);
}

/** Days of a year that are looked at for a departure from the peg. */
const PEG_DAYS = 90;
/** Least number of prices of the last 24 h that cover the day. */
const LEAST_OF_DAY = 12;
/** A departure of more than this for a day counts, and is halved every two years. */
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

/** Sum over departures, which are two daily closes or more, of their largest distance halved by the age of their end. */
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

/** True where the prices are those of a coin that is kept at one dollar: half of its closes lie within 2 % of it. */
export function staysAtOne(closes: readonly PricePoint[]): boolean {
  const near = closes.filter(([, price]) => Math.abs(price - 1) <= DEPARTED).length;
  return closes.length >= 30 && near * 2 >= closes.length;
}
