import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../sandbox/server.ts';

export interface KillCount {
  readonly kills: number;
  readonly accepted: number;
  readonly states: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly stuck: number;
  /** Jobs whose event numbers have a hole. */
  readonly holes: number;
  /** Seconds from the last start until every job had ended. */
  readonly settledSeconds: number;
  /** Exit code of the last process after SIGTERM. */
  readonly exitCode: number | null;
}

const PROJECTS = ['Tidewell', 'Marrowstone', 'Brackwater', 'Wobblepup', 'Quillpond', 'Lumenfall'];
const PATIENCE_MS = 45_000;

/** Kills a service with SIGKILL while it scores, `kills` times on one data folder, and counts what became of the accepted jobs. */
export async function killService(kills: number): Promise<KillCount> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-kill-'));
  await chmod(dataDir, 0o755);
  const world = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const sandbox = { url: world.url, ca: world.ca, httpPort: world.httpPort, tlsPort: world.tlsPort };
  world.faults.add({ source: '*', kind: 'latency', ms: 150 });
  const accepted: string[] = [];
  let key = '';
  for (let round = 0; round < kills; round += 1) {
    const running = await start(sandbox, dataDir);
    key = running.adminKey ?? key;
    await Promise.all(
      PROJECTS.map(async (project) => {
        const json = {
          type: 'posttge',
          project,
          project_url: `https://${project.toLowerCase()}.example/`,
          category: `round ${round}`,
        };
        const reply = await call(running.url, key, '/v1/score', {
          method: 'POST',
          body: JSON.stringify(json),
          headers: { prefer: 'respond-async' },
        }).catch(() => null);
        const location = reply?.headers.get('location');
        if (location) accepted.push(location);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, (round % 5) * 250));
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
  }
  world.faults.clear();
  const last = await start(sandbox, dataDir);
  const startedAt = Date.now();
  let states: string[] = [];
  for (;;) {
    states = await Promise.all(
      accepted.map(async (location) =>
        (await call(last.url, key, location))
          .json()
          .then((job) => (job as { state?: string; code?: string }).state ?? 'lost'),
      ),
    );
    const open = states.filter((state) => state === 'queued' || state === 'running').length;
    if (open === 0 || Date.now() - startedAt > PATIENCE_MS) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const settledSeconds = (Date.now() - startedAt) / 1000;
  const numbers = await Promise.all(
    accepted.map(async (location) =>
      [...(await (await call(last.url, key, `${location}/events`)).text()).matchAll(/^id: (\d+)$/gm)].map((match) =>
        Number(match[1]),
      ),
    ),
  );
  const holes = numbers.filter((seen) => seen.some((value, index) => value !== index + 1)).length;
  last.child.kill('SIGTERM');
  const [exitCode] = (await once(last.child, 'exit')) as [number | null];
  await world.close();
  await rm(dataDir, { recursive: true, force: true });
  const count = (state: string) => states.filter((other) => other === state).length;
  return {
    kills,
    accepted: accepted.length,
    states: Object.fromEntries([...new Set(states)].sort().map((state) => [state, count(state)])),
    lost: count('lost'),
    stuck: count('queued') + count('running'),
    holes,
    settledSeconds,
    exitCode,
  };
}

async function start(
  sandbox: unknown,
  dataDir: string,
): Promise<{ readonly child: ChildProcess; readonly url: string; readonly adminKey: string | null }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./service-process.ts', import.meta.url)), JSON.stringify({ sandbox, dataDir })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = JSON.parse(line) as { url: string; adminKey: string | null };
    return { child, ...ready };
  }
  throw new Error('the service ended before it was ready');
}

function call(url: string, key: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url + path, {
    ...init,
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...init.headers },
  });
}
