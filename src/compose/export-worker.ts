import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { CHAIN_COLUMNS, chainRows, publishDay, RATING_COLUMNS, rowsOfRatingDay } from '../exports/index.ts';
import { createSigner } from '../signing/index.ts';
import { dayRows, openStore } from '../store/index.ts';
import type { ExportPlace, ExportTask, ExportTaskResult } from './publishing-thread.ts';

/** Publishes the requested days one after the other, in a separate thread. */
const { databaseUrl, dataMode, root, isLowPriority } = workerData as ExportPlace;
if (isLowPriority) lowerPriority();
const store = await openStore(databaseUrl, dataMode);

async function publish({ subject, date, at }: ExportTask): Promise<void> {
  const signer = await createSigner(store.db, () => at);
  const day = { root, subject, date, now: () => at, sign: signer.sign };
  if (subject === 'rms')
    await publishDay({ ...day, columns: RATING_COLUMNS, rows: await rowsOfRatingDay(store.db, date, 1) });
  else await publishDay({ ...day, columns: CHAIN_COLUMNS, rows: chainRows(date, dayRows(store.db, subject, date)) });
}

parentPort?.on('message', (task: ExportTask) => {
  publish(task).then(
    () => answer({ failed: null }),
    (error: unknown) => answer({ failed: error instanceof Error ? error.message : 'failed' }),
  );
});

function answer(text: ExportTaskResult): void {
  parentPort?.postMessage(text);
}

/**
 * Gives requests precedence. Only on Linux does a priority apply to a thread (0: the calling one); elsewhere it would
 * apply to the whole process.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // If the system forbids it, the thread keeps the priority of the process.
  }
}
