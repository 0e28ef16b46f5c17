import { sql } from 'kysely';
import type pg from 'pg';
import type { AwaitedSnapshot, SnapshotKind } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import { leaseQueue, runOn } from '../lease-queue.ts';

/** Next due time of one asset and kind. Times in RFC 3339 UTC. */
export interface Planned {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly chain: string;
  readonly cadenceSeconds: number;
  readonly dueAt: string;
  readonly plannedAt: string;
}

/** A due asset and kind. */
export interface DueSnapshot {
  readonly assetId: string;
  readonly kind: SnapshotKind;
}

/** A snapshot that this process makes now. */
export interface TakenSnapshot extends DueSnapshot {
  /** Identifies this lease; another one differs. */
  readonly run: string;
  /** JSON. */
  readonly asset: string;
  readonly cadenceSeconds: number;
  /** Consecutive runs without a snapshot. */
  readonly failures: number;
  /** Never made from its sources, nor attempted without a result: a caller waits for it. */
  readonly isFirst: boolean;
}

/** The end of a run. `run` must be that of `takeDueSnapshots`; after the lease was lost it ends nothing. */
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

/** Largest difference between the clocks of machines; a plan further ahead was made by a wrong clock. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Delay of a snapshot after a run without an end, in seconds; four times as long after each further one. */
const LOST_SECONDS = 15;
const LONGEST_LOST_SECONDS = 21_600;
/** Time beyond the kind's limit that versions before leases gave a run. */
const MARGIN_SECONDS = 60;

const schedule = leaseQueue({
  table: 'index_schedule',
  key: ['asset_id', 'kind'],
  lease: 'lease_until',
  holder: 'run',
  letGo: { run: null, started_at: null, queued_at: null, deaths: 0 },
});
/** Each is the condition of an index. */
const FIRST = sql`t.last_ended_at is null and t.deaths = 0`;
const AGAIN = sql`(t.last_ended_at is not null or t.deaths > 0)`;

/**
 * Plans kinds of an asset; an existing plan keeps its time, unless it is now requested sooner or was never made. Rows
 * are locked in the order of their keys, as by the queue.
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

/**
 * Takes due work of a kind, oldest first: `first` snapshots, or those that are made `again`. The next run is planned at
 * once for the case that this one does not end, so that an asset that kills its workers is delayed longer each time.
 */
export async function takeDueSnapshots(
  db: Database,
  options: {
    readonly kind: SnapshotKind;
    readonly which: 'first' | 'again';
    readonly now: string;
    readonly limit: number;
    readonly leaseSeconds: number;
    /** Time limit of a run of the kind. */
    readonly longestSeconds: number;
  },
): Promise<readonly TakenSnapshot[]> {
  const now = sql`${options.now}::timestamptz`;
  const { rows } = await schedule
    .take<TakenSnapshot>({
      // A run of a version before leases (docs/decisions/0033-one-queue.md) has none, and ends by the limit of its
      // kind.
      where: sql`t.kind = ${options.kind} and ${options.which === 'first' ? FIRST : AGAIN} and t.due_at <= ${now}
        and (t.run is null or t.lease_until is not null
          or t.started_at < ${now} - make_interval(secs => ${options.longestSeconds + MARGIN_SECONDS}))
        and exists (select 1 from indexed_assets a where a.asset_id = t.asset_id and a.removed_at is null and not a.paused
          and t.kind = any(a.kinds) and (a.wanted_until is null or a.wanted_until > ${now}))`,
      order: sql`t.due_at`,
      limit: options.limit,
      leaseSeconds: options.leaseSeconds,
      set: {
        run: sql`gen_random_uuid()::text`,
        started_at: now,
        planned_at: now,
        due_at: sql`${now} + make_interval(secs =>
          least(${LONGEST_LOST_SECONDS}, ${LOST_SECONDS} * 4 ^ least(10, t.failures + t.deaths)))`,
        deaths: sql`t.deaths + 1`,
        queued_at: OLDER_VERSIONS_WAIT,
      },
      select: sql`t.asset_id as "assetId", t.kind, t.run, a.asset, t.cadence_seconds as "cadenceSeconds", t.failures,
        t.last_ended_at is null and t.deaths = 1 as "isFirst"
        from taken t join indexed_assets a on a.asset_id = t.asset_id`,
    })
    .execute(db);
  return rows;
}

/** Versions before leases take nothing that was offered within 15 seconds: a live run renews this. */
const OLDER_VERSIONS_WAIT = sql`clock_timestamp()`;

/** Renews runs. Returns those whose lease was lost. */
export async function prolongRuns(
  db: Database,
  runs: readonly Pick<TakenSnapshot, 'assetId' | 'kind' | 'run'>[],
  leaseSeconds: number,
): Promise<readonly string[]> {
  if (runs.length === 0) return [];
  const { rows } = await schedule
    .extend(runs.map(heldOf), leaseSeconds, { queued_at: OLDER_VERSIONS_WAIT })
    .execute(db);
  const kept = new Set(rows.map((row) => row.run));
  return runs.flatMap(({ run }) => (kept.has(run) ? [] : [run]));
}

function heldOf({ assetId, kind, run }: Pick<TakenSnapshot, 'assetId' | 'kind' | 'run'>) {
  return { asset_id: assetId, kind, run };
}

const MOST_COUNTED = 1_000;

/**
 * A caller waits for the first snapshot of this kind: one that was never attempted is due at once; a failed one keeps
 * its delay. Null for an asset that is not indexed.
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
      coalesce(s.failures, 0) as failures, s.last_outcome as outcome, s.due_at as "dueAt",
      coalesce(s.lease_until > clock_timestamp(), false) as "isRunning",
      (select count(*)::int from (
        select from index_schedule t where t.kind = ${kind} and ${FIRST} and t.run is null
          and t.due_at < least(s.due_at, ${now}::timestamptz) and t.asset_id <> ${assetId}
          and exists (select from indexed_assets w where w.asset_id = t.asset_id and w.removed_at is null and not w.paused)
        limit ${sql.lit(MOST_COUNTED)}) first) as ahead
    from indexed_assets a left join index_schedule s on s.asset_id = a.asset_id and s.kind = ${kind}
    where a.asset_id = ${assetId} and a.removed_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Assets with this cadence or a shorter one may be made even sooner; for others no caller waits. */
const QUICK_SECONDS = 300;

/**
 * Makes snapshots of a kind due after an event at these assets: at once, or `leastSeconds` after the last one if that
 * is later. One that is running, has failed or has a long cadence keeps its time. Returns how many became due sooner.
 */
export async function advanceSnapshots(
  db: Database,
  { kind, assetIds }: { readonly kind: SnapshotKind; readonly assetIds: readonly string[] },
  now: string,
  leastSeconds: number,
): Promise<number> {
  if (assetIds.length === 0) return 0;
  const due = sql`greatest(${now}::timestamptz, last_ended_at + make_interval(secs => ${leastSeconds}))`;
  const { numAffectedRows = 0n } = await sql`
    update index_schedule set due_at = ${due}, planned_at = ${now}::timestamptz
    where asset_id = any(${assetIds}::text[]) and kind = ${kind} and due_at > ${due} and run is null
      and failures + deaths = 0 and cadence_seconds <= ${QUICK_SECONDS}`.execute(db);
  return Number(numAffectedRows);
}

/** Sets the cadence of kinds of an asset, including longer ones than before. */
export async function setCadence(
  db: Database,
  assetId: string,
  seconds: readonly { readonly kind: SnapshotKind; readonly cadenceSeconds: number }[],
): Promise<void> {
  await sql`update index_schedule s set cadence_seconds = given.seconds
    from unnest(${seconds.map((row) => row.kind)}::text[], ${seconds.map((row) => row.cadenceSeconds)}::int[]) given (kind, seconds)
    where s.asset_id = ${assetId} and s.kind = given.kind and s.cadence_seconds <> given.seconds`.execute(db);
}

/** Makes snapshots due that are planned far in the future, because the clock was set back since. Returns the number. */
export async function replanAhead(pool: pg.Pool, now: string): Promise<number> {
  const { rowCount } = await pool.query(
    `update index_schedule set due_at = least(due_at, $1), planned_at = $1
     where planned_at > $1::timestamptz + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`,
    [now],
  );
  return rowCount ?? 0;
}

/** Ends runs whose leases are still valid. */
export async function endRuns(client: pg.ClientBase, ends: readonly RunEnd[]): Promise<void> {
  const held = ends.map((end) => ({
    ...heldOf(end),
    set: {
      failures: end.failures,
      last_outcome: end.outcome,
      last_detail: end.detail,
      last_ended_at: end.endedAt,
      planned_at: end.endedAt,
      due_at: end.dueAt,
    },
  }));
  if (held.length > 0) await runOn(client, schedule.end(held));
}

/** Returns an unfinished run: it is due at once, for any process, and does not count as a failure. */
export async function returnRun(db: Database, run: TakenSnapshot, now: string): Promise<void> {
  await schedule.end([{ ...heldOf(run), set: { due_at: now, planned_at: now } }]).execute(db);
}
