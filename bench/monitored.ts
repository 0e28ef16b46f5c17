import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { openRatingBook } from '../src/compose/scoring.ts';
import { startService } from '../src/compose/service.ts';
import { openStorage } from '../src/compose/storage.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import { buildReport } from '../src/jobs/pipeline.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { createSigner } from '../src/signing/signer.ts';
import { evidenceOfCopy } from './world-copies.ts';
import { worldEvidence } from './world-evidence.ts';

/**
 * `ASSETS` monitored assets (the sandbox's evidence under other addresses), all rated again in one pass: consensus, rating,
 * publication, alerts of the accounts that watch, next dates, each in its transaction; then a start on that database.
 */
const ASSETS = Number(process.env.ASSAY_BENCH_ASSETS ?? 100_000);
const WATCHED_EACH = 5_000;
const ACCOUNTS = 20;
const AT_ONCE = 4;

const templates = await worldEvidence();
const methodology = loadMethodology();
const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(dataDir, 0o755);
const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
const config = serviceOnSandbox(sandbox, { dataDir });
const storage = await openStorage(config, 'service', () => undefined);
const { db } = storage.store;
const signer = await createSigner(db, Date.now);
const book = openRatingBook(config, signer);

const first = await pass(new Date(Date.now() - DAY_MS));
await sql`insert into watchlist (account_id, asset_id, added_at, thresholds, baseline_score, baseline_band)
  select 'acc_' || account, asset_id, now(),
    '{"minScoreChange":5,"flagSeverities":["high","critical"],"bands":null}', score - (account % 3) * 4, band
  from generate_series(1, ${ACCOUNTS}) account, lateral (
    select asset_id, score, band from rated_assets order by md5(asset_id || account) limit ${WATCHED_EACH}) watched`.execute(
  db,
);
await sql`vacuum analyze`.execute(db);
const before = process.memoryUsage().rss;
const again = await pass(new Date());
const count = async (table: string) =>
  Number((await sql<{ n: string }>`select count(*) n from ${sql.table(table)}`.execute(db)).rows[0]?.n);
const sizes = (
  await sql<{ name: string; mib: number }>`select c.relname as name,
      round(pg_total_relation_size(c.oid) / 1048576.0)::int as mib
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema() order by 2 desc limit 6`.execute(db)
).rows;
const stored = { ratings: await count('published_ratings'), alerts: await count('alerts') };
// Only the start is measured, without the ratings that would become due in it.
await sql`update monitored_assets set due_at = now() + interval '1 day'`.execute(db);
await storage.close();

const startedAt = performance.now();
const service = await startService({ config, resolver: sandboxResolver(sandbox) });
let ready = await fetch(`${service.url}/readyz`);
while (ready.status !== 200) ready = await fetch(`${service.url}/readyz`);
const startSeconds = (performance.now() - startedAt) / 1000;
const firstRead = performance.now();
const list = await fetch(`${service.url}/v1/rms?limit=100`, { headers: { 'x-api-key': service.adminKey ?? '' } });
const listBytes = (await list.arrayBuffer()).byteLength;
console.log(
  JSON.stringify(
    {
      assets: ASSETS,
      first_pass: first,
      re_rating_pass: again,
      watched: ACCOUNTS * WATCHED_EACH,
      ...stored,
      rss_mib: { before: Math.round(before / 1048576), after: Math.round(process.memoryUsage().rss / 1048576) },
      largest_tables_mib: Object.fromEntries(sizes.map(({ name, mib }) => [name, mib])),
      start_to_ready_seconds: Number(startSeconds.toFixed(2)),
      first_list: { status: list.status, bytes: listBytes, ms: Math.round(performance.now() - firstRead) },
    },
    null,
    1,
  ),
);
await service.close();
await sandbox.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);

/** Rates every asset once as of a moment. */
async function pass(at: Date) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let next = 0;
  let building = 0;
  async function worker(): Promise<void> {
    while (next < ASSETS) {
      const index = next;
      next += 1;
      const evidence = evidenceOfCopy(templates, index, at);
      const assetId = evidence.identification.asset.id;
      await db.transaction().execute(async (transaction) => {
        const publication = (await book.lock(transaction, [assetId])).get(assetId) ?? null;
        const startedBuilding = performance.now();
        const report = buildReport({ ...evidence, publication }, methodology);
        building += performance.now() - startedBuilding;
        await book.keep(transaction, [report], { at: at.toISOString(), keyId: 'bench' });
      });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: Math.round(seconds),
    per_second: Math.round(ASSETS / seconds),
    cpu_ms_each: Number(((user + system) / 1000 / ASSETS).toFixed(2)),
    of_which_rating_ms: Number((building / ASSETS).toFixed(2)),
  };
}
