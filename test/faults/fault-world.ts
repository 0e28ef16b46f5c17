import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import type { Config } from '../../src/config/types.ts';
import { givenDatabase } from '../../src/store/fixtures/given-server.ts';
import { runDatabase } from '../../src/store/fixtures/run-server.ts';
import { type PostgresServer, postgresServer } from '../support/postgres-server.ts';
import { SERVICE_PROCESS } from '../support/service-arguments.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

export type Call = (path: string, init?: RequestInit & { readonly json?: unknown }) => Promise<Response>;

/** One process of the service. */
export interface Life {
  readonly child: ChildProcess;
  readonly url: string;
  readonly readyMs: number;
  readonly call: Call;
  /** Sends the signal; resolves with the exit code when the process is gone. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface Birth {
  readonly settings?: Partial<Config>;
  readonly role?: 'all' | 'api' | 'worker';
  readonly poisonHost?: string;
  /** Flags of Node, such as a limit of memory. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A sandbox, a database, wires between them and the service that can be cut, and processes of the service. */
export interface FaultWorld {
  readonly sandbox: Sandbox;
  readonly database: PostgresServer | null;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly databaseWire: TcpProxy;
  readonly sourcesWire: TcpProxy;
  /** The key of the first start. */
  readonly key: () => string;
  start(birth?: Birth): Promise<Life>;
  /** Ends processes that still run, and everything else. */
  close(): Promise<void>;
}

export interface WorldOptions {
  /** The address of a database in place of one made here. */
  readonly databaseUrl?: string;
  /** Where a database of its own lies; a folder that the database's user can reach. */
  readonly databaseFolder?: string;
  /** A server of its own even where one is given for all tests: the fault is in the server. */
  readonly ownServer?: boolean;
  /** The database is left alone: where a run of tests has a server, the world has a database on it. */
  readonly sparesDatabase?: boolean;
}

/** A start takes two seconds; on a machine that has ten times its work to do, much longer. */
const READY_MS = 180_000;

export async function faultWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-fault-'));
  // As root the database server runs as another user, who has to walk there.
  await chmod(folder, 0o755);
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const isOwn = options.ownServer === true || options.databaseFolder !== undefined;
  const placed =
    isOwn || options.databaseUrl
      ? null
      : ((await givenDatabase(folder)) ?? (options.sparesDatabase ? await runDatabase(folder) : null));
  const place = options.databaseUrl ?? placed?.url;
  const database = place ? null : await postgresServer(options.databaseFolder ?? join(folder, 'postgres'));
  await database?.start();
  const direct = new URL(place ?? database?.url ?? '');
  const databaseWire = await tcpProxy(Number(direct.port));
  const sourcesWire = await tcpProxy(sandbox.httpPort);
  const url = new URL(direct);
  url.port = String(databaseWire.port);
  const address = {
    url: `http://127.0.0.1:${sourcesWire.port}`,
    ca: sandbox.ca,
    httpPort: sourcesWire.port,
    tlsPort: sandbox.tlsPort,
  };
  const lives = new Set<Life>();
  let key = '';

  async function start({ settings = {}, role = 'all', poisonHost, flags = [], env = {} }: Birth = {}): Promise<Life> {
    const startedAt = performance.now();
    const orders = {
      sandbox: address,
      dataDir: join(folder, 'data'),
      settings: { databaseUrl: url.href, ...settings },
      role,
      ...(poisonHost ? { poisonHost } : {}),
    };
    const child = spawn(process.execPath, [...flags, ...SERVICE_PROCESS, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    const exit = once(child, 'exit') as Promise<[number | null]>;
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS);
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      exit.then(([code]) => Promise.reject(new Error(`the service ended with ${code} before it was ready`))),
    ]).finally(() => clearTimeout(timer))) as [string];
    const ready = JSON.parse(line) as { url: string; adminKey: string | null };
    key = ready.adminKey ?? key;
    const life: Life = {
      child,
      url: ready.url,
      readyMs: performance.now() - startedAt,
      call: callerOf(ready.url, () => key),
      async end(signal) {
        child.kill(signal);
        const [code] = await exit;
        lives.delete(life);
        return code;
      },
    };
    lives.add(life);
    exit.then(() => lives.delete(life));
    return life;
  }

  return {
    sandbox,
    database,
    databaseUrl: url.href,
    folder,
    databaseWire,
    sourcesWire,
    key: () => key,
    start,
    async close() {
      databaseWire.heal();
      sourcesWire.heal();
      await Promise.all([...lives].map((life) => life.end('SIGKILL')));
      await Promise.all([databaseWire.close(), sourcesWire.close(), sandbox.close()]);
      await database?.kill();
      await placed?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Requests with the key of the first start; `json` is sent as the body. No reply takes longer than half a minute. */
export function callerOf(base: string, key: () => string): Call {
  return (path, { json, headers, ...init } = {}) => {
    const sent = new Headers(headers);
    if (!sent.has('x-api-key')) sent.set('x-api-key', key());
    if (json !== undefined) sent.set('content-type', 'application/json');
    return fetch(base + path, {
      signal: AbortSignal.timeout(30_000),
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
      ...init,
      headers: sent,
    });
  };
}
