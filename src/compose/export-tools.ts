import type { ExportTools } from '../cli/context.ts';
import { type Config, exportsRoot } from '../config/index.ts';
import { restateExport, restateRating } from '../disclosure/index.ts';
import { createExportService, createPublisher } from '../exports/index.ts';
import { createSigner } from '../signing/index.ts';
import type { Store } from '../store/index.ts';
import { closedDays } from '../store/index.ts';
import { publishInThread } from './export-thread.ts';
import { closedRatingDaysBy } from './publish-rms-day.ts';

/** What `assay export` works with. */
export function openExportTools(config: Config, store: Store, now: () => number): ExportTools {
  const root = exportsRoot(config);
  const options = { config, store, now };
  return {
    async build(subject, date, onDay) {
      const closed =
        subject === 'rms'
          ? await closedRatingDaysBy(store, now())
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
    restate: (wish) => restateExport(options, wish),
    restateRating: (wish) => restateRating(options, wish),
    keys: async () => (await createSigner(store.db, now)).keys(),
  };
}
