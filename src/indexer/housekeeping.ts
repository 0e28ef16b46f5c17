import { closeDays, dropOldDays, indexedChains, prepareDays, replanAhead } from '../store/index.ts';
import type { Registry } from './registry.ts';
import type { IndexerOptions, IndexerSettings } from './settings.ts';

export interface Housekeeping {
  /** Returns when partitions are there and every missed day is closed. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Plans after a clock that was set back, partitions ahead, rated assets that nobody indexed, the daily close, retention: in every process, since each of them is safe to do twice. */
export function createHousekeeping(
  options: IndexerOptions,
  settings: IndexerSettings,
  registry: Pick<Registry, 'mend'>,
): Housekeeping {
  const { pool, db } = options.store;
  let working: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** In this order: retention must see which days are still to be closed. */
  async function keepHouse(): Promise<void> {
    const now = options.now();
    await replanAhead(pool, new Date(now).toISOString());
    await prepareDays(pool, now);
    await registry.mend();
    for (const chain of await indexedChains(db)) await closeDays(pool, chain, now, settings.closeDelayMs);
    await dropOldDays(pool, now, settings.retentionDays);
  }

  function once(): Promise<void> {
    working ??= keepHouse()
      .catch((error: unknown) => options.onError(error, 'housekeeping of snapshots'))
      .finally(() => {
        working = null;
      });
    return working;
  }

  return {
    async start() {
      await once();
      timer = setInterval(() => void once(), settings.housekeepingMs);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
