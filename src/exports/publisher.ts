import type { ExportService } from './types.ts';

export interface PublisherOptions {
  readonly subjects: readonly string[];
  /** Closed days of a subject (YYYY-MM-DD) whose rows can still be read. */
  readonly closedDays: (subject: string) => Promise<readonly string[]>;
  readonly service: ExportService;
  /** Publishes one day; rejects when it could not, or was aborted. */
  readonly publish: (subject: string, date: string, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, what: string) => void;
}

export interface Publisher {
  /** Publishes every closed day that is not yet; one at a time, a failing one keeps no other from it. */
  publishDue(): Promise<readonly string[]>;
  start(everyMs: number): void;
  close(): Promise<void>;
}

/** Publishes days as they are closed, also those that were closed while no process ran. */
export function createPublisher(options: PublisherOptions): Publisher {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<readonly string[]> = Promise.resolve([]);
  let closed = false;
  const stop = new AbortController();

  async function pass(): Promise<readonly string[]> {
    const published: string[] = [];
    for (const subject of options.subjects) {
      const there = new Set((await options.service.manifest(subject)).map((entry) => entry.date));
      for (const date of await options.closedDays(subject)) {
        if (closed) return published;
        if (there.has(date)) continue;
        try {
          await options.publish(subject, date, stop.signal);
          published.push(`${subject} ${date}`);
        } catch (error) {
          if (!closed) options.onError(error, `publishing ${subject} ${date}`);
        }
      }
    }
    return published;
  }

  function publishDue(): Promise<readonly string[]> {
    const failed = (error: unknown) => {
      options.onError(error, 'publishing exports');
      return [];
    };
    running = running.then(pass).catch(failed);
    return running;
  }

  return {
    publishDue,
    start(everyMs) {
      void publishDue();
      timer = setInterval(() => void publishDue(), everyMs);
      timer.unref();
    },
    async close() {
      closed = true;
      // A day that is half written is written anew by the next start.
      stop.abort();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
