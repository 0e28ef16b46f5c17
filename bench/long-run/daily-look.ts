import type pg from 'pg';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { dropOldDays } from '../../src/store/snapshots/daily-close.ts';
import { median } from '../raw-load.ts';

const MIB = 1_048_576;

/** State of the service at the end of a day of sandbox time. */
export interface Day {
  readonly day: number;
  readonly rss_mib: number;
  /** Memory in use after a garbage collection: JavaScript's heap, and buffers outside of it. */
  readonly in_use_mib: number;
  readonly snapshots_mib: number;
  /** Snapshots in the table, those made on the day that ended, and the age of the oldest in days. */
  readonly kept: number;
  readonly made: number;
  readonly oldest_days: number;
  readonly ratings: number;
  readonly rating_kib_each: number;
  readonly total_mib: number;
  readonly late_p50_hours: number;
  readonly late_p99_hours: number;
  readonly waiting: number;
}

/** The worst lag of snapshots on the day, seconds of sandbox time. */
export interface Lag {
  readonly p50: number;
  readonly p99: number;
}

/** Number of the day that ended (the first is 1), start of the first, and retention of snapshots. */
export interface DayEnd {
  readonly day: number;
  readonly begin: number;
  readonly keptDays: number;
  readonly lag: Lag;
}

/**
 * Memory after a garbage collection, and the tables. Housekeeping runs once a minute of real time, which is days of the sandbox's;
 * here it runs once a day, first.
 */
export async function lookAt(client: pg.Pool, { day, begin, keptDays, lag }: DayEnd): Promise<Day> {
  globalThis.gc?.();
  await dropOldDays(client, begin + day * DAY_MS, keptDays);
  const { rows } = await client.query<{
    snapshots: number;
    kept: number;
    made: number;
    oldest: string | null;
    ratings: number;
    rating_bytes: number;
    total: number;
    waiting: number;
  }>(
    `select
       (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 from pg_class c join pg_inherits i on i.inhrelid = c.oid
         join pg_class p on p.oid = i.inhparent where c.relkind = 'r' and p.relname in ('snapshots', 'prices', 'daily_rows')) as snapshots,
       (select count(*)::int from snapshots) as kept,
       (select count(*)::int from snapshots where as_of >= $1 and as_of < $2) as made,
       (select min(as_of) from snapshots) as oldest,
       (select count(*)::int from published_ratings) as ratings,
       pg_total_relation_size('published_ratings')::float8 as rating_bytes,
       pg_database_size(current_database())::float8 as total,
       (select count(*)::int from jobs where state = 'queued') as waiting`,
    [new Date(begin + (day - 1) * DAY_MS), new Date(begin + day * DAY_MS)],
  );
  const [row] = rows;
  if (!row) throw new Error('the database says nothing');
  const memory = process.memoryUsage();
  return {
    day,
    rss_mib: Math.round(memory.rss / MIB),
    in_use_mib: Math.round((memory.heapUsed + memory.external) / MIB),
    snapshots_mib: Number((row.snapshots / MIB).toFixed(1)),
    kept: row.kept,
    made: row.made,
    oldest_days: Number(
      ((begin + day * DAY_MS - (row.oldest === null ? begin : Date.parse(row.oldest))) / DAY_MS).toFixed(1),
    ),
    ratings: row.ratings,
    rating_kib_each: Number((row.rating_bytes / 1024 / Math.max(1, row.ratings)).toFixed(2)),
    total_mib: Math.round(row.total / MIB),
    late_p50_hours: Number((lag.p50 / 3_600).toFixed(2)),
    late_p99_hours: Number((lag.p99 / 3_600).toFixed(2)),
    waiting: row.waiting,
  };
}

/** Expected rows by retention: all that were made on the retained days. */
export function predicted(days: readonly Day[], { day }: Day, keptDays: number): number {
  return days.filter((row) => row.day <= day && row.day > day - keptDays).reduce((sum, row) => sum + row.made, 0);
}

/** The median of values, and their range. */
export function ratios(values: readonly number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => Number(value.toFixed(2)));
  return { median: Number(median(values).toFixed(2)), from: low, to: high };
}
