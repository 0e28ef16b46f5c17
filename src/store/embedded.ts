import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  findServer,
  isServed,
  isServerOn,
  type PostgresBinaries,
  postgresBinaries,
  reachableBinaries,
  reachableHome,
  registerService,
  type ServerUser,
  serverUser,
  withServerLock,
} from './server-host.ts';

export interface OpenDatabase {
  readonly url: string;
  readonly embedded: boolean;
  /** Ends what was started here; a server of another owner keeps running. */
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** `service` owns the embedded server and stops it; `visitor` (a command beside a running service) only uses it. */
  readonly role: 'service' | 'visitor';
  readonly log: (message: string) => void;
  /** Called when a server process was started here, or a running one was found: it may not accept connections yet. */
  readonly onProcess?: () => void;
}

const START_MS = 60_000;
/** A server starts within a tenth of a second and stops within a twentieth. */
const READY_POLL_MS = 15;
const STOP_POLL_MS = 5;

/**
 * The operator's PostgreSQL when `databaseUrl` is given, else the embedded server in the data folder
 * (docs/decisions/0004).
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  if (options.databaseUrl !== null) return { url: options.databaseUrl, embedded: false, close: async () => undefined };
  const [user, installed] = await Promise.all([serverUser(), postgresBinaries()]);
  const [home, binaries] = await Promise.all([
    reachableHome(options.dataDir, user),
    reachableBinaries(installed, user),
  ]);
  const data = join(home, 'data');
  return withServerLock(home, async () => {
    await initialise(home, data, binaries, user, options.log);
    const { pid, url, adopted } = await serve(home, data, binaries, user, options);
    if (options.role === 'service') {
      const unregister = await registerService(home);
      const close = () =>
        withServerLock(home, async () => {
          if (!(await unregister())) await stop(pid, data);
        });
      return { url, embedded: true, close };
    }
    const close = async () => {
      if (!adopted)
        await withServerLock(home, async () => {
          if (!(await isServed(home))) await stop(pid, data);
        });
    };
    return { url, embedded: true, close };
  });
}

/** True when the data folder has a database of the service already. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return existsSync(join(await reachableHome(dataDir, await serverUser()), 'data', 'PG_VERSION'));
}

/** The server on the folder: the running one, else a new one. Resolves when it accepts connections. */
async function serve(
  home: string,
  data: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  options: DatabaseOptions,
): Promise<{ readonly pid: number; readonly url: string; readonly adopted: boolean }> {
  const { password } = JSON.parse(await readFile(join(home, 'secret.json'), 'utf8')) as { readonly password: string };
  const until = Date.now() + START_MS;
  for (;;) {
    const running = await findServer(data);
    if (running !== null)
      options.log(
        options.role === 'service'
          ? 'a database server from an earlier run is adopted'
          : 'the running database server is used',
      );
    const port = running?.port ?? (await freePort());
    const url = `postgres://assay:${password}@127.0.0.1:${port}/postgres`;
    const pid = running?.pid ?? (await start(home, data, binaries, user, port));
    options.onProcess?.();
    // A start that was killed between starting the server and this check may have left one that had not written its
    // file yet: the new server then ends at once, and the other is found in the next round.
    if (await untilReady(url, until, () => isServerOn(pid, data))) return { pid, url, adopted: running !== null };
    if (Date.now() > until)
      throw new Error(
        `the embedded database did not become ready in ${START_MS / 1000} s; see postgres/server.log in the data folder`,
      );
  }
}

/** initdb into another folder and a rename: a crash half-way leaves nothing that looks complete. */
async function initialise(
  home: string,
  data: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  log: (message: string) => void,
): Promise<void> {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  log('creating the database (first start)');
  // Remains of a killed start, including the password. Its initdb may still be writing there.
  for (const name of await readdir(home))
    if (name.startsWith('data.new.') || name.startsWith('password.'))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  const fresh = join(home, `data.new.${process.pid}`);
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  const passwordFile = join(home, `password.${process.pid}`);
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [fresh, passwordFile]) await chown(path, user.uid, user.gid);
  try {
    const flags = [
      `--pgdata=${fresh}`,
      '--username=assay',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
    ];
    await run(binaries.initdb, flags, user);
  } finally {
    await rm(passwordFile, { force: true });
  }
  const secret = join(home, 'secret.json');
  await writeFile(`${secret}.new`, JSON.stringify({ password }), { mode: 0o600 });
  await chmod(`${secret}.new`, 0o600);
  await rename(`${secret}.new`, secret);
  await rm(data, { recursive: true, force: true });
  await rename(fresh, data);
}

async function start(
  home: string,
  data: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  port: number,
): Promise<number> {
  const output = openSync(join(home, 'server.log'), 'a', 0o600);
  const settings = ['unix_socket_directories=', 'max_connections=100', 'logging_collector=off'];
  const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...settings.flatMap((setting) => ['-c', setting])];
  // Its own process group: a Ctrl-C in the terminal must reach this process only, or the server would end before the
  // last write.
  const child = spawn(binaries.postgres, flags, {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.unref();
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('the database server could not be started');
  return child.pid;
}

/**
 * SIGINT is PostgreSQL's fast shutdown; SIGQUIT when it hangs. Resolves when the process has ended: its file is removed
 * shortly before.
 */
async function stop(pid: number, data: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (!(await isServerOn(pid, data))) return;
    process.kill(pid, signal);
    const until = Date.now() + patience;
    while (Date.now() < until) {
      if (!(await isServerOn(pid, data))) return;
      await sleep(STOP_POLL_MS);
    }
  }
}

/** True when the server accepts connections; false when it has ended or the time is over. */
async function untilReady(url: string, until: number, lives: () => Promise<boolean>): Promise<boolean> {
  while (Date.now() <= until) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await client.end().catch(() => undefined);
      await sleep(READY_POLL_MS);
      if (!(await lives())) return false;
    }
  }
  return false;
}

async function run(program: string, flags: readonly string[], user: ServerUser): Promise<void> {
  const child = spawn(program, [...flags], { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2_000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed (${code}): ${complaint.trim()}`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port was found');
  return address.port;
}
