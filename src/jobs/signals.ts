import {
  appendEvents,
  type Database,
  type JobNotification,
  type JobSignal,
  listenForJobs,
  notifyJobs,
  type Store,
} from '../store/index.ts';
import type { JobEventDraft, JobSignals } from './types.ts';

/** Interval at which waiting callers poll: a notification may be lost. */
export const POLL_MS = 500;

/** Wakes waiting callers in this process when a job changes. */
export interface Signals {
  /** Resolves at the next change of the job. */
  next(jobId: string): Promise<void>;
  /** Resolves at the next change of the job or its next events. */
  nextEvent(jobId: string): Promise<void>;
  /** A change in this process: wakes callers here, and notifies the other processes. */
  notify(jobId: string, jobSignal: JobSignal): void;
  /** A change in another process: wakes callers here. */
  onNotified(jobId: string, jobSignal: JobSignal): void;
}

/** `notifyOthers` reaches the other processes; a process that misses the notification polls. */
export function createSignals(notifyOthers: (jobId: string, jobSignal: JobSignal) => void): Signals {
  const forChange = new Map<string, PromiseWithResolvers<void>>();
  const forEvents = new Map<string, PromiseWithResolvers<void>>();
  const wakeAll = (waiting: typeof forChange, jobId: string) => {
    waiting.get(jobId)?.resolve();
    waiting.delete(jobId);
  };
  const next = (waiting: typeof forChange, jobId: string) =>
    waiting.getOrInsertComputed(jobId, () => Promise.withResolvers<void>()).promise;
  const heard = (jobId: string, jobSignal: JobSignal) => {
    wakeAll(forEvents, jobId);
    if (jobSignal !== 'progress') wakeAll(forChange, jobId);
  };
  return {
    next: (jobId) => next(forChange, jobId),
    nextEvent: (jobId) => next(forEvents, jobId),
    notify(jobId, jobSignal) {
      heard(jobId, jobSignal);
      notifyOthers(jobId, jobSignal);
    },
    onNotified: heard,
  };
}

/**
 * Whichever comes first: the change, the next poll, or the signal. Polls are due at every multiple of `POLL_MS`, after
 * `mostMs` at the latest: all waiting callers poll at the same time, with one statement for all (`createJobReader`).
 */
export function waitForChange(change: Promise<void>, mostMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.min(mostMs, POLL_MS - (performance.now() % POLL_MS)));
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
    change.then(done, done);
    if (signal.aborted) done();
  });
}

/** Events of one running job: collected briefly, stored together, then announced. */
export interface EventLog {
  emit(event: JobEventDraft): void;
  /** Resolves when everything emitted so far is stored. */
  flush(): Promise<void>;
}

const GATHER_MS = 40;

export function createEventLog(db: Database, jobId: string, now: () => number, signals: Signals): EventLog {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  async function store(): Promise<void> {
    // Events that came while the previous write was running are stored with this one.
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    await appendEvents(db, jobId, batch);
    signals.notify(jobId, 'progress');
  }

  function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    // Progress events are optional: a failure to store them must not end the job.
    writing = writing.then(store).catch(() => undefined);
    return writing;
  }

  return {
    emit(event) {
      waiting.push(JSON.stringify({ ...event, at: event.at ?? new Date(now()).toISOString() }));
      timer ??= setTimeout(() => void write(), GATHER_MS);
    },
    flush: write,
  };
}

/** Notifications within this interval are sent together. */
const NOTIFICATION_DELAY_MS = 10;

/** Notifications about jobs by PostgreSQL's NOTIFY, as long as there are listeners. */
export function openJobSignals(
  store: Pick<Store, 'db' | 'url'>,
  isAlone: () => boolean,
  onError: (error: unknown, what: string) => void,
): JobSignals {
  const waiting = new Map<string, JobNotification>();
  let isGathering = false;

  function send(): void {
    isGathering = false;
    const told = [...waiting.values()];
    waiting.clear();
    notifyJobs(store.db, told).catch((error: unknown) => onError(error, 'telling of jobs'));
  }

  return {
    notify(told) {
      if (isAlone()) return;
      waiting.set(`${told.jobSignal} ${told.jobId}`, told);
      if (isGathering) return;
      isGathering = true;
      setTimeout(send, NOTIFICATION_DELAY_MS);
    },
    listen: (onNotification) =>
      listenForJobs({ url: store.url, onError: (error) => onError(error, 'listening for jobs') }, onNotification),
  };
}
