import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SandboxAddress } from '../sandbox/settings.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { cpuOfFamily, postmasterOf } from './cpu-of-family.ts';
import { openLoad } from './raw-load.ts';
import { type Started, startProcess } from './scale/start.ts';

/**
 * 1, 2 and 4 workers, then 1, 2 and 4 api processes, on one database: ratings, snapshots and reads a second, and the CPU
 * of each. Sandbox, database and load run on the same cores: the CPU of one rating shows the effect of more cores.
 */
const COUNTS = (process.env.ASSAY_BENCH_COUNTS ?? '1,2,4').split(',').map(Number);
/**
 * In all, whatever the number of workers: scores of one asset that are requested at once share a collection, and more
 * scores share more.
 */
const RATINGS = Number(process.env.ASSAY_BENCH_RATINGS ?? 200);
/** Scores for each worker before the measurement. */
const WARM_UP = Number(process.env.ASSAY_BENCH_WARM_UP ?? 30);
const CONNECTIONS = 64;
const LOAD_MS = 4_000;

interface Token {
  readonly name: string;
  readonly domain: string | null;
  readonly chain: string;
  readonly address: string | null;
  readonly symbol: string;
}

const sandbox = await startProcess<{ sandbox: SandboxAddress; tokens: readonly Token[] }>({ role: 'sandbox' });
const { tokens } = sandbox.said;
const work: Awaited<ReturnType<typeof measureWorkers>>[] = [];
for (const workers of COUNTS) {
  work.push(await measureWorkers(workers));
  process.stderr.write(`${JSON.stringify(work.at(-1))}\n`);
}
const reads = await measureReads();
await sandbox.stop();
console.log(
  JSON.stringify(
    {
      cores: availableParallelism(),
      cpu_of_a_rating_four_to_one: ratio(
        work.at(-1)?.each_rating.worker_cpu_ms ?? Number.NaN,
        work[0]?.each_rating.worker_cpu_ms,
      ),
      reads_four_to_one: ratio(reads.at(-1)?.reads_per_second ?? Number.NaN, reads[0]?.reads_per_second),
      work: work.map((row) => ({
        ...row,
        ratings_speed_up: ratio(row.ratings_per_second, work[0]?.ratings_per_second),
        snapshots_speed_up: ratio(row.snapshots_per_second, work[0]?.snapshots_per_second),
      })),
      reads: reads.map((row) => ({ ...row, speed_up: ratio(row.reads_per_second, reads[0]?.reads_per_second) })),
    },
    null,
    1,
  ),
);
process.exit(0);

/** A database of its own for each: first snapshots and ratings of all assets. */
async function measureWorkers(workers: number) {
  const place = await newPlace();
  const { databaseUrl, dataDir, client } = place;
  const options = { sandbox: sandbox.said.sandbox, databaseUrl, dataDir };
  const api = await startProcess<{ url: string; adminKey: string }>({ ...options, role: 'api' });
  const crew = await all(workers, () => startProcess({ ...options, role: 'worker' }));
  const cpu = async () => ({
    workers: sum(await Promise.all(crew.map((one) => one.cpuSeconds()))),
    sandbox: await sandbox.cpuSeconds(),
    database: await place.cpuSeconds(),
  });
  const call = (path: string, init: RequestInit) =>
    fetch(api.said.url + path, {
      ...init,
      headers: { 'x-api-key': api.said.adminKey, 'content-type': 'application/json', prefer: 'respond-async' },
    });

  const rated = tokens.filter((token) => token.domain !== null);
  const accepted = new Set<string>();
  /** Requests this number of ratings at once and waits until each has ended; returns their number. */
  const rate = async (count: number, round: string) => {
    const earlier = accepted.size;
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const token = rated[index % rated.length];
        if (!token) return;
        const body = {
          type: 'posttge',
          project: token.name,
          project_url: `https://${token.domain}/`,
          category: `${round} ${Math.floor(index / rated.length)}`,
        };
        const reply = await call('/v1/score', { method: 'POST', body: JSON.stringify(body) });
        if (reply.status !== 202) throw new Error(`${token.name}: ${reply.status} ${await reply.text()}`);
        // Two identical requests at the same time share one job.
        accepted.add(((await reply.json()) as { job_id: string }).job_id);
      }),
    );
    const ended = "select count(*)::int as n from jobs where kind = 'score' and state not in ('queued', 'running')";
    await until(async () => (await client.query<{ n: number }>(ended)).rows[0]?.n === accepted.size);
    return accepted.size - earlier;
  };
  const collected = async () =>
    (await client.query<{ n: number }>("select count(*)::int as n from jobs where kind = 'collection'")).rows[0]?.n ??
    0;
  // The first scores of a process include compilation.
  await rate(WARM_UP * workers, 'warm');
  const before = await collected();
  const beforeRatings = await cpu();
  const sentBefore = await sentBy(crew);
  const ratingsBegan = performance.now();
  const ratings = await rate(RATINGS, 'round');
  const ratingSeconds = (performance.now() - ratingsBegan) / 1000;
  const afterRatings = await cpu();
  const sent = await sentBy(crew);
  const collections = (await collected()) - before;
  const succeeded = await client.query<{ n: number }>(
    "select count(*)::int as n from jobs where kind = 'score' and state = 'succeeded'",
  );

  await client.query("update index_schedule set due_at = due_at + interval '1 day'");
  const heads = async () =>
    (await client.query<{ n: number }>('select count(*)::int as n from snapshots')).rows[0]?.n ?? 0;
  await settled(heads);
  const there = await heads();
  const beforeSnapshots = await cpu();
  const snapshotsBegan = performance.now();
  const due = await client.query("update index_schedule set due_at = now() - interval '1 minute', queued_at = null");
  await until(async () => (await heads()) - there >= (due.rowCount ?? 0) * 0.95, 120_000).catch(() => undefined);
  const made = (await heads()) - there;
  const snapshotSeconds = (performance.now() - snapshotsBegan) / 1000;
  const afterSnapshots = await cpu();
  const spent = (from: typeof beforeRatings, to: typeof beforeRatings, units: number) => ({
    worker_cpu_ms: round(((to.workers - from.workers) * 1000) / units),
    database_cpu_ms: round(((to.database - from.database) * 1000) / units),
    sandbox_cpu_ms: round(((to.sandbox - from.sandbox) * 1000) / units),
  });
  for (const one of [...crew, api]) await one.stop();
  await place.close();
  return {
    workers,
    ratings,
    succeeded_with_warm_up: succeeded.rows[0]?.n ?? 0,
    ratings_per_second: round(ratings / ratingSeconds),
    each_rating: spent(beforeRatings, afterRatings, ratings),
    collections,
    each_collection: spent(beforeRatings, afterRatings, collections),
    worker_statements_each: each(sent, sentBefore, ratings),
    snapshots: made,
    snapshots_per_second: round(made / snapshotSeconds),
    each_snapshot: spent(beforeSnapshots, afterSnapshots, Math.max(1, made)),
  };
}

/** Statements of all these processes, by their first words. */
async function sentBy(crew: readonly Started<unknown>[]): Promise<ReadonlyMap<string, number>> {
  const all = new Map<string, number>();
  for (const one of crew)
    for (const [text, times] of await one.statements()) all.set(text, (all.get(text) ?? 0) + times);
  return all;
}

/** Number of statements for one rating: all of them, and the twenty most frequent. */
function each(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>, ratings: number) {
  const rows = [...after].map(([text, times]) => [text, round((times - (before.get(text) ?? 0)) / ratings)] as const);
  const frequent = [...rows].sort(([, a], [, b]) => b - a).slice(0, 20);
  return { all: round(sum(rows.map(([, times]) => times))), of_them: Object.fromEntries(frequent) };
}

/** The same rating read from 1, 2 and 4 processes on one port. */
async function measureReads() {
  const place = await newPlace();
  const options = { sandbox: sandbox.said.sandbox, databaseUrl: place.databaseUrl, dataDir: place.dataDir };
  const worker = await startProcess({ ...options, role: 'worker' });
  const port = await freePort();
  const rows = [];
  let key = '';
  for (const processes of COUNTS) {
    const servers = await all(processes, () =>
      startProcess<{ url: string; adminKey: string | null }>({ ...options, role: 'api', port }),
    );
    const url = `http://127.0.0.1:${port}`;
    if (key === '') {
      key = servers[0]?.said.adminKey ?? '';
      const [token] = tokens.filter(({ domain }) => domain !== null);
      const body = JSON.stringify({ type: 'posttge', project: token?.name, project_url: `https://${token?.domain}/` });
      const headers = { 'x-api-key': key, 'content-type': 'application/json', prefer: 'wait=60' };
      const scored = await fetch(`${url}/v1/score`, { method: 'POST', headers, body });
      if (scored.status !== 200) throw new Error(await scored.text());
    }
    const symbol = tokens.find(({ domain }) => domain !== null)?.symbol ?? '';
    const request = `GET /v1/rms/${symbol} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`;
    const load = openLoad(CONNECTIONS, LOAD_MS);
    await load.measure({ port, request });
    const before = sum(await Promise.all(servers.map((one) => one.cpuSeconds())));
    const figures = await load.measure({ port, request });
    const after = sum(await Promise.all(servers.map((one) => one.cpuSeconds())));
    load.close();
    rows.push({
      processes,
      reads_per_second: Math.round(figures.requests / figures.seconds),
      server_cpu_microseconds: round(((after - before) * 1e6) / figures.requests),
      p50_ms: figures.p50,
      p99_ms: figures.p99,
      statuses: figures.statuses,
    });
    for (const one of servers) await one.stop();
  }
  await worker.stop();
  await place.close();
  return rows;
}

async function newPlace() {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
  await chmod(dataDir, 0o755);
  const database = await openDatabase({ databaseUrl: null, dataDir, role: 'service', log: () => undefined });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ path: string }>("select current_setting('data_directory') as path");
  const postmaster = await postmasterOf(rows[0]?.path ?? '');
  return {
    databaseUrl: database.url,
    dataDir,
    client,
    cpuSeconds: () => cpuOfFamily(postmaster),
    async close() {
      await client.end();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function all<Said>(count: number, start: () => Promise<Started<Said>>): Promise<readonly Started<Said>[]> {
  const started: Started<Said>[] = [];
  for (let index = 0; index < count; index += 1) started.push(await start());
  return started;
}

async function until(holds: () => Promise<boolean>, patienceMs = 600_000): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(50)) if (await holds()) return;
  throw new Error('it did not happen in time');
}

/** Waits until a number is constant for three seconds. */
async function settled(read: () => Promise<number>): Promise<void> {
  let [last, since] = [await read(), performance.now()];
  while (performance.now() - since < 3_000) {
    await sleep(250);
    const now = await read();
    if (now !== last) [last, since] = [now, performance.now()];
  }
}

function ratio(value: number, first: number | undefined): number {
  return round(value / (first || Number.NaN));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
