import { loadMethodology } from '../methodology/index.ts';
import type { Database } from '../store/index.ts';
import { boundsOf, type DayBounds, ratedDayRows } from '../store/index.ts';
import { type RatedDayRow, ratedRows } from './rms-row.ts';

/** Rows of a revision of a day of ratings. Throws when there is no such revision. */
export async function rowsOfRatingDay(
  db: Database,
  date: string,
  revision: number,
): Promise<AsyncGenerator<RatedDayRow>> {
  const bounds = await boundsOf(db, date, revision);
  if (bounds === null) throw new Error(`revision ${revision} of the ratings of ${date} is not closed`);
  return rowsWithin(db, date, bounds);
}

/** Rows of a day of ratings as far as `bounds` go. */
export function rowsWithin(db: Database, date: string, bounds: DayBounds): AsyncGenerator<RatedDayRow> {
  const { existingDays } = loadMethodology().publication.hysteresis;
  return ratedRows(date, ratedDayRows(db, date, bounds), existingDays);
}
