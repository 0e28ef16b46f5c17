import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** An asset with ratings that no longer hold: replaced ones beside its newest one, or a newest one that was corrected. */
export interface ReplacedRatings {
  readonly assetId: string;
  readonly band: string;
  readonly action: string;
  /** The newest rating itself was corrected, so that none holds. */
  readonly isCorrected: boolean;
  /** Milliseconds since the epoch: every rating before it no longer holds. */
  readonly notBefore: number;
  /** RFC 3339 UTC: when the newest one was stored, or its first correction of this time. */
  readonly storedAt: string;
}

export interface ReplacedQuery {
  /** RFC 3339: ratings dated since then. */
  readonly since: string;
  /** Id of the last asset of the page before; empty for the first. */
  readonly after: string;
  readonly limit: number;
  readonly assetId?: string;
}

/**
 * Assets after `after`, by id, that have a rating dated since `since` beside their newest one, or whose newest one was
 * corrected. A newest rating dated before one that it replaced (late evidence) is itself below `notBefore`.
 */
export async function replacedRatings(
  db: Database,
  { since, after, limit, assetId }: ReplacedQuery,
): Promise<readonly ReplacedRatings[]> {
  const only = assetId === undefined ? sql`true` : sql`h.asset_id = ${assetId}`;
  const corrected = await correctedSince(db, since, assetId ?? null);
  const { rows } = await sql<Omit<ReplacedRatings, 'notBefore'> & { readonly before: string }>`
    select h.asset_id as "assetId", h.band, h.action, c.at is not null as "isCorrected",
      coalesce(c.at, h.stored_at) as "storedAt",
      (floor(extract(epoch from greatest(
        case when o.newest is not null then h.as_of end, o.newest + interval '1 millisecond',
        case when c.at is not null then h.as_of + interval '1 millisecond' end)) * 1000))::text as before
    from rated_assets h
    left join unnest(${corrected.map((one) => one.asset_id)}::text[], ${corrected.map((one) => one.rating_id)}::bigint[],
      ${corrected.map((one) => one.at)}::timestamptz[]) c (asset_id, rating_id, at)
      on c.asset_id = h.asset_id and c.rating_id = h.rating_id and h.as_of >= ${since}::timestamptz
    cross join lateral (
      select max(r.as_of) as newest from published_ratings r
      where r.asset_id = h.asset_id and r.as_of >= ${since}::timestamptz and r.id <> h.rating_id
    ) o
    where (o.newest is not null or c.at is not null) and ${only} and h.asset_id collate "C" > ${after}
    order by h.asset_id collate "C" limit ${limit}`.execute(db);
  return rows.map(({ before, ...row }) => ({ ...row, notBefore: Number(before) }));
}

/**
 * Ratings that were corrected since a time, each with its first correction; no rating is corrected before its own. Those
 * whose newest correction is what was published are not corrected any more.
 */
async function correctedSince(db: Database, since: string, assetId: string | null) {
  const only = assetId === null ? sql`true` : sql`asset_id = ${assetId}`;
  const { rows } = await sql<{ asset_id: string; rating_id: number; at: string; body: string }>`
    select asset_id, rating_id, made_at as at, body from restatements
    where rating_id is not null and asset_id is not null and made_at >= ${since}::timestamptz and ${only}
    order by id`.execute(db);
  const byRating = Map.groupBy(rows, (row) => row.rating_id);
  return [...byRating.values()].flatMap((all) => {
    const [first, last] = [all[0], all.at(-1)];
    return first === undefined || last === undefined || isTakenBack(first.body, last.body) ? [] : [first];
  });
}

interface Changed {
  readonly before?: { readonly band: string; readonly score: number | null };
  readonly after?: { readonly band: string; readonly score: number | null };
}

function isTakenBack(first: string, last: string): boolean {
  const [{ before }, { after }] = [JSON.parse(first) as Changed, JSON.parse(last) as Changed];
  return before !== undefined && before.band === after?.band && before.score === after.score;
}
