import { type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';

/** What reads need of a published rating, of its row or of the asset's head. */
export type RatingRow = Pick<
  Selectable<Tables['published_ratings']>,
  'id' | 'asset_id' | 'as_of' | 'stored_at' | 'job_id' | 'record' | 'signature'
>;

const COLUMNS = ['id', 'asset_id', 'as_of', 'stored_at', 'job_id', 'record', 'signature'] as const;

/** The newest ratings of assets, in no order. */
export async function newestRatings(db: Database, assetIds: readonly string[]): Promise<readonly RatingRow[]> {
  if (assetIds.length === 0) return [];
  const { rows } = await sql<RatingRow>`
    select r.id, r.asset_id, r.as_of, r.stored_at, r.job_id, r.record, r.signature
    from rated_assets h join published_ratings r on r.asset_id = h.asset_id and r.id = h.rating_id
    where h.asset_id = any(${[...assetIds]}::text[]) and r.asset_id = any(${[...assetIds]}::text[])`.execute(db);
  return rows;
}

/** The newest rating of `asset_id` with `as_of` at or before `at` (RFC 3339). */
export async function ratingAsOf(db: Database, assetId: string, at: string): Promise<RatingRow | null> {
  const row = await db
    .selectFrom('published_ratings')
    .select(COLUMNS)
    .where('asset_id', '=', assetId)
    .where('as_of', '<=', at)
    .orderBy('as_of', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The newest rating of an asset that was made with a version of the methodology. */
export async function ratingByMethodology(db: Database, assetId: string, version: string): Promise<RatingRow | null> {
  const row = await db
    .selectFrom('published_ratings')
    .select(COLUMNS)
    .where('asset_id', '=', assetId)
    .where('methodology', '=', version)
    .orderBy('as_of', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Versions of the methodology that an asset has ratings of, the newest first. */
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

/** Where a page of ratings goes on: after this one. */
export interface RatingPlace {
  readonly asOf: string;
  readonly id: number;
}

/**
 * Ratings of an asset from `from` to `to` (both included), oldest first, after `after`: all, the newest of each interval, or
 * only actions that are not `affirm`.
 */
export async function ratingsBetween(
  db: Database,
  assetId: string,
  query: {
    readonly from: string;
    readonly to: string;
    readonly intervalSeconds: number | null;
    readonly actionsOnly: boolean;
    readonly after: RatingPlace | null;
    readonly limit: number;
  },
): Promise<readonly RatingRow[]> {
  const { from, to, intervalSeconds, actionsOnly, after, limit } = query;
  const among = sql`
    select id, asset_id, as_of, stored_at, job_id, record, signature from published_ratings
    where asset_id = ${assetId} and as_of >= ${from} and as_of <= ${to} ${actionsOnly ? sql`and action <> 'affirm'` : sql``}`;
  const beyond = after === null ? sql`true` : sql`(as_of, id) > (${after.asOf}::timestamptz, ${after.id}::bigint)`;
  const chosen =
    intervalSeconds === null
      ? among
      : sql`select distinct on (bucket) * from (
            select each.*, floor(extract(epoch from as_of) / ${intervalSeconds}::float8) as bucket from (${among}) each
          ) cut order by bucket, as_of desc, id desc`;
  const { rows } = await sql<RatingRow>`
    select id, asset_id, as_of, stored_at, job_id, record, signature from (${chosen}) chosen where ${beyond} order by as_of, id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Rating actions of all assets that are not `affirm`, newest first, before `before`. */
export async function newestActions(
  db: Database,
  { before, limit }: { readonly before: RatingPlace | null; readonly limit: number },
): Promise<readonly RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    select id, asset_id, as_of, stored_at, job_id, record, signature from published_ratings
    where action <> 'affirm'
      ${before === null ? sql`` : sql`and (as_of, id) < (${before.asOf}::timestamptz, ${before.id}::bigint)`}
    order by as_of desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** The job whose collection the newest published rating of an asset was made from; null for one never published. */
export async function publishedJob(db: Database, assetId: string): Promise<string | null> {
  const [row] = await newestRatings(db, [assetId]);
  return row?.job_id ?? null;
}
