import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';
import {
  CARRY_HOURS,
  dayAfter,
  dayOf,
  daysBefore,
  dropDaysBefore,
  endOfDay,
  ensureDays,
  inTransaction,
  startOfDay,
} from './partitions.ts';

/** A day closed by this call. */
export interface DayClosed {
  readonly chain: string;
  readonly day: string;
  readonly rows: number;
}

/**
 * Closes every day of `chain` that has ended and is not closed yet, oldest first: of each asset and kind, the newest
 * snapshot at or before the day's end (and at most `CARRY_HOURS` older) becomes the day's row. Each day is written in
 * one transaction by the first process to do so, and never changes. `now` and `delayMs` in milliseconds: a day is
 * closed `delayMs` after its end, so that runs from around midnight are included. The first day is that of its first
 * asset; nothing is closed before the chain has a snapshot.
 */
export async function closeDays(
  pool: pg.Pool,
  chain: string,
  now: number,
  delayMs: number,
): Promise<readonly DayClosed[]> {
  const closed: DayClosed[] = [];
  const last = daysBefore(dayOf(now - delayMs), 1);
  let day = await firstOpenDay(pool, chain);
  while (day !== null && day <= last) {
    const rows = await closeDay(pool, chain, day, now);
    if (rows !== null) closed.push({ chain, day, rows });
    day = dayAfter(day);
  }
  return closed;
}

/** Deletes the rows of days before `day`, when their partitions are dropped; the record that they were closed stays. */
async function expireClosedDays(pool: pg.Pool, day: string): Promise<void> {
  await pool.query(`update daily_closes set state = 'expired' where day < $1::date and state = 'closed'`, [day]);
}

/** The oldest day that a chain still has to close; null when there is none. Its data must not be dropped. */
async function oldestOpenDay(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ day: string | null }>(
    `select to_char(min(last) + 1, 'YYYY-MM-DD') as day
     from (select chain, max(day) as last from daily_closes group by chain) newest`,
  );
  return rows[0]?.day ?? null;
}

async function firstOpenDay(pool: pg.Pool, chain: string): Promise<string | null> {
  const closed = await pool.query<{ day: string | null }>(
    `select to_char(max(day), 'YYYY-MM-DD') as day from daily_closes where chain = $1`,
    [chain],
  );
  const newest = closed.rows[0]?.day ?? null;
  if (newest !== null) return dayAfter(newest);
  const { rowCount } = await pool.query('select from snapshot_heads where chain = $1 limit 1', [chain]);
  if (!rowCount) return null;
  const { rows } = await pool.query<{ at: string | null }>(
    'select min(added_at) as at from indexed_assets where chain = $1',
    [chain],
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : dayOf(Date.parse(at));
}

/** Assets whose rows of a day are written in one statement. */
const CLOSED_AT_ONCE = 5_000;

/**
 * Writes one day; null when another process has. The row of the close is the lock: a second writer waits, then sees it.
 */
async function closeDay(pool: pg.Pool, chain: string, day: string, now: number): Promise<number | null> {
  await ensureDays(pool, 'daily_rows', [day]);
  const until = endOfDay(day);
  return inTransaction(pool, async (client) => {
    const mine = await client.query(
      `insert into daily_closes (chain, day, state, rows, closed_at) values ($1, $2::date, 'closed', 0, $3)
       on conflict do nothing`,
      [chain, day, new Date(now).toISOString()],
    );
    if (mine.rowCount === 0) return null;
    // Key look-ups per asset instead of a scan: a day holds a thousand times more snapshots than assets.
    const newest = (
      kind: string,
    ) => `(select as_of from snapshots s where s.asset_id = a.asset_id and s.kind = '${kind}'
      and s.as_of > $3 and s.as_of <= $4 order by as_of desc limit 1)`;
    let written = 0;
    let after = '';
    for (;;) {
      const { rows: page } = await client.query<{ asset_id: string }>(
        `select asset_id from indexed_assets
         where chain = $1 and (removed_at is null or removed_at >= $2) and asset_id > $3 order by asset_id limit ${CLOSED_AT_ONCE}`,
        [chain, new Date(startOfDay(day)).toISOString(), after],
      );
      // Assets with snapshots have heads, which are co-located with the snapshots and the rows of the day.
      const { rowCount } = await client.query(
        `insert into daily_rows (asset_id, day, chain, market_as_of, holders_as_of, pools_as_of)
         select asset_id, $2::date, $1::text, market, holders, pools from (
           select a.asset_id, ${newest('market')} as market, ${newest('holders')} as holders, ${newest('pools')} as pools
           from (select asset_id from snapshot_heads where asset_id = any($5::text[]) group by asset_id) a
         ) found where market is not null or holders is not null or pools is not null`,
        [
          chain,
          day,
          new Date(until - CARRY_HOURS * 3_600_000).toISOString(),
          new Date(until).toISOString(),
          page.map((row) => row.asset_id),
        ],
      );
      written += rowCount ?? 0;
      if (page.length < CLOSED_AT_ONCE) break;
      after = page.at(-1)?.asset_id ?? '';
    }
    await client.query('update daily_closes set rows = $3 where chain = $1 and day = $2::date', [chain, day, written]);
    return written;
  });
}

/** One asset of a closed day, with the bodies of its snapshots (UTF-8 JSON); null where it had none. */
export interface DayRow {
  readonly assetId: string;
  readonly market: Uint8Array | null;
  readonly holders: Uint8Array | null;
  readonly pools: Uint8Array | null;
}

export interface ClosedDay {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly rows: number;
  readonly closedAt: string;
}

/** Assets read at once, which limits the bodies in memory. */
const PAGE = 128;

/**
 * The rows of a closed day by asset id (byte order); nothing for a day that is not closed. Read page by page: closed
 * days never change, so no transaction has to stay open for the reader. Throws when rows or snapshots of the day were
 * dropped, before or while it is read: what is left must not be taken for the whole day.
 */
export async function* dayRows(db: Database, chain: string, day: string): AsyncIterable<DayRow> {
  let after = '';
  let read = 0;
  for (;;) {
    const page = await pageOf(db, chain, day, after);
    yield* page;
    read += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.assetId;
  }
  const { rows } = await sql<{ rows: number }>`
    select rows from daily_closes where chain = ${chain} and day = ${day}::date`.execute(db);
  const closed = rows[0]?.rows ?? 0;
  if (read !== closed) throw new Error(`${chain} ${day} was closed with ${closed} rows, and ${read} are still kept`);
}

/** Closed days of a chain whose rows are still kept, oldest first. */
export async function closedDays(db: Database, chain: string): Promise<readonly ClosedDay[]> {
  const { rows } = await sql<ClosedDay>`
    select to_char(day, 'YYYY-MM-DD') as day, rows, closed_at as "closedAt" from daily_closes
    where chain = ${chain} and state = 'closed' order by daily_closes.day`.execute(db);
  return rows;
}

async function pageOf(db: Database, chain: string, day: string, after: string): Promise<readonly DayRow[]> {
  const until = endOfDay(day);
  const since = until - CARRY_HOURS * 3_600_000;
  // The bounds let the planner exclude all but three days; `limit 1` keeps the plan on the key, whatever the
  // statistics.
  const body = (kind: string) => sql`left join lateral (
    select s.body from snapshots s
    where s.asset_id = r.asset_id and s.kind = ${sql.lit(kind)} and s.as_of = ${sql.ref(`r.${kind}_as_of`)}
      and s.as_of > ${new Date(since).toISOString()}::timestamptz and s.as_of <= ${new Date(until).toISOString()}::timestamptz
    limit 1) ${sql.ref(kind)} on true`;
  const { rows: keys } = await sql<{ asset_id: string }>`
    select asset_id from daily_rows
    where chain = ${chain} and day = ${day}::date and asset_id > ${after} order by asset_id limit ${sql.lit(PAGE)}`.execute(
    db,
  );
  const { rows } = await sql<DayRow & { readonly isCut: boolean }>`
    select r.asset_id as "assetId", market.body as market, holders.body as holders, pools.body as pools,
      (r.market_as_of is not null and market.body is null) or (r.holders_as_of is not null and holders.body is null)
        or (r.pools_as_of is not null and pools.body is null) as "isCut"
    from daily_rows r
    ${body('market')} ${body('holders')} ${body('pools')}
    where r.chain = ${chain} and r.day = ${day}::date and r.asset_id = any(${keys.map((row) => row.asset_id)}::text[])
    order by r.asset_id`.execute(db);
  const cut = rows.find(({ isCut }) => isCut);
  if (cut) throw new Error(`snapshots of ${cut.assetId} for ${chain} ${day} are no longer kept`);
  return rows.map(({ assetId, market, holders, pools }) => ({ assetId, market, holders, pools }));
}

/** Created in advance, so that no writer waits for a new day's partition at midnight. */
const DAYS_AHEAD = 2;

/** Partitions of today (by `now`, milliseconds) and the days after it. */
export async function prepareDays(pool: pg.Pool, now: number): Promise<void> {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => daysBefore(dayOf(now), -index));
  await ensureDays(pool, 'snapshots', days);
  await ensureDays(pool, 'prices', days);
  await ensureDays(pool, 'daily_rows', days);
}

/**
 * Drops days that are older than `days` days, whole partitions only. Never data that a day still to be closed may need,
 * and never by a clock that is ahead of the database's: a wrong clock must not cost history. Returns the dropped
 * partitions.
 */
export async function dropOldDays(pool: pg.Pool, now: number, days: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp() as now');
  const oldest = daysBefore(dayOf(Math.min(now, Date.parse(rows[0]?.now ?? ''))), days);
  const open = await oldestOpenDay(pool);
  const [cutoff = oldest] = open === null ? [] : [oldest, daysBefore(open, CARRY_HOURS / 24)].sort();
  // A closed day may use snapshots of the day before it, so it is deleted before them.
  await expireClosedDays(pool, dayAfter(cutoff));
  const dropped = [...(await dropDaysBefore(pool, 'daily_rows', dayAfter(cutoff)))];
  for (const table of ['snapshots', 'prices'] as const) dropped.push(...(await dropDaysBefore(pool, table, cutoff)));
  return dropped;
}
