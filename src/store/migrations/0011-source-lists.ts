import { type Kysely, type Migration, sql } from 'kysely';

/** Lists of everything that a source knows, as the last process fetched them (docs/decisions/0028-lists-and-budgets.md). */
export const sourceLists: Migration = {
  async up(db: Kysely<unknown>) {
    // Not logged: after a crash of the server they are fetched again.
    await sql`create unlogged table source_lists (
      name text primary key,
      fetched_at timestamptz,
      record text,
      body bytea,
      claimed_until timestamptz
    )`.execute(db);
  },
};
