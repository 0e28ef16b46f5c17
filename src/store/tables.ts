import type { Generated } from 'kysely';

/** Tables for the query builder; they are defined in `migrations/`. */
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
    account_id: string;
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
    cancel_requested: Generated<boolean>;
    position: Generated<number>;
    /** `score`: of a caller; `collection`: of an asset. */
    kind: Generated<string>;
    /** The asset of a collection; of a score once it was identified. */
    asset_id: string | null;
    /** The collection a score waits for, or waited for. */
    collection_id: string | null;
    /** The job with the result of a score; null: its own. */
    answered_by: string | null;
    /** JSON: fields of a score's reply besides the report. */
    answer: string | null;
    /** When it is deleted with its evidence; null: never, it is published or still running. */
    expires_at: string | null;
  };
  job_events: { job_id: string; seq: number; event: string };
  /** Packed events of a job that ended; `newest` is the number of the last. */
  job_event_logs: { job_id: string; newest: number; events: Buffer };
  /** `record` and `result` are null when they are in the object `object_key`. */
  evidence: {
    job_id: string;
    record: Buffer | null;
    result_sha256: string;
    result: Buffer | null;
    stored_at: string;
    object_key: Generated<string | null>;
  };
  bodies: {
    sha256: string;
    source: string;
    /** Null when it is in the object `object_key`. */
    body: Buffer | null;
    bytes: number;
    first_seen: string;
    keep_until: string | null;
    object_key: Generated<string | null>;
  };
  moved_objects: {
    key: string;
    kind: string;
    subject: string;
    state: string;
    sha256: string;
    bytes: number;
    since: string;
  };
  peers: {
    asset_id: string;
    day: string;
    category: string;
    /** Null where the row is older than classes. */
    class: string | null;
    as_of: string;
    market_value_usd: number | null;
    /** Values of that day, and their medians over the days before. */
    readings: string;
    drivers: string;
    trust: number | null;
    aliases: string[];
    round: string | null;
  };
  /** `key_id` holds the account of the key (rows from before 0010-collections: the key). */
  idempotency: { key_id: string; idempotency_key: string; request_hash: string; job_id: string; created_at: string };
  scan_ledger_pages: { asset_id: string; page: number; bytes: Buffer; saved_at: string };
  signing_keys: {
    id: string;
    public_key: Buffer;
    private_key: Buffer;
    created_at: string;
    retired_at: string | null;
  };
  /** Keys of secp256k1, as `signing_keys`. */
  attestation_keys: Tables['signing_keys'];
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
  index_demands: { holder: string; asset_id: string; kinds: string[]; cadence: string; since: string };
  bulk_jobs: {
    id: string;
    account_id: string;
    key_id: string;
    created_at: string;
    finished_at: string | null;
    cancelled_at: string | null;
    deadline_seconds: number;
    /** Rows run at once. */
    at_once: number;
    /** Scoring jobs that the account's plan allows at once; null: no limit. */
    share: number | null;
    idempotency_key: string | null;
    body_sha256: string;
    due_at: Generated<string>;
    lease_until: string | null;
    holder: string | null;
  };
  bulk_rows: {
    bulk_id: string;
    row_number: number;
    /** The caller's text. */
    requested: string;
    /** JSON of a scoring request; null for a row that is not run. */
    request: string | null;
    state: string;
    job_id: string | null;
    duplicate_of: number | null;
    /** Number of its jobs that ended because processes died. */
    interruptions: Generated<number>;
    /** JSON of the result, or of the failure. */
    outcome: string | null;
    ended_at: string | null;
  };
  index_schedule: {
    asset_id: string;
    kind: string;
    chain: string;
    cadence_seconds: number;
    due_at: string;
    planned_at: string;
    /** Read by versions before 0012-leases. */
    queued_at: string | null;
    run: string | null;
    lease_until: string | null;
    started_at: string | null;
    failures: number;
    deaths: number;
    last_outcome: string | null;
    last_detail: string | null;
    last_ended_at: string | null;
  };
  rated_assets: {
    asset_id: string;
    chain: string | null;
    address: string | null;
    symbol: string | null;
    symbol_folded: string | null;
    name: string;
    category: string;
    /** Null where the rating is older than classes. */
    class: string | null;
    asset: string;
    request: string;
    /** Publication's state, JSON; null where it is packed (`packed-state.ts`). */
    state: string | null;
    state_packed: Buffer | null;
    rating_id: number;
    as_of: string;
    stored_at: string;
    band: string;
    /** 0 for AAA to 10 for NR. */
    band_rank: number;
    score: number | null;
    trust: number;
    vfr: number | null;
    market_cap_usd: number | null;
    liquidity_usd: number | null;
    flags: string[];
    methodology: string;
    action: string;
    /** Null since 0027-packed: they are read from the rating. */
    record: Buffer | null;
    signature: string | null;
    changed_at: string;
  };
  published_ratings: {
    id: Generated<number>;
    asset_id: string;
    as_of: string;
    stored_at: string;
    job_id: string;
    band: string;
    indicative_band: string;
    score: number | null;
    smoothed_score: number | null;
    trust: number;
    vfr: number | null;
    vfr_zone: string;
    action: string;
    reversal: boolean;
    flags: string[];
    /** As in the record; null before 0032-past-classes. */
    category: Generated<string | null>;
    class: Generated<string | null>;
    methodology: string;
    /** A score record, canonical JSON; packed since 0030-packed-records (`packed-record.ts`). */
    record: Buffer;
    signature: string;
  };
  monitored_assets: {
    asset_id: string;
    added_by: string;
    added_at: string;
    wanted_until: string | null;
    paused: Generated<boolean>;
    removed_at: string | null;
    due_at: string;
    reason: string;
    cadence_seconds: number;
    job_id: string | null;
    job_started_at: string | null;
    failures: Generated<number>;
    last_failure: string | null;
    /** Holders of the asset's keys at the last read, and its time. */
    keys_seen: string | null;
    keys_seen_at: string | null;
  };
  watchlist: {
    account_id: string;
    asset_id: string;
    added_at: string;
    note: string | null;
    thresholds: string;
    baseline_score: number | null;
    baseline_band: string | null;
    /** JSON: code and severity of each. */
    baseline_flags: string;
  };
  alert_numbers: { account_id: string; last_id: number };
  launches: { asset_id: string; record: Buffer; kept_at: string };
  first_payments: {
    chain: string;
    wallet: string;
    funder: string;
    paid_at: string | null;
    asset_id: string;
    seen_at: string;
  };
  peg_watch: {
    asset_id: string;
    currency: string;
    target_usd: number;
    rated_at: string;
    seen_at: string | null;
    bps_hours: number;
    state: string;
    since: string | null;
  };
  snapshot_thresholds: {
    account_id: string;
    asset_id: string;
    chain: string;
    added_at: string;
    note: string | null;
    /** JSON. */
    rules: string;
    /** JSON. */
    states: string;
    seen_market: string | null;
    seen_holders: string | null;
    seen_pools: string | null;
  };
  drift_subscriptions: { account_id: string; sources: string[] | null; created_at: string };
  drift_alerts_open: { account_id: string; source: string; severity: string; opened_at: string };
  alerts: {
    /** Increases within the account. */
    id: number;
    account_id: string;
    asset_id: string;
    kind: string;
    cause: string;
    severity: string;
    created_at: string;
    acknowledged_at: string | null;
    acknowledged_by: string | null;
    body: string;
  };
  webhooks: {
    id: string;
    account_id: string;
    url: string;
    description: string | null;
    kinds: string[];
    secret: string;
    previous_secret: string | null;
    previous_until: string | null;
    enabled: boolean;
    disabled_reason: string | null;
    created_at: string;
    consecutive_failures: Generated<number>;
    failing_since: string | null;
    last_success_at: string | null;
    last_failure_at: string | null;
    last_failure: string | null;
    format: Generated<string>;
    chat_id: string | null;
  };
  webhook_mutes: {
    id: string;
    webhook_id: string;
    /** Null: all assets. */
    asset_id: string | null;
    /** Null: all kinds. */
    kind: string | null;
    created_at: string;
    until: string;
  };
  webhook_messages: {
    id: string;
    webhook_id: string;
    account_id: string;
    alert_id: number | null;
    kind: string;
    payload: string | null;
    digest_id: string | null;
    created_at: string;
    state: string;
    attempts: Generated<number>;
    due_at: string;
    lease_until: string | null;
    last_status: number | null;
    last_detail: string | null;
    finished_at: string | null;
  };
  usage_flushes: { process_id: string; sequence: number; flushed_at: string };
  usage_days: {
    account_id: string;
    key_id: string;
    day: string;
    endpoint_group: string;
    plan: string;
    requests: number;
    billable: number;
    refused: number;
    errors: number;
    bytes: number;
  };
  limit_windows: {
    owner: string;
    kind: string;
    starts_at: string;
    used: number;
    granted: Generated<number>;
    most: Generated<number>;
  };
  service_minutes: {
    minute: string;
    process_id: string;
    endpoint_group: string;
    requests: number;
    failures: number;
    latency_histogram: string;
  };
  freshness_minutes: {
    minute: string;
    chain: string;
    kind: string;
    cadence: string;
    age_p50_seconds: number;
    age_p99_seconds: number;
    assets: number;
  };
  statements: { account_id: string; month: string; made_at: string; statement: string };
  disputes: {
    id: string;
    account_id: string | null;
    asset_id: string;
    rating_id: number | null;
    received_at: string;
    claim: string;
    contact: string | null;
    state: string;
    resolution: string | null;
    resolved_at: string | null;
    restatement_id: number | null;
    /** `account`: of a key; `public`: without one. */
    origin: Generated<string>;
    /** Reference of an objection without a key; null with an account. */
    reference: string | null;
  };
  appeals: {
    id: string;
    reference: string;
    asset_id: string;
    rating_id: number;
    /** Registrable domain of the asset's website when it was opened; null: none is linked to it. */
    domain: string | null;
    opened_at: string;
    /** End of the challenge. */
    expires_at: string;
    challenge: string;
    /** The subscriber that opened it; null once control is proved. */
    opened_from: string | null;
    /** Number of attempts to prove control. */
    attempts: Generated<number>;
    state: string;
    proof_method: string | null;
    proof_role: string | null;
    /** Domain or address. */
    proof_subject: string | null;
    proved_at: string | null;
    finding: string | null;
    decided_at: string | null;
    restatement_id: number | null;
  };
  appeal_evidence: { appeal_id: string; place: number; received_at: string; statement: string; links: string[] };
  appeal_reviews: {
    appeal_id: string;
    key_id: string;
    decision: string;
    finding: string;
    restatement_id: number | null;
    reviewed_at: string;
  };
  /** Which account read which asset's rating on which day (UTC). */
  rating_reads: { asset_id: string; account_id: string; day: string };
  restatements: {
    id: Generated<number>;
    subject: string;
    date: string | null;
    revision: number | null;
    asset_id: string | null;
    rating_id: number | null;
    made_at: string;
    reason: string;
    body: string;
    record: Buffer | null;
    signature: string | null;
  };
  rating_days: {
    day: string;
    revision: number;
    last_rating_id: number;
    last_restatement_id: number;
    closed_at: string;
  };
  service_processes: { id: string; role: string; version: string; started_at: string; seen_at: string };
  source_watch: {
    source: string;
    due_at: Generated<string>;
    lease_until: string | null;
    holder: string | null;
    weight: Generated<number>;
    state: string | null;
    checked_at: string | null;
    drifting: Generated<string[]>;
    drift_at: string | null;
    drift: string | null;
    drift_endpoint: string | null;
    /** Set while the source does not drift. */
    usual_since: string | null;
    reachable: boolean | null;
    succeeded_at: string | null;
    failure: string | null;
    latency_ms: number | null;
    accepted: Generated<number>;
    stated: Generated<number>;
    tallied_at: string | null;
  };
  source_hours: { source: string; hour: string; answered: number; failed: number };
  source_lists: {
    name: string;
    fetched_at: string | null;
    record: string | null;
    body: Buffer | null;
    claimed_until: string | null;
  };
  payments: {
    network: string;
    token: string;
    payer: string;
    nonce: string;
    /** Units of the token. */
    amount: string;
    price_class: string;
    resource: string;
    /** `claimed`, `settled`, `refused`, `unknown`. */
    state: string;
    transaction_hash: string | null;
    reason: string | null;
    claimed_at: string;
    ended_at: string | null;
    /** When the authorisation itself expires; null: not known, and the row is kept. */
    valid_before: string | null;
    /** Hex. Null: claimed before there were receipts. */
    receipt_sha256: string | null;
  };
  log_queue: {
    rating_id: number;
    asset_id: string;
    as_of: string;
    record_sha256: string;
  };
  log_leaves: {
    leaf_index: number;
    input: string;
    rating_id: number;
    asset_id: string;
  };
  log_tiles: { level: number; tile_index: number; hash: Buffer };
  log_heads: {
    tree_size: number;
    root: Buffer;
    signed_at: string;
    note: string;
    cosignatures: string[];
  };
}
