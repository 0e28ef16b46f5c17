import { sql, type Transaction } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';

/** One account that read the rating of one asset on one day (YYYY-MM-DD, UTC). */
export interface RatingRead {
  readonly assetId: string;
  readonly accountId: string;
  readonly day: string;
}

/** Instead of an asset: all assets with a rating on the day. */
export const EVERY_ASSET = '*';

/** Stores reads; idempotent. Reads before `keptFrom` (a day) are deleted. */
export async function noteReads(db: Database, reads: readonly RatingRead[], keptFrom: string): Promise<void> {
  if (reads.length === 0) return;
  await sql`
    insert into rating_reads (asset_id, account_id, day)
    select asset_id, account_id, day from json_to_recordset(${JSON.stringify(
      reads.map(({ assetId, accountId, day }) => ({ asset_id: assetId, account_id: accountId, day })),
    )}::json) as given (asset_id text, account_id text, day date)
    on conflict do nothing`.execute(db);
  await sql`delete from rating_reads where day < ${keptFrom}::date`.execute(db);
}

/**
 * Accounts that received a rating: they read the asset's rating or an export while it was current (by the day), had it
 * scored, watch the asset, or had an alert about it. The rating is current until the next one of the asset.
 */
export async function accountsThatRead(
  transaction: Transaction<Tables>,
  assetId: string,
  ratingId: number,
): Promise<readonly string[]> {
  // Times in PostgreSQL's format, to the microsecond.
  const { rows: stored } = await sql<{ id: number; at: string }>`
    (select id, stored_at::text as at from published_ratings where asset_id = ${assetId} and id = ${ratingId})
    union all
    (select id, stored_at::text as at from published_ratings where asset_id = ${assetId} and id > ${ratingId}
      order by stored_at limit 1)`.execute(transaction);
  const since = stored.find((row) => row.id === ratingId)?.at ?? null;
  const until = stored.find((row) => row.id !== ratingId)?.at ?? 'infinity';
  const { rows } = await sql<{ account_id: string }>`
    with span as (select ${since}::timestamptz as since, ${until}::timestamptz as until)
    select account_id from rating_reads, span where asset_id in (${assetId}, ${EVERY_ASSET})
      and day >= (since at time zone 'utc')::date and (until = 'infinity' or day <= (until at time zone 'utc')::date)
    union select account_id from watchlist where asset_id = ${assetId}
    union select account_id from alerts, span where asset_id = ${assetId} and created_at >= since and created_at <= until
    union select k.account_id from jobs j join api_keys k on k.id = j.key_id, span
      where j.asset_id = ${assetId} and j.kind = 'score' and j.finished_at >= since and j.finished_at <= until
    order by account_id`.execute(transaction);
  return rows.map((row) => row.account_id);
}
