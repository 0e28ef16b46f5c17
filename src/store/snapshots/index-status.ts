import { sql } from 'kysely';
import type { SnapshotKind } from '../../domain/index.ts';
import type { Database } from '../database.ts';

/** How far the index is behind, of one chain and kind. */
export interface IndexLag {
  readonly chain: string;
  readonly kind: SnapshotKind;
  readonly assets: number;
  /** Their time has come and nobody has begun. */
  readonly due: number;
  readonly running: number;
  /** Seconds behind the plan, over all assets (0 for those in time). */
  readonly lateSecondsP50: number;
  readonly lateSecondsP99: number;
  /** Assets whose last run gave no snapshot. */
  readonly failing: number;
  /** Assets whose worker died in the last run. */
  readonly died: number;
  /** RFC 3339 UTC, null before the first. */
  readonly lastStoredAt: string | null;
}

/** An asset and kind that gives no snapshots, with the reason and when it is tried again. */
export interface TroubledAsset {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly failures: number;
  readonly deaths: number;
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly dueAt: string;
}

const ACTIVE = sql`a.removed_at is null and not a.paused and s.kind = any(a.kinds)`;

/** Lag of each chain and kind at `now` (RFC 3339). */
export async function indexLag(db: Database, now: string): Promise<readonly IndexLag[]> {
  const { rows } = await sql<IndexLag>`
    select s.chain, s.kind, count(*)::int as assets,
      (count(*) filter (where s.run is null and s.due_at <= ${now}::timestamptz))::int as due,
      (count(*) filter (where s.run is not null and s.due_at > ${now}::timestamptz))::int as running,
      percentile_disc(0.5) within group (order by ${LATE(now)}) as "lateSecondsP50",
      percentile_disc(0.99) within group (order by ${LATE(now)}) as "lateSecondsP99",
      (count(*) filter (where s.failures > 0))::int as failing,
      (count(*) filter (where s.deaths > 1 or (s.deaths = 1 and s.due_at <= ${now}::timestamptz)))::int as died,
      max(h.stored_at) as "lastStoredAt"
    from index_schedule s join indexed_assets a using (asset_id)
    left join snapshot_heads h on h.asset_id = s.asset_id and h.kind = s.kind
    where ${ACTIVE} and (a.wanted_until is null or a.wanted_until > ${now}::timestamptz)
    group by s.chain, s.kind order by s.chain, s.kind`.execute(db);
  return rows;
}

/** Assets in trouble, the longest first, at most `limit`. */
export async function troubledAssets(db: Database, limit: number): Promise<readonly TroubledAsset[]> {
  const { rows } = await sql<TroubledAsset>`
    select s.asset_id as "assetId", s.kind, s.failures, s.deaths, s.last_outcome as outcome, s.last_detail as detail,
      s.due_at as "dueAt"
    from index_schedule s join indexed_assets a using (asset_id)
    where ${ACTIVE} and (s.failures > 0 or s.deaths > 1)
    order by s.failures + s.deaths desc, s.asset_id, s.kind limit ${limit}`.execute(db);
  return rows;
}

const LATE = (now: string) => sql`greatest(0, extract(epoch from ${now}::timestamptz - s.due_at))::float8`;
