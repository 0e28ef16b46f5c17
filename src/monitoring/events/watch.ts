import type { Database } from '../../store/index.ts';
import { createExploitWatch, type ListedExploit } from './watch-exploits.ts';
import { type KeyChain, watchKeys } from './watch-keys.ts';

const KEYS_EVERY_MS = 60_000;
const EXPLOITS_EVERY_MS = 600_000;

export interface EventWatch {
  readonly start: () => void;
  /** Waits for what is running. */
  readonly close: () => Promise<void>;
}

/** Watches monitored assets between their ratings: changed keys and listed exploits have them rated at once. */
export function openEventWatch(
  db: Database,
  chains: readonly KeyChain[],
  listedExploits: () => Promise<readonly ListedExploit[] | null>,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): EventWatch {
  const exploits = createExploitWatch(db, listedExploits, now);
  const timers: NodeJS.Timeout[] = [];
  let running: Promise<unknown> = Promise.resolve();
  const every = (milliseconds: number, what: string, work: () => Promise<unknown>) => {
    const timer = setInterval(() => {
      running = running.then(work).catch((error: unknown) => onError(error, what));
    }, milliseconds);
    timer.unref();
    timers.push(timer);
  };
  return {
    start() {
      every(KEYS_EVERY_MS, 'watching keys', () => watchKeys(db, chains, now));
      every(EXPLOITS_EVERY_MS, 'watching exploits', exploits);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}
