import { sql, type Transaction } from 'kysely';
import type { PublicationState } from '../domain/index.ts';
import { hasEvidence } from './archive.ts';
import type { Database } from './database.ts';
import type { JobRow } from './jobs.ts';
import { discardObjects } from './moved.ts';
import { stateOfRow } from './packed-state.ts';
import type { Tables } from './tables.ts';

/**
 * What stands in `request_hash` of a collection, whose unique index over jobs under way makes it the only one of its asset. A
 * hash of words is hexadecimal, so none is equal to it.
 */
export const collectionHash = (assetId: string) => `collection ${assetId}`;

/** The newest published rating of an asset, and the job whose evidence it rests on. */
export interface StandingJob {
  readonly jobId: string;
  readonly asOf: string;
}

/** Null when nothing is published of the asset, or its evidence is not kept here. */
export async function standingJob(db: Database, assetId: string): Promise<StandingJob | null> {
  const { rows } = await sql<StandingJob>`
    select p.job_id as "jobId", r.as_of as "asOf" from rated_assets r
    join published_ratings p on p.asset_id = r.asset_id and p.id = r.rating_id
    where r.asset_id = ${assetId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return (await hasEvidence(db, row.jobId)) ? row : null;
}

/** What an asset that was rated before is collected by: what publication remembers of it, and the asset as it was last stored. */
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

/** Notes which collection a score waits for, and of which asset. */
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

/** What answers a score lives as long as the score. Published evidence has no end and gets none. */
export async function outlive(transaction: Transaction<Tables>, jobId: string, until: string): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ expires_at: until })
    .where('id', '=', jobId)
    .where('expires_at', '<', until)
    .execute();
}

/** Scores that wait for this collection from which somebody wants to know what is known so far. */
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
 * Deletes up to `limit` jobs whose time is over, with their evidence, events and idempotency keys. What a published rating
 * rests on has no end; what answers a score that is still kept waits for it. Returns how many it deleted.
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
    // Their events go with them.
    await transaction.deleteFrom('jobs').where('id', 'in', ids).execute();
    return ids.length;
  });
}
