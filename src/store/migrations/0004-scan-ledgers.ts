import { type Migration, sql } from 'kysely';

/** Where long scans of holders stand, so that one that was killed goes on instead of beginning anew. */
export const scanLedgers: Migration = {
  async up(db) {
    await sql`create table scan_ledgers (
      asset_id text primary key,
      ledger bytea not null,
      saved_at timestamptz not null
    )`.execute(db);
  },
};
