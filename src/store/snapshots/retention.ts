import type pg from 'pg';
import { expireClosedDays, oldestOpenDay } from './daily-close.ts';
import { CARRY_HOURS, dayAfter, dayOf, daysBefore } from './days.ts';
import { dropDaysBefore, ensureDays } from './partitions.ts';

/** Made ahead, so that nobody waits for a new day's partition at midnight. */
const DAYS_AHEAD = 2;

/** Partitions of today (by `now`, milliseconds) and the days after it. */
export async function prepareDays(pool: pg.Pool, now: number): Promise<void> {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => daysBefore(dayOf(now), -index));
  await ensureDays(pool, 'snapshots', days);
  await ensureDays(pool, 'prices', days);
  await ensureDays(pool, 'daily_rows', days);
}

/**
 * Drops days that are older than `days` days, whole partitions only. Never what a day that is still to be closed may need,
 * and never by a clock that is ahead of the database's: a wrong clock must not cost history. Returns the dropped partitions.
 */
export async function dropOldDays(pool: pg.Pool, now: number, days: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp() as now');
  const oldest = daysBefore(dayOf(Math.min(now, Date.parse(rows[0]?.now ?? ''))), days);
  const open = await oldestOpenDay(pool);
  const [cutoff = oldest] = open === null ? [] : [oldest, daysBefore(open, CARRY_HOURS / 24)].sort();
  // A closed day may show snapshots of the day before it: it goes before they do.
  await expireClosedDays(pool, dayAfter(cutoff));
  const dropped = [...(await dropDaysBefore(pool, 'daily_rows', dayAfter(cutoff)))];
  for (const table of ['snapshots', 'prices'] as const) dropped.push(...(await dropDaysBefore(pool, table, cutoff)));
  return dropped;
}
