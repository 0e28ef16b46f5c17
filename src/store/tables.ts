import type { Generated } from 'kysely';

/** Tables as the store's queries see them; the truth is in `migrations/`. */
export interface Tables {
  installation: { id: number; data_mode: string };
  api_keys: {
    id: string;
    secret_sha256: Buffer;
    prefix: string;
    name: string;
    scopes: string[];
    plan: string;
    allowed_ips: string[];
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    last_used_at: string | null;
    rotated_from: string | null;
  };
  jobs: {
    id: string;
    state: string;
    request: string;
    request_hash: string;
    deadline_seconds: number;
    key_id: string;
    created_at: string;
    started_at: string | null;
    finished_at: string | null;
    attempts: number;
    failure: string | null;
    owner: string | null;
    lease_until: string | null;
    cancel_requested: boolean;
    position: Generated<number>;
  };
  job_events: { job_id: string; seq: number; event: string };
  evidence: { job_id: string; record: Buffer; result_sha256: string; result: Buffer; stored_at: string };
  bodies: {
    sha256: string;
    source: string;
    body: Buffer;
    bytes: number;
    first_seen: string;
    keep_until: string | null;
  };
  ratings: {
    asset_id: string;
    job_id: string;
    as_of: string;
    band: string;
    score: number | null;
    trust: number;
    factors: string;
    methodology: string;
    vfr: number | null;
  };
  peers: { asset_id: string; category: string; as_of: string; market_value_usd: number; drivers: string };
  idempotency: { key_id: string; idempotency_key: string; request_hash: string; job_id: string; created_at: string };
  snapshots: {
    asset_id: string;
    kind: string;
    as_of: string;
    chain: string;
    stored_at: string;
    method: string | null;
    body: Buffer;
    sha256: Buffer;
  };
  scan_ledger_pages: { asset_id: string; page: number; bytes: Buffer; saved_at: string };
  signing_keys: {
    id: string;
    public_key: Buffer;
    private_key: Buffer;
    created_at: string;
    retired_at: string | null;
  };
  snapshot_heads: {
    asset_id: string;
    kind: string;
    chain: string;
    as_of: string;
    stored_at: string;
    weight_usd: number | null;
    changed_at: string;
  };
  prices: {
    asset_id: string;
    at: string;
    chain: string;
    price_usd: number | null;
    volume_24h_usd: number | null;
    market_cap_usd: number | null;
    liquidity_usd: number | null;
  };
  indexed_assets: {
    asset_id: string;
    chain: string;
    address: string | null;
    symbol: string | null;
    asset: string;
    kinds: string[];
    cadence: string;
    added_by: string;
    added_at: string;
    wanted_until: string | null;
    paused: boolean;
    removed_at: string | null;
  };
  index_schedule: {
    asset_id: string;
    kind: string;
    chain: string;
    cadence_seconds: number;
    due_at: string;
    planned_at: string;
    queued_at: string | null;
    run: string | null;
    started_at: string | null;
    failures: number;
    deaths: number;
    last_outcome: string | null;
    last_detail: string | null;
    last_ended_at: string | null;
  };
  daily_closes: { chain: string; day: string; state: string; rows: number; closed_at: string };
  daily_rows: {
    asset_id: string;
    day: string;
    chain: string;
    market_as_of: string | null;
    holders_as_of: string | null;
    pools_as_of: string | null;
  };
}
