import type { Band, DayPoint, Outlook, Watch } from '../domain/index.ts';
import { DAY_MS } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { lastDays } from './days.ts';
import { cutOff } from './hysteresis.ts';

/**
 * Where the score is heading (methodology 4.3): the Theil-Sen slope of its daily values, carried on for 90 days; null with
 * too few days.
 */
export function outlookOf(
  days: readonly DayPoint[],
  asOf: string,
  at: { readonly band: Band; readonly smoothed: number; readonly watch: Watch | null },
  methodology: Methodology,
): Outlook | null {
  const { days: window, minimumPoints, projectionDays, margin } = methodology.publication.outlook;
  const points = lastDays(days, asOf, window).flatMap(({ day, score }) =>
    score === null ? [] : [{ at: Date.parse(day) / DAY_MS, score }],
  );
  if (points.length < minimumPoints || at.band === 'D' || at.band === 'NR') return null;
  if (at.watch?.direction === 'developing') return 'developing';
  const projected = at.smoothed + theilSen(points) * projectionDays;
  const low = cutOff(at.band, methodology);
  const better = methodology.bands.filter((row) => row.band !== 'D' && row.from > low).map((row) => row.from);
  if (better.length > 0 && projected > Math.min(...better) + margin) return 'positive';
  return projected < low - margin ? 'negative' : 'stable';
}

/** The middle of the slopes between all pairs of points (Theil 1950, Sen 1968): a few wild days do not turn it. */
function theilSen(points: readonly { readonly at: number; readonly score: number }[]): number {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2);
  let count = 0;
  for (const [index, one] of points.entries())
    for (const other of points.slice(index + 1)) {
      slopes[count] = (other.score - one.score) / (other.at - one.at);
      count += 1;
    }
  slopes.sort();
  const half = slopes.length >> 1;
  const upper = slopes[half] ?? 0;
  return slopes.length % 2 === 1 ? upper : (upper + (slopes[half - 1] ?? upper)) / 2;
}
