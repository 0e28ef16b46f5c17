import type { Asset, Cadence, SnapshotKind } from '../domain/index.ts';
import type { SnapshotCollector } from '../snapshots/index.ts';
import type { Store } from '../store/index.ts';

/** Seconds between two snapshots, for each kind and cadence. */
export type CadenceTable = Readonly<Record<Cadence, Readonly<Record<SnapshotKind, number>>>>;

/**
 * A price is outdated after a minute; pools change with trades; holders change over days and are the most expensive to
 * read. A coarser cadence never reads holders more often.
 */
export const CADENCE_SECONDS: CadenceTable = {
  newest: { market: 60, pools: 300, holders: 21_600 },
  five_minutes: { market: 300, pools: 300, holders: 21_600 },
  hourly: { market: 3_600, pools: 3_600, holders: 21_600 },
};

export interface IndexerOptions {
  readonly store: Pick<Store, 'db' | 'pool' | 'url'>;
  readonly collector: SnapshotCollector;
  /** Milliseconds since the epoch; dates plans, snapshots and closes. */
  readonly now: () => number;
  /** Time by which days are closed, milliseconds since the epoch; default: `now`. A closed day never changes. */
  readonly closesBy?: () => Promise<number>;
  readonly onError: (error: unknown, what: string) => void;
  /** Called at each run's end, for the metrics. */
  readonly onRun?: (kind: SnapshotKind, outcome: string, seconds: number) => void;
  readonly settings?: Partial<IndexerSettings>;
  /** Load of this process's thread, 0 to 1. Default: measured over the last quarter of a second or more. */
  readonly load?: () => number;
  /** False: this process only manages what is indexed, and others make snapshots. Default true. */
  readonly works?: boolean;
}

export interface IndexerSettings {
  readonly cadence: CadenceTable;
  /** Snapshots of a kind made concurrently in this process. */
  readonly concurrency: Readonly<Record<SnapshotKind, number>>;
  /** Time limit of a run, seconds. */
  readonly longestSeconds: Readonly<Record<SnapshotKind, number>>;
  readonly retentionDays: number;
  /** After midnight, so that runs from before it are in the day. */
  readonly closeDelayMs: number;
  readonly tickMs: number;
  readonly housekeepingMs: number;
  /** Days that an asset stays indexed after its last rating. */
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

/** Of this number of slots of a kind, those that first snapshots may use while others wait: half, but at least one. */
export function firstPlaces(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 2));
}

/** Load from which the thread is saturated: more concurrent snapshots would not end sooner, and would delay scores. */
const CROWDED = 0.8;
const CROWDED_SHARE = 1 / 8;

/**
 * Slots of a kind at this load (0 to 1): an eighth of `concurrency`, at least one, where the thread is at its limit.
 */
export function placesAt(load: number, concurrency: number): number {
  return load > CROWDED ? Math.max(1, Math.floor(concurrency * CROWDED_SHARE)) : concurrency;
}

const SAMPLE_MS = 250;

/** Load of the event loop, 0 to 1, as a mean since the previous sample, which is at least `SAMPLE_MS` old. */
export function loopLoad(): () => number {
  let before = performance.eventLoopUtilization();
  let load = 0;
  return () => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, before);
    if (since.idle + since.active >= SAMPLE_MS) {
      load = since.utilization;
      before = now;
    }
    return load;
  };
}

const LEAST_FAILURE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 21_600;

/** A hash in 0-1, the same on every machine (FNV-1a with a final mix, so that similar ids lie far apart). */
export function phaseOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** The next time after `now` (milliseconds) at this asset's own offset in the grid of its cadence. */
export function nextDue(now: number, key: string, cadenceSeconds: number): number {
  const step = cadenceSeconds * 1000;
  const phase = Math.floor(phaseOf(key) * step);
  return Math.floor((now - phase) / step) * step + phase + step;
}

/**
 * Delay in seconds after `failures` (1 or more) in a row: doubling from the cadence, up to six hours (or the cadence,
 * where that is longer), plus up to a quarter more by asset, so that assets that failed together are not retried
 * together.
 */
export function failurePause(failures: number, cadenceSeconds: number, key: string): number {
  const first = Math.max(cadenceSeconds, LEAST_FAILURE_SECONDS);
  const pause = Math.min(first * 2 ** Math.min(failures - 1, 20), Math.max(LONGEST_PAUSE_SECONDS, cadenceSeconds));
  return pause * (1 + phaseOf(key) / 4);
}

/** The kinds that an asset supports: a chain's native coin has no holder list and no pools of its own. */
export function kindsOf(asset: Asset): readonly SnapshotKind[] {
  if (asset.chain === null || asset.address === null) return [];
  return asset.address === 'native' ? ['market'] : ['market', 'holders', 'pools'];
}
