import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What a process does: answers requests, works, or both. */
export type Role = 'all' | 'api' | 'worker';

export interface ProcessRow {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  /** RFC 3339 UTC. */
  readonly startedAt: string;
}

/** Says that this process lives, and forgets those that were not heard of for a day. By the database's clock. */
export async function seeProcess(
  db: Database,
  { id, role, version }: Pick<ProcessRow, 'id' | 'role' | 'version'>,
): Promise<void> {
  await sql`insert into service_processes (id, role, version, started_at, seen_at)
    values (${id}, ${role}, ${version}, clock_timestamp(), clock_timestamp())
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
  await sql`delete from service_processes where seen_at < clock_timestamp() - interval '1 day'`.execute(db);
}

/** The processes heard of within `seconds`, the oldest first. */
export async function livingProcesses(db: Database, seconds: number): Promise<readonly ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`select id, role, version, started_at as "startedAt" from service_processes
    where seen_at > clock_timestamp() - make_interval(secs => ${seconds}) order by started_at, id`.execute(db);
  return rows;
}

/** Takes the process off the list: it ends. */
export async function forgetProcess(db: Database, id: string): Promise<void> {
  await db.deleteFrom('service_processes').where('id', '=', id).execute();
}
