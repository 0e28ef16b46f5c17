import { sql } from 'kysely';
import { DAY_MS, type SnapshotKind } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import type { SqlRunner } from './partitions.ts';

/** A snapshot as stored: immutable. */
export interface StoredSnapshot {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  /** RFC 3339 UTC, milliseconds. */
  readonly asOf: string;
  readonly storedAt: string;
  /** UTF-8 of the snapshot's JSON, as it was made. */
  readonly body: Uint8Array;
}

export interface HistoryQuery {
  /** RFC 3339, both included. */
  readonly from: string;
  readonly to: string;
  /** Newest snapshot of each interval; null: every snapshot. */
  readonly intervalSeconds: number | null;
  readonly limit: number;
  /** From the previous page; null for the first. */
  readonly cursor: string | null;
}

export interface SnapshotPage {
  readonly snapshots: readonly StoredSnapshot[];
  readonly nextCursor: string | null;
}

/**
 * Days of the ranges that are read one after the other: a read of the newest snapshots plans and opens only a few days.
 */
const WINDOWS_DAYS = [2, 40] as const;
/** Number of intervals for which snapshots are read per round; a page with long gaps takes more rounds. */
const LEAST_INTERVALS = 64;

/** The newest snapshot that is stored; null when there is none. */
export async function latestSnapshot(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
): Promise<StoredSnapshot | null> {
  const head = await headOf(db, assetId, kind);
  return head === null ? null : newestIn(db, assetId, kind, head, head);
}

/** The newest snapshot with `as_of` at or before `at` (RFC 3339); null when there is none. */
export async function snapshotAsOf(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
  at: string,
): Promise<StoredSnapshot | null> {
  const asked = Date.parse(at);
  const head = await headOf(db, assetId, kind);
  if (head === null || !Number.isFinite(asked)) return null;
  const until = Math.min(asked, head);
  let end = until;
  for (const days of WINDOWS_DAYS) {
    const start = until - days * DAY_MS;
    const found = await newestIn(db, assetId, kind, start, end);
    if (found) return found;
    end = start;
  }
  return newestIn(db, assetId, kind, null, end);
}

/**
 * Snapshots from `from` to `to`, oldest first: all, or the newest of each interval (intervals count from 1970-01-01,
 * UTC). An invalid cursor gives an empty page.
 */
export async function snapshotHistory(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
  query: HistoryQuery,
): Promise<SnapshotPage> {
  // A caller can write a cursor itself: the first time, which a plan limits, holds for it too.
  const first = Date.parse(query.from);
  const from = query.cursor === null ? first : Math.max(first, cursorTime(query.cursor));
  const to = Date.parse(query.to);
  if (!(from <= to) || !(query.limit >= 1)) return { snapshots: [], nextCursor: null };
  const limit = Math.trunc(query.limit);
  // One more than requested shows whether there is a next page.
  const times =
    query.intervalSeconds === null
      ? await allTimes(db, assetId, kind, from, to, limit + 1)
      : await intervalTimes(db, assetId, kind, from, to, query.intervalSeconds * 1000, limit + 1);
  const shown = times.slice(0, limit);
  const next = times[limit];
  const nextCursor =
    next === undefined
      ? null
      : new Date(query.intervalSeconds === null ? next : startOf(next, query.intervalSeconds * 1000)).toISOString();
  return { snapshots: await bodiesOf(db, assetId, kind, shown), nextCursor };
}

/** Time of a cursor; NaN when it is none. PostgreSQL has no year 0. */
function cursorTime(cursor: string): number {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(cursor) && !cursor.startsWith('0000');
  return isTime ? Date.parse(cursor) : Number.NaN;
}

function startOf(time: number, interval: number): number {
  return Math.floor(time / interval) * interval;
}

/** `as_of` of the newest snapshot, milliseconds; null when none was ever stored. */
async function headOf(db: Database, assetId: string, kind: SnapshotKind): Promise<number | null> {
  const head = await db
    .selectFrom('snapshot_heads')
    .select('as_of')
    .where('asset_id', '=', assetId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return head ? Date.parse(head.as_of) : null;
}

async function newestIn(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
  start: number | null,
  end: number,
): Promise<StoredSnapshot | null> {
  const { rows } = await sql<StoredSnapshot>`
    select ${COLUMNS} from snapshots
    where asset_id = ${assetId} and kind = ${kind}
      and as_of <= ${iso(end)}::timestamptz
      ${start === null ? sql`` : sql`and as_of >= ${iso(start)}::timestamptz`}
    order by as_of desc limit 1`.execute(db);
  return rows[0] ?? null;
}

async function allTimes(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
  from: number,
  to: number,
  limit: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ as_of: string }>`
    select as_of from snapshots where asset_id = ${assetId} and kind = ${kind}
      and as_of >= ${iso(from)}::timestamptz and as_of <= ${iso(to)}::timestamptz
    order by as_of limit ${limit}`.execute(db);
  return rows.map((row) => Date.parse(row.as_of));
}

/**
 * The newest time of each interval, in growing windows, so that the cost of a page depends on its size and not on the
 * range.
 */
async function intervalTimes(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
  from: number,
  to: number,
  interval: number,
  limit: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  let start = from;
  let intervals = Math.max(limit, LEAST_INTERVALS);
  while (start <= to && times.length < limit) {
    const end = Math.min(startOf(start, interval) + intervals * interval, to + 1);
    const { rows } = await sql<{ as_of: string }>`
      select max(as_of) as as_of from snapshots where asset_id = ${assetId} and kind = ${kind}
        and as_of >= ${iso(start)}::timestamptz and as_of < ${iso(end)}::timestamptz
      group by floor(extract(epoch from as_of) * 1000 / ${sql.lit(interval)}) order by 1`.execute(db);
    times.push(...rows.map((row) => Date.parse(row.as_of)));
    start = end;
    intervals *= 4;
  }
  return times.slice(0, limit);
}

async function bodiesOf(
  db: Database,
  assetId: string,
  kind: SnapshotKind,
  times: readonly number[],
): Promise<readonly StoredSnapshot[]> {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { rows } = await sql<StoredSnapshot>`
    select ${COLUMNS} from snapshots where asset_id = ${assetId} and kind = ${kind}
      and as_of = any(${times.map(iso)}::timestamptz[])
      and as_of >= ${iso(first)}::timestamptz and as_of <= ${iso(last)}::timestamptz
    order by as_of`.execute(db);
  return rows;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const COLUMNS = sql`asset_id as "assetId", kind, snapshots.as_of as "asOf", stored_at as "storedAt", body`;

/** A snapshot by name, and when it was stored. */
export interface SnapshotMark {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly asOf: string;
  readonly storedAt: string;
}

/** Longest delay between the time that a snapshot describes and its storage (a full scan of holders takes longest). */
const LONGEST_MAKING_MS = DAY_MS / 12;

/**
 * Snapshots of these assets and kinds stored after `since` (RFC 3339): of each asset and kind the newest `most` by
 * `as_of`, in the order of storage.
 */
export async function snapshotsStoredSince(
  db: Database,
  wanted: { readonly assetIds: readonly string[]; readonly kinds: readonly SnapshotKind[] },
  since: string,
  most: number,
): Promise<readonly SnapshotMark[]> {
  const { rows } = await sql<SnapshotMark>`
    select asset_id as "assetId", kind, as_of as "asOf", stored_at as "storedAt" from (
      select asset_id, kind, as_of, stored_at, row_number() over (partition by asset_id, kind order by as_of desc) as place
      from snapshots where asset_id = any(${wanted.assetIds}::text[]) and kind = any(${wanted.kinds}::text[])
        and as_of >= ${iso(Date.parse(since) - LONGEST_MAKING_MS)}::timestamptz and stored_at > ${since}::timestamptz
    ) newest where place <= ${most} order by stored_at, as_of`.execute(db);
  return rows;
}

/** A method by which a snapshot of the kind was made (`NewSnapshot.method`). */
export interface SnapshotMethod {
  readonly kind: SnapshotKind;
  readonly method: string | null;
}

/**
 * The methods by which holders and pools snapshots of an asset were made from `since` of each kind (RFC 3339) to
 * `until`.
 */
export async function methodsBetween(
  client: SqlRunner,
  assetId: string,
  since: { readonly holders: string; readonly pools: string },
  until: string,
): Promise<readonly SnapshotMethod[]> {
  // The bounds of the whole range let the planner exclude all other days.
  const { rows } = await client.query<SnapshotMethod>(
    `select distinct kind, method from snapshots
     where asset_id = $1 and as_of <= $2 and as_of >= least($3::timestamptz, $4::timestamptz)
       and ((kind = 'holders' and as_of >= $3) or (kind = 'pools' and as_of >= $4))`,
    [assetId, until, since.holders, since.pools],
  );
  return rows;
}
