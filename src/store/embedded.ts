import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { findServer, isServed, isServerOn, moveIn, withServerLock } from './server-lock.ts';
import {
  type PostgresBinaries,
  postgresBinaries,
  reachableBinaries,
  reachableHome,
  type ServerUser,
  serverUser,
} from './server-programs.ts';

export interface OpenDatabase {
  readonly url: string;
  readonly embedded: boolean;
  /** Ends what was started here; a server that somebody else owns goes on. */
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** `service` owns the embedded server and stops it; `visitor` (a command beside a running service) only borrows it. */
  readonly role: 'service' | 'visitor';
  readonly log: (message: string) => void;
  /** Called when a server process was started here, or the one that runs was found: it may not answer yet. */
  readonly onProcess?: () => void;
}

interface Secret {
  readonly password: string;
}

const START_MS = 60_000;
/** A server starts within a tenth of a second and stops within a twentieth. */
const READY_POLL_MS = 15;
const STOP_POLL_MS = 5;

/** The operator's PostgreSQL when `databaseUrl` is given, else our own server in the data folder (docs/decisions/0004). */
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
      const moveOut = await moveIn(home);
      const close = () =>
        withServerLock(home, async () => {
          if (!(await moveOut())) await stop(pid, data);
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

/** True when the data folder has a database of ours already. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return existsSync(join(await reachableHome(dataDir, await serverUser()), 'data', 'PG_VERSION'));
}

/** The server on the folder: the one that runs, else a new one. Returns when it answers. */
async function serve(
  home: string,
  data: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  options: DatabaseOptions,
): Promise<{ readonly pid: number; readonly url: string; readonly adopted: boolean }> {
  const secret = await readSecret(home);
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
    const url = urlOf({ ...secret, port });
    const pid = running?.pid ?? (await start(home, data, binaries, user, port));
    options.onProcess?.();
    // A start that was killed between starting the server and our look may have left one that had not written its file
    // yet: ours then ends at once, and the other is found in the next round.
    if (await untilReady(url, until, () => isServerOn(pid, data))) return { pid, url, adopted: running !== null };
    if (Date.now() > until)
      throw new Error(
        `the embedded database did not become ready in ${START_MS / 1000} s; see postgres/server.log in the data folder`,
      );
  }
}

/** initdb into a folder beside and a rename: a crash half-way leaves nothing that looks finished. */
async function initialise(
  home: string,
  data: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  log: (message: string) => void,
): Promise<void> {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  log('creating the database (first start)');
  // What a killed start left behind, the password among it. Its initdb may still be writing there.
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
  await writeSecret(home, { password });
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
  const flags = [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=100',
    '-c',
    'logging_collector=off',
  ];
  // Its own process group: a Ctrl-C in the terminal must reach us only, or the server would end before our last write.
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

/** SIGINT is PostgreSQL's fast shutdown; SIGQUIT when it hangs. Returns when the process is gone: its file goes a moment before it. */
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

/** True when the server answers; false when it is gone or the time is over. */
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

function urlOf({ port, password }: Secret & { readonly port: number }): string {
  return `postgres://assay:${password}@127.0.0.1:${port}/postgres`;
}

async function readSecret(home: string): Promise<Secret> {
  return JSON.parse(await readFile(join(home, 'secret.json'), 'utf8')) as Secret;
}

async function writeSecret(home: string, secret: Secret): Promise<void> {
  const path = join(home, 'secret.json');
  await writeFile(`${path}.new`, JSON.stringify(secret), { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
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

function sleep(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
