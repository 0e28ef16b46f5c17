import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Restates a day of ratings as a process of its own, which is killed (SIGKILL) at the rename that makes the corrected day
 * visible: right before it, or right after it. Arguments: `before` or `after`, database URL, data directory, day, time in
 * milliseconds.
 */
const [moment, databaseUrl = '', dataDir = '', date = '', at = ''] = process.argv.slice(2);
const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  if (moment === 'after') await rename(from, to);
  process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();

const [{ openStore }, { restateExport }, { noObjectStore }] = await Promise.all([
  import('../../src/store/database.ts'),
  import('../../src/disclosure/index.ts'),
  import('../../src/store/moved.ts'),
]);
const store = await openStore(databaseUrl, 'sandbox');
const config = { dataDir, dataMode: 'sandbox' } as const;
const outcome = await restateExport(
  { config, store, readMoved: noObjectStore, now: () => Number(at) },
  { subject: 'rms', date, reason: 'a rating came late' },
);
console.log(JSON.stringify(outcome));
