import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { openRatingBook } from '../src/compose/ratings.ts';
import { openStorage, type Storage } from '../src/compose/scoring.ts';
import { startService } from '../src/main.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { buildReport } from '../src/scoring/pipeline.ts';
import { createSigner } from '../src/signing/signer.ts';
import { takeDue } from '../src/store/ratings/monitored.ts';
import type { PassWish } from './million/pass.ts';
import { median } from './raw-load.ts';
import { evidenceOfCopy } from './world-copies.ts';
import { worldEvidence } from './world-evidence.ts';

/**
 * What an asset costs when there are ten thousand, a hundred thousand, a million of them in the database, all monitored:
 * start, reads, listing, taking what is due, rating again. The first `SEED` are rated by the real code, the others are
 * copies of their rows under other ids.
 */
const SIZES = (process.env.ASSAY_BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number);
const SEED = 1_000;
const AGAIN = 1_000;
/** Assets of a pass that takes, rates and publishes all that is due, with as many processes as there are cores; 0: none. */
const PASS = Number(process.env.ASSAY_BENCH_PASS ?? 100_000);
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
  const there = await count(storage, 'rated_assets');
  if (there === 0) {
    await rate(storage, SEED, new Date(Date.now() - 86_400_000));
    await sql`update monitored_assets set added_by = 'seed'`.execute(db);
  }
  const grown = performance.now();
  await grow(storage, size);
  await sql`vacuum analyze`.execute(db);
  const growSeconds = (performance.now() - grown) / 1000;

  const dueTimes: number[] = [];
  await sql`update monitored_assets set due_at = now() + interval '1 day'`.execute(db);
  await sql`update monitored_assets set due_at = now() - interval '1 hour'
    where asset_id in (select asset_id from monitored_assets order by md5(asset_id) limit ${AGAIN})`.execute(db);
  await sql`vacuum analyze monitored_assets`.execute(db);
  const at = new Date().toISOString();
  const lease = new Date(Date.now() + 60_000).toISOString();
  for (let turn = 0; turn < 20; turn += 1) {
    const began = performance.now();
    await takeDue(db, at, lease, 10);
    dueTimes.push(performance.now() - began);
  }
  const again = await rate(storage, AGAIN, new Date());
  const pass = Math.min(size, PASS) > 0 ? await passOver(storage, Math.min(size, PASS)) : null;
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
    pass,
  };
}

/** Rates `many` assets, one after the other, as a worker ends its jobs. */
async function rate(storage: Storage, many: number, at: Date) {
  const { db } = storage.store;
  const book = openRatingBook(config, await createSigner(db, Date.now));
  const began = performance.now();
  const cpu = process.cpuUsage();
  for (let index = 0; index < many; index += 1) {
    const evidence = evidenceOfCopy(templates, index, at);
    await db.transaction().execute(async (transaction) => {
      const publication = await book.lock(transaction, evidence.identification.asset.id);
      const report = buildReport({ ...evidence, publication }, methodology);
      await book.keep(transaction, report, { at: at.toISOString(), keyId: 'bench' });
    });
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms_each: Number(((performance.now() - began) / many).toFixed(2)),
    cpu_ms_each: Number(((user + system) / 1000 / many).toFixed(2)),
  };
}

/** Makes so many assets due, spread over all, and lets processes rate until nothing is due. */
async function passOver(storage: Storage, many: number) {
  const { db, url } = storage.store;
  await sql`update monitored_assets set due_at = now() + interval '1 day', job_id = null, job_started_at = null`.execute(
    db,
  );
  await sql`update monitored_assets set due_at = now() - interval '1 hour'
    where asset_id in (select asset_id from monitored_assets order by md5(asset_id) limit ${many})`.execute(db);
  await sql`vacuum analyze monitored_assets`.execute(db);
  const evidence = join(dataDir, 'evidence.json');
  await writeFile(evidence, JSON.stringify(templates));
  const { url: sandboxUrl, ca, httpPort, tlsPort } = sandbox;
  const wish: PassWish = {
    databaseUrl: url,
    dataDir: join(dataDir, 'pass'),
    sandbox: { url: sandboxUrl, ca, httpPort, tlsPort },
    evidence,
  };
  const began = performance.now();
  const said = await Promise.all(Array.from({ length: availableParallelism() }, () => passOnce(wish)));
  const seconds = (performance.now() - began) / 1000;
  const rated = said.reduce((sum, one) => sum + one.rated, 0);
  const cpu = said.reduce((sum, one) => sum + one.cpu_seconds, 0);
  return {
    processes: said.length,
    rated,
    seconds: Number(seconds.toFixed(1)),
    ratings_per_second: Number((rated / seconds).toFixed(0)),
    cpu_ms_each: Number(((cpu * 1000) / rated).toFixed(2)),
  };
}

async function passOnce(wish: PassWish): Promise<{ readonly rated: number; readonly cpu_seconds: number }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('million/pass.ts', import.meta.url)), JSON.stringify(wish)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`a process of the pass ended with ${code}`);
  return JSON.parse(output) as { rated: number; cpu_seconds: number };
}

/** Copies the rows of the seed under other ids until there are `size` assets. */
async function grow(storage: Storage, size: number): Promise<void> {
  const { db } = storage.store;
  const there = await count(storage, 'rated_assets');
  const copies = Math.ceil((size - there) / SEED);
  if (copies <= 0) return;
  const from = nextCopy;
  nextCopy += copies;
  // Copies have their number before the last six signs of the address, where those of the seed have their own.
  const signs = (zero: string) =>
    `overlay(row.asset_id placing translate((100000 + copy)::text, '0', '${zero}') from length(row.asset_id) - 11 for 6)`;
  const asset = `case when row.asset_id like '%/erc20:%' then ${signs('a')}
    when row.asset_id like '%/token:%' then ${signs('A')} else row.asset_id || copy end`;
  const seed = sql`(select asset_id from monitored_assets where added_by = 'seed' order by asset_id limit ${SEED})`;
  for (const table of ['published_ratings', 'rated_assets', 'monitored_assets']) {
    const { rows: columns } = await sql<{ name: string; generated: boolean }>`select attname as name,
        attidentity <> '' as generated from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
    const kept = columns.filter((column) => !column.generated).map((column) => column.name);
    const renamed: Record<string, string> = {
      asset_id: asset,
      rating_id: `(select max(id) from published_ratings rating where rating.asset_id = ${asset})`,
      added_by: "'copy'",
      job_id: "row.job_id || '~' || copy",
      symbol: 'row.symbol || copy',
      symbol_folded: 'row.symbol_folded || copy',
      score:
        'case when row.score is null then null else round((row.score + (copy % 97) / 100.0)::numeric, 2)::float8 end',
    };
    const values = kept.map((name) => renamed[name] ?? `row.${name}`);
    await sql`insert into ${sql.table(table)} (${sql.raw(kept.join(', '))})
      select ${sql.raw(values.join(', '))} from ${sql.table(table)} row, generate_series(${from}::int, ${from + copies - 1}::int) copy
      where row.asset_id in ${seed}`.execute(db);
  }
}

async function count(storage: Storage, table: string): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`select count(*)::int n from ${sql.table(table)}`.execute(
    storage.store.db,
  );
  return found[0]?.n ?? 0;
}

function nearTop(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(2));
}
