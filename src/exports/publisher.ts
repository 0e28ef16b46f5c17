import type { Column } from './column.ts';
import { publishDay } from './publish.ts';
import type { ExportService, ManifestEntry } from './types.ts';

export interface PublisherOptions<Row> {
  readonly root: string;
  readonly subjects: readonly string[];
  readonly columns: readonly Column<Row>[];
  /** Closed days of a subject (YYYY-MM-DD) whose rows can still be read. */
  readonly closedDays: (subject: string) => Promise<readonly string[]>;
  readonly rows: (subject: string, date: string) => AsyncIterable<Row>;
  readonly service: ExportService;
  readonly now: () => number;
  readonly sign: (bytes: Uint8Array) => ManifestEntry['signature'];
  readonly onError: (error: unknown, what: string) => void;
}

export interface Publisher {
  /** Publishes every closed day that is not yet; one at a time, a failing one keeps no other from it. */
  publishDue(): Promise<readonly string[]>;
  start(everyMs: number): void;
  close(): Promise<void>;
}

/** Publishes days as they are closed, also those that were closed while nobody was there. */
export function createPublisher<Row>(options: PublisherOptions<Row>): Publisher {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<readonly string[]> = Promise.resolve([]);
  let closed = false;

  async function pass(): Promise<readonly string[]> {
    const published: string[] = [];
    for (const subject of options.subjects) {
      const there = new Set((await options.service.manifest(subject)).map((entry) => entry.date));
      for (const date of await options.closedDays(subject)) {
        if (closed) return published;
        if (there.has(date)) continue;
        try {
          await publishDay({ ...options, subject, date, rows: options.rows(subject, date) });
          published.push(`${subject} ${date}`);
        } catch (error) {
          options.onError(error, `publishing ${subject} ${date}`);
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
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
