import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Measurements of one process and endpoint group in one minute. Group `alive` has no requests: it records that a
 * process ran.
 */
export interface ServiceMinute {
  /** RFC 3339 UTC, a full minute. */
  readonly minute: string;
  readonly group: string;
  readonly requests: number;
  /** Replies with 5xx. */
  readonly failures: number;
  /** Latencies as `index:count` pairs with blanks between. */
  readonly histogram: string;
}

/** Measurements of all processes over a period. */
export interface ServiceSpan {
  /** Minutes in which a process ran. */
  readonly aliveMinutes: number;
  /** Sum over these minutes of the share of failed requests. */
  readonly failedMinutes: number;
  readonly requests: number;
  readonly failures: number;
  /** Requests by bucket of latency. */
  readonly latency: ReadonlyMap<number, number>;
}

/** Age of the newest snapshots of a chain, kind and cadence over a period, seconds. */
export interface FreshnessSpan {
  readonly chain: string;
  readonly kind: string;
  readonly cadence: string;
  /** Median age in the median minute. */
  readonly ageP50Seconds: number;
  /** 99th percentile of the age in 99 % of the minutes. */
  readonly ageP99Seconds: number;
}

/** Stores a process's minutes; a minute that is stored again with later counts replaces the earlier row. */
export async function saveServiceMinutes(
  db: Database,
  processId: string,
  minutes: readonly ServiceMinute[],
): Promise<void> {
  if (minutes.length === 0) return;
  await db
    .insertInto('service_minutes')
    .values(
      minutes.map((row) => ({
        minute: row.minute,
        process_id: processId,
        endpoint_group: row.group,
        requests: row.requests,
        failures: row.failures,
        latency_histogram: row.histogram,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['minute', 'process_id', 'endpoint_group'])
        .doUpdateSet({
          requests: sql`excluded.requests`,
          failures: sql`excluded.failures`,
          latency_histogram: sql`excluded.latency_histogram`,
        })
        .where(sql<boolean>`service_minutes.requests < excluded.requests`),
    )
    .execute();
}

/**
 * Measurements from `from` to before `to` (RFC 3339) of the given groups, over all processes; latency of some of them.
 */
export async function serviceBetween(
  db: Database,
  span: {
    readonly from: string;
    readonly to: string;
    readonly groups: readonly string[];
    readonly latencyGroups: readonly string[];
  },
): Promise<ServiceSpan> {
  const { from, to, groups, latencyGroups } = span;
  const summed = sql<{ alive: number; failed: number; requests: number; failures: number }>`
    select count(*)::float8 as alive, coalesce(sum(failures / nullif(requests, 0)), 0)::float8 as failed,
      coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(failures), 0)::float8 as failures
    from (
      select coalesce(sum(requests) filter (where endpoint_group = any(${groups})), 0)::float8 as requests,
        coalesce(sum(failures) filter (where endpoint_group = any(${groups})), 0)::float8 as failures
      from service_minutes where minute >= ${from} and minute < ${to} group by minute
    ) minutes`.execute(db);
  const buckets = sql<{ bucket: number; requests: number }>`
    select split_part(pair, ':', 1)::int as bucket, sum(split_part(pair, ':', 2)::bigint)::float8 as requests
    from service_minutes, unnest(string_to_array(latency_histogram, ' ')) as pair
    where minute >= ${from} and minute < ${to} and endpoint_group = any(${latencyGroups}) and pair <> ''
    group by bucket`.execute(db);
  const { alive = 0, failed = 0, requests = 0, failures = 0 } = (await summed).rows[0] ?? {};
  const latency = new Map((await buckets).rows.map((row) => [row.bucket, row.requests]));
  return { aliveMinutes: alive, failedMinutes: failed, requests, failures, latency };
}

/** The first minute stored by any process; null before. */
export async function firstServiceMinute(db: Database): Promise<string | null> {
  const row = await db.selectFrom('service_minutes').select('minute').orderBy('minute').limit(1).executeTakeFirst();
  return row?.minute ?? null;
}

/**
 * Measures the ages of the newest snapshots of all indexed assets at `now`, and stores them for the minute unless
 * another process did. The age of an asset without a snapshot counts from when it was added.
 */
export async function measureFreshness(db: Database, minute: string, now: string): Promise<void> {
  const { rows: measured } = await sql`
    select from freshness_minutes where minute = ${minute}::timestamptz limit 1`.execute(db);
  if (measured.length > 0) return;
  await sql`
    with heads as materialized (select asset_id, kind, as_of from snapshot_heads)
    insert into freshness_minutes (minute, chain, kind, cadence, age_p50_seconds, age_p99_seconds, assets)
    select ${minute}::timestamptz, chain, kind, cadence,
      percentile_disc(0.5) within group (order by age), percentile_disc(0.99) within group (order by age), count(*)
    from (
      select s.chain, s.kind, a.cadence,
        greatest(0, extract(epoch from ${now}::timestamptz - coalesce(h.as_of, a.added_at)))::float8 as age
      from index_schedule s join indexed_assets a using (asset_id)
      left join heads h on h.asset_id = s.asset_id and h.kind = s.kind
      where a.removed_at is null and not a.paused and s.kind = any(a.kinds)
        and (a.wanted_until is null or a.wanted_until > ${now}::timestamptz)
    ) ages
    group by chain, kind, cadence
    on conflict do nothing`.execute(db);
}

/** Freshness from `from` to before `to` (RFC 3339), by chain, kind and cadence. */
export async function freshnessBetween(db: Database, from: string, to: string): Promise<readonly FreshnessSpan[]> {
  const { rows } = await sql<FreshnessSpan>`
    select chain, kind, cadence,
      percentile_disc(0.5) within group (order by age_p50_seconds) as "ageP50Seconds",
      percentile_disc(0.99) within group (order by age_p99_seconds) as "ageP99Seconds"
    from freshness_minutes where minute >= ${from} and minute < ${to}
    group by chain, kind, cadence order by chain, kind, cadence`.execute(db);
  return rows;
}

/** Deletes minutes that are older than any report. */
export async function dropServiceMinutesBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('service_minutes').where('minute', '<', before).execute();
  await db.deleteFrom('freshness_minutes').where('minute', '<', before).execute();
}
