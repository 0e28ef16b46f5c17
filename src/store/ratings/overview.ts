import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { byAsset } from '../pages.ts';

/** Counts over the newest ratings of all assets at a moment. */
export interface OverviewCounts {
  readonly bands: readonly { readonly band: string; readonly assets: number; readonly before: number }[];
  /** By class as of now; null: rated before classes. Ages as counts of assets with a score. */
  readonly classes: readonly {
    readonly class: string | null;
    readonly assets: number;
    readonly scored: number;
    readonly within1h: number;
    readonly within6h: number;
    readonly within24h: number;
  }[];
  readonly ageP50Seconds: number | null;
  readonly ageP95Seconds: number | null;
  readonly trustMedian: number | null;
  readonly trustMedianBefore: number | null;
  readonly trustBelow60: number;
}

/** An asset whose score differs from that at `before`, with the most informative rating since then. */
export interface MovedRow {
  readonly assetId: string;
  readonly bandBefore: string;
  readonly scoreBefore: number;
  readonly band: string;
  readonly score: number;
  /** UTF-8 of a score record: the newest action since then, or else the newest rating. */
  readonly record: Uint8Array;
}

/** Newest ratings of assets at or before `at`, as a relation `alias`. */
const newestAt = (at: string, alias: string) => sql`
  lateral (select p.as_of, p.band, p.score, p.trust, p.record from published_ratings p
    where p.asset_id = h.asset_id and p.as_of <= ${at}::timestamptz order by p.as_of desc, p.id desc limit 1) ${sql.raw(alias)}`;

/** Bands, classes, ages and trust of all rated assets at `at`, with the same at `before`. RFC 3339. */
export async function overviewCounts(db: Database, at: string, before: string): Promise<OverviewCounts> {
  const current = sql`
    select h.class, now.as_of, now.band, now.score, now.trust,
      extract(epoch from ${at}::timestamptz - now.as_of)::float8 as age
    from rated_assets h cross join ${newestAt(at, 'now')}`;
  const earlier = sql`select earlier.band, earlier.trust from rated_assets h cross join ${newestAt(before, 'earlier')}`;
  const [bands, classes, whole] = await Promise.all([
    sql<OverviewCounts['bands'][number]>`
      with current as (${current}), earlier as (${earlier})
      select coalesce(c.band, e.band) as band, coalesce(c.assets, 0)::int as assets, coalesce(e.assets, 0)::int as before
      from (select band, count(*) as assets from current group by band) c
      full join (select band, count(*) as assets from earlier group by band) e on e.band = c.band`.execute(db),
    sql<OverviewCounts['classes'][number]>`
      with current as (${current})
      select class, count(*)::int as assets, count(score)::int as scored,
        count(*) filter (where score is not null and age < 3600)::int as "within1h",
        count(*) filter (where score is not null and age < 21600)::int as "within6h",
        count(*) filter (where score is not null and age < 86400)::int as "within24h"
      from current group by class order by assets desc, class`.execute(db),
    sql<Omit<OverviewCounts, 'bands' | 'classes'>>`
      with current as (${current}), earlier as (${earlier})
      select percentile_disc(0.5) within group (order by age) filter (where score is not null) as "ageP50Seconds",
        percentile_disc(0.95) within group (order by age) filter (where score is not null) as "ageP95Seconds",
        percentile_disc(0.5) within group (order by trust) as "trustMedian",
        (select percentile_disc(0.5) within group (order by trust) from earlier) as "trustMedianBefore",
        count(*) filter (where trust < 60)::int as "trustBelow60"
      from current`.execute(db),
  ]);
  const [totals] = whole.rows;
  if (!totals) throw new Error('an aggregate without a row');
  return { bands: bands.rows, classes: classes.rows, ...totals };
}

/**
 * The assets with the largest score changes between `before` and `at`, the largest first. Assets first rated since then
 * are excluded.
 */
export async function movedMost(db: Database, at: string, before: string, limit: number): Promise<readonly MovedRow[]> {
  const { rows: moved } = await sql<Omit<MovedRow, 'record'>>`
    select h.asset_id as "assetId", earlier.band as "bandBefore", earlier.score as "scoreBefore", now.band, now.score
    from rated_assets h cross join ${newestAt(at, 'now')} cross join ${newestAt(before, 'earlier')}
    where now.score <> earlier.score
    order by abs(now.score - earlier.score) desc, h.asset_id limit ${limit}`.execute(db);
  if (moved.length === 0) return [];
  const { rows: reasons } = await sql<{ asset_id: string; record: Buffer }>`
    select h.asset_id, why.record from rated_assets h cross join lateral (
      select p.record from published_ratings p
      where p.asset_id = h.asset_id and p.as_of > ${before}::timestamptz and p.as_of <= ${at}::timestamptz
      order by (p.action <> 'affirm') desc, p.as_of desc, p.id desc limit 1
    ) why
    where h.asset_id = any(${moved.map((row) => row.assetId)}::text[])`.execute(db);
  const records = byAsset(reasons);
  return moved.flatMap((row) => {
    const record = records.get(row.assetId)?.record;
    return record === undefined ? [] : [{ ...row, record }];
  });
}

/** Rating actions between two moments, by kind; actions of more than one band are counted apart. */
export async function actionCounts(
  db: Database,
  at: string,
  before: string,
): Promise<readonly { readonly action: string; readonly ratings: number }[]> {
  const { rows } = await sql<{ action: string; ratings: number }>`
    select action, count(*)::int as ratings from published_ratings
    where action <> 'affirm' and as_of > ${before}::timestamptz and as_of <= ${at}::timestamptz group by action`.execute(
    db,
  );
  return rows;
}

/** A raised flag or a default, with the asset from its record (JSON). */
export interface FlagOrDefaultRow {
  readonly asset: string;
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly detail: string;
  readonly since: string | null;
}

/** Newest records at `at` that satisfy `where`, as `now.record` of type jsonb. */
const recordsWhere = (at: string, where: RawBuilder<unknown>) => sql`
  select convert_from(now.record, 'UTF8')::jsonb as record from rated_assets h cross join lateral (
    select p.band, p.flags, p.record from published_ratings p
    where p.asset_id = h.asset_id and p.as_of <= ${at}::timestamptz order by p.as_of desc, p.id desc limit 1
  ) now where ${where}`;

/** Flags of `severities` in force at `at`, the newest first; of `codes` only. */
export async function flagsInForceAt(
  db: Database,
  at: string,
  {
    codes,
    severities,
    dayBefore,
    limit,
  }: {
    readonly codes: readonly string[];
    readonly severities: readonly string[];
    readonly dayBefore: string;
    readonly limit: number;
  },
): Promise<{
  readonly counts: readonly { readonly severity: string; readonly flags: number; readonly fresh: number }[];
  /** Number of assets with any of them. */
  readonly assets: number;
  readonly newest: readonly FlagOrDefaultRow[];
}> {
  const flags = sql`
    select records.record -> 'asset' as asset, flag ->> 'code' as code, flag ->> 'severity' as severity,
      flag ->> 'title' as title, flag ->> 'detail' as detail, (flag ->> 'since')::timestamptz as since
    from (${recordsWhere(at, sql`now.flags && ${[...codes]}::text[]`)}) records
      cross join jsonb_array_elements(records.record -> 'risk_flags') flag
    where flag ->> 'severity' = any(${[...severities]}::text[]) and flag ->> 'code' = any(${[...codes]}::text[])`;
  const [counts, assets, newest] = await Promise.all([
    sql<{ severity: string; flags: number; fresh: number }>`
      select severity, count(*)::int as flags, count(*) filter (where since > ${dayBefore}::timestamptz)::int as fresh
      from (${flags}) flags group by severity`.execute(db),
    sql<{ assets: number }>`select count(distinct asset ->> 'id')::int as assets from (${flags}) flags`.execute(db),
    sql<FlagOrDefaultRow>`
      select asset::text as asset, code, severity, title, detail,
        to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
      from (${flags}) flags
      order by since desc nulls last, severity, asset ->> 'id', code limit ${limit}`.execute(db),
  ]);
  return { counts: counts.rows, assets: assets.rows[0]?.assets ?? 0, newest: newest.rows };
}

/** Assets in default at `at`, the newest default first: the part `default` of their records beside the asset, JSON. */
export async function defaultsAt(
  db: Database,
  at: string,
  limit: number,
): Promise<readonly { readonly asset: string; readonly defaulted: string | null }[]> {
  const { rows } = await sql<{ asset: string; defaulted: string | null }>`
    select (record -> 'asset')::text as asset, nullif(record -> 'default', 'null'::jsonb)::text as defaulted
    from (${recordsWhere(at, sql`now.band = 'D'`)}) records
    order by record -> 'default' ->> 'since' desc nulls last, record -> 'asset' ->> 'id' limit ${limit}`.execute(db);
  return rows;
}
