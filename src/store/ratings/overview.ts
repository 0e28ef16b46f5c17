import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { recordOf } from '../packed-record.ts';
import { byAsset } from '../pages.ts';

/** Counts over the newest ratings of all assets at one time. */
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

/** An asset whose score differs from that at `before`, with the rating since then that moved it most. */
export interface MovedRow {
  readonly assetId: string;
  readonly bandBefore: string;
  readonly scoreBefore: number;
  readonly band: string;
  readonly score: number;
  /** UTF-8 of a score record: the rating since then with the largest step in the direction of the whole change. */
  readonly record: Uint8Array;
}

/** Newest ratings of assets at or before `at`, as a relation `alias`. */
const newestAt = (at: string, alias: string) => sql`
  lateral (select p.as_of, p.band, p.score, p.trust from published_ratings p
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
  const ids = (rows: typeof moved) => rows.map((row) => row.assetId);
  const fallen = ids(moved.filter((row) => row.score < row.scoreBefore));
  const { rows: reasons } = await sql<{ asset_id: string; record: Buffer }>`
    select h.asset_id, why.record from rated_assets h cross join lateral (
      select step.record from (
        select p.id, p.as_of, p.record, p.score - lag(p.score) over (order by p.as_of, p.id) as points
        from published_ratings p
        where p.asset_id = h.asset_id and p.as_of <= ${at}::timestamptz and p.as_of >= (
          select max(b.as_of) from published_ratings b
          where b.asset_id = h.asset_id and b.as_of <= ${before}::timestamptz)
      ) step
      where step.as_of > ${before}::timestamptz
      order by case when h.asset_id = any(${fallen}::text[]) then -step.points else step.points end desc nulls last,
        step.as_of desc, step.id desc limit 1
    ) why
    where h.asset_id = any(${ids(moved)}::text[])`.execute(db);
  const records = byAsset(reasons);
  return moved.flatMap((row) => {
    const record = records.get(row.assetId)?.record;
    return record === undefined ? [] : [{ ...row, record: recordOf(record) }];
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

/** Records read at once, which limits memory. */
const PAGE = 1_000;

/** The parts of a score record with the flags and the default of an asset. */
interface TroubledRecord {
  readonly asset: { readonly id: string };
  readonly risk_flags?: readonly {
    readonly code: string;
    readonly severity: string;
    readonly title: string;
    readonly detail: string;
    readonly since: string | null;
  }[];
  readonly default?: { readonly since: string } | null;
}

/** Newest records at `at` that satisfy `where` (on `now.band`, `now.flags`), by asset, in pages. */
async function* recordsWhere(db: Database, at: string, where: RawBuilder<unknown>): AsyncGenerator<TroubledRecord[]> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const { rows }: { rows: { asset_id: string; record: Buffer }[] } = await sql<{ asset_id: string; record: Buffer }>`
      select h.asset_id, now.record from rated_assets h cross join lateral (
        select p.band, p.flags, p.record from published_ratings p
        where p.asset_id = h.asset_id and p.as_of <= ${at}::timestamptz order by p.as_of desc, p.id desc limit 1
      ) now where h.asset_id > ${after} and ${where} order by h.asset_id limit ${sql.lit(PAGE)}`.execute(db);
    yield rows.map(({ record }) => JSON.parse(recordOf(record).toString()) as TroubledRecord);
    after = rows.length < PAGE ? undefined : rows.at(-1)?.asset_id;
  }
}

/** Orders by `since`, newest first and missing ones last, then by the texts. */
function byNewest(a: readonly [since: string | null | undefined, ...texts: string[]], b: typeof a): number {
  const [one, other] = [
    a[0] ? Date.parse(a[0]) : Number.NEGATIVE_INFINITY,
    b[0] ? Date.parse(b[0]) : Number.NEGATIVE_INFINITY,
  ];
  if (one !== other) return one > other ? -1 : 1;
  const at = a.findIndex((text, index) => index > 0 && text !== b[index]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

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
  const counts = new Map<string, { flags: number; fresh: number }>();
  let assets = 0;
  let newest: { readonly id: string; readonly row: FlagOrDefaultRow }[] = [];
  for await (const page of recordsWhere(db, at, sql`now.flags && ${[...codes]}::text[]`)) {
    for (const { asset, risk_flags } of page) {
      const flags = (risk_flags ?? []).filter(
        ({ code, severity }) => codes.includes(code) && severities.includes(severity),
      );
      if (flags.length > 0) assets += 1;
      for (const { code, severity, title, detail, since } of flags) {
        const counted = counts.get(severity) ?? { flags: 0, fresh: 0 };
        counted.flags += 1;
        if (since !== null && Date.parse(since) > Date.parse(dayBefore)) counted.fresh += 1;
        counts.set(severity, counted);
        newest.push({ id: asset.id, row: { asset: JSON.stringify(asset), code, severity, title, detail, since } });
      }
    }
    newest = newest
      .sort((a, b) =>
        byNewest([a.row.since, a.row.severity, a.id, a.row.code], [b.row.since, b.row.severity, b.id, b.row.code]),
      )
      .slice(0, limit);
  }
  return {
    counts: [...counts].map(([severity, counted]) => ({ severity, ...counted })),
    assets,
    newest: newest.map(({ row }) => row),
  };
}

/** Assets in default at `at`, the newest default first: the part `default` of their records beside the asset, JSON. */
export async function defaultsAt(
  db: Database,
  at: string,
  limit: number,
): Promise<readonly { readonly asset: string; readonly defaulted: string | null }[]> {
  let newest: TroubledRecord[] = [];
  for await (const page of recordsWhere(db, at, sql`now.band = 'D'`))
    newest = [...newest, ...page]
      .sort((a, b) => byNewest([a.default?.since, a.asset.id], [b.default?.since, b.asset.id]))
      .slice(0, limit);
  return newest.map((record) => ({
    asset: JSON.stringify(record.asset),
    defaulted: record.default ? JSON.stringify(record.default) : null,
  }));
}
