import type { Database } from '../../store/index.ts';
import { alertOnThresholds } from './alerts.ts';

/** Pause after a turn as a multiple of its duration: turns take a twentieth of the time at most. */
const PAUSE = 20;

/**
 * Compares new snapshots with the thresholds of accounts continuously. Any number of processes may run one on the same
 * database: rows are locked while snapshots are processed.
 */
export function startThresholdWatch(
  db: Database,
  options: {
    readonly everyMs: number;
    readonly now: () => number;
    /** Names of the plans whose keys get alerts of thresholds on a chain. */
    readonly servedBy: (chain: string) => readonly string[];
    readonly onError: (error: unknown, what: string) => void;
  },
): { readonly close: () => Promise<void> } {
  let timer: NodeJS.Timeout;
  let running: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const plan = (ms: number) => {
    timer = setTimeout(look, ms);
    timer.unref();
  };
  function look(): void {
    const began = performance.now();
    running = alertOnThresholds(db, options.now, options.servedBy)
      .catch((error: unknown) => options.onError(error, 'thresholds'))
      .finally(() => {
        if (!isClosed) plan(Math.max(options.everyMs, PAUSE * (performance.now() - began)));
      });
  }
  plan(options.everyMs);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
