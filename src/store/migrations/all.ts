import { FIRST } from './0001-first.ts';
import { SNAPSHOTS } from './0002-snapshots.ts';
import { EARLIER } from './0003-to-0016.ts';
import type { Change } from './change.ts';

/** `bodies` that may be moved: replies with a retention of two months or less are not considered. */
const STAYS_LONG = "object_key is null and (keep_until is null or keep_until - first_seen > interval '60 days')";

/** Every change of the tables in this version, the oldest first (docs/decisions/0017-changes-side-by-side.md). */
export const CHANGES: readonly Change[] = [
  { name: '0001-first', compatibleFrom: '0001-first', statements: FIRST },
  { name: '0002-snapshots', compatibleFrom: '0002-snapshots', statements: SNAPSHOTS },
  ...EARLIER,
  {
    // The transparency log: every published rating has an index, assigned by one process at a time
    // (docs/transparency.md).
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
    // Accounts that requested the indexing of an asset, so that the end of one demand affects no other account; many
    // assets scored as one job (docs/plans.md, docs/api-guide.md).
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
      // Indexed assets without an end were requested by the operator; those with an end are indexed only for their
      // rating.
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
    // Replies of each source, hour by hour, for the last days (GET /v1/status).
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
    // Objections without a key, appeals of rated parties with proof of control, and which account read which rating, so that a
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
      // An account with all kinds gets all kinds.
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
    // Messages in the formats of chat services, and mutes of endpoints (docs/alerts.md).
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
    // Authorisations of pay-per-call, each valid for one request (docs/x402.md).
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
    // An authorisation without a row could be used once more: rows are kept until it expires (docs/x402.md).
    name: '0024-payment-ends',
    compatibleFrom: '0017-transparency-log',
    statements: [
      'alter table payments add column valid_before timestamptz',
      'create index payments_by_time on payments (claimed_at)',
    ],
  },
  {
    // Old evidence in the operator's object store (docs/decisions/0051-object-store.md). Earlier versions cannot read
    // moved evidence, so they must not start.
    name: '0026-moved-evidence',
    compatibleFrom: '0026-moved-evidence',
    statements: [
      // A row is written before its object, and deleted after it: objects left by a crash are found here.
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
    // Evidence without repeated content, states packed with a dictionary, and newest ratings stored once
    // (docs/decisions/0051-object-store.md). Existing rows are read unchanged. Earlier versions cannot read the new
    // rows, so they must not start.
    name: '0027-packed',
    compatibleFrom: '0027-packed',
    statements: [
      `create table job_event_logs (
        job_id text primary key references jobs (id) on delete cascade,
        newest int not null,
        events bytea not null
      )`,
      // The values are compressed already.
      'alter table evidence alter column record set storage external, alter column result set storage external',
      'alter table bodies alter column body set storage external',
      `alter table rated_assets add column state_packed bytea, alter column state drop not null,
        alter column record drop not null, alter column signature drop not null`,
      // Citus refuses this for a distributed table; one that is distributed later keeps it.
      `do $$ begin
        if to_regclass('pg_catalog.pg_dist_partition') is not null then
          if exists (select from pg_catalog.pg_dist_partition where logicalrelid = 'rated_assets'::regclass) then
            return;
          end if;
        end if;
        alter table rated_assets alter column state_packed set storage main;
      end $$`,
    ],
  },
  {
    // Thresholds on figures of snapshots (docs/decisions/0052-thresholds-on-snapshots.md).
    name: '0028-snapshot-thresholds',
    compatibleFrom: '0027-packed',
    statements: [
      // `seen_...`: newest processed snapshot of the kind; null where no rule is about the kind.
      `create table snapshot_thresholds (
        account_id text collate "C" not null,
        asset_id text collate "C" not null,
        chain text not null,
        added_at timestamptz not null,
        note text,
        rules text not null,
        states text not null,
        seen_market timestamptz,
        seen_holders timestamptz,
        seen_pools timestamptz,
        primary key (account_id, asset_id)
      )`,
      'create index snapshot_thresholds_asset on snapshot_thresholds (asset_id)',
      // An account with all kinds gets all kinds.
      `update webhooks set kinds = array_append(kinds, 'snapshot_threshold') where kinds @>
        array['score_change', 'risk_flag_change', 'band_transition', 'source_drift', 'peg_stress', 'correction']`,
    ],
  },
  {
    // Receipts of requests that were paid for one by one (docs/x402.md); null for payments before them.
    name: '0029-payment-receipts',
    compatibleFrom: '0027-packed',
    statements: [
      'alter table payments add column receipt_sha256 text',
      'create index payments_receipt on payments (receipt_sha256)',
    ],
  },
  {
    // Records of ratings, packed (src/store/packed-record.ts). Existing rows are read unchanged. Earlier versions
    // cannot read the new rows, so they must not start.
    name: '0030-packed-records',
    compatibleFrom: '0030-packed-records',
    statements: [],
  },
  {
    // Jobs that failed or were cancelled by versions without an expiry were kept for ever. Successful ones without an
    // expiry are published ratings, which stay.
    name: '0031-ended-jobs',
    compatibleFrom: '0030-packed-records',
    statements: [
      `update jobs set expires_at = finished_at + interval '30 days'
        where state in ('failed', 'cancelled') and expires_at is null`,
    ],
  },
  {
    // What lists of ratings as of a time filter by; null for ratings before it, which are filtered by the newest one's.
    name: '0032-past-classes',
    compatibleFrom: '0030-packed-records',
    statements: ['alter table published_ratings add column category text, add column class text'],
  },
  {
    // A head is updated in place (HOT) where no indexed column changes; before, the time of the change and the market
    // value of every rating wrote all of its indexes. What was rated lately is read from `published_ratings`.
    name: '0033-heads-in-place',
    compatibleFrom: '0030-packed-records',
    statements: [
      'drop index if exists rated_assets_changed',
      // Replaced by the one below, which only serves speed: processes that run before it exists are slower but correct.
      'drop index if exists rated_assets_peers',
      // Room on each page for the next version of its rows.
      'alter table rated_assets set (fillfactor = 70)',
    ],
    indexes: [{ name: 'rated_assets_category', on: 'rated_assets (category)' }],
  },
  {
    // Where a challenge that nobody has met yet came from, so that a few addresses cannot end the challenges of others
    // (docs/appeals.md).
    name: '0034-appeals-opened-from',
    compatibleFrom: '0030-packed-records',
    statements: ['alter table appeals add column opened_from text'],
  },
];
