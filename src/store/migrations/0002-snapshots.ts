/**
 * Snapshots of chain data, price history, indexed assets with their schedule, the daily close. Partitions are days in
 * UTC, created by `snapshots/partitions.ts`. Keys begin with the asset, so that a distributed PostgreSQL can shard by
 * it; "C" makes the order of assets the same on every server.
 */
export const SNAPSHOTS: readonly string[] = [
  `create table snapshots (
    asset_id text collate "C" not null,
    kind text not null check (kind in ('market', 'holders', 'pools')),
    as_of timestamptz not null,
    chain text not null,
    stored_at timestamptz not null,
    method text,
    body bytea not null,
    sha256 bytea not null,
    primary key (asset_id, kind, as_of)
  ) partition by range (as_of)`,
  // A server built without lz4 keeps its own compression.
  `do $$ begin
    if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)) then
      alter table snapshots alter column body set compression lz4;
    end if;
  end $$`,
  // The newest snapshot of each asset and kind: read in one step, and compared by listeners after a gap.
  `create table snapshot_heads (
    asset_id text collate "C" not null,
    kind text not null,
    chain text not null,
    as_of timestamptz not null,
    stored_at timestamptz not null,
    weight_usd double precision,
    changed_at timestamptz not null,
    primary key (asset_id, kind)
  ) with (fillfactor = 70)`,
  `create table prices (
    asset_id text collate "C" not null,
    at timestamptz not null,
    chain text not null,
    price_usd double precision,
    volume_24h_usd double precision,
    market_cap_usd double precision,
    liquidity_usd double precision,
    primary key (asset_id, at)
  ) partition by range (at)`,
  `create table indexed_assets (
    asset_id text collate "C" primary key,
    chain text not null,
    address text,
    symbol text,
    asset text not null,
    kinds text[] not null,
    cadence text not null,
    added_by text not null,
    added_at timestamptz not null,
    wanted_until timestamptz,
    paused boolean not null default false,
    removed_at timestamptz
  )`,
  'create index indexed_assets_symbol on indexed_assets (chain, lower(symbol))',
  'create index indexed_assets_address on indexed_assets (chain, lower(address))',
  `create table index_schedule (
    asset_id text collate "C" not null references indexed_assets (asset_id),
    kind text not null,
    chain text not null,
    cadence_seconds int not null,
    due_at timestamptz not null,
    planned_at timestamptz not null,
    queued_at timestamptz,
    run text,
    started_at timestamptz,
    failures int not null default 0,
    deaths int not null default 0,
    last_outcome text,
    last_detail text,
    last_ended_at timestamptz,
    primary key (asset_id, kind)
  ) with (fillfactor = 70)`,
  'create index index_schedule_due on index_schedule (kind, due_at)',
  `create table daily_closes (
    chain text not null,
    day date not null,
    state text not null check (state in ('closed', 'expired')),
    rows int not null,
    closed_at timestamptz not null,
    primary key (chain, day)
  )`,
  `create table daily_rows (
    asset_id text collate "C" not null,
    day date not null,
    chain text not null,
    market_as_of timestamptz,
    holders_as_of timestamptz,
    pools_as_of timestamptz,
    primary key (asset_id, day)
  ) partition by range (day)`,
  'create index daily_rows_chain on daily_rows (chain, day, asset_id)',
];
