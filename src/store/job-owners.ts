import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { nameJob } from './idempotency.ts';
import type { Tables } from './tables.ts';

/** How an account came to own a job: it requested it first, or joined it while it was under way. */
export type JobOwnership = 'first' | 'joined';

/**
 * Stores that an account joined a job that another one requested. Kept beside the account's idempotency keys: a caller's
 * key holds no space, so this name cannot be taken.
 */
export function noteJoined(
  transaction: Transaction<Tables>,
  joined: {
    readonly jobId: string;
    readonly accountId: string;
    readonly bodySha256: string;
    readonly at: string;
  },
): Promise<void> {
  return nameJob(transaction, { ...joined, name: joinedName(joined.jobId) });
}

/** How the account owns the job; null when it does not. */
export async function ownershipOf(db: Database, jobId: string, accountId: string): Promise<JobOwnership | null> {
  const { rows } = await sql<{ ownership: JobOwnership }>`
    select 'first' as ownership from jobs join api_keys on api_keys.id = jobs.key_id
    where jobs.id = ${jobId} and api_keys.account_id = ${accountId}
    union all
    select 'joined' from idempotency
    where idempotency.idempotency_key = ${joinedName(jobId)} and (idempotency.key_id = ${accountId}
      or idempotency.key_id in (select id from api_keys where account_id = ${accountId}))
    order by ownership limit 1`.execute(db);
  return rows[0]?.ownership ?? null;
}

const joinedName = (jobId: string) => `joined ${jobId}`;
