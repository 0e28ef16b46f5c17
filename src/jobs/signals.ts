import type { JobNews } from '../store/index.ts';

/** Who waits for a change looks for himself this often: news may be lost. */
export const POLL_MS = 500;

/** Wakes those in this process who wait for something to happen to a job. */
export interface Signals {
  /** Resolves at the next change of the job. */
  next(jobId: string): Promise<void>;
  /** Something happened here: wakes those here, and tells the other processes. */
  tell(jobId: string, news: JobNews): void;
  /** Something happened elsewhere: wakes those here. */
  heard(jobId: string): void;
}

/** `tell` hands the news to other processes; those that are not told poll. */
export function createSignals(tell: (jobId: string, news: JobNews) => void): Signals {
  const waiting = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>();
  const wakeAll = (jobId: string) => {
    waiting.get(jobId)?.resolve();
    waiting.delete(jobId);
  };
  return {
    next(jobId) {
      const known = waiting.get(jobId);
      if (known) return known.promise;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(jobId, { promise, resolve });
      return promise;
    },
    tell(jobId, news) {
      wakeAll(jobId);
      tell(jobId, news);
    },
    heard: wakeAll,
  };
}

/** Whichever comes first: the change, the time, or the signal. */
export function wake(change: Promise<void>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
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
