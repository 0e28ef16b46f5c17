import { DAY_MS } from '../domain/index.ts';
import { type Database, EVERY_ASSET, noteReads, type RatingRead } from '../store/index.ts';

/** Records which account read which rating on which day, so that corrections reach it. */
export interface ReadBook {
  /** Records a read in memory, at the cost of two look-ups. */
  note(accountId: string, assetId: string): void;
  /** Records a read of all ratings of a day (YYYY-MM-DD), since an export contains all of them. */
  noteDay(accountId: string, day: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 5_000;
/** Days for which reads are kept; older ratings have been replaced many times. */
const KEPT_DAYS = 400;
/** Most reads that wait while the store is unavailable; further ones are lost, and their number is reported. */
const MOST_WAITING = 200_000;

/**
 * Writes new reads to the store every few seconds; a killed process loses those of the last seconds. `now`:
 * milliseconds.
 */
export function openReadBook(
  db: Database,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): ReadBook {
  let day = '';
  /** End of the present day, milliseconds. */
  let dayEnd = 0;
  /** Reads of the present day by asset, stored or waiting: a repeated read is not written again. */
  let known = new Map<string, Set<string>>();
  /** Exports read on the present day, as account and day. */
  let exported = new Set<string>();
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

  const begin = () => {
    const today = new Date(now()).toISOString().slice(0, 10);
    if (today === day) return;
    day = today;
    dayEnd = Date.parse(day) + DAY_MS;
    known = new Map();
    exported = new Set();
  };
  const keep = (read: RatingRead) => {
    if (waiting.length < MOST_WAITING) waiting.push(read);
    else lost += 1;
    return waiting.length < MOST_WAITING;
  };

  return {
    note(accountId, assetId) {
      const accounts = known.get(assetId);
      if (accounts?.has(accountId) && now() < dayEnd) return;
      begin();
      if (!keep({ accountId, assetId, day })) return;
      const of = known.get(assetId) ?? new Set();
      known.set(assetId, of.add(accountId));
    },
    noteDay(accountId, ofDay) {
      begin();
      const name = `${accountId} ${ofDay}`;
      if (exported.has(name) || !keep({ accountId, assetId: EVERY_ASSET, day: ofDay })) return;
      exported.add(name);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
