import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Storage } from '../../src/compose/storage.ts';
import { cpuOfFamily, postmasterOf } from '../cpu-of-family.ts';
import { monitorTurn } from './monitor-turn.ts';
import type { PassOptions } from './pass.ts';
import { watchWaits } from './waits.ts';

/**
 * Makes `many` assets due, spread over all, and lets `processes` take, rate and publish until none is due: the time it
 * took, the cost of each rating for the processes and the database, and the wait events of the database's connections.
 */
export async function passOver(storage: Storage, options: PassOptions, many: number, processes: number) {
  const { db, url } = storage.store;
  await sql`update monitored_assets set due_at = now() + interval '1 day', job_id = null, job_started_at = null`.execute(
    db,
  );
  await sql`update monitored_assets set due_at = now() - interval '1 hour'
    where asset_id in (select asset_id from monitored_assets order by md5(asset_id) limit ${many})`.execute(db);
  await sql`vacuum analyze monitored_assets`.execute(db);
  const { rows } = await sql<{ path: string }>`select current_setting('data_directory') as path`.execute(db);
  const postmaster = await postmasterOf(rows[0]?.path ?? '');
  const turn = await monitorTurn(storage);
  const before = await cpuOfFamily(postmaster);
  const waits = await watchWaits(url);
  const began = performance.now();
  const said = await Promise.all(Array.from({ length: processes }, () => passOnce(options)));
  const seconds = (performance.now() - began) / 1000;
  const rated = said.reduce((sum, one) => sum + one.rated, 0);
  const cpu = said.reduce((sum, one) => sum + one.cpu_seconds, 0);
  const databaseCpu = (await cpuOfFamily(postmaster)) - before;
  return {
    processes,
    rated,
    seconds: Number(seconds.toFixed(1)),
    ratings_per_second: Math.round(rated / seconds),
    cpu_ms_each: Number(((cpu * 1000) / rated).toFixed(2)),
    database_cpu_ms_each: Number(((databaseCpu * 1000) / rated).toFixed(2)),
    connections_at: await waits.stop(),
    monitor_turn: turn,
  };
}

async function passOnce(options: PassOptions): Promise<{ readonly rated: number; readonly cpu_seconds: number }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('pass.ts', import.meta.url)), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`a process of the pass ended with ${code}`);
  return JSON.parse(output) as { rated: number; cpu_seconds: number };
}
