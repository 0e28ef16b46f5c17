import { sql } from 'kysely';
import { DAY_MS } from '../src/domain/statistics.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { writeAlerts } from '../src/monitoring/alerts/alerts.ts';
import { createRatingBook } from '../src/monitoring/rating-book.ts';
import { createSigner } from '../src/signing/signer.ts';
import { type Database, openStore } from '../src/store/database.ts';
import { databaseOf, testDatabase } from '../src/store/fixtures/database.ts';
import { packEvents } from '../src/store/job-events.ts';
import { archivedEvidence } from '../test/support/archived-evidence.ts';
import { testService } from '../test/support/service.ts';
import { evidenceOfCopy, rateAndKeep } from './world-copies.ts';

/**
 * Space of a score and of a rated asset in the database, table by table (heap, TOAST and indexes): every token of the
 * sandbox scored `ROUNDS` times, and `ASSETS` copies of them rated once and their rows alone. `node bench/storage.ts`
 */
const ROUNDS = Number(process.env.ASSAY_BENCH_ROUNDS ?? 2);
const ASSETS = Number(process.env.ASSAY_BENCH_ASSETS ?? 1_000);

const { score, templates } = await scoredWorld();
console.log(JSON.stringify({ score }));
console.log(JSON.stringify({ asset: await ratedCopies() }));
process.exit(0);

/** Scores the sandbox's tokens, each collected anew; bytes per score by table, and by kind of what is archived. */
async function scoredWorld() {
  const world = await testService({ freshSeconds: 0, monitorJobs: 0 });
  const jobs: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, url, symbol } of world.sandbox.world.tokens) {
      const json = { type: 'posttge', project: name, project_url: url, ...(symbol ? { token_symbol: symbol } : {}) };
      const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
      const body = (await reply.json()) as { job_id?: string };
      if (reply.status === 200 && body.job_id) jobs.push(body.job_id);
    }
  const measured = await onDatabase(world.dataDir, async (db) => {
    const archived = await archivedBytes(db, jobs.length);
    // As an hour after the end of the last one.
    let from: string | null = '';
    while (from !== null) from = await packEvents(db, new Date(Date.now() + DAY_MS).toISOString(), from);
    return { scores: jobs.length, ...(await tableBytes(db, jobs.length)), ...archived };
  });
  const evidence = await archivedEvidence(world.dataDir, jobs.slice(0, 60));
  await world.close();
  return { score: measured, templates: evidence };
}

/** Rates copies of the archived assets; bytes per asset by table. */
async function ratedCopies() {
  const database = await testDatabase();
  const { db } = database.store;
  const methodology = loadMethodology();
  const signer = await createSigner(db, Date.now);
  const book = createRatingBook({ dataMode: 'sandbox', sign: signer.sign, writeAlerts, monitorDays: 30 });
  const at = new Date(Date.now() - DAY_MS);
  for (let index = 0; index < ASSETS; index += 1)
    await rateAndKeep(db, book, evidenceOfCopy(templates, index, at), methodology);
  const measured = { assets: ASSETS, ...(await tableBytes(db, ASSETS)) };
  await database.close();
  return measured;
}

async function onDatabase<Value>(dataDir: string, work: (db: Database) => Promise<Value>): Promise<Value> {
  const database = await databaseOf(dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  try {
    return await work(store.db);
  } finally {
    await store.close();
    await database.close();
  }
}

/** Bytes of each table with at least a hundredth of the total, per one of `many`. Dead rows of the benchmark itself are not counted. */
async function tableBytes(db: Database, many: number) {
  await sql`vacuum full analyze`.execute(db);
  const { rows } = await sql<{ name: string; all: number; indexes: number; rows: number }>`
    select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as all,
      sum(pg_indexes_size(c.oid))::float8 as indexes, sum(greatest(c.reltuples, 0))::float8 as rows
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    group by 1 order by 2 desc`.execute(db);
  const total = rows.reduce((sum, row) => sum + row.all, 0);
  return {
    bytes_each: Math.round(total / many),
    tables: Object.fromEntries(
      rows
        .filter((row) => row.all >= total / 100)
        .map((row) => [row.name, [row.all, row.indexes].map((n) => Math.round(n / many)).concat(row.rows)]),
    ),
  };
}

async function archivedBytes(db: Database, many: number) {
  const { rows } = await sql<Record<string, number>>`
    select (select sum(octet_length(record)) from evidence)::float8 as records,
      (select sum(octet_length(result)) from evidence)::float8 as results,
      (select sum(octet_length(body)) from bodies)::float8 as replies,
      (select sum(bytes) from bodies)::float8 as replies_unpacked,
      (select sum(octet_length(event)) from job_events)::float8 as events`.execute(db);
  return { packed_each: Object.fromEntries(Object.entries(rows[0] ?? {}).map(([k, v]) => [k, Math.round(v / many)])) };
}
