import {
  closeDays,
  closedDays,
  type Database,
  dropOldDays,
  type FailingAsset,
  failingAssets,
  type IndexLag,
  indexedChains,
  indexLag,
  prepareDays,
  replanAhead,
} from '../store/index.ts';
import { createRegistry, type Registry } from './registry.ts';
import { createSnapshotRunner } from './runner.ts';
import { INDEXER_DEFAULTS, type IndexerOptions, type IndexerSettings } from './settings.ts';

export interface Indexer extends Registry {
  status(): Promise<IndexerStatus>;
  /** A snapshot became due. */
  wake(): void;
  /** Takes no more work, lets running work continue for `graceMs`, and returns the rest to other processes. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts indexing in this process: plans, snapshots, daily close and retention. Several processes share the work; a
 * process without a worker only manages what is indexed. Resolves when every missed day is closed.
 */
export async function startIndexer(options: IndexerOptions): Promise<Indexer> {
  const settings = { ...INDEXER_DEFAULTS, ...options.settings };
  const { db } = options.store;
  const runner = createSnapshotRunner(options, settings);
  const registry = createRegistry({
    db,
    settings,
    now: options.now,
    changed: () => (options.works === false ? undefined : runner.wake()),
  });
  const housekeeping = createHousekeeping(options, settings, registry);
  const works = options.works ?? true;
  if (works) {
    await housekeeping.start();
    runner.start();
  }
  return {
    ...registry,
    status: () => indexerStatus(db, options.now()),
    wake: () => (works ? runner.wake() : undefined),
    async close(graceMs) {
      if (!works) return;
      await housekeeping.close();
      await runner.close(graceMs);
    },
  };
}

export interface IndexerStatus {
  readonly lag: readonly IndexLag[];
  /** Assets without snapshots, the longest failing first. */
  readonly troubled: readonly FailingAsset[];
  /** Newest closed day (YYYY-MM-DD) of each chain; null before the first. */
  readonly closed: readonly { readonly chain: string; readonly day: string | null }[];
}

const MOST_FAILING = 50;

/** State of the index at `now` (milliseconds), over all processes: for `/v1/status` and the gauges. */
export async function indexerStatus(db: Database, now: number): Promise<IndexerStatus> {
  const lag = await indexLag(db, new Date(now).toISOString());
  const chains = [...new Set(lag.map((row) => row.chain))];
  const closed = await Promise.all(
    chains.map(async (chain) => ({ chain, day: (await closedDays(db, chain)).at(-1)?.day ?? null })),
  );
  return { lag, troubled: await failingAssets(db, MOST_FAILING), closed };
}

/**
 * Periodic maintenance in every process, which is possible because each task is idempotent: plans after a clock was set
 * back, future partitions, rated assets that are not indexed, the daily close, retention.
 */
export function createHousekeeping(
  options: IndexerOptions,
  settings: IndexerSettings,
  registry: Pick<Registry, 'repair'>,
) {
  const { pool, db } = options.store;
  let working: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** In this order: retention must know which days are still to be closed. */
  async function runHousekeeping(): Promise<void> {
    const now = options.now();
    await replanAhead(pool, new Date(now).toISOString());
    await prepareDays(pool, now);
    await registry.repair();
    const closesBy = options.closesBy === undefined ? now : await options.closesBy();
    for (const chain of await indexedChains(db)) await closeDays(pool, chain, closesBy, settings.closeDelayMs);
    await dropOldDays(pool, now, settings.retentionDays);
  }

  function once(): Promise<void> {
    working ??= runHousekeeping()
      .catch((error: unknown) => options.onError(error, 'housekeeping of snapshots'))
      .finally(() => {
        working = null;
      });
    return working;
  }

  return {
    /** Resolves when partitions exist and every missed day is closed. */
    async start(): Promise<void> {
      await once();
      timer = setInterval(() => void once(), settings.housekeepingMs);
      timer.unref();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await working;
    },
  };
}
