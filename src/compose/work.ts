import { listedExploits } from '../evidence/index.ts';
import { createMonitor, openEventWatch } from '../monitoring/index.ts';
import { keyChains } from './chain-reads.ts';
import { openRatingExports } from './exports.ts';
import type { Foundation } from './foundation.ts';

const MONITOR_EVERY_MS = 5_000;
const PUBLISH_EVERY_MS = 60_000;

/** Starts what a working process does unasked: rates monitored assets again, watches for events, publishes days of ratings. */
export function startWork(foundation: Foundation): { readonly close: () => Promise<void> } {
  const { config, engine, store, scoring, chain, now, onError } = foundation;
  engine.bulk.start();
  const ratingExports = openRatingExports({ config, store, exports: chain.services.exports, now, onError });
  ratingExports.start(PUBLISH_EVERY_MS);
  const monitor = createMonitor({
    db: store.db,
    scoring,
    now,
    mostUnderWay: config.monitorJobs,
    onError,
  });
  const events = openEventWatch(store.db, keyChains(engine), () => listedExploits(engine), now, onError);
  if (config.monitorJobs > 0) {
    monitor.start(MONITOR_EVERY_MS);
    events.start();
  }
  return {
    async close() {
      await Promise.all([monitor.close(), events.close(), ratingExports.close()]);
    },
  };
}
