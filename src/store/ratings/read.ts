import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Asset, PublicationState } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import { recordOf } from '../packed-record.ts';
import { stateOfRow } from '../packed-state.ts';
import type { Tables } from '../tables.ts';

/** A published rating as stored: immutable. */
export interface RatingRow {
  /** Increases with time over the whole installation. */
  readonly id: number;
  readonly assetId: string;
  /** RFC 3339 UTC, milliseconds. */
  readonly asOf: string;
  readonly storedAt: string;
  readonly jobId: string;
  /** UTF-8 of the score record: canonical JSON (RFC 8785), the signed bytes. */
  readonly record: Uint8Array;
  /** JSON. */
  readonly signature: string;
}

/** A `RatingRow` with its record as it is stored. */
type Packed<Row extends RatingRow = RatingRow> = Omit<Row, 'record'> & { readonly packed: Buffer };

/** The columns of a `Packed` row; the table is `r`. */
const RATING = sql`r.id, r.asset_id as "assetId", r.as_of as "asOf", r.stored_at as "storedAt", r.job_id as "jobId",
  r.record as packed, r.signature`;

function unpacked<Row extends Packed>({ packed, ...row }: Row): Omit<Row, 'packed'> & Pick<RatingRow, 'record'> {
  return { ...row, record: recordOf(packed) };
}

/** The newest ratings of assets, in no order. */
export async function newestRatings(db: Database, assetIds: readonly string[]): Promise<readonly RatingRow[]> {
  if (assetIds.length === 0) return [];
  const { rows } = await sql<Packed>`
    select ${RATING} from rated_assets h join published_ratings r on r.asset_id = h.asset_id and r.id = h.rating_id
    where h.asset_id = any(${[...assetIds]}::text[]) and r.asset_id = any(${[...assetIds]}::text[])`.execute(db);
  return rows.map(unpacked);
}

/** Fields of the rating in lists of disputes and appeals; null when there is none. */
export interface RatingInBrief {
  readonly job_id: string | null;
  readonly as_of: string | null;
  readonly band: string | null;
  readonly score: number | null;
}

/** Rows about ratings, each with its rating, in the given order. */
export async function withRatings<Row extends { readonly asset_id: string; readonly rating_id: number | null }>(
  db: Database,
  about: readonly Row[],
): Promise<(Row & RatingInBrief)[]> {
  if (about.length === 0) return [];
  const { rows } = await sql<RatingInBrief & { asset_id: string; id: number }>`
    select asset_id, id, job_id, as_of, band, score from published_ratings
    where asset_id = any(${about.map((row) => row.asset_id)}::text[])
      and id = any(${about.flatMap((row) => row.rating_id ?? [])}::bigint[])`.execute(db);
  const known = new Map(rows.map(({ asset_id, id, ...rating }) => [`${id} ${asset_id}`, rating]));
  const none = { job_id: null, as_of: null, band: null, score: null };
  return about.map((row) => ({ ...row, ...(known.get(`${row.rating_id} ${row.asset_id}`) ?? none) }));
}

/** The first of the rows with its rating; null when there is no row. */
export async function firstRated<Row extends { readonly asset_id: string; readonly rating_id: number | null }>(
  db: Database,
  about: readonly Row[],
): Promise<(Row & RatingInBrief) | null> {
  return (await withRatings(db, about.slice(0, 1)))[0] ?? null;
}

/** The newest rating of `asset_id` with `as_of` at or before `at` (RFC 3339). */
export function ratingAsOf(db: Database, assetId: string, at: string): Promise<RatingRow | null> {
  return newestWhere(db, assetId, sql`r.as_of <= ${at}`);
}

/** The newest rating of an asset by a version of the methodology, with `as_of` at or before `at` (RFC 3339; null: now). */
export function ratingByMethodology(
  db: Database,
  assetId: string,
  version: string,
  at: string | null,
): Promise<RatingRow | null> {
  return newestWhere(
    db,
    assetId,
    sql`r.methodology = ${version} and r.as_of <= coalesce(${at}::timestamptz, 'infinity')`,
  );
}

async function newestWhere(db: Database, assetId: string, condition: RawBuilder<unknown>): Promise<RatingRow | null> {
  const { rows } = await sql<Packed>`
    select ${RATING} from published_ratings r where r.asset_id = ${assetId} and ${condition}
    order by r.as_of desc, r.id desc limit 1`.execute(db);
  return rows.map(unpacked)[0] ?? null;
}

/** Versions of the methodology of an asset's ratings, the newest first. */
export async function methodologiesOf(db: Database, assetId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('published_ratings')
    .select('methodology')
    .where('asset_id', '=', assetId)
    .groupBy('methodology')
    .orderBy((of) => of.fn.max('as_of'), 'desc')
    .execute();
  return rows.map((row) => row.methodology);
}

export interface RatingSpan {
  /** RFC 3339, both included. */
  readonly from: string;
  readonly to: string;
  /** Newest of each interval; null: every rating. */
  readonly intervalSeconds: number | null;
  /** Only rating actions that are not `affirm`. */
  readonly actionsOnly: boolean;
  readonly limit: number;
}

/** Cursor of a page of ratings. */
export interface RatingPlace {
  readonly asOf: string;
  readonly id: number;
}

/**
 * Ratings of an asset from `from` to `to` (both included), oldest first, after `after`: all, the newest of each
 * interval, or only actions that are not `affirm`.
 */
export async function ratingsBetween(
  db: Database,
  assetId: string,
  query: RatingSpan & { readonly after: RatingPlace | null },
): Promise<readonly RatingRow[]> {
  const { from, to, intervalSeconds, actionsOnly, after, limit } = query;
  const among = sql`
    select * from published_ratings
    where asset_id = ${assetId} and as_of >= ${from} and as_of <= ${to} ${actionsOnly ? sql`and action <> 'affirm'` : sql``}`;
  const beyond = after === null ? sql`true` : sql`(as_of, id) > (${after.asOf}::timestamptz, ${after.id}::bigint)`;
  const chosen =
    intervalSeconds === null
      ? among
      : sql`select distinct on (bucket) * from (
            select each.*, floor(extract(epoch from as_of) / ${intervalSeconds}::float8) as bucket from (${among}) each
          ) cut order by bucket, as_of desc, id desc`;
  const { rows } = await sql<Packed>`
    select ${RATING} from (${chosen}) r where ${beyond} order by r.as_of, r.id limit ${limit}`.execute(db);
  return rows.map(unpacked);
}

/**
 * Addresses of tokens of a chain that are rated or indexed here, each once: the rated ones first, by market
 * capitalisation.
 */
export async function knownTokens(db: Database, chain: string, limit: number): Promise<readonly string[]> {
  const rated = await sql<{ address: string }>`
    select address from rated_assets where chain = ${chain} and address is not null and address <> 'native'
    group by address order by max(coalesce(market_cap_usd, 0)) desc, address limit ${limit}`.execute(db);
  const indexed = await sql<{ address: string }>`
    select distinct address from indexed_assets
    where chain = ${chain} and address is not null and address <> 'native' and removed_at is null
    order by address limit ${limit}`.execute(db);
  return [...new Set([...rated.rows, ...indexed.rows].map(({ address }) => address))].slice(0, limit);
}

/** Which of these assets have no band and had a rating withdrawn. */
export async function withdrawnAmong(db: Database, assetIds: readonly string[]): Promise<readonly string[]> {
  if (assetIds.length === 0) return [];
  const { rows } = await sql<{ asset_id: string }>`
    select asset_id from rated_assets h where h.asset_id = any(${[...assetIds]}::text[]) and h.band = 'NR' and exists (
      select from published_ratings w where w.asset_id = h.asset_id and w.action = 'withdraw')`.execute(db);
  return rows.map(({ asset_id }) => asset_id);
}

export interface ActionsQuery {
  /** RFC 3339, both included. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

/** Rating actions of all assets that are not `affirm`, from `from` to `to`, newest first, before `before`. */
export async function newestActions(
  db: Database,
  { from, to, before, limit }: ActionsQuery & { readonly before: RatingPlace | null },
): Promise<readonly RatingRow[]> {
  const { rows } = await sql<Packed>`
    select ${RATING} from published_ratings r
    where action <> 'affirm' and as_of >= ${from} and as_of <= ${to}
      ${before === null ? sql`` : sql`and (as_of, id) < (${before.asOf}::timestamptz, ${before.id}::bigint)`}
    order by r.as_of desc, r.id desc limit ${limit}`.execute(db);
  return rows.map(unpacked);
}

/** The job of the newest published rating of an asset; null for one never published. */
export async function publishedJob(db: Database, assetId: string): Promise<string | null> {
  const [row] = await newestRatings(db, [assetId]);
  return row?.jobId ?? null;
}

/** The caller distinguishes look-alike symbols that fold to the same text; this many are read. */
const MOST_FOUND = 200;
const MOST_CALLED = 10;

/** Name of a rated asset in a search. */
export interface AssetName {
  readonly by: 'asset_id' | 'address' | 'symbol_folded' | 'name';
  readonly value: string;
}

/** Rated assets of a name, the largest first. */
export async function findRated(
  db: Database,
  { by, value }: AssetName,
): Promise<
  readonly Pick<Selectable<Tables['rated_assets']>, 'asset' | 'symbol' | 'band' | 'score' | 'trust' | 'as_of'>[]
> {
  return db
    .selectFrom('rated_assets')
    .select(['asset', 'symbol', 'band', 'score', 'trust', 'as_of'])
    .where(by === 'name' ? sql`lower(name)` : sql.ref(by), '=', by === 'name' ? sql`lower(${value})` : value)
    .orderBy(sql`market_cap_usd desc nulls last`)
    .orderBy(sql`liquidity_usd desc nulls last`)
    .orderBy('asset_id')
    .limit(MOST_FOUND)
    .execute();
}

/** Assets with a rating whose name or ticker equals one of these texts, in any case; the largest first, ten at most. */
export async function ratedCalled(db: Database, words: readonly string[]): Promise<readonly Asset[]> {
  const folded = words.map((word) => word.trim().normalize('NFC').toLowerCase());
  const { rows } = await sql<{ readonly asset: string }>`
    select asset from rated_assets
    where symbol_folded = any(${folded}) or lower(name) = any(${folded})
    order by market_cap_usd desc nulls last, asset_id limit ${MOST_CALLED}`.execute(db);
  return rows.map(({ asset }) => JSON.parse(asset) as Asset);
}

/**
 * Number of rated assets of a category with a score, by the decade of their market capitalisation (null: not known).
 */
export interface PeerCount {
  readonly decade: number | null;
  readonly score: number;
  readonly assets: number;
}

const DECADE = sql`case when market_cap_usd >= 1 then floor(log(market_cap_usd::numeric))::int end`;

/** Scores of a category as counts: at most a thousand different ones per decade, for any number of assets. */
export async function peerCounts(db: Database, category: string): Promise<readonly PeerCount[]> {
  const { rows } = await sql<PeerCount>`
    select ${DECADE} as decade, score, count(*)::int as assets
    from rated_assets where category = ${category} and score is not null group by 1, 2`.execute(db);
  return rows;
}

/** Input for the percentile of an asset among its peers. */
export interface RatedPeer {
  readonly category: string;
  readonly score: number | null;
  readonly decade: number | null;
}

/** Null for an asset that was never rated. */
export async function peerOf(db: Database, assetId: string): Promise<RatedPeer | null> {
  const { rows } = await sql<RatedPeer>`
    select category, score, ${DECADE} as decade
    from rated_assets where asset_id = ${assetId}`.execute(db);
  return rows[0] ?? null;
}

/** A rated asset for comparison with others of its class. */
export interface ClassPeer {
  readonly assetId: string;
  readonly symbol: string | null;
  readonly name: string;
  readonly band: string;
  readonly score: number;
  readonly trust: number;
  readonly vfr: number | null;
  readonly marketCapUsd: number | null;
  /** Score of each factor of its newest rating, by code. */
  readonly factors: Readonly<Record<string, number>>;
}

/** The largest rated assets of a class that have a score. */
export async function classPeers(db: Database, of: string, limit: number): Promise<readonly ClassPeer[]> {
  const { rows } = await sql<Omit<ClassPeer, 'factors'> & Parameters<typeof stateOfRow>[0]>`
    select asset_id as "assetId", symbol, name, band, score, trust, vfr, market_cap_usd as "marketCapUsd", state, state_packed
    from rated_assets where class = ${of} and score is not null
    order by market_cap_usd desc nulls last, asset_id limit ${limit}`.execute(db);
  return rows.map(({ state, state_packed, ...peer }) => {
    const { last } = JSON.parse(stateOfRow({ state, state_packed })) as Partial<PublicationState>;
    return { ...peer, factors: last?.factors ?? {} };
  });
}

/** Another asset of a class, with the job of its rating at a given time. */
export interface PastPeer {
  readonly assetId: string;
  readonly jobId: string;
}

/**
 * Other assets that were in a class at `at`, with the rating that each had. Of too many, a sample chosen by hashes.
 * Ratings stored later change nothing: the result is always the same, but for ratings from before classes were stored
 * with them, which count in the asset's present class.
 */
export async function peersThen(
  db: Database,
  { of, except, at, methodology, limit }: PeersThen,
): Promise<readonly PastPeer[]> {
  const { rows } = await sql<PastPeer>`
    select h.asset_id as "assetId", r.job_id as "jobId"
    from rated_assets h cross join lateral (
      select job_id, score, methodology, category, class from published_ratings
      where asset_id = h.asset_id and as_of <= ${at} and stored_at <= ${at}
      order by as_of desc, id desc limit 1
    ) r
    where case when r.category is null then h.class else r.class end = ${of} and h.asset_id <> ${except}
      and r.score is not null and r.methodology = ${methodology}
    order by md5(h.asset_id), h.asset_id limit ${limit}`.execute(db);
  return rows;
}

export interface PeersThen {
  readonly of: string;
  /** The asset that is compared. */
  readonly except: string;
  /** RFC 3339. */
  readonly at: string;
  /** Version of the methodology: factors of another one are not comparable. */
  readonly methodology: string;
  readonly limit: number;
}

/** All published ratings of one asset. */
export interface StoredSeries {
  readonly assetId: string;
  readonly symbol: string | null;
  readonly ratings: readonly { readonly asOf: string; readonly band: string; readonly score: number | null }[];
}

/** Ratings read at once, which limits memory together with those of one asset. */
const PAGE = 5_000;

interface Row {
  readonly asset_id: string;
  readonly id: number;
  readonly as_of: string;
  readonly band: string;
  readonly score: number | null;
  readonly symbol: string | null;
}

/** All published ratings, asset by asset, in pages. Ratings published meanwhile may or may not be included. */
export async function* ratedSeries(db: Database): AsyncGenerator<StoredSeries> {
  let series: { assetId: string; symbol: string | null; ratings: StoredSeries['ratings'][number][] } | null = null;
  for await (const row of allRatings(db)) {
    if (series !== null && series.assetId !== row.asset_id) {
      yield series;
      series = null;
    }
    series ??= { assetId: row.asset_id, symbol: row.symbol, ratings: [] };
    series.ratings.push({ asOf: row.as_of, band: row.band, score: row.score });
  }
  if (series !== null) yield series;
}

async function* allRatings(db: Database): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const { rows } = await sql<Row>`
      select p.*, r.symbol
      from (
        select asset_id, id, as_of, band, score from published_ratings
        where (asset_id, id) > (${last?.asset_id ?? ''}, ${last?.id ?? 0}::bigint)
        order by asset_id, id limit ${sql.lit(PAGE)}
      ) p left join rated_assets r on r.asset_id = p.asset_id
      order by p.asset_id, p.id`.execute(db);
    yield* rows;
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
}

export type ListColumn = 'score' | 'trust' | 'as_of' | 'symbol';

export interface RatedFilter {
  readonly chain: string | null;
  readonly bands: readonly string[] | null;
  readonly category: string | null;
  readonly class: string | null;
  readonly flag: string | null;
  readonly minTrust: number | null;
  /** Prefix of a symbol, a name, an address or an id. */
  readonly search: string | null;
}

export interface RatedListQuery extends RatedFilter {
  /** RFC 3339: each asset by its newest rating at or before this time; null: by its newest. */
  readonly at: string | null;
  readonly sort: ListColumn;
  readonly descending: boolean;
  /** The last entry of the page before. */
  readonly after: { readonly value: number | string | null; readonly assetId: string } | null;
  readonly limit: number;
}

export interface ListedRow extends RatingRow {
  /** Sort value, as the next page's cursor. */
  readonly place: number | string | null;
}

const TYPES: Readonly<Record<ListColumn, string>> = {
  score: 'double precision',
  trust: 'double precision',
  as_of: 'timestamptz',
  symbol: 'text',
};

/** Newest ratings in an order for paging: missing values last in both directions, ties by the asset's id. */
export async function listRated(db: Database, query: RatedListQuery): Promise<readonly ListedRow[]> {
  return (await listStatement(query).execute(db)).rows.map(unpacked);
}

/** The statement of `listRated`. */
export function listStatement(query: RatedListQuery): RawBuilder<Packed<ListedRow>> {
  const { at, chain, bands, category, class: of, flag, minTrust, search, sort, descending, after, limit } = query;
  const column = sql.raw(sort === 'symbol' ? 'h.symbol_folded collate "C"' : `h.${sort}`);
  const type = sql.raw(TYPES[sort]);
  const filters = [
    ...(chain === null ? [] : [sql`h.chain = ${chain}`]),
    ...(bands === null ? [] : [sql`h.band = any(${[...bands]}::text[])`]),
    ...(category === null ? [] : [sql`h.category = ${category}`]),
    ...(of === null ? [] : [sql`h.class = ${of}`]),
    ...(flag === null ? [] : [sql`h.flags @> array[${flag}]::text[]`]),
    ...(minTrust === null ? [] : [sql`h.trust >= ${minTrust}`]),
    ...(search === null ? [] : [beginsWith(search)]),
    ...(after === null ? [] : [beyond(after)]),
  ];
  const where = filters.length === 0 ? sql`true` : sql.join(filters, sql` and `);
  return sql<Packed<ListedRow>>`
    with page as materialized (
      select h.asset_id, h.rating_id, ${column} as place from ${at === null ? sql`rated_assets h` : headsAt(at)} where ${where}
      order by ${column} ${sql.raw(descending ? 'desc' : 'asc')} nulls last, h.asset_id limit ${limit}
    )
    select ${RATING}, page.place
    from page join published_ratings r on r.asset_id = page.asset_id and r.id = page.rating_id
    order by page.place ${sql.raw(descending ? 'desc' : 'asc')} nulls last, page.asset_id`;

  function beyond(place: NonNullable<RatedListQuery['after']>) {
    if (place.value === null) return sql`(${column} is null and h.asset_id > ${place.assetId})`;
    const value = sql`${place.value}::${type}`;
    const further = descending ? sql`${column} < ${value}` : sql`${column} > ${value}`;
    return sql`(${further} or (${column} = ${value} and h.asset_id > ${place.assetId}) or ${column} is null)`;
  }
}

/** The heads of assets as they were at a time; an asset that was not rated by then has none. */
function headsAt(at: string) {
  const names = sql`h.asset_id, h.chain, h.address, h.symbol_folded, h.name`;
  return sql`(
      select ${names}, h.category, h.class, h.rating_id, h.band, h.score, h.trust, h.flags, h.as_of
      from rated_assets h where h.as_of <= ${at}
      union all
      select * from (
        select distinct on (h.asset_id) ${names}, coalesce(r.category, h.category),
          case when r.category is null then h.class else r.class end, r.id, r.band, r.score, r.trust, r.flags, r.as_of
        from rated_assets h join published_ratings r on r.asset_id = h.asset_id
        where h.as_of > ${at} and r.as_of <= ${at} order by h.asset_id, r.as_of desc, r.id desc
      ) earlier
    ) h`;
}

/**
 * Each part of the condition has an index of its own (migration `search`); letters A to Z are compared without case.
 */
function beginsWith(text: string) {
  const pattern = `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // Folded like the stored symbols.
  const symbol = pattern.normalize('NFC').toLowerCase();
  // Ids on EVM chains are stored in lower case; a copied address has capitals as its checksum.
  const anyCase = pattern.toLowerCase();
  return sql`(h.symbol_folded like ${symbol} or lower(h.name) like lower(${pattern})
    or lower(h.address) like lower(${pattern}) or h.asset_id like ${pattern} or h.asset_id like ${anyCase})`;
}
