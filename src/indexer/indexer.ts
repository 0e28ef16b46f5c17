import { createHousekeeping } from './housekeeping.ts';
import { createRegistry, type Registry } from './registry.ts';
import { createSnapshotRunner } from './runner.ts';
import { INDEXER_DEFAULTS, type IndexerOptions } from './settings.ts';
import { type IndexerStatus, indexerStatus } from './status.ts';

export interface Indexer extends Registry {
  status(): Promise<IndexerStatus>;
  /** Takes no more work, lets what runs end for `graceMs`, hands the rest to other processes. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts indexing in this process: plans, snapshots, daily close and retention. Several processes share the work; one that does
 * not work only manages what is indexed. Returns when every missed day is closed.
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
    async close(graceMs) {
      if (!works) return;
      await housekeeping.close();
      await runner.close(graceMs);
    },
  };
}
