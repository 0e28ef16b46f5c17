import { openWebhooks } from '../webhooks/index.ts';
import { openFoundation, type ProcessOptions } from './foundation.ts';
import { startWork } from './work.ts';

export interface RunningWorker {
  /** Where metrics, `/healthz` and `/readyz` are; null without a port for them. */
  readonly metricsPort: number | null;
  /** Stops taking work, lets running jobs finish for a moment, hands the rest back, closes the database. */
  readonly close: () => Promise<void>;
}

/** Starts a process that only works: scores, snapshots, monitored assets, alerts' webhooks, exports. Nobody can call it. */
export async function startWorker(options: ProcessOptions): Promise<RunningWorker> {
  const foundation = await openFoundation(options, 'worker');
  const work = startWork(foundation);
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
        await work.close();
        await foundation.endWork();
        await webhooks.close();
        await foundation.close();
      })();
      return closing;
    },
  };
}
