import { sql, type Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { recordOf } from '../packed-record.ts';
import { dayAfter, dayOf, daysBefore, endOfDay } from '../snapshots/partitions.ts';
import type { Tables } from '../tables.ts';

/** Which ratings and corrections a revision of a day includes. */
export interface DayBounds {
  readonly lastRatingId: number;
  readonly lastRestatementId: number;
}

/** One asset of a day, with its rating at the day's end. */
export interface RatedDayStored {
  readonly assetId: string;
  /** Canonical JSON of the score record, the corrected one where it was corrected. */
  readonly record: Uint8Array;
  /** A rating of the asset was withdrawn by then. */
  readonly withdrawn: boolean;
}

/** Assets read at once, which limits the records in memory. */
const PAGE = 512;
const LOCK_TIMEOUT = '5s';
/** Days closed at once; further ones are closed by the next call. */
const MOST_DAYS = 1_000;

/**
 * Closes every day that has ended and is not closed yet, including those that ended during downtime; the first is the
 * day of the oldest rating. Returns the closed days. `now` and `delayMs` in milliseconds: a day is closed `delayMs`
 * after its end, so that jobs running at midnight are included.
 */
export async function closeRatingDays(db: Database, now: number, delayMs: number): Promise<readonly string[]> {
  const last = daysBefore(dayOf(now - delayMs), 1);
  const first = await firstOpenDay(db);
  if (first === null || first > last) return [];
  const days: string[] = [];
  for (let day = first; day <= last && days.length < MOST_DAYS; day = dayAfter(day)) days.push(day);
  return db.transaction().execute(async (transaction) => {
    const { lastRatingId, lastRestatementId } = await readBounds(transaction);
    const rows = await transaction
      .insertInto('rating_days')
      .values(
        days.map((day) => ({
          day,
          revision: 1,
          last_rating_id: lastRatingId,
          last_restatement_id: lastRestatementId,
          closed_at: new Date(now).toISOString(),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
      .execute();
    return rows.map((row) => row.day);
  });
}

/** Closed days, oldest first. */
export async function closedRatingDays(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day from rating_days where revision = 1 order by rating_days.day`.execute(db);
  return rows.map((row) => row.day);
}

/** Longest time that a rating from before midnight may still run: the longest deadline of a job. */
const CLOSE_DELAY_MS = 5 * 60_000;

/** Closes the days that have ended by `now` (milliseconds since the epoch); returns all closed days, oldest first. */
export async function closedRatingDaysBy(db: Database, now: number): Promise<readonly string[]> {
  await closeRatingDays(db, now, CLOSE_DELAY_MS);
  return closedRatingDays(db);
}

/** Bounds of a revision of a day; null when there is none. */
export async function boundsOf(db: Database, day: string, revision: number): Promise<DayBounds | null> {
  const { rows } = await sql<DayBounds>`
    select last_rating_id as "lastRatingId", last_restatement_id as "lastRestatementId" from rating_days
    where day = ${day}::date and revision = ${revision}`.execute(db);
  return rows[0] ?? null;
}

/** Bounds of a revision made now. */
export async function boundsNow(db: Database): Promise<DayBounds> {
  return db.transaction().execute(readBounds);
}

/** Stores the bounds of a revision. When its files were lost and it is made again, its bounds are replaced. */
export async function storeBounds(
  db: Database,
  day: string,
  revision: number,
  bounds: DayBounds,
  at: string,
): Promise<void> {
  await db
    .insertInto('rating_days')
    .values({
      day,
      revision,
      last_rating_id: bounds.lastRatingId,
      last_restatement_id: bounds.lastRestatementId,
      closed_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['day', 'revision']).doUpdateSet({
        last_rating_id: bounds.lastRatingId,
        last_restatement_id: bounds.lastRestatementId,
        closed_at: at,
      }),
    )
    .execute();
}

/**
 * The assets rated by the end of `day` by id (byte order), each with its newest rating from before midnight, in its
 * corrected form if it was corrected. Read page by page: within the bounds nothing ever changes, so no transaction has
 * to stay open for the reader.
 */
export async function* ratedDayRows(db: Database, day: string, bounds: DayBounds): AsyncIterable<RatedDayStored> {
  const until = new Date(endOfDay(day)).toISOString();
  let after = '';
  for (;;) {
    const page = await ratedPage(db, { until, bounds, after, limit: PAGE });
    yield* page.rows;
    if (page.last === null) return;
    after = page.last;
  }
}

/** Input of `ratedPage`. */
export interface RatedPageOf {
  /** RFC 3339, exclusive: ratings before it count. */
  readonly until: string;
  readonly bounds: DayBounds;
  /** Id of the last asset of the page before; empty for the first. */
  readonly after: string;
  /** Number of assets per page. */
  readonly limit: number;
}

/**
 * One page of `ratedDayRows`; `last`: cursor of the next one, null after the last. Assets without a rating then are
 * left out.
 */
export async function ratedPage(
  db: Database,
  { until, bounds, after, limit }: RatedPageOf,
): Promise<{ readonly rows: readonly RatedDayStored[]; readonly last: string | null }> {
  const { rows: page } = await sql<{ asset_id: string }>`
    select asset_id from rated_assets where asset_id > ${after} order by asset_id limit ${sql.lit(limit)}`.execute(db);
  const { rows } = await sql<{
    asset_id: string;
    rating_id: number | null;
    record: Buffer | null;
    withdrawn: boolean | null;
  }>`
    select a.asset_id, r.id as rating_id, r.record,
      case when r.band = 'NR' then exists (
        select from published_ratings w where w.asset_id = a.asset_id and w.action = 'withdraw'
          and w.as_of < ${until} and w.id <= ${bounds.lastRatingId}::bigint
      ) else false end as withdrawn
    from rated_assets a
    left join lateral (
      select id, band, record from published_ratings p
      where p.asset_id = a.asset_id and p.as_of < ${until} and p.id <= ${bounds.lastRatingId}::bigint
      order by p.as_of desc, p.id desc limit 1) r on true
    where a.asset_id = any(${page.map((row) => row.asset_id)}::text[]) order by a.asset_id`.execute(db);
  const ids = rows.flatMap((row) => row.rating_id ?? []);
  const { rows: corrected } = await sql<{ rating_id: number; record: Buffer | null }>`
    select distinct on (rating_id) rating_id, record from restatements
    where rating_id = any(${ids}::bigint[]) and id <= ${bounds.lastRestatementId}::bigint
    order by rating_id, id desc`.execute(db);
  const corrections = new Map(corrected.map((one) => [one.rating_id, one.record]));
  return {
    rows: rows.flatMap(({ asset_id: assetId, rating_id, record: first, withdrawn }) => {
      const record =
        (rating_id === null ? null : corrections.get(rating_id)) ?? (first === null ? null : recordOf(first));
      return record === null ? [] : [{ assetId, record, withdrawn: withdrawn === true }];
    }),
    last: page.length < limit ? null : (page.at(-1)?.asset_id ?? null),
  };
}

/** Bounds that include everything stored. */
export const EVERYTHING: DayBounds = {
  lastRatingId: Number.MAX_SAFE_INTEGER,
  lastRestatementId: Number.MAX_SAFE_INTEGER,
};

/** Bounds of the newest revision of a closed day; null when the day is not closed. */
export async function newestBoundsOf(db: Database, day: string): Promise<DayBounds | null> {
  const { rows } = await sql<DayBounds>`
    select last_rating_id as "lastRatingId", last_restatement_id as "lastRestatementId" from rating_days
    where day = ${day}::date order by revision desc limit 1`.execute(db);
  return rows[0] ?? null;
}

async function firstOpenDay(db: Database): Promise<string | null> {
  const { rows } = await sql<{ closed: string | null }>`
    select to_char(max(day), 'YYYY-MM-DD') as closed from rating_days`.execute(db);
  const closed = rows[0]?.closed ?? null;
  if (closed !== null) return dayAfter(closed);
  const { rows: oldest } = await sql<{ first: string | null }>`
    select min(as_of) as first from published_ratings`.execute(db);
  const first = oldest[0]?.first ?? null;
  return first === null ? null : dayOf(Date.parse(first));
}

/**
 * The newest numbers. Writers are blocked for a moment: a number assigned before is then either stored or never will
 * be, so that two reads up to it are equal.
 */
async function readBounds(transaction: Transaction<Tables>): Promise<DayBounds> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction);
  await sql`lock table published_ratings in share mode`.execute(transaction);
  await sql`lock table restatements in share mode`.execute(transaction);
  const { rows } = await sql<DayBounds>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence('published_ratings', 'id')::regclass), 0) as "lastRatingId",
      coalesce(pg_sequence_last_value(pg_get_serial_sequence('restatements', 'id')::regclass), 0) as "lastRestatementId"`.execute(
    transaction,
  );
  const [bounds] = rows;
  if (bounds === undefined) throw new Error('a query of two numbers gave no row');
  return bounds;
}
