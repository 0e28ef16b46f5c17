import { FIRST } from './0001-first.ts';
import { SNAPSHOTS } from './0002-snapshots.ts';
import { RATINGS } from './0006-ratings.ts';

/** A change of the tables, as one transaction, and what is made after it without stopping those who write. */
export interface Change {
  readonly name: string;
  /** SQL, run in this order in one transaction. */
  readonly statements: readonly string[];
  /**
   * The oldest version that still works on tables with this change in them, named by its newest change. A change that
   * only adds names the one that was newest before it; one that takes something away names the first that did without.
   */
  readonly compatibleFrom: string;
  /** Indexes on tables that are written all the time: made one by one outside of transactions. Never unique ones. */
  readonly indexes?: readonly LateIndex[];
}

export interface LateIndex {
  readonly name: string;
  /** Table and columns, as they stand after ON. */
  readonly on: string;
}

/** `bodies` that are worth a move: replies that are kept for two months or less are never looked at. */
const STAYS_LONG = "object_key is null and (keep_until is null or keep_until - first_seen > interval '60 days')";

/** `monitored_assets` that the monitor rates. */
const IS_MONITORED = 'removed_at is null and not paused';

/** Every change of the tables that this version knows, the oldest first (docs/decisions/0017-changes-side-by-side.md). */
export const CHANGES: readonly Change[] = [
  { name: '0001-first', compatibleFrom: '0001-first', statements: FIRST },
  { name: '0002-snapshots', compatibleFrom: '0002-snapshots', statements: SNAPSHOTS },
  {
    // Keys that published things are signed with. A retired key stays: what it signed can still be checked.
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
    // Where long scans of holders stand, so that one that was killed goes on instead of beginning anew.
    name: '0004-scan-ledgers',
    compatibleFrom: '0004-scan-ledgers',
    statements: [
      'create table scan_ledgers (asset_id text primary key, ledger bytea not null, saved_at timestamptz not null)',
    ],
  },
  {
    // Ledgers in pages, since one value cannot hold those of the largest tokens. Older ledgers are read from the chain anew.
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
    // Processes that share this database, and the budgets of requests to sources that they share.
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
      // What it holds is of use for a minute: nothing is lost when a crash empties it, and no write waits for the disk.
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
    // What a turn of the monitor rests on: with a million assets, each of its looks at all of them took seconds.
    name: '0009-monitoring',
    compatibleFrom: '0006-ratings',
    // `monitored_assets_due_first` serves whoever used it. For speed only: who works meanwhile is slower and never wrong.
    statements: ['drop index if exists monitored_assets_due'],
    indexes: [
      // In the order in which they are taken: nobody sorts all that are due to take ten.
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
    // Collections apart from the jobs of callers, and an end for what is not published (docs/decisions/0021-collections.md).
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
    // Lists of everything that a source knows, as the last process fetched them (docs/decisions/0028-lists-and-budgets.md).
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
      // The two below serve whoever used it. For speed only: who works meanwhile is slower and never wrong.
      'drop index if exists index_schedule_due',
    ],
    // First snapshots apart from those that are made again: neither crowd is read through to find one of the other.
    indexes: [
      { name: 'index_schedule_first', on: 'index_schedule (kind, due_at) where last_ended_at is null and deaths = 0' },
      {
        name: 'index_schedule_again',
        on: 'index_schedule (kind, due_at) where last_ended_at is not null or deaths > 0',
      },
    ],
  },
  {
    // What is known of each source's health: when it is read next, its weight, its last replies (docs/proving.md).
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
    // Which accounts are told when a source changes what it says, and of which drifts each was told (docs/alerts.md).
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
    // Launches, for the ratings of their assets; who first paid wallets, for groups of other assets to be compared with (docs/forensics.md);
    // how far watched pegs have been off (docs/alerts.md).
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
  {
    // The transparency log: every published rating has a place, given by one process at a time (docs/transparency.md).
    name: '0017-transparency-log',
    compatibleFrom: '0017-transparency-log',
    statements: [
      `create table log_queue (
        rating_id bigint primary key,
        asset_id text collate "C" not null,
        as_of timestamptz not null,
        record_sha256 text not null
      )`,
      `create table log_leaves (
        leaf_index bigint primary key,
        input text not null,
        rating_id bigint not null,
        asset_id text collate "C" not null
      )`,
      'create index log_leaves_asset on log_leaves (asset_id, leaf_index)',
      `create table log_tiles (
        level smallint not null,
        tile_index bigint not null,
        hash bytea not null,
        primary key (level, tile_index)
      )`,
      `create table log_heads (
        tree_size bigint primary key,
        root bytea not null,
        signed_at timestamptz not null,
        note text not null,
        cosignatures text[] not null
      )`,
      `insert into log_queue (rating_id, asset_id, as_of, record_sha256)
       select id, asset_id, as_of, encode(sha256(record), 'hex') from published_ratings`,
    ],
  },
  {
    // Who wants an asset indexed, so that one account's end ends nothing for others; many assets scored as one job
    // (docs/plans.md, docs/api-guide.md).
    name: '0018-accounts-at-work',
    compatibleFrom: '0017-transparency-log',
    statements: [
      `create table index_demands (
        holder text collate "C" not null,
        asset_id text collate "C" not null,
        kinds text[] not null,
        cadence text not null,
        since timestamptz not null,
        primary key (holder, asset_id)
      )`,
      'create index index_demands_asset on index_demands (asset_id)',
      // What was indexed until it is removed was wanted by the operator; what has an end, by its rating alone.
      `insert into index_demands (holder, asset_id, kinds, cadence, since)
        select 'operator', asset_id, kinds, cadence, added_at from indexed_assets
        where removed_at is null and wanted_until is null`,
      `create table bulk_jobs (
        id text collate "C" primary key,
        account_id text collate "C" not null,
        key_id text not null,
        created_at timestamptz not null,
        finished_at timestamptz,
        cancelled_at timestamptz,
        deadline_seconds int not null,
        at_once int not null,
        share int,
        idempotency_key text,
        body_sha256 text not null,
        due_at timestamptz not null default clock_timestamp(),
        lease_until timestamptz,
        holder text
      )`,
      'create index bulk_jobs_due on bulk_jobs (due_at) where finished_at is null',
      'create index bulk_jobs_account on bulk_jobs (account_id, created_at desc, id desc)',
      `create table bulk_rows (
        bulk_id text collate "C" not null references bulk_jobs (id) on delete cascade,
        row_number int not null,
        requested text not null,
        request text,
        state text not null,
        job_id text,
        duplicate_of int,
        interruptions int not null default 0,
        outcome text,
        ended_at timestamptz,
        primary key (bulk_id, row_number)
      )`,
      `create index bulk_rows_open on bulk_rows (bulk_id, row_number) where state in ('waiting', 'running')`,
    ],
    indexes: [{ name: 'indexed_assets_chain', on: 'indexed_assets (chain, asset_id) where removed_at is null' }],
  },
  {
    // How each source answered, hour by hour, for the last days (GET /v1/status).
    name: '0019-source-hours',
    compatibleFrom: '0017-transparency-log',
    statements: [
      `create table source_hours (
        source text not null,
        hour timestamptz not null,
        answered int not null default 0,
        failed int not null default 0,
        primary key (source, hour)
      )`,
    ],
  },
  {
    // What people without a key say of a rating, what rated parties that proved control say, and who read which rating, so that a
    // correction reaches them (docs/appeals.md).
    name: '0020-appeals',
    compatibleFrom: '0017-transparency-log',
    statements: [
      `alter table disputes add column origin text not null default 'account', add column reference text`,
      'create index disputes_reference on disputes (reference) where reference is not null',
      `create table appeals (
        id text collate "C" primary key,
        reference text collate "C" not null unique,
        asset_id text collate "C" not null,
        rating_id bigint not null,
        domain text,
        opened_at timestamptz not null,
        expires_at timestamptz not null,
        challenge text not null,
        attempts int not null default 0,
        state text not null check (state in ('awaiting_proof', 'proved', 'under_review', 'accepted', 'rejected', 'corrected')),
        proof_method text,
        proof_role text,
        proof_subject text,
        proved_at timestamptz,
        finding text,
        decided_at timestamptz,
        restatement_id bigint
      )`,
      'create index appeals_asset on appeals (asset_id, opened_at)',
      'create index appeals_list on appeals (opened_at desc, id desc)',
      `create table appeal_evidence (
        appeal_id text collate "C" not null references appeals (id) on delete cascade,
        place int not null,
        received_at timestamptz not null,
        statement text not null,
        links text[] not null,
        primary key (appeal_id, place)
      )`,
      `create table appeal_reviews (
        appeal_id text collate "C" not null references appeals (id) on delete cascade,
        key_id text collate "C" not null,
        decision text not null,
        finding text not null,
        restatement_id bigint,
        reviewed_at timestamptz not null,
        primary key (appeal_id, key_id)
      )`,
      `create table rating_reads (
        asset_id text collate "C" not null,
        account_id text collate "C" not null,
        day date not null,
        primary key (asset_id, day, account_id)
      )`,
      'create index rating_reads_day on rating_reads (day)',
      // Who has all kinds wants all kinds.
      `update webhooks set kinds = array_append(kinds, 'correction')
        where kinds @> array['score_change', 'risk_flag_change', 'band_transition', 'source_drift', 'peg_stress']`,
    ],
  },
  {
    // Keys whose signatures EVM contracts check; handled as signing_keys.
    name: '0021-attestation-keys',
    compatibleFrom: '0017-transparency-log',
    statements: [
      `create table attestation_keys (
        id text primary key,
        public_key bytea not null,
        private_key bytea not null,
        created_at timestamptz not null,
        retired_at timestamptz
      )`,
      'create unique index attestation_keys_one_active on attestation_keys ((true)) where retired_at is null',
    ],
  },
  {
    // Messages in the shapes of chat services, and what an endpoint is not sent for a time (docs/alerts.md).
    name: '0022-webhook-formats',
    compatibleFrom: '0017-transparency-log',
    statements: [
      "alter table webhooks add column format text not null default 'assay', add column chat_id text",
      `create table webhook_mutes (
        id text collate "C" primary key,
        webhook_id text not null references webhooks (id) on delete cascade,
        asset_id text,
        kind text,
        created_at timestamptz not null,
        until timestamptz not null,
        check (asset_id is not null or kind is not null)
      )`,
      "create unique index webhook_mutes_subject on webhook_mutes (webhook_id, coalesce(asset_id, ''), coalesce(kind, ''))",
    ],
  },
  {
    // Authorisations of pay-per-call, each good for one request (docs/x402.md).
    name: '0023-payments',
    compatibleFrom: '0017-transparency-log',
    statements: [
      `create table payments (
        network text collate "C" not null,
        token text collate "C" not null,
        payer text collate "C" not null,
        nonce text collate "C" not null,
        amount text not null,
        price_class text not null,
        resource text not null,
        state text not null check (state in ('claimed', 'settled', 'refused', 'unknown')),
        transaction_hash text,
        reason text,
        claimed_at timestamptz not null,
        ended_at timestamptz,
        primary key (network, token, payer, nonce)
      )`,
    ],
  },
  {
    // An authorisation whose row is gone could be used once more: rows are kept until its own end (docs/x402.md).
    name: '0024-payment-ends',
    compatibleFrom: '0017-transparency-log',
    statements: [
      'alter table payments add column valid_before timestamptz',
      'create index payments_by_time on payments (claimed_at)',
    ],
  },
  {
    // Old evidence in an object store of the operator's (docs/decisions/0051-object-store.md). A version before this one cannot read
    // what was moved, so none is let in.
    name: '0026-moved-evidence',
    compatibleFrom: '0026-moved-evidence',
    statements: [
      // Written before the object is, and until it is gone: whatever a crash leaves behind is found here.
      `create table moved_objects (
        key text collate "C" primary key,
        kind text not null check (kind in ('evidence', 'body')),
        subject text collate "C" not null,
        state text not null check (state in ('writing', 'kept', 'unwanted')),
        sha256 text not null,
        bytes bigint not null,
        since timestamptz not null
      )`,
      "create unique index moved_objects_writing on moved_objects (kind, subject) where state = 'writing'",
      "create index moved_objects_open on moved_objects (since, key) where state <> 'kept'",
      `alter table evidence add column object_key text collate "C",
        alter column record drop not null, alter column result drop not null`,
      'alter table bodies add column object_key text collate "C", alter column body drop not null',
    ],
    indexes: [
      { name: 'evidence_local', on: 'evidence (stored_at, job_id) where object_key is null' },
      { name: 'bodies_local', on: `bodies (first_seen, sha256) where ${STAYS_LONG}` },
    ],
  },
  {
    // Evidence without what it repeats, states by a dictionary, and newest ratings once (docs/decisions/0051-object-store.md). Rows that
    // are there are read as they are. A version before this one reads none of the new ones, so none is let in.
    name: '0027-packed',
    compatibleFrom: '0027-packed',
    statements: [
      `create table job_event_logs (
        job_id text primary key references jobs (id) on delete cascade,
        newest int not null,
        events bytea not null
      )`,
      // What is compressed already is not tried again.
      'alter table evidence alter column record set storage external, alter column result set storage external',
      'alter table bodies alter column body set storage external',
      `alter table rated_assets add column state_packed bytea, alter column state_packed set storage main,
        alter column state drop not null, alter column record drop not null, alter column signature drop not null`,
    ],
  },
];
