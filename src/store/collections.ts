import { sql, type Transaction } from 'kysely';
import type { PublicationState } from '../domain/index.ts';
import { hasEvidence } from './archive.ts';
import type { Database } from './database.ts';
import type { JobRow } from './jobs.ts';
import { discardObjects } from './moved.ts';
import { stateOfRow } from './packed-state.ts';
import type { Tables } from './tables.ts';

/**
 * Value of `request_hash` for a collection: the unique index over running jobs then allows only one per asset. A hash
 * of a request is hexadecimal, so none equals it.
 */
export const collectionHash = (assetId: string) => `collection ${assetId}`;

/** The newest published rating of an asset, and the job of its evidence. */
export interface CurrentRatingJob {
  readonly jobId: string;
  readonly asOf: string;
}

/** Null when no rating of the asset is published, or its evidence is not stored here. */
export async function currentRatingJob(db: Database, assetId: string): Promise<CurrentRatingJob | null> {
  const { rows } = await sql<CurrentRatingJob>`
    select p.job_id as "jobId", r.as_of as "asOf" from rated_assets r
    join published_ratings p on p.asset_id = r.asset_id and p.id = r.rating_id
    where r.asset_id = ${assetId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return (await hasEvidence(db, row.jobId)) ? row : null;
}

/** Input for the collection of an asset that was rated before: publication's state, and the asset as last stored. */
export async function ratedSubject(
  db: Database,
  assetId: string,
): Promise<{ readonly state: PublicationState; readonly asset: string } | null> {
  const row = await db
    .selectFrom('rated_assets')
    .select(['state', 'state_packed', 'asset'])
    .where('asset_id', '=', assetId)
    .executeTakeFirst();
  return row ? { state: JSON.parse(stateOfRow(row)) as PublicationState, asset: row.asset } : null;
}

/** Stores which collection a score waits for, and of which asset. */
export async function noteCollection(
  db: Database,
  jobId: string,
  assetId: string,
  collectionId: string | null,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ asset_id: assetId, collection_id: collectionId })
    .where('id', '=', jobId)
    .execute();
}

/** The job with the result of a score lives as long as the score. Published evidence never expires. */
export async function extendJob(transaction: Transaction<Tables>, jobId: string, until: string): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ expires_at: until })
    .where('id', '=', jobId)
    .where('expires_at', '<', until)
    .execute();
}

/** Scores that wait for this collection and have requested its partial evidence. */
export function waitingScore(db: Database, jobId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('kind', '=', 'score')
    .where('state', '=', 'running')
    .where('collection_id', 'is not', null)
    .executeTakeFirst();
}

/**
 * Deletes up to `limit` expired jobs, with their evidence, events and idempotency keys. Jobs of published ratings never
 * expire; the job with the result of a stored score is kept with it. Returns the number deleted.
 */
export function deleteExpired(db: Database, now: string, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      select id from jobs j
      where expires_at < ${now} and state in ('succeeded', 'failed', 'cancelled')
        and not exists (select 1 from jobs s where s.answered_by = j.id and s.expires_at >= ${now})
        and not exists (select 1 from monitored_assets m where m.job_id = j.id)
      order by expires_at, id limit ${limit} for update skip locked`.execute(transaction);
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) return 0;
    await transaction.deleteFrom('idempotency').where('job_id', 'in', ids).execute();
    const evidence = await transaction
      .deleteFrom('evidence')
      .where('job_id', 'in', ids)
      .returning('object_key')
      .execute();
    await discardObjects(
      transaction,
      evidence.map((row) => row.object_key),
    );
    // Their events are deleted too.
    await transaction.deleteFrom('jobs').where('id', 'in', ids).execute();
    return ids.length;
  });
}
