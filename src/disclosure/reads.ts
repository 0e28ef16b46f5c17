import { DAY_MS } from '../domain/index.ts';
import { type Database, noteReads, type RatingRead } from '../store/index.ts';

/** Which account read which rating on which day, so that a correction reaches it. */
export interface ReadBook {
  /** Notes in memory; costs two look-ups. */
  note(accountId: string, assetId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 5_000;
/** Reads are known for so long; older ratings were replaced many times since. */
const KEPT_DAYS = 400;
/** Rows that wait while the store is away; those beyond are lost, and it is said. */
const MOST_WAITING = 200_000;

/** Writes new reads to the store every few seconds; a process that is killed loses those of the last ones. `now` in milliseconds. */
export function openReadBook(
  db: Database,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): ReadBook {
  let day = '';
  /** Of the present day, whether stored or not: a read that was noted today costs nothing again. */
  let known = new Map<string, Set<string>>();
  let waiting: RatingRead[] = [];
  let lost = 0;
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (lost > 0) onError(new Error(`${lost} reads of ratings were not noted`), 'noting reads of ratings');
    lost = 0;
    const rows = waiting;
    if (rows.length === 0) return;
    waiting = [];
    try {
      await noteReads(db, rows, new Date(now() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10));
    } catch (error) {
      waiting = [...rows, ...waiting].slice(0, MOST_WAITING);
      onError(error, 'noting reads of ratings');
    }
  }
  const flush = () => {
    running = running.then(write);
    return running;
  };
  const timer = setInterval(flush, EVERY_MS).unref();

  return {
    note(accountId, assetId) {
      const accounts = known.get(assetId);
      if (accounts?.has(accountId) && now() < Date.parse(day) + DAY_MS) return;
      const today = new Date(now()).toISOString().slice(0, 10);
      if (today !== day) {
        day = today;
        known = new Map();
      }
      if (waiting.length >= MOST_WAITING) {
        lost += 1;
        return;
      }
      const of = known.get(assetId) ?? new Set();
      known.set(assetId, of.add(accountId));
      waiting.push({ accountId, assetId, day });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
