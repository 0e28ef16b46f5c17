import { sql } from 'kysely';
import type pg from 'pg';
import type { SnapshotKind } from '../../domain/index.ts';
import type { Database } from '../database.ts';

/** What is due next of one asset and kind. Times in RFC 3339 UTC. */
export interface Planned {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly chain: string;
  readonly cadenceSeconds: number;
  readonly dueAt: string;
  readonly plannedAt: string;
}

/** An asset and kind whose time has come. */
export interface DueSnapshot {
  readonly assetId: string;
  readonly kind: SnapshotKind;
}

/** What is offered to the queue. */
export interface OfferedSnapshot extends DueSnapshot {
  /** Never made from its sources, nor tried without a result: somebody waits for it. */
  readonly isFirst: boolean;
}

/** What a worker needs to know when it begins. */
export interface StartedSnapshot {
  readonly asset: string;
  readonly cadenceSeconds: number;
  /** Runs in a row that ended without a snapshot. */
  readonly failures: number;
  /** Runs in a row of which nobody heard again, this one not counted. */
  readonly deaths: number;
}

/** A run's end. `run` must be the one that `startRun` was told; one that was given to somebody else meanwhile ends nothing. */
export interface RunEnd {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly run: string;
  /** `stored`, or why there is no snapshot. */
  readonly outcome: string;
  readonly detail: string | null;
  readonly failures: number;
  readonly endedAt: string;
  readonly dueAt: string;
}

/** Clocks of several machines differ by less; one that was planned further ahead than this was planned by a wrong clock. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Offered to the queue again after this long: it refuses what it still has. */
const OFFER_SECONDS = 15;

/**
 * Plans kinds of an asset; one that is planned keeps its time, unless it is now wanted sooner or was never made. Rows are
 * locked in the order of their kinds, as `endRuns` locks them.
 */
export async function planRuns(db: Database, planned: readonly Planned[]): Promise<void> {
  const rows = [...planned].sort((a, b) => (`${a.assetId} ${a.kind}` < `${b.assetId} ${b.kind}` ? -1 : 1));
  if (rows.length === 0) return;
  await sql`
    insert into index_schedule as kept (asset_id, kind, chain, cadence_seconds, due_at, planned_at)
    select * from unnest(${rows.map((row) => row.assetId)}::text[], ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.chain)}::text[], ${rows.map((row) => row.cadenceSeconds)}::int[],
      ${rows.map((row) => row.dueAt)}::timestamptz[], ${rows.map((row) => row.plannedAt)}::timestamptz[])
    on conflict (asset_id, kind) do update set cadence_seconds = excluded.cadence_seconds,
      due_at = case when (excluded.cadence_seconds < kept.cadence_seconds or kept.last_ended_at is null)
          and kept.failures + kept.deaths = 0
        then least(kept.due_at, excluded.due_at) else kept.due_at end`.execute(db);
}

/** Takes what is due, oldest first, and marks it as offered. */
export async function takeDueSnapshots(
  client: pg.ClientBase,
  kind: SnapshotKind,
  now: string,
  limit: number,
): Promise<readonly OfferedSnapshot[]> {
  const { rows } = await client.query<OfferedSnapshot>(
    `update index_schedule s set queued_at = $2
     from (
       select d.asset_id from index_schedule d join indexed_assets a using (asset_id)
       where d.kind = $1
         and d.due_at <= $2
         and (d.queued_at is null or d.queued_at < $2::timestamptz - make_interval(secs => ${OFFER_SECONDS})
           or d.queued_at > $2::timestamptz + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS}))
         and a.removed_at is null and not a.paused and d.kind = any(a.kinds)
         and (a.wanted_until is null or a.wanted_until > $2)
       order by d.due_at limit $3 for update of d skip locked
     ) due
     where s.asset_id = due.asset_id and s.kind = $1
     returning s.asset_id as "assetId", s.kind, s.last_ended_at is null and s.deaths = 0 as "isFirst"`,
    [kind, now, limit],
  );
  return rows;
}

/** How it stands with a snapshot that nobody has made yet. */
export interface AwaitedSnapshot {
  /** False: no snapshots of this kind are made of the asset. */
  readonly isMade: boolean;
  readonly isPaused: boolean;
  /** Nobody wants the asset any more. */
  readonly isOver: boolean;
  /** Tries in a row without a snapshot. */
  readonly failures: number;
  /** What became of the last try; null before the first. */
  readonly outcome: string | null;
  /** RFC 3339; null where nothing is planned. */
  readonly dueAt: string | null;
}

/**
 * Somebody waits for the first snapshot of this kind: one that was never tried is due at once; one that failed keeps its
 * pause. Null for an asset that is not indexed.
 */
export async function awaitSnapshot(
  db: Database,
  { assetId, kind }: DueSnapshot,
  now: string,
): Promise<AwaitedSnapshot | null> {
  const { rows } = await sql<AwaitedSnapshot>`
    with hurried as (
      update index_schedule set due_at = ${now}::timestamptz, planned_at = ${now}::timestamptz
      where asset_id = ${assetId} and kind = ${kind} and due_at > ${now}::timestamptz
        and last_ended_at is null and failures + deaths = 0
    )
    select ${kind} = any(a.kinds) as "isMade", a.paused as "isPaused",
      coalesce(a.wanted_until <= ${now}::timestamptz, false) as "isOver",
      coalesce(s.failures, 0) as failures, s.last_outcome as outcome, s.due_at as "dueAt"
    from indexed_assets a left join index_schedule s on s.asset_id = a.asset_id and s.kind = ${kind}
    where a.asset_id = ${assetId} and a.removed_at is null`.execute(db);
  return rows[0] ?? null;
}

/**
 * Makes due what was planned in the future: the clock was set back since, and it would else wait for a time that is far away
 * again. Returns how many.
 */
export async function replanAhead(pool: pg.Pool, now: string): Promise<number> {
  const { rowCount } = await pool.query(
    `update index_schedule set due_at = least(due_at, $1), planned_at = $1
     where planned_at > $1::timestamptz + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`,
    [now],
  );
  return rowCount ?? 0;
}

/**
 * Begins a run, and plans the next one as if nobody would hear of this one again: a worker that is killed needs nobody to
 * clean up after it, and one asset that kills its workers waits longer each time. Undefined when it is not wanted any more.
 */
export async function startRun(
  pool: pg.Pool,
  due: DueSnapshot,
  run: string,
  now: string,
  pauseSeconds: (deathsAndFailures: number) => number,
): Promise<StartedSnapshot | undefined> {
  const { rows } = await pool.query<StartedSnapshot>(
    `select a.asset, s.cadence_seconds as "cadenceSeconds", s.failures, s.deaths
     from index_schedule s join indexed_assets a using (asset_id)
     where s.asset_id = $1 and s.kind = $2 and a.removed_at is null and not a.paused and s.kind = any(a.kinds)`,
    [due.assetId, due.kind],
  );
  const [row] = rows;
  if (!row) return undefined;
  const dueAt = new Date(Date.parse(now) + pauseSeconds(row.failures + row.deaths + 1) * 1000).toISOString();
  await pool.query(
    `update index_schedule set run = $3, started_at = $4, planned_at = $4, due_at = $5, queued_at = null, deaths = deaths + 1
     where asset_id = $1 and kind = $2`,
    [due.assetId, due.kind, run, now, dueAt],
  );
  return row;
}

/** Ends runs that are still theirs; gives those that were. */
export async function endRuns(client: pg.ClientBase, ends: readonly RunEnd[]): Promise<readonly string[]> {
  const ordered = [...ends].sort((a, b) => (`${a.assetId} ${a.kind}` < `${b.assetId} ${b.kind}` ? -1 : 1));
  const { rows } = await client.query<{ run: string }>(
    `update index_schedule s set run = null, started_at = null, queued_at = null, deaths = 0, failures = e.failures,
       last_outcome = e.outcome, last_detail = e.detail, last_ended_at = e.ended_at, planned_at = e.ended_at, due_at = e.due_at
     from (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::timestamptz[],
       $8::timestamptz[]) given (asset_id, kind, run, outcome, detail, failures, ended_at, due_at)) e
     where s.asset_id = e.asset_id and s.kind = e.kind and s.run = e.run
     returning e.run as run`,
    [
      ordered.map((end) => end.assetId),
      ordered.map((end) => end.kind),
      ordered.map((end) => end.run),
      ordered.map((end) => end.outcome),
      ordered.map((end) => end.detail),
      ordered.map((end) => end.failures),
      ordered.map((end) => end.endedAt),
      ordered.map((end) => end.dueAt),
    ],
  );
  return rows.map((row) => row.run);
}

/** Hands a run back that was not finished: it is due at once, for anybody, and nobody died. */
export async function handBack(pool: pg.Pool, due: DueSnapshot, run: string, now: string): Promise<void> {
  await pool.query(
    `update index_schedule set run = null, started_at = null, queued_at = null, deaths = 0, due_at = $4, planned_at = $4
     where asset_id = $1 and kind = $2 and run = $3`,
    [due.assetId, due.kind, run, now],
  );
}
