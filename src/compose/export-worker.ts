import { parentPort, workerData } from 'node:worker_threads';
import { CHAIN_COLUMNS, chainRows } from '../exports/chain-row.ts';
import { publishDay } from '../exports/publish.ts';
import { createSigner } from '../signing/signer.ts';
import { openStore } from '../store/database.ts';
import { dayRows } from '../store/snapshots/day-rows.ts';
import type { ExportTask } from './publish-chain-day.ts';

/** Publishes one day in a thread of its own, and says so when it is done; what it throws ends the thread. */
const { databaseUrl, dataMode, root, chain, date, at } = workerData as ExportTask;
const store = await openStore(databaseUrl, dataMode);
try {
  const signer = await createSigner(store.db, () => at);
  await publishDay({
    root,
    subject: chain,
    date,
    columns: CHAIN_COLUMNS,
    rows: chainRows(date, dayRows(store.db, chain, date)),
    now: () => at,
    sign: (bytes) => signer.sign(bytes),
  });
  parentPort?.postMessage('published');
} finally {
  await store.close();
}
