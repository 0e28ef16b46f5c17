import { RATINGS } from './0006-ratings.ts';
import type { Change } from './change.ts';

/** `monitored_assets` that the monitor rates. */
const IS_MONITORED = 'removed_at is null and not paused';

/** Changes 0003 to 0016, the oldest first. */
export const EARLIER: readonly Change[] = [
  {
    // Keys that sign published objects. A retired key stays: its signatures can still be checked.
    name: '0003-signing',
    compatibleFrom: '0003-signing',
    statements: [
      `create table signing_keys (
        id text primary key,
        public_key bytea not null,
        private_key bytea not null,
        created_at timestamptz not null,
        retired_at timestamptz
      )`,
      // Two processes that start at once agree on one key.
      'create unique index signing_keys_one_active on signing_keys ((true)) where retired_at is null',
    ],
  },
  {
    // Positions of long scans of holders, so that one that was killed continues instead of starting anew.
    name: '0004-scan-ledgers',
    compatibleFrom: '0004-scan-ledgers',
    statements: [
      'create table scan_ledgers (asset_id text primary key, ledger bytea not null, saved_at timestamptz not null)',
    ],
  },
  {
    // Ledgers in pages, since one value cannot hold those of the largest tokens. Older ledgers are read again from the
    // chain.
    name: '0005-scan-ledger-pages',
    compatibleFrom: '0005-scan-ledger-pages',
    statements: [
      'drop table scan_ledgers',
      `create table scan_ledger_pages (
        asset_id text collate "C" not null,
        page int not null,
        bytes bytea not null,
        saved_at timestamptz not null,
        primary key (asset_id, page)
      )`,
    ],
  },
  { name: '0006-ratings', compatibleFrom: '0006-ratings', statements: RATINGS },
  {
    // Processes that share this database, and their shared budgets of requests to sources.
    name: '0007-processes',
    compatibleFrom: '0006-ratings',
    statements: [
      `create table service_processes (
        id text primary key,
        role text not null,
        version text not null,
        started_at timestamptz not null,
        seen_at timestamptz not null
      )`,
      // Its rows are useful for a minute: nothing is lost when a crash empties it, and no write waits for the disk.
      `create unlogged table source_turns (
        label text collate "C" primary key,
        next_at timestamptz not null,
        silent_until timestamptz
      )`,
    ],
  },
  {
    // Search for the beginning of a name. Pattern indexes serve LIKE whatever the database's collation is.
    name: '0008-search',
    compatibleFrom: '0006-ratings',
    statements: [],
    indexes: [
      { name: 'rated_assets_symbol_prefix', on: 'rated_assets (symbol_folded text_pattern_ops)' },
      { name: 'rated_assets_name_prefix', on: 'rated_assets (lower(name) text_pattern_ops)' },
      { name: 'rated_assets_address_prefix', on: 'rated_assets (lower(address) text_pattern_ops)' },
    ],
  },
  {
    // Indexes for a pass of the monitor: with a million assets, each of its full scans took seconds.
    name: '0009-monitoring',
    compatibleFrom: '0006-ratings',
    // Replaced by `monitored_assets_due_first`, which only serves speed: processes that run before it exists are slower
    // but correct.
    statements: ['drop index if exists monitored_assets_due'],
    indexes: [
      // In the order in which rows are taken, so that taking ten does not sort all due rows.
      { name: 'monitored_assets_due_first', on: `monitored_assets (due_at, asset_id) where ${IS_MONITORED}` },
      { name: 'monitored_assets_under_way', on: 'monitored_assets (job_id) where job_id is not null' },
      // By chain, the longest unread first.
      {
        name: 'monitored_assets_unread',
        on: `monitored_assets (split_part(asset_id, '/', 1), coalesce(keys_seen_at, '-infinity'), asset_id) where ${IS_MONITORED}`,
      },
    ],
  },
  {
    // Collections separate from callers' jobs, and an expiry for results that are not published
    // (docs/decisions/0021-collections.md).
    name: '0010-collections',
    compatibleFrom: '0006-ratings',
    statements: [
      `alter table jobs
        add column kind text not null default 'score',
        add column asset_id text,
        add column collection_id text,
        add column answered_by text,
        add column answer text,
        add column expires_at timestamptz`,
    ],
    indexes: [
      { name: 'jobs_expiry', on: 'jobs (expires_at) where expires_at is not null' },
      { name: 'jobs_answers', on: 'jobs (answered_by) where answered_by is not null' },
      { name: 'idempotency_jobs', on: 'idempotency (job_id)' },
    ],
  },
  {
    // Lists of everything that a source has, as last fetched by any process (docs/decisions/0028-lists-and-budgets.md).
    name: '0011-source-lists',
    compatibleFrom: '0006-ratings',
    // Not logged: after a crash of the server they are fetched again.
    statements: [
      `create unlogged table source_lists (
        name text primary key,
        fetched_at timestamptz,
        record text,
        body bytea,
        claimed_until timestamptz
      )`,
    ],
  },
  {
    // Snapshots are taken from their schedule under leases (docs/decisions/0033-one-queue.md).
    name: '0012-leases',
    compatibleFrom: '0006-ratings',
    statements: [
      'alter table index_schedule add column lease_until timestamptz',
      // Replaced by the two below, which only serve speed: processes that run before they exist are slower but correct.
      'drop index if exists index_schedule_due',
    ],
    // First snapshots separate from repeated ones, so that finding a row of one set does not scan the other.
    indexes: [
      { name: 'index_schedule_first', on: 'index_schedule (kind, due_at) where last_ended_at is null and deaths = 0' },
      {
        name: 'index_schedule_again',
        on: 'index_schedule (kind, due_at) where last_ended_at is not null or deaths > 0',
      },
    ],
  },
  {
    // Health of each source: when it is read next, its weight, its last replies (docs/proving.md).
    name: '0013-source-watch',
    compatibleFrom: '0006-ratings',
    statements: [
      `create table source_watch (
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
      )`,
      'create index source_watch_due on source_watch (due_at)',
    ],
  },
  {
    // The class an asset is rated as, by which lists are filtered and peers are compared. Null for ratings from before
    // classes, until the asset is rated again.
    name: '0014-rating-class',
    compatibleFrom: '0006-ratings',
    statements: ['alter table rated_assets add column class text', 'alter table peers add column class text'],
    indexes: [{ name: 'rated_assets_class', on: 'rated_assets (class)' }],
  },
  {
    // Accounts that are notified of drifts, and the drifts that were reported to each (docs/alerts.md).
    name: '0015-source-drift-alerts',
    compatibleFrom: '0006-ratings',
    statements: [
      `create table drift_subscriptions (
        account_id text collate "C" primary key,
        sources text[],
        created_at timestamptz not null
      )`,
      `create table drift_alerts_open (
        account_id text collate "C" not null references drift_subscriptions (account_id) on delete cascade,
        source text collate "C" not null,
        severity text not null,
        opened_at timestamptz not null,
        primary key (account_id, source)
      )`,
      'alter table source_watch add column drift_endpoint text, add column usual_since timestamptz',
    ],
  },
  {
    // Launches, for the ratings of their assets; first payers of wallets, for comparison with groups of other assets
    // (docs/forensics.md); the deviation of watched pegs (docs/alerts.md).
    name: '0016-launches-and-pegs',
    compatibleFrom: '0006-ratings',
    statements: [
      `create table launches (
        asset_id text collate "C" primary key,
        record bytea not null,
        kept_at timestamptz not null
      )`,
      `create table first_payments (
        chain text collate "C" not null,
        wallet text collate "C" not null,
        funder text collate "C" not null,
        paid_at timestamptz,
        asset_id text collate "C" not null,
        seen_at timestamptz not null,
        primary key (chain, wallet)
      )`,
      'create index first_payments_time on first_payments (chain, paid_at)',
      `create table peg_watch (
        asset_id text collate "C" primary key,
        currency text not null,
        target_usd double precision not null,
        rated_at timestamptz not null,
        seen_at timestamptz,
        bps_hours double precision not null default 0,
        state text not null default 'quiet',
        since timestamptz
      )`,
    ],
  },
];
