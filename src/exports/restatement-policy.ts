import type { ChangedRow } from './compare.ts';

export interface RatedThen {
  readonly band: string;
  readonly score: number | null;
}

/** A rating that was corrected. */
export interface RestatedRating {
  readonly restatementId: number;
  readonly assetId: string;
  readonly before: RatedThen;
  readonly after: RatedThen;
}

/** Points of score from which a change is worth a restatement (methodology 11). */
const LEAST_POINTS = 2;

/** A rating is restated when its band changes or its score by two points; so is an asset that was left out or wrongly in. */
export function isMaterialRating({ before, after }: ChangedRow): boolean {
  return before === null || after === null || isMaterialChange(ratedOf(before), ratedOf(after));
}

/** True when two ratings of the same moment differ by as much as a restatement needs. */
export function isMaterialChange(before: RatedThen, after: RatedThen): boolean {
  if (before.band !== after.band || (before.score === null) !== (after.score === null)) return true;
  // Scores are in steps of 0.1: their difference is told in these, not in what is left of them in binary.
  return Math.round(Math.abs((before.score ?? 0) - (after.score ?? 0)) * 10) >= LEAST_POINTS * 10;
}

function ratedOf(row: NonNullable<ChangedRow['before']>): RatedThen {
  return { band: String(row.band), score: typeof row.score === 'number' ? row.score : null };
}
