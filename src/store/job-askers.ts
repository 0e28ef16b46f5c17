import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { rememberIdempotency } from './jobs.ts';
import type { Tables } from './tables.ts';

/** Who asked for a job: first of all, or by joining it while it was under way. */
export type Asker = 'first' | 'joined';

/**
 * Remembers that a key waits for a job that another one asked for. Kept beside what keys asked under names of their own: a
 * caller's name holds no space, so this one cannot be taken.
 */
export function noteJoined(
  transaction: Transaction<Tables>,
  joined: {
    readonly jobId: string;
    readonly keyId: string;
    readonly requestHash: string;
    readonly at: string;
  },
): Promise<void> {
  return rememberIdempotency(transaction, {
    key_id: joined.keyId,
    idempotency_key: joinedName(joined.jobId),
    request_hash: joined.requestHash,
    job_id: joined.jobId,
    created_at: joined.at,
  });
}

/** What an account has to do with a job; null: nothing. */
export async function askerOf(db: Database, jobId: string, accountId: string): Promise<Asker | null> {
  const { rows } = await sql<{ asker: Asker }>`
    select 'first' as asker from jobs join api_keys on api_keys.id = jobs.key_id
    where jobs.id = ${jobId} and api_keys.account_id = ${accountId}
    union all
    select 'joined' from api_keys join idempotency on idempotency.key_id = api_keys.id
    where api_keys.account_id = ${accountId} and idempotency.idempotency_key = ${joinedName(jobId)}
    order by asker limit 1`.execute(db);
  return rows[0]?.asker ?? null;
}

const joinedName = (jobId: string) => `joined ${jobId}`;
