import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

/** proc(5): seconds of user and system time of a process, of its children, and of those that have ended. */
export async function cpuOfFamily(parent: number): Promise<number> {
  let ticks = 0;
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
    if (Number(name) !== parent && Number(fields[1]) !== parent) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
    if (Number(name) === parent) ticks += Number(fields[13]) + Number(fields[14]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** The root process of a PostgreSQL server on this machine, by its data folder. */
export async function postmasterOf(dataDirectory: string): Promise<number> {
  return Number((await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}
