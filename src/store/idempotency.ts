import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

const IDEMPOTENCY_HOURS = 24;

/** A use of an idempotency key, or of a name of our own beside them. */
export interface NamedJob {
  readonly accountId: string;
  readonly name: string;
  readonly bodySha256: string;
  readonly jobId: string;
  readonly at: string;
}

/** The account of a key; what is no key of the store (a command, the monitor) stands for itself. */
export async function accountOf(transaction: Transaction<Tables>, keyId: string): Promise<string> {
  const row = await transaction.selectFrom('api_keys').select('account_id').where('id', '=', keyId).executeTakeFirst();
  return row?.account_id ?? keyId;
}

/** Makes uses of one idempotency key, in all processes, wait for the end of this transaction. */
export async function lockName(transaction: Transaction<Tables>, accountId: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`idempotency ${accountId} ${name}`}, 0))`.execute(
    transaction,
  );
}

/**
 * The job of an idempotency key that an account used in the last 24 hours, or null. Keys belong to accounts: they outlive a
 * rotation of the API key. Rows from before migration 0010-collections stand under the API key they were used with.
 */
export async function namedJob(
  transaction: Transaction<Tables>,
  accountId: string,
  name: string,
  now: number,
): Promise<{ readonly job_id: string; readonly request_hash: string } | null> {
  const since = new Date(now - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
  const row = await transaction
    .selectFrom('idempotency')
    .select(['job_id', 'request_hash'])
    .where((where) =>
      where.or([
        where('key_id', '=', accountId),
        where('key_id', 'in', where.selectFrom('api_keys').select('id').where('account_id', '=', accountId)),
      ]),
    )
    .where('idempotency_key', '=', name)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Remembers which job a name stands for; an entry that is over is replaced. */
export async function nameJob(transaction: Transaction<Tables>, named: NamedJob): Promise<void> {
  const row = {
    key_id: named.accountId,
    idempotency_key: named.name,
    request_hash: named.bodySha256,
    job_id: named.jobId,
    created_at: named.at,
  };
  await transaction
    .insertInto('idempotency')
    .values(row)
    .onConflict((conflict) => conflict.columns(['key_id', 'idempotency_key']).doUpdateSet(row))
    .execute();
}
