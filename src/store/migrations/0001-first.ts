/** Keys, jobs with their events, evidence with its bodies, ratings, peers, idempotency. */
export const FIRST: readonly string[] = [
  'create table installation (id int primary key check (id = 1), data_mode text not null)',
  `create table api_keys (
    id text primary key,
    secret_sha256 bytea not null unique,
    prefix text not null,
    name text not null,
    scopes text[] not null,
    plan text not null,
    allowed_ips text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    rotated_from text references api_keys (id)
  )`,
  `create table jobs (
    id text primary key,
    state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    request text not null,
    request_hash text not null,
    deadline_seconds int not null,
    key_id text not null,
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    attempts int not null default 0,
    failure text,
    owner text,
    lease_until timestamptz,
    cancel_requested boolean not null default false,
    position bigint generated always as identity
  )`,
  // An identical request that is still pending is joined, not run twice, in whichever process it arrives.
  `create unique index jobs_one_active on jobs (request_hash) where state in ('queued', 'running')`,
  `create index jobs_waiting on jobs (position) where state = 'queued'`,
  `create index jobs_leases on jobs (lease_until) where state = 'running'`,
  `create table job_events (
    job_id text not null references jobs (id) on delete cascade,
    seq int not null,
    event text not null,
    primary key (job_id, seq)
  )`,
  // Bytes, not jsonb: a replay compares bytes.
  `create table evidence (
    job_id text primary key references jobs (id),
    record bytea not null,
    result_sha256 text not null,
    result bytea not null,
    stored_at timestamptz not null
  )`,
  `create table bodies (
    sha256 text primary key,
    source text not null,
    body bytea not null,
    bytes bigint not null,
    first_seen timestamptz not null,
    keep_until timestamptz
  )`,
  `create index bodies_expiry on bodies (keep_until) where keep_until is not null`,
  `create table ratings (
    asset_id text not null,
    job_id text not null references jobs (id),
    as_of timestamptz not null,
    band text not null,
    score double precision,
    trust double precision not null,
    factors text not null,
    methodology text not null,
    vfr double precision,
    primary key (asset_id, as_of, job_id)
  )`,
  `create table peers (
    asset_id text primary key,
    category text not null,
    as_of timestamptz not null,
    market_value_usd double precision not null,
    drivers text not null
  )`,
  `create table idempotency (
    key_id text not null,
    idempotency_key text not null,
    request_hash text not null,
    job_id text not null references jobs (id),
    created_at timestamptz not null,
    primary key (key_id, idempotency_key)
  )`,
];
