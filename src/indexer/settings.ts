import type { SnapshotKind } from '../domain/index.ts';
import type { SnapshotCollector } from '../snapshots/index.ts';
import type { Store } from '../store/index.ts';
import { CADENCE_SECONDS, type CadenceTable } from './cadence.ts';

export interface IndexerOptions {
  readonly store: Pick<Store, 'db' | 'pool' | 'url'>;
  readonly collector: SnapshotCollector;
  /** Milliseconds since the epoch: dates plans, snapshots and closes. */
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
  /** Told of each run's end, for the metrics. */
  readonly onRun?: (kind: SnapshotKind, outcome: string, seconds: number) => void;
  readonly settings?: Partial<IndexerSettings>;
  /** False: what is indexed is managed here, and made by other processes. Default true. */
  readonly works?: boolean;
}

export interface IndexerSettings {
  readonly cadence: CadenceTable;
  /** Snapshots of a kind made at once in this process. */
  readonly concurrency: Readonly<Record<SnapshotKind, number>>;
  /** A run that takes longer is stopped, seconds. */
  readonly longestSeconds: Readonly<Record<SnapshotKind, number>>;
  readonly retentionDays: number;
  /** After midnight, so that what was under way is in the day. */
  readonly closeDelayMs: number;
  readonly tickMs: number;
  readonly housekeepingMs: number;
  /** Days that an asset stays indexed after it was last rated. */
  readonly ratedDays: number;
}

export const INDEXER_DEFAULTS: IndexerSettings = {
  cadence: CADENCE_SECONDS,
  concurrency: { market: 64, pools: 16, holders: 2 },
  longestSeconds: { market: 60, pools: 120, holders: 1_800 },
  retentionDays: 400,
  closeDelayMs: 120_000,
  tickMs: 1_000,
  housekeepingMs: 60_000,
  ratedDays: 30,
};

/** Of so many places of a kind, those that first snapshots may hold while others wait: half, at least one. */
export function firstPlaces(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 2));
}
