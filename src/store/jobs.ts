import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type Database, lockByName } from './database.ts';
import { appendEventsIn } from './job-events.ts';
import { after, leaseQueue } from './lease-queue.ts';
import type { Tables } from './tables.ts';

export type JobRow = Selectable<Tables['jobs']>;
/** Running jobs are leased; queued ones are taken in the order of their numbers. */
const jobs = leaseQueue({
  table: 'jobs',
  key: ['id'],
  lease: 'lease_until',
  holder: 'owner',
  open: sql`t.state = 'running'`,
  letGo: { owner: null },
});
const BY_NUMBER = sql`t.position`;

/** The new state of a job, with its events (JSON). */
export interface JobOutcome {
  readonly state: 'queued' | 'failed' | 'cancelled';
  /** JSON of the failure. */
  readonly failure: string | null;
  readonly events: readonly string[];
}

/** Columns set when a job is stored; the others have the values of a job that has not started. */
export type NewJob = Pick<
  JobRow,
  'id' | 'request' | 'request_hash' | 'deadline_seconds' | 'key_id' | 'created_at' | 'kind' | 'asset_id'
>;

/** The owner of a job that starts at once; null: it is queued. */
export type Holder = { readonly owner: string; readonly leaseMs: number } | null;

/** Stores a new job, or returns the running one with the same `request_hash`. */
export async function insertOrJoin(
  db: Database,
  row: NewJob,
  holder: Holder = null,
): Promise<{ readonly row: JobRow; readonly joined: boolean }> {
  for (;;) {
    const inserted = await db
      .insertInto('jobs')
      .values({
        ...row,
        ...(holder === null
          ? { state: 'queued', attempts: 0 }
          : {
              state: 'running',
              attempts: 1,
              started_at: row.created_at,
              owner: holder.owner,
              lease_until: after(holder.leaseMs / 1000) as RawBuilder<string>,
            }),
      })
      .onConflict((conflict) => conflict.column('request_hash').where('state', 'in', ['queued', 'running']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted) return { row: inserted, joined: false };
    const active = await activeJob(db, row.request_hash);
    if (active) return { row: active, joined: true };
  }
}

/** The queued or running job with this `request_hash`. */
export function activeJob(db: Database, requestHash: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('request_hash', '=', requestHash)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
}

export function jobById(db: Database, id: string): Promise<JobRow | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Reads jobs by id. Requests of one turn of the event loop are combined in one statement: all waiting callers poll at
 * the same moments (`wake`).
 */
export function createJobReader(db: Database): (id: string) => Promise<JobRow | undefined> {
  let next: Promise<ReadonlyMap<string, JobRow>> | null = null;
  let ids = new Set<string>();

  async function read(): Promise<ReadonlyMap<string, JobRow>> {
    await new Promise((resolve) => setImmediate(resolve));
    const asked = [...ids];
    ids = new Set();
    next = null;
    const rows = await db.selectFrom('jobs').selectAll().where(sql<boolean>`id = any(${asked})`).execute();
    return new Map(rows.map((row) => [row.id, row]));
  }

  return async (id) => {
    ids.add(id);
    next ??= read();
    return (await next).get(id);
  };
}

/**
 * Takes the oldest queued job of these kinds under a lease, collections first: scores wait for them. Undefined when
 * there is none.
 */
export async function claimJob(
  db: Database,
  owner: string,
  at: string,
  leaseMs: number,
  kinds: readonly string[],
): Promise<JobRow | undefined> {
  const { rows } = await jobs
    .take({
      where: sql`t.state = 'queued' and not t.cancel_requested and t.kind = any(${[...kinds]})`,
      order: sql`t.kind, t.position`,
      limit: 1,
      leaseSeconds: leaseMs / 1000,
      set: {
        state: sql`'running'`,
        owner: sql`${owner}`,
        started_at: sql`coalesce(t.started_at, ${at})`,
        attempts: sql`t.attempts + 1`,
      },
    })
    .execute(db);
  return rows[0];
}

/** Renews the leases of an owner's jobs and returns those whose cancellation was requested. */
export async function renewLeases(
  db: Database,
  owner: string,
  ids: readonly string[],
  leaseMs: number,
): Promise<readonly string[]> {
  const held = ids.map((id) => ({ id, owner }));
  const { rows } = await jobs.extend(held, leaseMs / 1000).execute(db);
  return rows.filter((row) => row.cancel_requested).map((row) => row.id);
}

/** The end of a job that ran. */
export interface Finished {
  readonly state: 'succeeded' | 'failed' | 'cancelled';
  /** JSON of the failure. */
  readonly failure: string | null;
  readonly at: string;
  /** When the job is deleted with its data; null: never. */
  readonly expiresAt: string | null;
  /** Of a score that succeeded: the job with its result (null: its own), and the other fields of its reply, JSON. */
  readonly answeredBy?: string | null;
  readonly answer?: string;
}

/** Ends a job that `owner` runs; false when its lease was lost. */
export async function finishJob(db: Database, id: string, owner: string, ended: Finished): Promise<boolean> {
  return (await finishJobs(db, owner, [{ id, ended }])).has(id);
}

/** Ends jobs that `owner` runs, in one statement. Returns those whose lease was not lost. */
export async function finishJobs(
  db: Database,
  owner: string,
  given: readonly { readonly id: string; readonly ended: Finished }[],
): Promise<ReadonlySet<string>> {
  const held = given.map(({ id, ended }) => ({
    id,
    owner,
    set: {
      state: ended.state,
      failure: ended.failure,
      finished_at: ended.at,
      expires_at: ended.expiresAt,
      answered_by: ended.answeredBy ?? null,
      answer: ended.answer ?? null,
    },
  }));
  const { rows } = await jobs.end(held).execute(db);
  return new Set(rows.map((row) => row.id));
}

/**
 * Cancels a queued job at once, to be deleted at `expiresAt`, and requests the cancellation of a running one; undefined
 * when it has already ended. A job being cancelled gives up its `request_hash`: it cannot be joined, and an equal
 * request starts another job.
 */
export function requestCancel(
  db: Database,
  id: string,
  outcome: JobOutcome,
  { at, expiresAt }: { readonly at: string; readonly expiresAt: string },
): Promise<JobRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom('jobs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row || !['queued', 'running'].includes(row.state)) return undefined;
    const { state, failure, events } = outcome;
    if (row.state === 'queued') await appendEventsIn(transaction, id, events);
    const change =
      row.state === 'queued'
        ? { state, failure, finished_at: at, expires_at: expiresAt }
        : { cancel_requested: true, request_hash: `${row.request_hash} ${id}` };
    return transaction.updateTable('jobs').set(change).where('id', '=', id).returningAll().executeTakeFirst();
  });
}

/** Outcomes of a job whose runner is gone. */
export interface LostJobOutcomes {
  readonly again: JobOutcome;
  readonly givenUp: JobOutcome;
  readonly cancelled: JobOutcome;
}

/** When a job that ends is deleted with its data, RFC 3339. */
export type ExpiryOf = (row: JobRow) => Promise<string>;

/**
 * Jobs whose runner died: back to the queue, failed after `mostAttempts`, or cancelled when that was requested. Returns
 * their ids.
 */
export function reapJobs(
  db: Database,
  at: string,
  mostAttempts: number,
  outcomes: LostJobOutcomes,
  expiryOf: ExpiryOf,
): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    const { rows: lost } = await jobs.lost(BY_NUMBER).execute(transaction);
    for (const row of lost) {
      const outcome = row.attempts < mostAttempts ? outcomes.again : outcomes.givenUp;
      await settle(transaction, row, row.cancel_requested ? outcomes.cancelled : outcome, {
        attempts: row.attempts,
        at,
        expiryOf,
      });
    }
    return lost.map((row) => row.id);
  });
}

/** Returns the running jobs of an owner to the queue, as if they had never started; cancelled ones end. */
export async function releaseJobs(
  db: Database,
  owner: string,
  at: string,
  outcomes: LostJobOutcomes,
  expiryOf: ExpiryOf,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows: held } = await jobs.lost(BY_NUMBER, owner).execute(transaction);
    for (const row of held)
      await settle(transaction, row, row.cancel_requested ? outcomes.cancelled : outcomes.again, {
        attempts: row.attempts - 1,
        at,
        expiryOf,
      });
  });
}

async function settle(
  transaction: Transaction<Tables>,
  row: JobRow,
  { state, failure, events }: JobOutcome,
  { attempts, at, expiryOf }: { readonly attempts: number; readonly at: string; readonly expiryOf: ExpiryOf },
): Promise<void> {
  const end = state === 'queued' ? null : { finished_at: at, expires_at: await expiryOf(row) };
  const set = { state, failure, attempts, finished_at: end?.finished_at ?? null, expires_at: end?.expires_at ?? null };
  // A partial result that was stored for a score whose process died is not the result of its next attempt.
  if (state === 'queued') await transaction.deleteFrom('evidence').where('job_id', '=', row.id).execute();
  await jobs.end([{ id: row.id, owner: row.owner, set }]).execute(transaction);
  await appendEventsIn(transaction, row.id, events);
}

/** True when an account exceeds its limit of queued or running jobs, those of this transaction included. */
export async function exceedsShare(
  transaction: Transaction<Tables>,
  { accountId, most }: { readonly accountId: string; readonly most: number },
): Promise<boolean> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from jobs join api_keys on api_keys.id = jobs.key_id
    where jobs.state in ('queued', 'running') and api_keys.account_id = ${accountId}`.execute(transaction);
  return Number(rows[0]?.jobs ?? 0) > most;
}

/** Makes an account's submissions, in all processes, wait for the end of this transaction. */
export async function lockShare(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await lockByName(transaction, `jobs ${accountId}`);
}

/** Deletes a job of this transaction. */
export async function withdrawJob(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction.deleteFrom('jobs').where('id', '=', id).execute();
}

export async function countWaiting(db: Database): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
