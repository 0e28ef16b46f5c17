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
}
