import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openExportTools } from '../../src/compose/exports.ts';
import type { Storage } from '../../src/compose/storage.ts';
import type { Config } from '../../src/config/types.ts';
import { exportsRoot } from '../../src/config/types.ts';
import { noObjectStore } from '../../src/store/moved.ts';
import { cpuOfFamily, postmasterOf } from '../cpu-of-family.ts';

const MIB = 1_048_576;

/** Closes yesterday and publishes its ratings in all forms, in a thread, as the service does; earlier files are removed. */
export async function exportYesterday(config: Config, storage: Storage) {
  const { store } = storage;
  await sql`delete from rating_days`.execute(store.db);
  const folder = join(exportsRoot(config), 'rms');
  await rm(folder, { recursive: true, force: true });
  const { rows } = await sql<{ path: string }>`select current_setting('data_directory') as path`.execute(store.db);
  const postmaster = await postmasterOf(rows[0]?.path ?? '');
  const rssBefore = process.memoryUsage.rss();
  let rss = rssBefore;
  const watch = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss());
  }, 50);
  const own = process.cpuUsage();
  const database = await cpuOfFamily(postmaster);
  const began = performance.now();
  const { days, failures } = await openExportTools(config, store, noObjectStore, Date.now).build('rms', null);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  const { user, system } = process.cpuUsage(own);
  const files = await filesBelow(folder);
  return {
    days,
    seconds: Number(seconds.toFixed(1)),
    cpu_seconds: Number(((user + system) / 1e6).toFixed(1)),
    database_cpu_seconds: Number(((await cpuOfFamily(postmaster)) - database).toFixed(1)),
    files: files.length,
    mib: Math.round(files.reduce((sum, size) => sum + size, 0) / MIB),
    rss_mib: { before: Math.round(rssBefore / MIB), peak: Math.round(rss / MIB) },
  };
}

/** Sizes in bytes of all files below a folder. */
async function filesBelow(folder: string): Promise<readonly number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
}
