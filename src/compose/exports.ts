import type { ExportTools } from '../cli/context.ts';
import { type Config, exportsRoot } from '../config/index.ts';
import { completeRestatements, restateExport, restateRating } from '../disclosure/index.ts';
import { createExportService, createPublisher, type ExportService, type Publisher } from '../exports/index.ts';
import { createSigner } from '../signing/index.ts';
import { closedDays, closedRatingDaysBy, earlierOfClocks, type ReadMoved, type Store } from '../store/index.ts';
import { createPublishingThread } from './publishing-thread.ts';

/**
 * The clock by which days are closed, milliseconds since the epoch. A closed day is published and never changes, so that
 * a process whose clock is ahead must not close today: the database's clock must have passed the day's end too. The
 * clock of a sandbox may be set ahead on purpose.
 */
export function closingClock(
  { dataMode }: Pick<Config, 'dataMode'>,
  { db }: Pick<Store, 'db'>,
  now: () => number,
): () => Promise<number> {
  return async () => (dataMode === 'live' ? earlierOfClocks(db, now()) : now());
}

/** The functions of `assay export`. */
export function openExportTools(config: Config, store: Store, readMoved: ReadMoved, now: () => number): ExportTools {
  const root = exportsRoot(config);
  const options = { config, store, readMoved, now };
  const closesBy = closingClock(config, store, now);
  const thread = createPublishingThread({
    databaseUrl: store.url,
    dataMode: config.dataMode,
    root,
    isLowPriority: false,
  });
  return {
    async build(subject, date, onDay) {
      const closed =
        subject === 'rms'
          ? await closedRatingDaysBy(store.db, await closesBy())
          : (await closedDays(store.db, subject)).map((row) => row.day);
      const failures: string[] = [];
      let begun = 0;
      const publisher = createPublisher({
        subjects: [subject],
        closedDays: async () => closed.filter((day) => date === null || day === date),
        service: createExportService(root),
        complete: () => completeRestatements(options, subject),
        publish: (_subject, day, signal) => {
          onDay?.(day, begun, closed.length);
          begun += 1;
          return thread.publish({ subject, date: day, at: now() }, signal);
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

/** Closes and publishes days of ratings as they end, including missed ones. The caller starts it. */
export function openRatingExports({ config, store, exports, now, onError }: RatingExportOptions): Publisher {
  const { dataMode } = config;
  const closesBy = closingClock(config, store, now);
  const thread = createPublishingThread({
    databaseUrl: store.url,
    dataMode,
    root: exportsRoot(config),
    isLowPriority: true,
  });
  return createPublisher({
    subjects: ['rms'],
    closedDays: async () => closedRatingDaysBy(store.db, await closesBy()),
    service: exports,
    complete: (subject) => completeRestatements({ config, store, now }, subject),
    publish: (subject, date, signal) => thread.publish({ subject, date, at: now() }, signal),
    onError,
  });
}
