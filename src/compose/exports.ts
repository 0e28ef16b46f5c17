import { Worker } from 'node:worker_threads';
import type { ExportTools } from '../cli/context.ts';
import { type Config, exportsRoot } from '../config/index.ts';
import { restateExport, restateRating } from '../disclosure/index.ts';
import { createExportService, createPublisher, type ExportService, type Publisher } from '../exports/index.ts';
import { createSigner } from '../signing/index.ts';
import { closedDays, closedRatingDaysBy, type Store } from '../store/index.ts';

/** What `assay export` works with. */
export function openExportTools(config: Config, store: Store, now: () => number): ExportTools {
  const root = exportsRoot(config);
  const options = { config, store, now };
  return {
    async build(subject, date, onDay) {
      const closed =
        subject === 'rms'
          ? await closedRatingDaysBy(store.db, now())
          : (await closedDays(store.db, subject)).map((row) => row.day);
      const failures: string[] = [];
      let begun = 0;
      const publisher = createPublisher({
        subjects: [subject],
        closedDays: async () => closed.filter((day) => date === null || day === date),
        service: createExportService(root),
        publish: (_subject, day, signal) => {
          onDay?.(day, begun, closed.length);
          begun += 1;
          return publishInThread(
            { databaseUrl: store.url, dataMode: config.dataMode, root, subject, date: day, at: now() },
            signal,
          );
        },
        onError: (error, what) => failures.push(`${what}: ${error instanceof Error ? error.message : 'failed'}`),
      });
      const published = await publisher.publishDue();
      return { days: published.map((line) => line.slice(subject.length + 1)), closed, failures };
    },
    restate: (wanted) => restateExport(options, wanted),
    restateRating: (wanted) => restateRating(options, wanted),
    keys: async () => (await createSigner(store.db, now)).keys(),
  };
}

export interface RatingExportOptions {
  readonly config: Config;
  readonly store: Store;
  readonly exports: ExportService;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}

/** Closes days of ratings as they end and publishes them, also those that ended while nobody was there; to be started. */
export function openRatingExports({ config, store, exports, now, onError }: RatingExportOptions): Publisher {
  return createPublisher({
    subjects: ['rms'],
    closedDays: () => closedRatingDaysBy(store.db, now()),
    service: exports,
    publish: (subject, date, signal) =>
      publishInThread(
        { databaseUrl: store.url, dataMode: config.dataMode, root: exportsRoot(config), subject, date, at: now() },
        signal,
      ),
    onError,
  });
}

export interface ExportTask {
  readonly databaseUrl: string;
  readonly dataMode: 'live' | 'sandbox';
  /** Folder of all exports of this data mode. */
  readonly root: string;
  /** `rms`, or the name of a chain. */
  readonly subject: string;
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  /** Milliseconds since the epoch: when it is published. */
  readonly at: number;
}

/** A day of a million rows is minutes of work: its garbage is collected in small steps, and requests do not wait for it. */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/** Publishes a closed day in a thread beside the one that answers requests. Rejects when it fails; nothing is half-published then. */
export function publishInThread(task: ExportTask, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./export-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: LIMITS,
    });
    let published = false;
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    worker.once('message', () => {
      published = true;
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      if (published) resolve();
      else reject(new Error(`the thread that publishes ended with ${code}`));
    });
  });
}
