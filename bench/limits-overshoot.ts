import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { loadPlans, type Plan } from '../src/access/plans/plans.ts';
import { createSharedLimiter } from '../src/access/plans/shared-limiter.ts';
import { startService } from '../src/compose/service.ts';
import { openStore } from '../src/store/database.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { leaseWindows } from '../src/store/usage.ts';

/**
 * Four processes, one database, one account, as many requests as possible: how many more than the plan allows are admitted. First the
 * limiters alone, at full speed, then the same with one process killed in the middle, then four
 * whole services over HTTP. The target is no excess request; the slice of a killed process is lost for the window.
 */
const PROCESSES = 4;
const SECONDS = 3;
const LIMITS = [120, 300, 10_000, 1_000_000] as const;

type Task =
  | {
      readonly kind: 'limiter';
      readonly url: string;
      readonly account: string;
      readonly limit: number;
    }
  | {
      readonly kind: 'service';
      readonly url: string;
      readonly sandbox: Pick<Sandbox, 'url' | 'ca' | 'httpPort' | 'tlsPort'>;
    };

if (process.send) process.once('message', (task: Task) => void (task.kind === 'limiter' ? hammer(task) : serve(task)));
else await main();

async function main(): Promise<void> {
  const database = await testDatabase();
  const rows = [];
  for (const killed of [false, true])
    for (const limit of LIMITS) {
      const account = `acc_${limit}_${killed}`;
      rows.push({ ...(await limiters(database.url, account, limit, killed)), killed_one: killed });
    }
  const http = await services(database.url);
  await database.close();
  console.log(JSON.stringify({ processes: PROCESSES, limiters: rows, services: http, goal: 'overshoot 0' }, null, 1));
}

async function limiters(url: string, account: string, limit: number, kill: boolean) {
  const children = Array.from({ length: PROCESSES }, start);
  for (const child of children) child.send({ kind: 'limiter', url, account, limit } satisfies Task);
  await Promise.all(children.map((child) => once(child, 'message')));
  await fullMinuteAhead();
  for (const child of children) child.send('go');
  if (kill) setTimeout(() => children[0]?.kill('SIGKILL'), SECONDS * 500);
  const reports = await Promise.all(children.map(lastReport));
  const sum = (name: 'passed' | 'asked') => reports.reduce((total, report) => total + report[name], 0);
  const [passed, asked] = [sum('passed'), sum('asked')];
  return { limit, asked, passed, overshoot: Math.max(0, passed - limit), unused: Math.max(0, limit - passed) };
}

interface Report {
  readonly passed: number;
  readonly asked: number;
}

/** The last report of a child before it ended: the admissions of a killed one are known to within one report. */
async function lastReport(child: ChildProcess): Promise<Report> {
  let last: Report = { passed: 0, asked: 0 };
  child.on('message', (report: Report) => {
    last = report;
  });
  await once(child, 'exit');
  return last;
}

async function hammer({ url, account, limit }: Task & { readonly kind: 'limiter' }): Promise<void> {
  const store = await openStore(url, 'sandbox');
  const model = loadPlans(null).find('RATING') as Plan;
  const plan = { ...model, requestsPerMinute: limit, requestsPerDay: null };
  const limiter = createSharedLimiter({ lease: (requested) => leaseWindows(store.db, requested), now: Date.now });
  process.send?.({ passed: 0, asked: 0 });
  await once(process, 'message');
  const until = Date.now() + SECONDS * 1_000;
  let passed = 0;
  let asked = 0;
  while (Date.now() < until) {
    for (let turn = 0; turn < 200; turn += 1) {
      const taken = limiter.takeNow(account, plan) ?? (await limiter.take(account, plan));
      asked += 1;
      if (taken.refusedBy === null) passed += 1;
    }
    process.send?.({ passed, asked });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await limiter.close();
  await store.close();
  process.send?.({ passed, asked }, () => process.exit(0));
}

async function services(url: string) {
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const { url: sandboxUrl, ca, httpPort, tlsPort } = sandbox;
  const task: Task = { kind: 'service', url, sandbox: { url: sandboxUrl, ca, httpPort, tlsPort } };
  const children: ChildProcess[] = [];
  const urls: string[] = [];
  let admin = '';
  for (let index = 0; index < PROCESSES; index += 1) {
    const child = start();
    child.send(task);
    const [ready] = (await once(child, 'message')) as [{ url: string; adminKey: string | null }];
    admin = ready.adminKey ?? admin;
    children.push(child);
    urls.push(ready.url);
  }
  const made = await fetch(`${urls[0]}/v1/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', plan: 'CHAIN-1500', scopes: ['chain:read'] }),
  });
  const { secret } = (await made.json()) as { secret: string };
  const limit = loadPlans(null).find('CHAIN-1500')?.requestsPerMinute ?? 0;
  await fullMinuteAhead();
  const until = Date.now() + SECONDS * 1_000;
  const statuses: Record<string, number> = {};
  await Promise.all(
    urls.flatMap((base) =>
      Array.from({ length: 8 }, async () => {
        while (Date.now() < until) {
          const reply = await fetch(`${base}/v1/chains`, { headers: { 'x-api-key': secret } });
          await reply.arrayBuffer();
          statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
        }
      }),
    ),
  );
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => (child.exitCode === null ? once(child, 'exit') : null)));
  await sandbox.close();
  const passed = statuses[200] ?? 0;
  return { limit, statuses, overshoot: Math.max(0, passed - limit), unused: Math.max(0, limit - passed) };
}

async function serve({ url, sandbox }: Task & { readonly kind: 'service' }): Promise<void> {
  const config = serviceOnSandbox(sandbox, { databaseUrl: url, monitorJobs: 0 });
  const service = await startService({ config, resolver: sandboxResolver(sandbox) });
  process.send?.({ url: service.url, adminKey: service.adminKey });
  process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
}

function start(): ChildProcess {
  return fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** So that the whole run is within one minute. */
async function fullMinuteAhead(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < (SECONDS + 4) * 1_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
