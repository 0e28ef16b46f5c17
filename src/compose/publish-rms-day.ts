import { type Config, exportsRoot } from '../config/index.ts';
import type { ExportService } from '../exports/index.ts';
import { createPublisher, type Publisher } from '../exports/index.ts';
import type { Store } from '../store/index.ts';
import { closedRatingDays, closeRatingDays } from '../store/index.ts';
import { publishInThread } from './export-thread.ts';

export interface RatingExportOptions {
  readonly config: Config;
  readonly store: Store;
  readonly exports: ExportService;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}

/** The longest that a rating of before midnight may still be under way: the longest deadline of a job. */
const CLOSE_DELAY_MS = 5 * 60_000;

/** Closes days of ratings as they end and publishes them, also those that ended while nobody was there; to be started. */
export function openRatingExports({ config, store, exports, now, onError }: RatingExportOptions): Publisher {
  return createPublisher({
    subjects: ['rms'],
    closedDays: () => closedRatingDaysBy(store, now()),
    service: exports,
    publish: (subject, date, signal) =>
      publishInThread(
        { databaseUrl: store.url, dataMode: config.dataMode, root: exportsRoot(config), subject, date, at: now() },
        signal,
      ),
    onError,
  });
}

/** Days of ratings that are closed by `now` (milliseconds since the epoch), oldest first; closes those that are over. */
export async function closedRatingDaysBy({ db }: Store, now: number): Promise<readonly string[]> {
  await closeRatingDays(db, now, CLOSE_DELAY_MS);
  return closedRatingDays(db);
}
