import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../../store/index.ts';
import {
  dropServiceMinutesBefore,
  measureFreshness,
  type ServiceMinute,
  saveServiceMinutes,
} from '../../store/index.ts';
import { addValue, emptyHistogram, type Histogram, histogramText } from './measure.ts';

export interface RecorderOptions {
  readonly db: Database;
  /** Unique to this run of the process. */
  readonly processId: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Group that only records that a process was running. */
export const ALIVE = 'alive';
const MINUTE_MS = 60_000;
const SAVE_MS = 5_000;
/** While the store is unavailable, this many of the newest minutes are kept. */
const MOST_MINUTES = 180;
const KEEP_MS = 100 * DAY_MS;

interface Counts {
  requests: number;
  failures: number;
  readonly latency: Histogram;
}

interface Minute {
  readonly groups: Map<string, Counts>;
  /** How often the clock was set back before it began. */
  readonly round: number;
  changed: boolean;
}

/**
 * Measures the requests that this process serves, by minute and endpoint group, and the age of snapshots. The current
 * minute is stored every five seconds, so that a killed process loses at most five seconds.
 */
export function startServiceLevelRecorder({ db, processId, now, onError }: RecorderOptions) {
  const minutes = new Map<number, Minute>();
  let current = -1;
  let round = 0;
  let counting: Minute | null = null;
  let measured = -1;
  let running: Promise<void> | null = null;

  function minuteAt(at: number): Minute {
    if (counting && at >= current * MINUTE_MS && at < (current + 1) * MINUTE_MS) return counting;
    const start = Math.floor(at / MINUTE_MS);
    let minute = minutes.get(start);
    if (!minute) {
      // A minute that passes a second time is counted as that of another process: both counts are in the sum.
      if (start < current) round += 1;
      minute = {
        round,
        groups: new Map([[ALIVE, { requests: 0, failures: 0, latency: emptyHistogram() }]]),
        changed: true,
      };
      minutes.set(start, minute);
      if (minutes.size > MOST_MINUTES) minutes.delete(Math.min(...minutes.keys()));
    }
    current = start;
    counting = minute;
    return minute;
  }

  async function saveAll(): Promise<void> {
    minuteAt(now());
    const due = [...minutes].filter(([, minute]) => minute.changed);
    for (const [, minute] of due) minute.changed = false;
    try {
      for (const one of new Set(due.map(([, minute]) => minute.round))) {
        const rows = due.filter(([, minute]) => minute.round === one).flatMap(rowsOf);
        await saveServiceMinutes(db, one === 0 ? processId : `${processId}.${one}`, rows);
      }
      for (const [start, minute] of minutes) if (start < current - 2 && !minute.changed) minutes.delete(start);
      if (measured !== current) await oncePerMinute();
    } catch (error) {
      for (const [, minute] of due) minute.changed = true;
      onError(error);
    }
  }

  async function oncePerMinute(): Promise<void> {
    measured = current;
    const at = now();
    await measureFreshness(db, new Date(current * MINUTE_MS).toISOString(), new Date(at).toISOString());
    if (current % 60 === 0) await dropServiceMinutesBefore(db, new Date(at - KEEP_MS).toISOString());
  }

  function save(): Promise<void> {
    running ??= saveAll().finally(() => {
      running = null;
    });
    return running;
  }

  const timer = setInterval(() => void save(), SAVE_MS).unref();
  void save();
  return {
    /** Counts one request that finished at `at` (ms). Synchronous. */
    count(group: string, status: number, seconds: number, at: number): void {
      const minute = minuteAt(at);
      let counts = minute.groups.get(group);
      if (!counts) {
        counts = { requests: 0, failures: 0, latency: emptyHistogram() };
        minute.groups.set(group, counts);
      }
      minute.changed = true;
      counts.requests += 1;
      if (status >= 500) counts.failures += 1;
      addValue(counts.latency, seconds * 1000);
    },
    /** Stores the counts so far. */
    save,
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
      await save();
    },
  };
}

function rowsOf([start, { groups }]: readonly [number, Minute]): readonly ServiceMinute[] {
  const minute = new Date(start * MINUTE_MS).toISOString();
  return [...groups].map(([group, { requests, failures, latency }]) => ({
    minute,
    group,
    requests,
    failures,
    histogram: histogramText(latency),
  }));
}
