import { sql } from 'kysely';
import type { Database } from './database.ts';
import { keepListening, type ListenOptions } from './listening.ts';

/**
 * What is told of a job: something changed, it waits for a worker, somebody wants it cancelled, or a score wants to know what
 * its collection knows so far.
 */
export type JobSignal = 'changed' | 'waiting' | 'cancelled' | 'partial';
export interface ToldJob {
  readonly jobId: string;
  readonly jobSignal: JobSignal;
}

const JOBS_CHANNEL = 'assay_jobs';
/** What one notification may hold is 8,000 bytes; an id has about thirty. */
const MOST_AT_ONCE = 100;
const SIGNS = { changed: '=', waiting: '+', cancelled: '-', partial: '?' } as const satisfies Record<JobSignal, string>;

/** Tells all processes. In statements of their own: no commit of a job ever waits for it. */
export async function tellJobs(db: Database, told: readonly ToldJob[]): Promise<void> {
  for (let from = 0; from < told.length; from += MOST_AT_ONCE) {
    const lines = told.slice(from, from + MOST_AT_ONCE).map(({ jobId, jobSignal }) => `${SIGNS[jobSignal]}${jobId}`);
    await sql`select pg_notify(${JOBS_CHANNEL}, ${lines.join('\n')})`.execute(db);
  }
}

/** Listens for what is told of jobs. What is told while the connection is away is lost: readers poll too. */
export function listenForJobs(
  options: ListenOptions,
  onTold: (told: ToldJob) => void,
): { readonly close: () => Promise<void> } {
  return keepListening(
    {
      name: JOBS_CHANNEL,
      listener: 'assay-job-listener',
      onPayload(payload) {
        for (const line of payload.split('\n'))
          for (const jobSignal of ['changed', 'waiting', 'cancelled', 'partial'] as const)
            if (line.startsWith(SIGNS[jobSignal])) onTold({ jobId: line.slice(1), jobSignal });
      },
      recheck: async () => undefined,
    },
    options,
  );
}
