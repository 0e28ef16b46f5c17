import { parentPort, workerData } from 'node:worker_threads';
import { CHAIN_COLUMNS, chainRows, publishDay, RATING_COLUMNS, rowsOfRatingDay } from '../exports/index.ts';
import { createSigner } from '../signing/index.ts';
import { dayRows, openStore } from '../store/index.ts';
import type { ExportTask } from './exports.ts';

/** Publishes one day in a thread of its own, and says so when it is done; what it throws ends the thread. */
const { databaseUrl, dataMode, root, subject, date, at } = workerData as ExportTask;
const store = await openStore(databaseUrl, dataMode);
try {
  const signer = await createSigner(store.db, () => at);
  const day = { root, subject, date, now: () => at, sign: signer.sign };
  if (subject === 'rms')
    await publishDay({ ...day, columns: RATING_COLUMNS, rows: await rowsOfRatingDay(store.db, date, 1) });
  else await publishDay({ ...day, columns: CHAIN_COLUMNS, rows: chainRows(date, dayRows(store.db, subject, date)) });
  parentPort?.postMessage('published');
} finally {
  await store.close();
}
