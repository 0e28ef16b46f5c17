import { statfs } from 'node:fs/promises';
import type pg from 'pg';
import type { Config } from '../config/index.ts';
import { backlog } from '../store/index.ts';
import type { BacklogReader } from '../telemetry/index.ts';

const STUCK_SECONDS = 60;

/** What waits for somebody, for the metrics: read from the database and from the disk of the data folder. Nothing is due where nobody monitors. */
export function backlogReader(
  pool: pg.Pool,
  { dataDir, monitorJobs }: Pick<Config, 'dataDir' | 'monitorJobs'>,
  now: () => number,
): BacklogReader {
  return async () => {
    const waiting = await backlog(pool, new Date(now()).toISOString(), STUCK_SECONDS);
    const { bavail, bsize } = await statfs(dataDir);
    const oldestDueSeconds = monitorJobs > 0 ? waiting.oldestDueSeconds : 0;
    return { ...waiting, oldestDueSeconds, freeBytes: bavail * bsize };
  };
}
