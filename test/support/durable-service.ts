import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { openStore, type Store } from '../../src/store/database.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';
import { givenDatabase } from '../../src/store/fixtures/given-server.ts';
import { SERVICE_PROCESS } from './service-arguments.ts';

export interface Life {
  readonly child: ChildProcess;
  readonly readyMs: number;
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  /** Accepts a project for scoring; the job's path, or null when the service did not take it. */
  readonly accept: (project: string, category: string) => Promise<string | null>;
  /** Sends the signal; resolves with the exit code and the milliseconds it took. */
  readonly end: (signal: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly ms: number }>;
}

export interface Durable {
  readonly world: Sandbox;
  readonly dataDir: string;
  /** Starts the service as a process of its own on the one data folder. */
  readonly start: () => Promise<Life>;
}

/** A sandbox, and a data folder on which one service after another lives. */
export async function durable(): Promise<Durable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-durable-'));
  // As root the database server runs as another user, who has to walk there.
  await chmod(dataDir, 0o755);
  const world = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const given = await givenDatabase(dataDir);
  const settings = given ? { databaseUrl: given.url } : {};
  const sandbox = { url: world.url, ca: world.ca, httpPort: world.httpPort, tlsPort: world.tlsPort };
  let key = '';
  return {
    world: {
      ...world,
      async close() {
        await world.close();
        await given?.drop();
      },
    },
    dataDir,
    async start() {
      const startedAt = performance.now();
      const child = spawn(process.execPath, [...SERVICE_PROCESS, JSON.stringify({ sandbox, dataDir, settings })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exit = once(child, 'exit') as Promise<[number | null]>;
      const line = (await Promise.race([
        once(createInterface({ input: child.stdout }), 'line'),
        exit.then(([code]) => Promise.reject(new Error(`the service ended with ${code} before it was ready`))),
      ])) as [string];
      const ready = JSON.parse(line[0]) as { url: string; adminKey: string | null };
      key = ready.adminKey ?? key;
      const call = (path: string, init: RequestInit = {}) =>
        fetch(ready.url + path, {
          ...init,
          headers: { 'content-type': 'application/json', 'x-api-key': key, ...init.headers },
        });
      return {
        child,
        readyMs: performance.now() - startedAt,
        call,
        async accept(project, category) {
          const body = { type: 'posttge', project, project_url: `https://${project.toLowerCase()}.example/`, category };
          const init = { method: 'POST', body: JSON.stringify(body), headers: { prefer: 'respond-async' } };
          const reply = await call('/v1/score', init).catch(() => null);
          return reply?.headers.get('location') ?? null;
        },
        async end(signal) {
          const sentAt = performance.now();
          child.kill(signal);
          const [code] = await exit;
          return { code, ms: performance.now() - sentAt };
        },
      };
    },
  };
}

/** Looks into the store beside a running service, as a command would. */
export async function lookInto<Value>(dataDir: string, look: (store: Store) => Promise<Value>): Promise<Value> {
  const database = await databaseOf(dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  try {
    return await look(store);
  } finally {
    await store.close();
    await database.close();
  }
}

/** Processes that were started on the folder and still run (Linux). */
export function processesOn(dataDir: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\u0000', ' ');
      } catch {
        return '';
      }
    })
    .filter((command) => command.includes(dataDir));
}
