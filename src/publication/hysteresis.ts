import type { PublicationState } from '../domain/index.ts';
import { BANDS, type Band } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { bandOf } from '../methodology/index.ts';
import { dayOf } from './days.ts';

export interface Moment {
  readonly band: Band;
  readonly score: number;
  readonly smoothed: number;
  readonly asOf: string;
  /** A cap or knock-out that was not there before holds the score down. */
  readonly newCap: boolean;
  /** A default ended not long ago: no jump upwards. */
  readonly isCured: boolean;
}

export interface Held {
  readonly band: Band;
  readonly above: PublicationState['above'];
  readonly reason: string;
}

/**
 * The published band after one more score (methodology 4.2): up only when the smoothed score was above the cut-off by the margin
 * in three daily snapshots, or is far above; down when it is below by the margin, at once when the score itself is far below or a
 * cap struck. A single high score lifts nothing: what rises by the score and is then held by the smoothed score falls again.
 */
export function holdBand(moment: Moment, above: PublicationState['above'], methodology: Methodology): Held {
  const { margin, snapshotsAbove } = methodology.publication.hysteresis;
  const { band, score, smoothed } = moment;
  const direct = bandOf(score, methodology);
  if (moment.newCap && rank(direct) > rank(band)) return { band: direct, above: null, reason: 'a cap struck' };
  if (rank(direct) > rank(band) && isFar(score, band, methodology))
    return { band: direct, above: null, reason: 'the score is far from its band' };
  if (smoothed < cutOff(band, methodology) - margin) {
    const lower = bandOf(smoothed + margin, methodology);
    return { band: rank(lower) > rank(band) ? lower : next(band), above: null, reason: 'the smoothed score fell' };
  }
  const higher = bandOf(smoothed - margin, methodology);
  if (rank(higher) < rank(band) && !moment.isCured && isFar(smoothed, band, methodology))
    return { band: higher, above: null, reason: 'the smoothed score is far above its band' };
  if (rank(higher) >= rank(band)) return { band, above: null, reason: 'the score stays near its band' };
  const counted = countDay(above, dayOf(moment.asOf), smoothed);
  if (counted.count < snapshotsAbove)
    return {
      band,
      above: counted,
      reason: `above the next band in ${counted.count} of ${snapshotsAbove} daily snapshots`,
    };
  const risen = bandOf(counted.least - margin, methodology);
  return { band: rank(risen) < rank(band) ? risen : higher, above: null, reason: 'the smoothed score rose and stayed' };
}

/** Several ratings of one day are one snapshot; the least score of all of them decides. */
function countDay(
  above: PublicationState['above'],
  day: string,
  smoothed: number,
): NonNullable<PublicationState['above']> {
  if (above === null || day < above.day) return { count: 1, day, least: smoothed };
  return { count: day === above.day ? above.count : above.count + 1, day, least: Math.min(above.least, smoothed) };
}

function isFar(score: number, band: Band, methodology: Methodology): boolean {
  const low = methodology.bands.find((row) => row.band === band)?.from ?? 0;
  const better = methodology.bands.filter((row) => row.band !== 'D' && row.from > low).map((row) => row.from);
  const high = better.length > 0 ? Math.min(...better) : 100;
  const width = high - low;
  return Math.abs(score - (low + high) / 2) >= methodology.publication.hysteresis.immediateBandWidths * width;
}

/** Least score of a band; the lowest band has none. */
export function cutOff(band: Band, methodology: Methodology): number {
  const lowest = methodology.bands.filter((row) => row.band !== 'D').at(-1)?.band;
  if (band === lowest) return Number.NEGATIVE_INFINITY;
  return methodology.bands.find((row) => row.band === band)?.from ?? Number.NEGATIVE_INFINITY;
}

export function rank(band: Band): number {
  return BANDS.indexOf(band);
}

function next(band: Band): Band {
  return BANDS[rank(band) + 1] ?? band;
}
