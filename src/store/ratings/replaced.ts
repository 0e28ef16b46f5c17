import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** An asset with replaced ratings beside its newest one. */
export interface ReplacedRatings {
  readonly assetId: string;
  readonly band: string;
  readonly action: string;
  /** Milliseconds since the epoch: every rating before it is replaced. */
  readonly notBefore: number;
  /** RFC 3339 UTC: when the newest one was stored. */
  readonly storedAt: string;
}

/**
 * Assets after `after`, by id, that have a rating dated since `since` (RFC 3339) beside their newest one. A newest
 * rating dated before one that it replaced (late evidence) is itself below `notBefore`.
 */
export async function replacedRatings(
  db: Database,
  {
    since,
    after,
    limit,
    assetId,
  }: {
    readonly since: string;
    readonly after: string;
    readonly limit: number;
    readonly assetId?: string;
  },
): Promise<readonly ReplacedRatings[]> {
  const only = assetId === undefined ? sql`true` : sql`h.asset_id = ${assetId}`;
  const { rows } = await sql<Omit<ReplacedRatings, 'notBefore'> & { readonly before: string }>`
    select h.asset_id as "assetId", h.band, h.action, h.stored_at as "storedAt",
      (floor(extract(epoch from greatest(h.as_of, o.newest + interval '1 millisecond')) * 1000))::text as before
    from rated_assets h cross join lateral (
      select max(r.as_of) as newest from published_ratings r
      where r.asset_id = h.asset_id and r.as_of >= ${since}::timestamptz and r.id <> h.rating_id
    ) o
    where o.newest is not null and ${only} and h.asset_id collate "C" > ${after}
    order by h.asset_id collate "C" limit ${limit}`.execute(db);
  return rows.map(({ before, ...row }) => ({ ...row, notBefore: Number(before) }));
}
