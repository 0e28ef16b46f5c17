import { type Kysely, type Migration, sql } from 'kysely';

/** Which accounts are told when a source changes its meaning, and of which drifts each was told (docs/alerts.md). */
export const sourceDriftAlerts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table drift_subscriptions (
      account_id text collate "C" primary key,
      sources text[],
      created_at timestamptz not null
    )`.execute(db);
    await sql`create table drift_alerts_open (
      account_id text collate "C" not null references drift_subscriptions (account_id) on delete cascade,
      source text collate "C" not null,
      severity text not null,
      opened_at timestamptz not null,
      primary key (account_id, source)
    )`.execute(db);
    await sql`alter table source_watch add column drift_endpoint text, add column usual_since timestamptz`.execute(db);
  },
};
