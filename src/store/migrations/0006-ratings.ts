/** Accounts, monitored assets with their published ratings, watchlists, alerts, webhooks, usage, service level, disputes. */
export const RATINGS: readonly string[] = [
  // A key belongs to an account: keys from before accounts get one each, and a rotated key keeps the account.
  `alter table api_keys add column account_id text`,
  `with recursive line (id, root) as (
     select id, id from api_keys where rotated_from is null
     union all select child.id, line.root from api_keys child join line on child.rotated_from = line.id
   ) update api_keys set account_id = 'acc_' || substr(line.root, 5) from line where line.id = api_keys.id`,
  `alter table api_keys alter column account_id set not null`,

  // The peer panel becomes one row per asset and day, kept permanently: a rating sees the peers of its day and no later
  // ones.
  `alter table peers drop constraint peers_pkey`,
  `alter table peers alter column asset_id type text collate "C"`,
  `alter table peers alter column market_value_usd drop not null`,
  `alter table peers add column day date`,
  `alter table peers add column readings text`,
  `alter table peers add column trust double precision`,
  `alter table peers add column aliases text[] not null default '{}'`,
  `alter table peers add column round text`,
  `update peers set day = (as_of at time zone 'utc')::date, readings = drivers`,
  `alter table peers alter column readings set not null`,
  `alter table peers add primary key (asset_id, day)`,
  `create index peers_day on peers (day)`,

  // One row per asset that was ever rated: the newest rating, and publication's state.
  `create table rated_assets (
    asset_id text collate "C" primary key,
    chain text,
    address text,
    symbol text,
    symbol_folded text,
    name text not null,
    category text not null,
    asset text not null,
    request text not null,
    state text not null,
    rating_id bigint not null,
    as_of timestamptz not null,
    stored_at timestamptz not null,
    band text not null,
    band_rank smallint not null,
    score double precision,
    trust double precision not null,
    vfr double precision,
    market_cap_usd double precision,
    liquidity_usd double precision,
    flags text[] not null,
    methodology text not null,
    action text not null,
    record bytea not null,
    signature text not null,
    changed_at timestamptz not null
  )`,
  `create index rated_assets_symbol on rated_assets (symbol_folded) where symbol_folded is not null`,
  `create index rated_assets_address on rated_assets (address) where address is not null`,
  `create index rated_assets_score on rated_assets (score desc nulls last, asset_id)`,
  `create index rated_assets_peers on rated_assets (category, market_cap_usd)`,
  `create index rated_assets_changed on rated_assets (changed_at)`,

  // Every published rating, kept permanently. `id` orders them; the record is canonical JSON, signed.
  `create table published_ratings (
    id bigint generated always as identity,
    asset_id text collate "C" not null,
    as_of timestamptz not null,
    stored_at timestamptz not null,
    job_id text not null,
    band text not null,
    indicative_band text not null,
    score double precision,
    smoothed_score double precision,
    trust double precision not null,
    vfr double precision,
    vfr_zone text not null,
    action text not null,
    reversal boolean not null,
    flags text[] not null,
    methodology text not null,
    record bytea not null,
    signature text not null,
    primary key (asset_id, id)
  )`,
  `create index published_ratings_time on published_ratings (asset_id, as_of desc, id desc)`,
  `create index published_ratings_day on published_ratings (as_of)`,
  `create index published_ratings_actions on published_ratings (as_of desc, id desc) where action <> 'affirm'`,
  `create unique index published_ratings_job on published_ratings (asset_id, job_id)`,

  // Assets that are rated again automatically. Separate from the heads, since these rows change much more often.
  `create table monitored_assets (
    asset_id text collate "C" primary key,
    added_by text not null,
    added_at timestamptz not null,
    wanted_until timestamptz,
    paused boolean not null default false,
    removed_at timestamptz,
    due_at timestamptz not null,
    reason text not null,
    cadence_seconds int not null,
    job_id text,
    job_started_at timestamptz,
    failures int not null default 0,
    last_failure text,
    keys_seen text,
    keys_seen_at timestamptz
  )`,
  `create index monitored_assets_due on monitored_assets (due_at) where removed_at is null and not paused`,

  `create table watchlist (
    account_id text not null,
    asset_id text collate "C" not null,
    added_at timestamptz not null,
    note text,
    thresholds text not null,
    baseline_score double precision,
    baseline_band text,
    baseline_flags text not null default '[]',
    primary key (account_id, asset_id)
  )`,
  `create index watchlist_asset on watchlist (asset_id)`,

  // Alerts are numbered per account. The number is taken under this row's lock, so that within an account a smaller
  // number is never committed after a larger one: a reader that continues after the last number it saw misses none.
  `create table alert_numbers (
    account_id text collate "C" primary key,
    last_id bigint not null
  )`,
  // `cause` identifies the rating and the kind: the same cause never creates a second alert.
  `create table alerts (
    id bigint not null,
    account_id text not null,
    asset_id text collate "C" not null,
    kind text not null,
    cause text not null,
    severity text not null,
    created_at timestamptz not null,
    acknowledged_at timestamptz,
    acknowledged_by text,
    body text not null,
    primary key (account_id, id),
    unique (account_id, asset_id, cause)
  )`,
  `create index alerts_of_entry on alerts (account_id, asset_id, created_at)`,
  `create index alerts_open on alerts (account_id, asset_id) where acknowledged_at is null`,
  `create index alerts_of_asset on alerts (asset_id, created_at) where acknowledged_at is null`,

  `create table webhooks (
    id text primary key,
    account_id text not null,
    url text not null,
    description text,
    kinds text[] not null,
    secret text not null,
    previous_secret text,
    previous_until timestamptz,
    enabled boolean not null,
    disabled_reason text,
    created_at timestamptz not null,
    consecutive_failures int not null default 0,
    failing_since timestamptz,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    last_failure text
  )`,
  `create index webhooks_account on webhooks (account_id)`,
  `create table webhook_messages (
    id text primary key,
    webhook_id text not null references webhooks (id) on delete cascade,
    account_id text not null,
    alert_id bigint,
    kind text not null,
    payload text,
    digest_id text,
    created_at timestamptz not null,
    state text not null check (state in ('pending', 'delivered', 'failed', 'folded')),
    attempts int not null default 0,
    due_at timestamptz not null,
    lease_until timestamptz,
    last_status int,
    last_detail text,
    finished_at timestamptz,
    unique (webhook_id, alert_id)
  )`,
  `create index webhook_messages_due on webhook_messages (due_at) where state = 'pending'`,
  `create index webhook_messages_list on webhook_messages (webhook_id, created_at desc, id desc)`,
  `create index webhook_messages_recent on webhook_messages (created_at)`,
  `create index webhook_messages_digest on webhook_messages (digest_id) where digest_id is not null`,

  // One row per process, sequence and minute: a flush that is repeated after a lost reply counts once.
  `create table usage_flushes (
    process_id text not null,
    sequence bigint not null,
    flushed_at timestamptz not null,
    primary key (process_id, sequence)
  )`,
  `create table usage_days (
    account_id text not null,
    key_id text not null,
    day date not null,
    endpoint_group text not null,
    plan text not null,
    requests bigint not null default 0,
    billable bigint not null default 0,
    refused bigint not null default 0,
    errors bigint not null default 0,
    bytes bigint not null default 0,
    primary key (account_id, key_id, day, endpoint_group, plan)
  )`,
  // Requests of a limit that processes have reserved in one window. `granted` and `most` are those of the last request.
  `create table limit_windows (
    owner text not null,
    kind text not null,
    starts_at timestamptz not null,
    used bigint not null default 0,
    granted bigint not null default 0,
    most bigint not null default 0,
    primary key (owner, kind, starts_at)
  )`,
  // Measurements of the service, by minute and process.
  `create table service_minutes (
    minute timestamptz not null,
    process_id text not null,
    endpoint_group text not null,
    requests bigint not null,
    failures bigint not null,
    latency_histogram text not null,
    primary key (minute, process_id, endpoint_group)
  )`,
  `create table freshness_minutes (
    minute timestamptz not null,
    chain text not null,
    kind text not null,
    cadence text not null,
    age_p50_seconds double precision not null,
    age_p99_seconds double precision not null,
    assets int not null,
    primary key (minute, chain, kind, cadence)
  )`,
  // Statements of settled months: they stay when prices change and minutes are deleted.
  `create table statements (
    account_id text not null,
    month text not null,
    made_at timestamptz not null,
    statement text not null,
    primary key (month, account_id)
  )`,

  `create table disputes (
    id text primary key,
    account_id text,
    asset_id text collate "C" not null,
    rating_id bigint,
    received_at timestamptz not null,
    claim text not null,
    contact text,
    state text not null check (state in ('received', 'accepted', 'rejected', 'restated')),
    resolution text,
    resolved_at timestamptz,
    restatement_id bigint
  )`,
  `create index disputes_account on disputes (account_id, received_at desc, id desc)`,
  `create index disputes_list on disputes (received_at desc, id desc)`,
  // Corrections, kept permanently: of a published day (`date` and `revision`), or of a rating (`rating_id`, with the
  // record that replaces it).
  `create table restatements (
    id bigint generated always as identity primary key,
    subject text not null,
    date date,
    revision int,
    asset_id text collate "C",
    rating_id bigint,
    made_at timestamptz not null,
    reason text not null,
    body text not null,
    record bytea,
    signature text
  )`,
  `create unique index restatements_day on restatements (subject, date, revision) where date is not null`,
  `create index restatements_rating on restatements (rating_id, id) where rating_id is not null`,
  // The last rating and the last correction in each revision of an exported day, so that it can be written again byte
  // for byte.
  `create table rating_days (
    day date not null,
    revision int not null,
    last_rating_id bigint not null,
    last_restatement_id bigint not null,
    closed_at timestamptz not null,
    primary key (day, revision)
  )`,
];
