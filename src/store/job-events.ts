import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Appends events after the last one; numbers have no gaps because the job's row is locked. One statement without
 * concurrent writers: it reads the last number before it waits for the lock, so after a wait it is repeated in two.
 */
export async function appendEvents(db: Database, jobId: string, events: readonly string[]): Promise<void> {
  const job = sql`(select id from jobs where id = ${jobId} for update)`;
  try {
    await sql`with job as materialized ${job} ${insertEvents(jobId, events)}, job`.execute(db);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    await db.transaction().execute((transaction) => appendEventsIn(transaction, jobId, events));
  }
}

export async function appendEventsIn(
  transaction: Transaction<Tables>,
  jobId: string,
  events: readonly string[],
): Promise<void> {
  await transaction.selectFrom('jobs').select('id').where('id', '=', jobId).forUpdate().execute();
  await insertEvents(jobId, events).execute(transaction);
}

/** Appends events of several jobs; the transaction has already updated their rows, so that it holds the locks. */
export async function appendEventsOfJobs(
  transaction: Transaction<Tables>,
  told: readonly { readonly jobId: string; readonly events: readonly string[] }[],
): Promise<void> {
  const rows = told.flatMap(({ jobId, events }) => events.map((event, index) => ({ jobId, number: index + 1, event })));
  await sql`insert into job_events (job_id, seq, event)
    select told.job_id, greatest((select coalesce(max(seq), 0) from job_events e where e.job_id = told.job_id),
        (select newest from job_event_logs l where l.job_id = told.job_id)) + told.number, told.event
    from unnest(${rows.map((row) => row.jobId)}::text[], ${rows.map((row) => row.number)}::int[],
      ${rows.map((row) => row.event)}::text[]) told (job_id, number, event)`.execute(transaction);
}

function insertEvents(jobId: string, events: readonly string[]): RawBuilder<unknown> {
  return sql`insert into job_events (job_id, seq, event)
    select ${jobId}, greatest((select coalesce(max(seq), 0) from job_events where job_id = ${jobId}),
        (select newest from job_event_logs where job_id = ${jobId})) + told.number, told.event
    from unnest(${[...events]}::text[]) with ordinality told (event, number)`;
}

/** Number of a job's newest event; 0 when it has none. */
export async function newestEventNumber(db: Database, jobId: string): Promise<number> {
  const { rows } = await sql<{ newest: number }>`
    select greatest((select coalesce(max(seq), 0) from job_events where job_id = ${jobId}),
      (select newest from job_event_logs where job_id = ${jobId})) as newest`.execute(db);
  return rows[0]?.newest ?? 0;
}

/** Events after number `after`, the oldest first; limited in number. */
export async function eventsAfter(
  db: Database,
  jobId: string,
  after: number,
): Promise<readonly { readonly seq: number; readonly event: string }[]> {
  const rows = await db
    .selectFrom('job_events')
    .select(['seq', 'event'])
    .where('job_id', '=', jobId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(1_000)
    .execute();
  // Numbers have no gaps: events before the first row were packed; without a row, all of them were.
  if (rows[0]?.seq === after + 1) return rows;
  const log = await db.selectFrom('job_event_logs').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  if (log === undefined || log.newest <= after) return rows;
  return [...eventsOf(log).filter(({ seq }) => seq > after), ...rows];
}

/** Jobs per transaction. */
const JOBS_AT_ONCE = 100;
const LARGEST_LOG = 64 * 1024 * 1024;

/**
 * Packs the events of up to `JOBS_AT_ONCE` jobs, from `from` on by id, that ended before `before`: one compressed row
 * instead of a hundred. Readers see no difference. Returns the last job; null when there were fewer.
 */
export function packEvents(db: Database, before: string, from: string): Promise<string | null> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      select j.id from job_events e join jobs j on j.id = e.job_id
      where e.seq = 1 and e.job_id > ${from} and j.state in ('succeeded', 'failed', 'cancelled') and j.finished_at < ${before}
      order by j.id limit ${JOBS_AT_ONCE} for update of j skip locked`.execute(transaction);
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) return null;
    const loose = await transaction
      .deleteFrom('job_events')
      .where('job_id', 'in', ids)
      .returning(['job_id', 'seq', 'event'])
      .execute();
    const byJob = Map.groupBy(
      loose.sort((a, b) => a.seq - b.seq),
      (row) => row.job_id,
    );
    await transaction
      .insertInto('job_event_logs')
      .values(
        [...byJob].map(([job_id, events]) => ({
          job_id,
          newest: events.at(-1)?.seq ?? 0,
          events: zstdCompressSync(JSON.stringify(events.map(({ event }) => event))),
        })),
      )
      .execute();
    return rows.length < JOBS_AT_ONCE ? null : (ids.at(-1) ?? null);
  });
}

function eventsOf({ newest, events }: { readonly newest: number; readonly events: Buffer }) {
  const texts = JSON.parse(
    zstdDecompressSync(events, { maxOutputLength: LARGEST_LOG }).toString(),
  ) as readonly string[];
  return texts.map((event, index) => ({ seq: newest - texts.length + 1 + index, event }));
}
