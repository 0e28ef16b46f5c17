import { type Kysely, sql } from 'kysely';
import type { LateIndex } from './migrations/change.ts';

/** Key of the lock that one process holds while it makes indexes. */
const LOCK = 7_300_913;

/**
 * Makes the indexes that are missing or were left half made, while everybody reads and writes on. One process at a time;
 * another that comes meanwhile goes on without them, since they are there for speed only.
 */
export async function makeIndexes<Tables>(db: Kysely<Tables>, indexes: readonly LateIndex[]): Promise<void> {
  if ((await missing(db, indexes)).length === 0) return;
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCK}) as held`.execute(connection);
    if (!rows[0]?.held) return;
    try {
      for (const { name, on } of await missing(connection, indexes)) {
        // One that a killed process left behind is in the catalogue and serves nobody.
        await sql.raw(`drop index concurrently if exists ${name}`).execute(connection);
        await sql.raw(`create index concurrently ${name} on ${on}`).execute(connection);
      }
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

async function missing<Tables>(db: Kysely<Tables>, indexes: readonly LateIndex[]): Promise<readonly LateIndex[]> {
  if (indexes.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and i.indisvalid`.execute(db);
  const there = new Set(rows.map((row) => row.name));
  return indexes.filter((index) => !there.has(index.name));
}
