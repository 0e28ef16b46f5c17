import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const PATIENCE_MS = 90_000;
const POLL_MS = 40;

/**
 * Runs `work` while no other process starts or stops the server of this folder: two first starts would each create a database,
 * and the later one would remove the earlier. The lock of a killed holder is taken over.
 */
export async function withServerLock<Value>(home: string, work: () => Promise<Value>): Promise<Value> {
  const path = join(home, 'starting');
  const mine = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(mine, await identityOf(process.pid));
  try {
    const until = Date.now() + PATIENCE_MS;
    // link(2) creates the file with its content, so that no process reads a lock without a holder.
    while (!(await linked(mine, path))) {
      const holder = await readFile(path, 'utf8').catch(() => null);
      if (holder === null) continue;
      if (Date.now() > until || !(await lives(holder))) await rm(path, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await rm(mine, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Registers this process as a user of the server. The returned function removes the entry and returns true when another service still uses the server. */
export async function moveIn(home: string): Promise<() => Promise<boolean>> {
  const notes = join(home, 'services');
  await mkdir(notes, { recursive: true });
  const mine = join(notes, `${process.pid}.${randomBytes(4).toString('hex')}`);
  await writeFile(mine, await identityOf(process.pid));
  return async () => {
    await rm(mine, { force: true });
    return isServed(home);
  };
}

/** True while some service uses the folder. Notes of killed ones are removed. */
export async function isServed(home: string): Promise<boolean> {
  const notes = join(home, 'services');
  if (!existsSync(notes)) return false;
  let served = false;
  for (const name of await readdir(notes)) {
    const holder = await readFile(join(notes, name), 'utf8').catch(() => null);
    if (holder === null) continue;
    if (await lives(holder)) served = true;
    else await rm(join(notes, name), { force: true });
  }
  return served;
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function lives(holder: string): Promise<boolean> {
  const pid = Number(holder.split(':')[0]);
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await identityOf(pid)) === holder;
}

/** Number and start time: a number alone is given to another process sooner or later (in a container at once). */
async function identityOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return `${pid}:`;
  // proc(5): the fields after the name in brackets; the 22nd field is the start time, and Z is a process that has ended.
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ').at(-1)?.split(' ') ?? [];
  return fields[0] === 'Z' ? `${pid}:ended` : `${pid}:${fields[19] ?? ''}`;
}

/**
 * The server that runs on this data folder, or null. The number in `postmaster.pid` alone proves nothing: after a crash
 * it may belong to another process. The process must be a `postgres` started on exactly this folder; else the file is
 * stale and removed, so that the next start is not refused.
 */
export async function findServer(data: string): Promise<{ readonly pid: number; readonly port: number } | null> {
  const path = join(data, 'postmaster.pid');
  let lines: string[];
  try {
    lines = (await readFile(path, 'utf8')).split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (Number.isInteger(pid) && pid > 1 && (await isServerOn(pid, data, lines[1]))) {
    if (Number.isInteger(port) && port > 0) return { pid, port };
    // The file is written line by line; a server that has just started has not come to its port yet.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return findServer(data);
  }
  await rm(path, { force: true });
  return null;
}

/** True when the process lives and is a server on this folder; where processes cannot be looked at, `written` (the file's own word) is believed. */
export async function isServerOn(pid: number, data: string, written = data): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return written === data;
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    if (/\) Z /.test(status)) return false;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\u0000');
    const program = await readlink(`/proc/${pid}/exe`).catch(() => command[0] ?? '');
    return basename(program).startsWith('postgres') && command[command.indexOf('-D') + 1] === data;
  } catch {
    return false;
  }
}
