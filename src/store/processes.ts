import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Role of a process: requests, work, or both. */
export type Role = 'all' | 'api' | 'worker';

export interface ProcessRow {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  /** RFC 3339 UTC. */
  readonly startedAt: string;
}

/** The processes that share the database. */
export type Processes = Awaited<ReturnType<typeof joinProcesses>>;

const HEARTBEAT_MS = 3_000;
/** Time without a sign of life after which a process counts as dead. */
const LIVES_SECONDS = 10;

/**
 * Registers this process, and calls `onWorkers` with the number of workers whenever it changes. Uses the database's
 * clock; processes without a sign of life for a day are deleted.
 */
export async function joinProcesses(
  db: Database,
  self: Pick<ProcessRow, 'id' | 'role' | 'version'>,
  onWorkers: (workers: number) => void,
  onError: (error: unknown) => void,
) {
  let living: readonly ProcessRow[] = [];
  let workers = 1;
  let beating: Promise<void> = beat();
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, HEARTBEAT_MS);
  timer.unref();
  await beating;

  async function beat(): Promise<void> {
    try {
      await sql`insert into service_processes (id, role, version, started_at, seen_at)
        values (${self.id}, ${self.role}, ${self.version}, clock_timestamp(), clock_timestamp())
        on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
      await sql`delete from service_processes where seen_at < clock_timestamp() - interval '1 day'`.execute(db);
      const { rows } = await sql<ProcessRow>`
        select id, role, version, started_at as "startedAt" from service_processes
        where seen_at > clock_timestamp() - make_interval(secs => ${LIVES_SECONDS}) order by started_at, id`.execute(
        db,
      );
      living = rows;
    } catch (error) {
      onError(error);
      return;
    }
    const now = Math.max(1, living.filter((row) => row.role !== 'api').length);
    if (now !== workers) onWorkers(now);
    workers = now;
  }

  return {
    /** The live processes, including this one. */
    list: () => living,
    /** True when there is no other process to notify. */
    isAlone: () => living.every((row) => row.id === self.id),
    async close(): Promise<void> {
      clearInterval(timer);
      await beating;
      await db.deleteFrom('service_processes').where('id', '=', self.id).execute().catch(onError);
    },
  };
}
