import { servesThresholds } from '../access/index.ts';
import { listedExploits } from '../evidence/index.ts';
import { createLaunchWatch, createMonitor, openEventWatch, startThresholdWatch } from '../monitoring/index.ts';
import { startMover } from '../objects/index.ts';
import { openWebhooks } from '../webhooks/index.ts';
import { keyChains, openForensics, openLaunchReader } from './chain-reads.ts';
import { openRatingExports } from './exports.ts';
import { type Foundation, openFoundation, type ProcessOptions } from './foundation.ts';
import { openBulkOn } from './scoring.ts';
import { integrateRepeatedly, openTransparencyLog } from './transparency.ts';

const MONITOR_EVERY_MS = 5_000;
/** Longest delay from storing a snapshot to its threshold alert, without the time of the transaction. */
const COMPARE_EVERY_MS = 1_000;
const PUBLISH_EVERY_MS = 60_000;
const LOG_EVERY_MS = 10_000;
const MOVE_EVERY_MS = 3_600_000;

export interface RunningWorker {
  /** Port of metrics, `/healthz` and `/readyz`; null without one. */
  readonly metricsPort: number | null;
  /**
   * Stops taking work, gives running jobs a short time to end, returns the others to the queue, and closes the
   * database.
   */
  readonly close: () => Promise<void>;
}

/**
 * Starts a process for work only: scores, snapshots, monitored assets, webhooks, exports. It serves no API requests.
 */
export async function startWorker(options: ProcessOptions): Promise<RunningWorker> {
  const foundation = await openFoundation(options, 'worker');
  const work = startWork(foundation);
  const bulk = openBulkOn(foundation, true);
  const webhooks = openWebhooks({
    ...foundation,
    db: foundation.store.db,
    upstream: foundation.engine.upstream,
    works: true,
  });
  let closing: Promise<void> | null = null;
  return {
    metricsPort: foundation.metricsPort,
    close() {
      closing ??= (async () => {
        foundation.stopAccepting();
        await Promise.all([work.close(), bulk.close()]);
        await foundation.endWork();
        await webhooks.close();
        await foundation.close();
      })();
      return closing;
    },
  };
}

/** Starts periodic work: rates monitored assets again, watches for events, publishes days of ratings. */
export function startWork(foundation: Foundation): { readonly close: () => Promise<void> } {
  const { config, engine, store, plans, scoring, chain, sources, moved, logger, metrics, now, onError } = foundation;
  engine.bulk.start();
  const canaries = sources.startCanaries();
  const ratingExports = openRatingExports({ config, store, exports: chain.services.exports, now, onError });
  ratingExports.start(PUBLISH_EVERY_MS);
  const integration = integrateRepeatedly(openTransparencyLog(foundation), LOG_EVERY_MS, onError);
  const monitor = createMonitor({
    db: store.db,
    scoring,
    now,
    mostUnderWay: config.monitorJobs,
    onError,
  });
  const thresholds = startThresholdWatch(store.db, {
    everyMs: COMPARE_EVERY_MS,
    now,
    servedBy: (name) => plans.plans.filter((plan) => servesThresholds(plan, name)).map((plan) => plan.name),
    onError,
  });
  const forensics = openForensics({ config, engine, store, snapshots: chain.services.reader, now, onError });
  const chains = keyChains(engine);
  const launches = createLaunchWatch(
    store.db,
    chains.map((row) => row.chain),
    openLaunchReader(forensics, (jobId) => scoring.report(jobId), now),
    now,
  );
  const events = openEventWatch(store.db, chains, () => listedExploits(engine), launches, now, onError);
  if (config.monitorJobs > 0) {
    monitor.start(MONITOR_EVERY_MS);
    events.start();
  }
  const mover =
    moved.bucket === null
      ? null
      : startMover(
          { db: store.db, bucket: moved.bucket, prefix: moved.prefix, localDays: config.evidenceLocalDays, now },
          {
            everyMs: MOVE_EVERY_MS,
            onMoved(pass) {
              metrics.evidenceMoved(pass);
              logger.info(pass, 'old evidence was moved to the object store');
            },
            onError(error, what) {
              metrics.evidenceMoved('failed');
              onError(error, what);
            },
          },
        );
  return {
    async close() {
      await forensics.close();
      await Promise.all([
        mover?.close(),
        monitor.close(),
        thresholds.close(),
        events.close(),
        ratingExports.close(),
        integration.close(),
        canaries?.close(),
      ]);
    },
  };
}
