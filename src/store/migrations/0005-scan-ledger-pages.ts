import { type Migration, sql } from 'kysely';

/** Ledgers in pages, since one value cannot hold those of the largest tokens. Older ledgers are read from the chain anew. */
export const scanLedgerPages: Migration = {
  async up(db) {
    await sql`drop table scan_ledgers`.execute(db);
    await sql`create table scan_ledger_pages (
      asset_id text collate "C" not null,
      page int not null,
      bytes bytea not null,
      saved_at timestamptz not null,
      primary key (asset_id, page)
    )`.execute(db);
  },
};
