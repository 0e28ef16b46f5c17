import { sql } from 'kysely';
import type pg from 'pg';
import type { SnapshotKind } from '../domain/index.ts';
import type { Database } from './database.ts';

export interface ServerFacts {
  /** Version number such as 180001. */
  readonly versionNumber: number;
  readonly version: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly now: number;
  readonly mayMakeTables: boolean;
  readonly mayMakeSchemas: boolean;
  readonly connections: number;
  readonly mostConnections: number;
  readonly sizeBytes: number;
}

/** The server with this user's permissions. */
export async function serverFacts(client: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayMakeTables",
       (has_database_privilege(current_database(), 'CREATE') or to_regnamespace('assay_queue') is not null) as "mayMakeSchemas",
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::int as "mostConnections",
       pg_database_size(current_database())::float8 as "sizeBytes"`,
  );
  return rows[0] as ServerFacts;
}

/**
 * The earlier of a process's clock and the database's, milliseconds since the epoch. By it a process whose clock is ahead
 * does nothing too early that cannot be undone.
 */
export async function earlierOfClocks(db: Database, now: number): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  return Math.min(now, rows[0]?.now ?? now);
}

/** Jobs with an expiry, for the doctor. */
export interface Retained {
  /** Jobs that will be deleted, with their evidence. */
  readonly ending: number;
  /** Those that expired more than `lateHours` ago. */
  readonly late: number;
  /** Time of the next deletion, RFC 3339; null when there is none. */
  readonly next: string | null;
}

/**
 * Pending and overdue deletions. The job with the result of a stored score is kept with it and does not count as
 * overdue.
 */
export async function retained(db: Database, now: string, lateHours: number): Promise<Retained> {
  const { rows } = await sql<Retained>`
    select count(*)::float8 as ending, min(expires_at) as next,
      count(*) filter (where expires_at < ${now}::timestamptz - make_interval(hours => ${lateHours})
        and state in ('succeeded', 'failed', 'cancelled')
        and not exists (select 1 from jobs s where s.answered_by = j.id and s.expires_at >= ${now})
        and not exists (select 1 from monitored_assets m where m.job_id = j.id))::float8 as late
    from jobs j where expires_at is not null`.execute(db);
  return rows[0] ?? { ending: 0, late: 0, next: null };
}

/** Backlogs, over all processes. */
export interface Backlog {
  readonly waitingJobs: number;
  readonly runningJobs: number;
  /** Running jobs without a lease for longer than `stuckSeconds`. */
  readonly lostJobs: number;
  readonly oldestWaitingSeconds: number;
  /** Switched off after failing for days, and not by request. */
  readonly webhooksOff: number;
  readonly webhooksFailing: number;
  /** Messages due since `stuckSeconds` that are not delivered. */
  readonly messagesLate: number;
  /** Longest overdue time of a monitored asset. */
  readonly oldestDueSeconds: number;
}

/** Cheap enough for every reading of the metrics. `now` is RFC 3339. */
export async function backlog(client: pg.ClientBase | pg.Pool, now: string, stuckSeconds: number): Promise<Backlog> {
  const { rows } = await client.query<Backlog>(
    `select count(*) filter (where state = 'queued')::int as "waitingJobs",
       count(*) filter (where state = 'running')::int as "runningJobs",
       count(*) filter (where lease_until < $1::timestamptz - make_interval(secs => $2))::int as "lostJobs",
       coalesce(greatest(0, extract(epoch from $1::timestamptz - min(created_at) filter (where state = 'queued'))), 0)::float8
         as "oldestWaitingSeconds",
       (select count(*)::int from webhooks where not enabled and disabled_reason is distinct from 'by_request') as "webhooksOff",
       (select count(*)::int from webhooks where enabled and failing_since is not null) as "webhooksFailing",
       (select count(*)::int from webhook_messages m join webhooks w on w.id = m.webhook_id where m.state = 'pending'
         and w.enabled and m.due_at < $1::timestamptz - make_interval(secs => $2)) as "messagesLate",
       coalesce((select greatest(0, extract(epoch from $1::timestamptz - m.due_at)) from monitored_assets m
         where m.removed_at is null and not m.paused and m.job_id is null and (m.wanted_until is null or m.wanted_until > $1
           or exists (select 1 from watchlist w where w.asset_id = m.asset_id))
         order by m.due_at, m.asset_id limit 1), 0)::float8 as "oldestDueSeconds"
     from (select state, lease_until, created_at from jobs where state = 'queued'
       union all select state, lease_until, created_at from jobs where state = 'running') at_work`,
    [now, stuckSeconds],
  );
  return rows[0] as Backlog;
}

export interface Marks {
  readonly dataMode: string | null;
  /** Active keys with the scope admin. */
  readonly adminKeys: number;
  /** Active keys limited to IP addresses, with these. */
  readonly limitedKeys: readonly { readonly id: string; readonly ranges: readonly string[] }[];
  /** Seconds by which the newest job is ahead of `now`; 0 when it is not. */
  readonly futureSeconds: number;
  /** Scores of the last day that failed because each of their processes died. */
  readonly parkedJobs: number;
  /** One of them. */
  readonly parkedJob: string | null;
}

/** State of the database at `now` (RFC 3339); reads all jobs. */
export async function marks(client: pg.ClientBase, now: string): Promise<Marks> {
  const { rows } = await client.query<Marks>(
    `select (select data_mode from installation) as "dataMode",
       (select count(*)::int from api_keys where 'admin' = any(scopes) and revoked_at is null
         and (expires_at is null or expires_at > $1)) as "adminKeys",
       (select coalesce(json_agg(json_build_object('id', id, 'ranges', allowed_ips) order by id), '[]') from api_keys
         where revoked_at is null and cardinality(allowed_ips) > 0) as "limitedKeys",
       (select coalesce(greatest(0, extract(epoch from max(created_at) - $1::timestamptz)), 0)::float8
         from jobs) as "futureSeconds",
       parked.count as "parkedJobs", parked.newest as "parkedJob"
     from (select count(*)::int, (array_agg(id order by finished_at desc))[1] as newest from jobs
       where state = 'failed' and finished_at > $1::timestamptz - interval '1 day' and failure::json->>'code' = 'interrupted') parked`,
    [now],
  );
  return rows[0] as Marks;
}

/**
 * Days closed since `since` (YYYY-MM-DD) and at least an hour before `now`, by subject: their files should be
 * published.
 */
export async function daysToBePublished(
  client: pg.ClientBase,
  since: string,
  now: string,
): Promise<readonly { readonly subject: string; readonly day: string }[]> {
  const { rows } = await client.query<{ subject: string; day: string }>(
    `select chain as subject, to_char(day, 'YYYY-MM-DD') as day from daily_closes
       where state = 'closed' and day >= $1 and closed_at < $2::timestamptz - interval '1 hour'
     union select 'rms', to_char(day, 'YYYY-MM-DD') from rating_days
       where day >= $1 and closed_at < $2::timestamptz - interval '1 hour' order by 1, 2`,
    [since, now],
  );
  return rows;
}

/** Delay of the index, of one chain and kind. */
export interface IndexLag {
  readonly chain: string;
  readonly kind: SnapshotKind;
  readonly assets: number;
  /** Due and not started. */
  readonly due: number;
  readonly running: number;
  /** Seconds behind the plan, over all assets (0 for those in time). */
  readonly lateSecondsP50: number;
  readonly lateSecondsP99: number;
  /** Assets whose last run made no snapshot. */
  readonly failing: number;
  /** Assets whose worker died in the last run. */
  readonly died: number;
  /** RFC 3339 UTC, null before the first. */
  readonly lastStoredAt: string | null;
}

/** An asset and kind without snapshots, with the reason and the time of the next attempt. */
export interface FailingAsset {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly failures: number;
  readonly deaths: number;
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly dueAt: string;
}

const ACTIVE = sql`a.removed_at is null and not a.paused and s.kind = any(a.kinds)`;

/** Delay of each chain and kind at `now` (RFC 3339). */
export async function indexLag(db: Database, now: string): Promise<readonly IndexLag[]> {
  const { rows } = await sql<Omit<IndexLag, 'lastStoredAt'>>`
    select s.chain, s.kind, count(*)::int as assets,
      (count(*) filter (where s.run is null and s.due_at <= ${now}::timestamptz))::int as due,
      (count(*) filter (where s.run is not null and s.due_at > ${now}::timestamptz))::int as running,
      percentile_disc(0.5) within group (order by ${LATE(now)}) as "lateSecondsP50",
      percentile_disc(0.99) within group (order by ${LATE(now)}) as "lateSecondsP99",
      (count(*) filter (where s.failures > 0))::int as failing,
      (count(*) filter (where s.deaths > 1 or (s.deaths = 1 and s.due_at <= ${now}::timestamptz)))::int as died
    from index_schedule s join indexed_assets a using (asset_id)
    where ${ACTIVE} and (a.wanted_until is null or a.wanted_until > ${now}::timestamptz)
    group by s.chain, s.kind order by s.chain, s.kind`.execute(db);
  const { rows: stored } = await sql<{ chain: string; kind: string; at: string }>`
    select chain, kind, max(stored_at) as at from snapshot_heads group by chain, kind`.execute(db);
  const last = new Map(stored.map(({ chain, kind, at }) => [`${chain} ${kind}`, at]));
  return rows.map((row) => ({ ...row, lastStoredAt: last.get(`${row.chain} ${row.kind}`) ?? null }));
}

/** Failing assets, the longest first, at most `limit`. */
export async function failingAssets(db: Database, limit: number): Promise<readonly FailingAsset[]> {
  const { rows } = await sql<FailingAsset>`
    select s.asset_id as "assetId", s.kind, s.failures, s.deaths, s.last_outcome as outcome, s.last_detail as detail,
      s.due_at as "dueAt"
    from index_schedule s join indexed_assets a using (asset_id)
    where ${ACTIVE} and (s.failures > 0 or s.deaths > 1)
    order by s.failures + s.deaths desc, s.asset_id, s.kind limit ${limit}`.execute(db);
  return rows;
}

const LATE = (now: string) => sql`greatest(0, extract(epoch from ${now}::timestamptz - s.due_at))::float8`;
