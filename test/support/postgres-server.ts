import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { postgresBinaries, reachableBinaries, type ServerUser, serverUser } from '../../src/store/server-host.ts';
import { baseBackup } from './base-backup.ts';

/** A PostgreSQL of a test's own, of npm's binaries, that the test starts, stops and kills. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  /** Returns when it answers. */
  start(...settings: readonly string[]): Promise<void>;
  /** Fast shutdown, as an operator restarts it. */
  stop(): Promise<void>;
  /** SIGKILL to the server and all its processes at once: the machine is gone. */
  kill(): Promise<void>;
  /** Its processes now: the server first. */
  processes(): readonly number[];
  /** One statement on a connection of its own. */
  query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]>;
  /** Makes a new server a copy of this one that follows it. */
  follow(folder: string): Promise<PostgresServer>;
}

/** What runs on which server: a test that is interrupted leaves no server behind. */
const leftovers = new Set<() => readonly number[]>();
process.once('exit', () => {
  for (const processes of leftovers) for (const one of processes()) signalTo(one, 'SIGKILL');
});

const READY_MS = 60_000;
const SETTINGS = ['max_connections=200', 'unix_socket_directories=', 'wal_keep_size=64MB', 'max_wal_senders=6'];

/**
 * Makes a database folder and a server on it, not started yet; `folder` must not exist, its parent must be open to all. `auth`: how
 * clients show the password.
 */
export async function postgresServer(
  folder: string,
  auth: 'scram-sha-256' | 'password' = 'scram-sha-256',
): Promise<PostgresServer> {
  const password = randomBytes(16).toString('hex');
  const passwordFile = `${folder}.password`;
  await ownFolder(folder);
  await writeFile(passwordFile, password);
  await give(passwordFile);
  await initialise([
    `--pgdata=${folder}`,
    '--username=assay',
    `--auth=${auth}`,
    `--pwfile=${passwordFile}`,
    // A random password needs no stretching, which each connection would pay for on both sides.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C',
    // Processes are killed here, never the machine.
    '--no-sync',
  ]);
  await rm(passwordFile);
  return serverOn(folder, password);
}

async function serverOn(folder: string, password: string): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgres://assay:${password}@127.0.0.1:${port}/postgres`;
  let pid = 0;
  const processes = () => (pid === 0 ? [] : [pid, ...childrenOf(pid)]);
  leftovers.add(processes);
  return {
    port,
    url,
    processes,
    async start(...settings) {
      const log = openSync(`${folder}.log`, 'a');
      const flags = ['-D', folder, '-p', String(port), '-h', '127.0.0.1'];
      const child = spawn(
        await program('postgres'),
        [...flags, ...[...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])],
        { ...(await userOfServers()), cwd: '/', stdio: ['ignore', log, log], detached: true },
      );
      await once(child, 'spawn');
      pid = child.pid ?? 0;
      const until = Date.now() + READY_MS;
      while (!(await answers(url))) {
        if (child.exitCode !== null || Date.now() > until)
          throw new Error(
            `the server on ${folder} does not answer: ${readFileSync(`${folder}.log`, 'utf8').slice(-500)}`,
          );
        await sleep(50);
      }
    },
    async stop() {
      if (pid !== 0) await end(pid, 'SIGINT', [pid]);
      pid = 0;
    },
    async kill() {
      if (pid !== 0) await end(pid, 'SIGKILL', processes());
      pid = 0;
    },
    async query<Row extends pg.QueryResultRow>(text: string) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async follow(copy) {
      await baseBackup({ folder, copy, url });
      const from = `host=127.0.0.1 port=${port} user=assay password=${password}`;
      await appendFile(join(copy, 'postgresql.auto.conf'), `\nprimary_conninfo = '${from}'\n`);
      await writeFile(join(copy, 'standby.signal'), '');
      return serverOn(copy, password);
    },
  };
}

async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await give(folder);
}

async function give(path: string): Promise<void> {
  const { uid, gid } = await userOfServers();
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

let user: Promise<ServerUser> | null = null;
let binaries: Promise<string> | null = null;

/** Looked up once: each look is two processes. */
function userOfServers(): Promise<ServerUser> {
  user ??= serverUser();
  return user;
}

async function folderOfBinaries(): Promise<string> {
  const { postgres } = await reachableBinaries(await postgresBinaries(), await userOfServers());
  return dirname(postgres);
}

async function program(name: string): Promise<string> {
  binaries ??= folderOfBinaries();
  const path = join(await binaries, name);
  await chmod(path, 0o755).catch(() => undefined);
  return path;
}

async function initialise(flags: readonly string[]): Promise<void> {
  const child = spawn(await program('initdb'), [...flags], {
    ...(await userOfServers()),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed (${code}): ${complaint.slice(-500)}`);
}

/** Signals all and returns when the first, and all that were signalled, are gone. */
async function end(pid: number, signal: NodeJS.Signals, all: readonly number[]): Promise<void> {
  for (const one of all) signalTo(one, signal);
  const until = Date.now() + 20_000;
  while ([pid, ...all].some(isAlive)) {
    if (Date.now() > until) for (const one of [pid, ...childrenOf(pid)]) signalTo(one, 'SIGKILL');
    await sleep(10);
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function isAlive(pid: number): boolean {
  const state = statOf(pid)[0];
  return state !== undefined && state !== 'Z';
}

/** The processes whose parent this is; elsewhere than on Linux they are left to end by themselves. */
function childrenOf(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))[1] === String(pid))
    .map(Number);
}

/** State and parent of a process; empty when it is gone. */
function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () =>
      client.end().then(
        () => false,
        () => false,
      ),
  );
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
