import type { Band } from '../domain/index.ts';

/** Everything that was ever published of one asset, in any order. */
export interface RatedSeries {
  readonly assetId: string;
  readonly symbol: string | null;
  readonly ratings: readonly { readonly asOf: string; readonly band: Band; readonly score: number | null }[];
}

/** One rating of an asset's life, with what comes after it. */
export interface RatedPoint {
  readonly at: number;
  readonly asOf: string;
  readonly band: Band;
  readonly score: number | null;
  /** Time of the next rating that says so; infinite when none does. */
  readonly nextDefault: number;
  readonly nextWithdrawal: number;
}

/** In order of time: a clock that stepped back stored some of them in another. */
export function lifeOf(series: RatedSeries, end: number): readonly RatedPoint[] {
  const life = series.ratings
    .map(({ asOf, band, score }) => ({
      at: Date.parse(asOf),
      asOf,
      band,
      score,
      nextDefault: Number.POSITIVE_INFINITY,
      nextWithdrawal: Number.POSITIVE_INFINITY,
    }))
    .filter((one) => one.at <= end)
    .sort((a, b) => a.at - b.at);
  for (let index = life.length - 2; index >= 0; index -= 1) {
    const [one, after] = [life[index], life[index + 1]];
    if (one === undefined || after === undefined) continue;
    one.nextDefault = after.band === 'D' ? after.at : after.nextDefault;
    one.nextWithdrawal = after.band === 'NR' ? after.at : after.nextWithdrawal;
  }
  return life;
}

/** The last rating up to a moment. */
export function lastBefore(life: readonly RatedPoint[], moment: number): RatedPoint | undefined {
  let [low, high] = [0, life.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((life[middle]?.at ?? moment) <= moment) low = middle + 1;
    else high = middle;
  }
  return life[low - 1];
}

/** A token may die the day it is first rated, so a month's member begins with the rating itself and not with the month. */
export function firstOfMonths(life: readonly RatedPoint[]): readonly RatedPoint[] {
  return life.filter(
    (one, index) => one.band !== 'D' && (index === 0 || life[index - 1]?.asOf.slice(0, 7) !== one.asOf.slice(0, 7)),
  );
}
