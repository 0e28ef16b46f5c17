import type { Database } from '../../store/index.ts';
import { tellThresholds } from './alerts.ts';

/**
 * Compares new snapshots with the thresholds of accounts again and again. Any number of processes may run one on the same database: rows
 * are locked while they take snapshots in.
 */
export function startThresholdWatch(
  db: Database,
  options: {
    readonly everyMs: number;
    readonly now: () => number;
    /** Names of the plans whose keys are told of thresholds on a chain. */
    readonly servedBy: (chain: string) => readonly string[];
    readonly onError: (error: unknown, what: string) => void;
  },
): { readonly close: () => Promise<void> } {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= tellThresholds(db, options.now, options.servedBy)
      .catch((error: unknown) => options.onError(error, 'thresholds'))
      .finally(() => {
        running = null;
      });
  }, options.everyMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
