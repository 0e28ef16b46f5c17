import { type Selectable, sql, type Transaction } from 'kysely';
import { type Database, lockByName } from './database.ts';
import { after, leaseQueue } from './lease-queue.ts';
import type { Tables } from './tables.ts';

export type BulkJobRow = Selectable<Tables['bulk_jobs']>;
export type BulkRow = Selectable<Tables['bulk_rows']>;
export type NewBulkJob = Omit<BulkJobRow, 'finished_at' | 'cancelled_at' | 'due_at' | 'lease_until' | 'holder'>;
export type NewBulkRow = Omit<BulkRow, 'bulk_id' | 'job_id' | 'interruptions'>;
export type BulkRowState = 'waiting' | 'running' | 'rated' | 'failed' | 'refused' | 'duplicate' | 'cancelled';

const IDEMPOTENCY_HOURS = 24;
const LEASE_SECONDS = 20;
const queue = leaseQueue({
  table: 'bulk_jobs',
  key: ['id'],
  lease: 'lease_until',
  holder: 'holder',
  open: sql<boolean>`t.finished_at is null`,
  letGo: { holder: null },
});

/**
 * Stores a bulk job with all its rows, or returns the one that the account sent under the same idempotency key within a
 * day. `reused`: that one had another body.
 */
export function insertBulkJob(
  db: Database,
  job: NewBulkJob,
  rows: readonly NewBulkRow[],
): Promise<{ readonly outcome: 'created' | 'known' | 'reused'; readonly job: BulkJobRow }> {
  return db.transaction().execute(async (transaction) => {
    if (job.idempotency_key !== null) {
      await lockByName(transaction, `bulk ${job.account_id} ${job.idempotency_key}`);
      const earlier = await transaction
        .selectFrom('bulk_jobs')
        .selectAll()
        .where('account_id', '=', job.account_id)
        .where('idempotency_key', '=', job.idempotency_key)
        .where('created_at', '>', new Date(Date.parse(job.created_at) - IDEMPOTENCY_HOURS * 3_600_000).toISOString())
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      if (earlier) return { outcome: earlier.body_sha256 === job.body_sha256 ? 'known' : 'reused', job: earlier };
    }
    const stored = await transaction.insertInto('bulk_jobs').values(job).returningAll().executeTakeFirstOrThrow();
    const all = rows.map((row) => ({ ...row, bulk_id: job.id }));
    await sql`insert into bulk_rows (bulk_id, row_number, requested, request, state, duplicate_of, outcome, ended_at)
      select bulk_id, row_number, requested, request, state, duplicate_of, outcome, ended_at
      from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as given (bulk_id text, row_number int, requested text,
        request text, state text, duplicate_of int, outcome text, ended_at timestamptz)`.execute(transaction);
    return { outcome: 'created', job: stored };
  });
}

/** A bulk job with the number of its rows by state, and of its failures by their codes. */
export interface BulkProgress {
  readonly job: BulkJobRow;
  readonly states: Readonly<Partial<Record<BulkRowState, number>>>;
  readonly codes: readonly { readonly code: string; readonly rows: number }[];
}

/** Null when the account has no bulk job of this id; `accountId` null: any account. */
export async function bulkProgress(db: Database, id: string, accountId: string | null): Promise<BulkProgress | null> {
  const job = await db.selectFrom('bulk_jobs').selectAll().where('id', '=', id).executeTakeFirst();
  if (job === undefined || (accountId !== null && job.account_id !== accountId)) return null;
  const { rows } = await sql<{ state: BulkRowState; code: string | null; rows: number }>`
    select state, case when state in ('failed', 'refused') then outcome::jsonb ->> 'code' end as code, count(*)::int as rows
    from bulk_rows where bulk_id = ${id} group by 1, 2 order by 3 desc, 2`.execute(db);
  const states: Partial<Record<BulkRowState, number>> = {};
  for (const row of rows) states[row.state] = (states[row.state] ?? 0) + row.rows;
  return {
    job,
    states,
    codes: rows.flatMap(({ code, rows: count }) => (code === null ? [] : [{ code, rows: count }])),
  };
}

/** Newest first, below `before` (an id of the account’s list). */
export function bulkJobsOf(
  db: Database,
  page: { readonly accountId: string; readonly before: string | null; readonly limit: number },
): Promise<BulkJobRow[]> {
  return db
    .selectFrom('bulk_jobs')
    .selectAll()
    .where('account_id', '=', page.accountId)
    .$if(page.before !== null, (query) => query.where('id', '<', page.before ?? ''))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** Rows in their order, after `after`. */
export function bulkRows(
  db: Database,
  page: { readonly id: string; readonly state: BulkRowState | null; readonly after: number; readonly limit: number },
): Promise<BulkRow[]> {
  return db
    .selectFrom('bulk_rows')
    .selectAll()
    .where('bulk_id', '=', page.id)
    .where('row_number', '>', page.after)
    .$if(page.state !== null, (query) => query.where('state', '=', page.state ?? ''))
    .orderBy('row_number')
    .limit(page.limit)
    .execute();
}

/** Requests the end of a bulk job: queued rows are cancelled at its next step. False when it has ended. */
export async function cancelBulkJob(db: Database, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_jobs')
    // The due time is by the clock of `takeBulkJobs`: that of the service may differ.
    .set({ cancelled_at: at, due_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Bulk jobs with a due step, under leases. */
export async function takeBulkJobs(db: Database, limit: number): Promise<readonly BulkJobRow[]> {
  const taken = queue.take<BulkJobRow>({
    where: sql`t.finished_at is null and t.due_at <= clock_timestamp()`,
    order: sql`t.due_at`,
    limit,
    leaseSeconds: LEASE_SECONDS,
    set: { holder: sql`gen_random_uuid()::text` },
  });
  return (await taken.execute(db)).rows;
}

/** Ends a step: the next one is due in this number of seconds, or the job is finished. */
export async function endBulkStep(
  db: Database,
  job: Pick<BulkJobRow, 'id' | 'holder'>,
  next: { readonly seconds: number } | { readonly finishedAt: string },
): Promise<void> {
  const held = { id: job.id, holder: job.holder };
  if ('finishedAt' in next) await queue.end([{ ...held, set: { finished_at: next.finishedAt } }]).execute(db);
  else await queue.end([held], { due_at: after(next.seconds) }).execute(db);
}

/** The rows of a bulk job that are not done: those that run, and the first queued ones. */
export async function openBulkRows(db: Database, id: string, waiting: number): Promise<readonly BulkRow[]> {
  const running = await db
    .selectFrom('bulk_rows')
    .selectAll()
    .where('bulk_id', '=', id)
    .where('state', '=', 'running')
    .orderBy('row_number')
    .execute();
  const next = await db
    .selectFrom('bulk_rows')
    .selectAll()
    .where('bulk_id', '=', id)
    .where('state', '=', 'waiting')
    .orderBy('row_number')
    .limit(waiting)
    .execute();
  return [...running, ...next];
}

/** Updates a row in the state `from`; a row that another process has updated meanwhile is left unchanged. */
export async function setBulkRow(
  db: Database | Transaction<Tables>,
  row: Pick<BulkRow, 'bulk_id' | 'row_number'>,
  from: BulkRowState,
  set: Partial<Pick<BulkRow, 'state' | 'job_id' | 'outcome' | 'ended_at' | 'interruptions'>> & {
    readonly state: BulkRowState;
  },
): Promise<void> {
  await db
    .updateTable('bulk_rows')
    .set(set)
    .where('bulk_id', '=', row.bulk_id)
    .where('row_number', '=', row.row_number)
    .where('state', '=', from)
    .execute();
}

/** Cancels every queued row. */
export async function cancelWaitingRows(db: Database, id: string, at: string): Promise<void> {
  await db
    .updateTable('bulk_rows')
    .set({ state: 'cancelled', ended_at: at })
    .where('bulk_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Deletes bulk jobs that were finished before `before` (RFC 3339), with their rows. */
export async function deleteOldBulkJobs(db: Database, before: string): Promise<void> {
  await db.deleteFrom('bulk_jobs').where('finished_at', '<', before).execute();
}
