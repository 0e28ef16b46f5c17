import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import type { ServerUser } from './server-user.ts';

/** Parent folder for a server that runs as another user and cannot access the wanted folder (a clone under /root, mode 700). */
const OPEN_PLACE = '/var/tmp';

/** True when the server's user can access the path; always true when it is our own user. */
export function canReach(path: string, user: ServerUser): boolean {
  if (user.uid === undefined) return true;
  return spawnSync('/usr/bin/env', ['test', '-r', path], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** The folder for the server's data: in the data folder, or under /var/tmp when the server's user cannot access that. */
export async function reachableHome(dataDir: string, user: ServerUser): Promise<string> {
  const wanted = resolve(dataDir, 'postgres');
  await mkdir(wanted, { recursive: true, mode: 0o755 });
  if (canReach(wanted, user)) return wanted;
  const home = join(OPEN_PLACE, `assay-${digest(wanted)}`);
  await mkdir(home, { recursive: true, mode: 0o755 });
  return home;
}

/** The server's binaries where its user can run them: as installed, or a copy under /var/tmp, made once per installation. */
export async function reachableBinaries(binaries: PostgresBinaries, user: ServerUser): Promise<PostgresBinaries> {
  if (canReach(binaries.postgres, user)) return binaries;
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
