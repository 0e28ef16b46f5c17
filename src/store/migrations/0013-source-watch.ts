import { type Kysely, type Migration, sql } from 'kysely';

/** What is known of each source's health: when it is read next, its weight, what it was like lately (docs/proving.md). */
export const sourceWatch: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table source_watch (
      source text primary key,
      due_at timestamptz not null default 'epoch',
      lease_until timestamptz,
      holder text,
      weight double precision not null default 1,
      state text,
      checked_at timestamptz,
      drifting text[] not null default '{}',
      drift_at timestamptz,
      drift text,
      reachable boolean,
      succeeded_at timestamptz,
      failure text,
      latency_ms double precision,
      accepted double precision not null default 0,
      stated double precision not null default 0,
      tallied_at timestamptz
    )`.execute(db);
    await sql`create index source_watch_due on source_watch (due_at)`.execute(db);
  },
};
