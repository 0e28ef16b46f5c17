import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { openRatingBook } from '../src/compose/scoring.ts';
import { startService } from '../src/compose/service.ts';
import { openStorage, type Storage } from '../src/compose/storage.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { createSigner } from '../src/signing/signer.ts';
import { takeDueRatings } from '../src/store/ratings/monitored.ts';
import { exportYesterday } from './million/export-day.ts';
import { countAssets, grow } from './million/grow.ts';
import type { PassOptions } from './million/pass.ts';
import { passOver } from './million/pass-over.ts';
import { median } from './raw-load.ts';
import { evidenceOfCopy, rateAndKeep } from './world-copies.ts';
import { worldEvidence } from './world-evidence.ts';

/**
 * Cost of an asset with ten thousand, a hundred thousand and a million of them in the database, all monitored:
 * start, reads, listing, taking due assets, rating again. The first `SEED` are rated by the real code, the others are
 * copies of their rows under other ids.
 */
const SIZES = (process.env.ASSAY_BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number);
const SEED = 1_000;
const AGAIN = 1_000;
/** Number of assets of a pass that takes, rates and publishes all due ones (0: none), and the numbers of processes, one pass after the other. */
const PASS = Number(process.env.ASSAY_BENCH_PASS ?? 10_000);
const PROCESSES = (process.env.ASSAY_BENCH_PROCESSES ?? '1,2,4').split(',').map(Number);
const READS = 400;
const MIB = 1_048_576;

const templates = await worldEvidence();
const methodology = loadMethodology();
const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(dataDir, 0o755);
const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
const config = serviceOnSandbox(sandbox, { dataDir, monitorJobs: 0 });
let adminKey: string | null = null;
let nextCopy = 1;
const rows = [];
for (const size of SIZES) {
  rows.push(await measure(size));
  process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
}
console.log(JSON.stringify({ by_assets: rows }, null, 1));
await sandbox.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);

async function measure(size: number) {
  const storage = await openStorage(config, 'service', () => undefined);
  const { db } = storage.store;
  if ((await countAssets(storage)) === 0) {
    await rate(storage, SEED, new Date(Date.now() - 86_400_000));
    await sql`update monitored_assets set added_by = 'seed'`.execute(db);
  }
  const grown = performance.now();
  nextCopy = await grow(storage, size, nextCopy);
  await sql`vacuum analyze`.execute(db);
  const growSeconds = (performance.now() - grown) / 1000;

  const dueTimes: number[] = [];
  await sql`update monitored_assets set due_at = now() + interval '1 day'`.execute(db);
  await sql`update monitored_assets set due_at = now() - interval '1 hour'
    where asset_id in (select asset_id from monitored_assets order by md5(asset_id) limit ${AGAIN})`.execute(db);
  await sql`vacuum analyze monitored_assets`.execute(db);
  const at = new Date().toISOString();
  for (let turn = 0; turn < 20; turn += 1) {
    const began = performance.now();
    await takeDueRatings(db, at, 10, 60);
    dueTimes.push(performance.now() - began);
  }
  const again = await rate(storage, AGAIN, new Date());
  const passes = [];
  if (PASS > 0)
    for (const processes of PROCESSES)
      passes.push(await passOver(storage, await passOptions(storage), Math.min(size, PASS), processes));
  const exported = await exportYesterday(config, storage);
  const { rows: sizes } = await sql<{
    mib: number;
  }>`select pg_database_size(current_database())::float8 / ${MIB} as mib`.execute(db);
  const { rows: sample } = await sql<{
    asset_id: string;
  }>`select asset_id from rated_assets where asset_id like '%/erc20:%' or asset_id like '%/token:%'
      order by md5(asset_id) limit ${READS}`.execute(db);
  await storage.close();

  const startedAt = performance.now();
  const service = await startService({ config, resolver: sandboxResolver(sandbox) });
  adminKey ??= service.adminKey;
  const startSeconds = (performance.now() - startedAt) / 1000;
  const timed = async (path: string) => {
    const began = performance.now();
    const reply = await fetch(service.url + path, { headers: { 'x-api-key': adminKey ?? '' } });
    const body = await reply.text();
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${body.slice(0, 200)}`);
    return { ms: performance.now() - began, body };
  };
  const cold: number[] = [];
  for (const { asset_id } of sample) cold.push((await timed(`/v1/rms/${encodeURIComponent(asset_id)}`)).ms);
  const warm: number[] = [];
  for (const { asset_id } of sample) warm.push((await timed(`/v1/rms/${encodeURIComponent(asset_id)}`)).ms);
  const pages: number[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < 20 && cursor !== null; page += 1) {
    const got = await timed(`/v1/rms?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    pages.push(got.ms);
    cursor = (JSON.parse(got.body) as { next_cursor: string | null }).next_cursor;
  }
  await service.close();
  return {
    assets: size,
    database_mib: Math.round(sizes[0]?.mib ?? 0),
    kib_each: Number((((sizes[0]?.mib ?? 0) * 1024) / size).toFixed(2)),
    grow_seconds: Math.round(growSeconds),
    start_seconds: Number(startSeconds.toFixed(2)),
    rss_mib: Math.round(process.memoryUsage().rss / MIB),
    read_cold_ms: { p50: median(cold), p99: nearTop(cold) },
    read_again_ms: { p50: median(warm), p99: nearTop(warm) },
    list_page_ms: { p50: median(pages), worst: Number(Math.max(...pages).toFixed(1)) },
    take_ten_due_ms: { p50: median(dueTimes), worst: Number(Math.max(...dueTimes).toFixed(1)) },
    rate_again: again,
    passes,
    export: exported,
  };
}

/** Rates `many` assets, one after the other, as at the end of a worker's jobs. */
async function rate(storage: Storage, many: number, at: Date) {
  const { db } = storage.store;
  const book = openRatingBook(config, await createSigner(db, Date.now));
  const began = performance.now();
  const cpu = process.cpuUsage();
  for (let index = 0; index < many; index += 1)
    await rateAndKeep(db, book, evidenceOfCopy(templates, index, at), methodology);
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms_each: Number(((performance.now() - began) / many).toFixed(2)),
    cpu_ms_each: Number(((user + system) / 1000 / many).toFixed(2)),
  };
}

async function passOptions(storage: Storage): Promise<PassOptions> {
  const evidence = join(dataDir, 'evidence.json');
  await writeFile(evidence, JSON.stringify(templates));
  const { url, ca, httpPort, tlsPort } = sandbox;
  return {
    databaseUrl: storage.store.url,
    dataDir: join(dataDir, 'pass'),
    sandbox: { url, ca, httpPort, tlsPort },
    evidence,
  };
}

function nearTop(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(2));
}
