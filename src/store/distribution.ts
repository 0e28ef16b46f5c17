/** How a table is distributed in Citus (docs/decisions/0018-distribution.md). */
export type Placement =
  /** Distributed by the hash of `column` over all nodes; tables with the same column are co-located. */
  | { readonly kind: 'distributed'; readonly column: string }
  /** On the coordinator only. `ready`: its keys would allow distribution by this column. */
  | { readonly kind: 'local'; readonly why: string; readonly ready?: string };

const BY_ASSET: Placement = { kind: 'distributed', column: 'asset_id' };
const WORK = 'work that any process takes across all assets, with row locks; one row per asset or job';
const SMALL = 'small, and read whole';
const ACCOUNT = 'one statement writes for several accounts at once, all or nothing';

/**
 * Every table of the service. Tables that grow without limit are distributed by asset; those that are leased, counted
 * or locked across assets are not.
 */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  snapshots: BY_ASSET,
  snapshot_heads: BY_ASSET,
  prices: BY_ASSET,
  daily_rows: BY_ASSET,
  published_ratings: BY_ASSET,
  rated_assets: BY_ASSET,
  peers: BY_ASSET,
  scan_ledger_pages: BY_ASSET,
  launches: BY_ASSET,

  indexed_assets: { kind: 'local', why: WORK },
  index_schedule: { kind: 'local', why: WORK },
  index_demands: { kind: 'local', why: 'asked by account and by asset, and counted by account' },
  bulk_jobs: { kind: 'local', why: WORK },
  bulk_rows: { kind: 'local', why: 'goes with its bulk job' },
  monitored_assets: { kind: 'local', why: WORK },
  jobs: { kind: 'local', why: WORK },
  job_events: { kind: 'local', why: 'goes with its job' },
  job_event_logs: { kind: 'local', why: 'goes with its job' },
  evidence: { kind: 'local', why: 'goes with its job' },
  idempotency: { kind: 'local', why: 'goes with its job' },
  bodies: { kind: 'local', why: 'kept once by hash, whichever assets it speaks of; they expire' },
  moved_objects: { kind: 'local', why: 'goes with its evidence' },
  ratings: { kind: 'local', why: 'of the first version; nothing writes it any more' },

  alerts: { kind: 'local', why: ACCOUNT, ready: 'account_id' },
  alert_numbers: { kind: 'local', why: ACCOUNT, ready: 'account_id' },
  drift_subscriptions: { kind: 'local', why: ACCOUNT, ready: 'account_id' },
  drift_alerts_open: { kind: 'local', why: ACCOUNT, ready: 'account_id' },
  snapshot_thresholds: { kind: 'local', why: 'asked by account and by asset', ready: 'account_id' },
  watchlist: { kind: 'local', why: 'asked by account and by asset', ready: 'account_id' },
  usage_days: { kind: 'local', why: ACCOUNT, ready: 'account_id' },
  usage_flushes: { kind: 'local', why: ACCOUNT },
  statements: { kind: 'local', why: SMALL, ready: 'account_id' },
  webhooks: { kind: 'local', why: SMALL },
  webhook_mutes: { kind: 'local', why: 'goes with its webhook' },
  payments: { kind: 'local', why: 'one authorisation counts once, whichever asset it paid for' },
  webhook_messages: { kind: 'local', why: 'work that any process takes across all accounts, with row locks' },
  limit_windows: { kind: 'local', why: SMALL },
  api_keys: { kind: 'local', why: SMALL },
  disputes: { kind: 'local', why: SMALL },
  restatements: { kind: 'local', why: SMALL },
  appeals: { kind: 'local', why: SMALL },
  appeal_evidence: { kind: 'local', why: 'goes with its appeal' },
  appeal_reviews: { kind: 'local', why: 'goes with its appeal' },
  rating_reads: {
    kind: 'local',
    why: 'one statement writes for several assets at once; one row per account, asset and day',
  },

  first_payments: { kind: 'local', why: 'read across the assets of a chain' },
  peg_watch: { kind: 'local', why: WORK },

  log_queue: { kind: 'local', why: 'one process gives places to the ratings of all assets, in one order' },
  log_leaves: { kind: 'local', why: 'read by place, in one order over all assets' },
  log_tiles: { kind: 'local', why: 'one hash for 256 ratings' },
  log_heads: { kind: 'local', why: 'one row for each time that ratings were added' },

  installation: { kind: 'local', why: SMALL },
  signing_keys: { kind: 'local', why: SMALL },
  attestation_keys: { kind: 'local', why: SMALL },
  daily_closes: { kind: 'local', why: SMALL },
  rating_days: { kind: 'local', why: SMALL },
  service_minutes: { kind: 'local', why: SMALL },
  freshness_minutes: { kind: 'local', why: SMALL },
  service_processes: { kind: 'local', why: SMALL },
  source_turns: { kind: 'local', why: 'small, and not logged' },
  source_watch: { kind: 'local', why: SMALL },
  source_hours: { kind: 'local', why: SMALL },
  source_lists: { kind: 'local', why: 'a few rows, and not logged' },
};

/**
 * The statements that distribute a database with migrated tables; to be run on the coordinator, and again when a
 * version has new tables: distributed tables stay unchanged.
 */
export function distributionScript(): string {
  const first = new Map<string, string>();
  const statements = Object.entries(PLACEMENTS).flatMap(([table, placement]) => {
    if (placement.kind === 'local') return [];
    const together = first.get(placement.column) ?? 'none';
    if (together === 'none') first.set(placement.column, table);
    return [
      `select create_distributed_table('${table}', '${placement.column}', colocate_with => '${together}')
  where not exists (select from pg_dist_partition where logicalrelid = '${table}'::regclass);`,
    ];
  });
  return [
    '-- For Citus. Run on the coordinator, as the owner of the tables, while no service runs; make a backup first.',
    '-- Tables that are not named here stay on the coordinator. Days of a table follow the table. Run it again after an upgrade:',
    '-- what is cut already stays as it is.',
    'create extension if not exists citus;',
    ...statements,
    '',
  ].join('\n');
}
