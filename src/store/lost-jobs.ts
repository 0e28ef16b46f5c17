import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { appendEventsIn, type JobOutcome, type JobRow } from './jobs.ts';
import type { Tables } from './tables.ts';

/** What becomes of a job that lost its runner. */
export interface LostEndings {
  readonly again: JobOutcome;
  readonly givenUp: JobOutcome;
  readonly cancelled: JobOutcome;
}

/** Jobs whose runner is gone: back to the queue, given up after `mostAttempts`, or cancelled when that was asked for. Returns their ids. */
export function reapJobs(
  db: Database,
  at: string,
  mostAttempts: number,
  endings: LostEndings,
): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    const lost = await transaction
      .selectFrom('jobs')
      .selectAll()
      .where('state', '=', 'running')
      .where('lease_until', '<', sql<string>`clock_timestamp()`)
      .orderBy('position')
      .forUpdate()
      .skipLocked()
      .execute();
    for (const row of lost) {
      const ending = row.attempts < mostAttempts ? endings.again : endings.givenUp;
      await settle(transaction, row, row.cancel_requested ? endings.cancelled : ending, row.attempts, at);
    }
    return lost.map((row) => row.id);
  });
}

/** Hands the running jobs of an owner back to the queue, as if they had never been started; cancelled ones end. */
export async function releaseJobs(db: Database, owner: string, at: string, endings: LostEndings): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom('jobs')
      .selectAll()
      .where('owner', '=', owner)
      .where('state', '=', 'running')
      .orderBy('position')
      .forUpdate()
      .execute();
    for (const row of held)
      await settle(transaction, row, row.cancel_requested ? endings.cancelled : endings.again, row.attempts - 1, at);
  });
}

async function settle(
  transaction: Transaction<Tables>,
  row: JobRow,
  { state, failure, events }: JobOutcome,
  attempts: number,
  at: string,
): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({
      state,
      failure,
      attempts,
      finished_at: state === 'queued' ? null : at,
      owner: null,
      lease_until: null,
    })
    .where('id', '=', row.id)
    .execute();
  await appendEventsIn(transaction, row.id, events);
}
