import { type Migration, sql } from 'kysely';

/** Processes that share this database, and the politeness towards sources that they share. */
export const processes: Migration = {
  async up(db) {
    await sql`create table service_processes (
      id text primary key,
      role text not null,
      version text not null,
      started_at timestamptz not null,
      seen_at timestamptz not null
    )`.execute(db);
    // What it holds is of use for a minute: nothing is lost when a crash empties it, and no write waits for the disk.
    await sql`create unlogged table source_turns (
      label text collate "C" primary key,
      next_at timestamptz not null,
      silent_until timestamptz
    )`.execute(db);
  },
};
