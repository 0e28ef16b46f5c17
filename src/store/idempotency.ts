import { sql, type Transaction } from 'kysely';
import { type Database, lockByName } from './database.ts';
import type { Tables } from './tables.ts';

const IDEMPOTENCY_HOURS = 24;

/** A use of an idempotency key, or of an internal name that is stored like one. */
export interface NamedJob {
  readonly accountId: string;
  readonly name: string;
  readonly bodySha256: string;
  readonly jobId: string;
  readonly at: string;
}

/** The account of a key; another name (a command, the monitor) is used as it is. */
export async function accountOf(transaction: Transaction<Tables>, keyId: string): Promise<string> {
  const row = await transaction.selectFrom('api_keys').select('account_id').where('id', '=', keyId).executeTakeFirst();
  return row?.account_id ?? keyId;
}

/** Makes uses of one idempotency key, in all processes, wait for the end of this transaction. */
export async function lockName(transaction: Transaction<Tables>, accountId: string, name: string): Promise<void> {
  await lockByName(transaction, `idempotency ${accountId} ${name}`);
}

/**
 * The job of an idempotency key that an account used in the last 24 hours, or null. Keys belong to accounts: they
 * outlive a rotation of the API key. Rows from before migration 0010-collections have the API key that they were used
 * with.
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

/** Stores the job of a name; an expired entry is replaced. */
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

/** How an account came to own a job: it requested it first, or joined it while it was queued or running. */
export type JobOwnership = 'first' | 'joined';

/**
 * Stores that an account joined a job that another one requested. The row is kept with the account's idempotency keys:
 * keys of callers contain no space, so this name cannot be taken.
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

/** The newest queued or running job that an account requested for this asset; null when there is none. */
export async function jobUnderWay(db: Database, assetId: string, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select jobs.id from jobs join api_keys on api_keys.id = jobs.key_id
    where jobs.state in ('queued', 'running') and jobs.asset_id = ${assetId} and api_keys.account_id = ${accountId}
    order by jobs.created_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

const joinedName = (jobId: string) => `joined ${jobId}`;
