import { type Migration, sql } from 'kysely';

/** Keys that published things are signed with. A retired key stays: what it signed can still be checked. */
export const signing: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table signing_keys (
    id text primary key,
    public_key bytea not null,
    private_key bytea not null,
    created_at timestamptz not null,
    retired_at timestamptz
  )`,
  // Two processes that start at once agree on one key.
  'create unique index signing_keys_one_active on signing_keys ((true)) where retired_at is null',
];
