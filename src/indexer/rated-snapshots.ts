import { sql, type Transaction } from 'kysely';
import type { Snapshot } from '../contract/index.ts';
import type { ScoreReport } from '../domain/index.ts';
import { HOUR_MS } from '../domain/index.ts';
import type { Tables } from '../store/index.ts';
import {
  methodsBetween,
  runnerOf,
  type SnapshotMethod,
  type SnapshotWriter,
  snapshotRow,
  storeWithin,
} from '../store/index.ts';
import type { Registry } from './registry.ts';
import { kindsOf } from './settings.ts';

/** Stores the snapshots in a published rating's evidence, and indexes the asset, in the rating's own transaction. */
export interface RatedSnapshots {
  /**
   * Reads the earlier data outside of any transaction. Returns a function that stores the snapshots inside the one that
   * publishes the rating (`at`: RFC 3339). Neither ever fails because of a snapshot: the rating is more important.
   */
  open(
    assetId: string,
    asOf: string,
  ): Promise<(transaction: Transaction<Tables>, report: ScoreReport, at: string) => Promise<void>>;
}

export interface RatedSnapshotsOptions<Before> {
  readonly writer: SnapshotWriter;
  readonly registry: Pick<Registry, 'rated'>;
  /** Earlier data that the snapshots need. */
  readonly before: (assetId: string, asOf: string) => Promise<Before>;
  readonly build: (report: ScoreReport, before: Before) => readonly Snapshot[];
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * Time for which a snapshot by the indexer takes precedence over a less complete one: the longest age at which a
 * snapshot may be used for a day's close, and for pools, which change with every trade, two intervals of the slowest
 * cadence.
 */
const STANDS_MS = { holders: 48 * HOUR_MS, pools: 2 * HOUR_MS } as const;
/** More complete methods than that of a rating's snapshot, which has only the largest holders or fewer pools. */
const BETTER_HOLDERS: readonly string[] = ['full_scan', 'indexer'];
const BETTER_POOLS = { exact: [], mixed: ['exact'], tvl_proxy: ['exact', 'mixed'] } as const;
const DEADLOCK = '40P01';
const SERIALISATION = '40001';

/** Snapshots of ratings, on the store. */
export function createRatedSnapshots<Before>(options: RatedSnapshotsOptions<Before>): RatedSnapshots {
  const { writer, registry, onError } = options;

  async function store(transaction: Transaction<Tables>, report: ScoreReport, before: Before, at: string) {
    const { asset } = report.evidence.identification;
    const { asOf } = report.evidence;
    if (kindsOf(asset).length === 0) return;
    const runner = runnerOf(transaction);
    const snapshots = options.build(report, before);
    const since = (kind: 'holders' | 'pools') => new Date(Date.parse(asOf) - STANDS_MS[kind]).toISOString();
    // The plan is locked first, so that a run of the indexer that ends now is either visible to the next statement or
    // waits.
    await registry.rated(transaction, asset, new Set(snapshots.map(({ kind }) => kind)));
    const standing = await methodsBetween(runner, asset.id, { holders: since('holders'), pools: since('pools') }, asOf);
    const rows = snapshots.filter((snapshot) => !isOutranked(snapshot, standing)).map(snapshotRow);
    await storeWithin(runner, rows, Date.parse(at));
  }

  return {
    async open(assetId, asOf) {
      const before = await Promise.all([options.before(assetId, asOf), writer.prepareFor(asOf)]).then(
        ([found]) => ({ found }),
        (error: unknown) => {
          onError(error, 'what snapshots of a rating need');
          return null;
        },
      );
      return async (transaction, report, at) => {
        if (before === null) return;
        await sql`savepoint rated_snapshots`.execute(transaction);
        try {
          await store(transaction, report, before.found, at);
          await sql`release savepoint rated_snapshots`.execute(transaction);
        } catch (error) {
          const { code } = error as { readonly code?: unknown };
          // The whole transaction is retried; nothing is lost.
          if (code === DEADLOCK || code === SERIALISATION) throw error;
          await sql`rollback to savepoint rated_snapshots`.execute(transaction);
          onError(error, `snapshots of the rating of ${assetId}`);
        }
      };
    },
  };
}

function isOutranked(snapshot: Snapshot, standing: readonly SnapshotMethod[]): boolean {
  if (snapshot.kind === 'market') return false;
  const better: readonly string[] =
    snapshot.kind === 'holders' ? BETTER_HOLDERS : BETTER_POOLS[snapshot.depth_method ?? 'tvl_proxy'];
  return standing.some((one) => one.kind === snapshot.kind && one.method !== null && better.includes(one.method));
}
