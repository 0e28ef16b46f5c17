import { sql } from 'kysely';
import pg from 'pg';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { after, leaseQueue, runOn } from '../src/store/lease-queue.ts';
import { cpuOfFamily, postmasterOf } from './cpu-of-family.ts';
import { median } from './raw-load.ts';

/**
 * `src/store/lease-queue.ts` on the schedule of snapshots: taking and completing `ROWS` rows by 1 and by 64, and the time from
 * enqueueing to the start of work by LISTEN (docs/decisions/0033-one-queue.md compares it with pg-boss).
 */
const ROWS = Number(process.env.ASSAY_BENCH_ROWS ?? 6_400);
const SAMPLES = 60;
const database = await testDatabase();
const { pool, db } = database.store;
const { rows: where } = await pool.query<{ path: string }>(`select current_setting('data_directory') as path`);
const postmaster = await postmasterOf(where[0]?.path ?? '');

const queue = leaseQueue({
  table: 'index_schedule',
  key: ['asset_id', 'kind'],
  lease: 'lease_until',
  holder: 'run',
  letGo: { run: null },
});

await sql`insert into indexed_assets (asset_id, chain, asset, kinds, cadence, added_by, added_at)
  select 'a' || n, 'ethereum', '{}', '{market}', 'newest', 'bench', now() from generate_series(1, ${ROWS}) n`.execute(
  db,
);
await sql`insert into index_schedule (asset_id, kind, chain, cadence_seconds, due_at, planned_at)
  select 'a' || n, 'market', 'ethereum', 60, now(), now() from generate_series(1, ${ROWS}) n`.execute(db);
await sql`analyze index_schedule`.execute(db);

async function measured(name: string, work: () => Promise<number>): Promise<void> {
  await sql`checkpoint`.execute(db);
  const [own, theirs, began] = [process.cpuUsage(), await cpuOfFamily(postmaster), performance.now()];
  const rows = await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(own);
  const database = (await cpuOfFamily(postmaster)) - theirs;
  console.log(
    `${name}: ${Math.round(rows / seconds)} rows/s, ${((user + system) / 1000 / rows).toFixed(3)} ms of CPU in the process and ${((database * 1000) / rows).toFixed(3)} in the database a row`,
  );
}

async function ownRound(batch: number, rows: number): Promise<number> {
  await sql`update index_schedule set due_at = now(), run = null, lease_until = null where asset_id in
    (select asset_id from index_schedule order by asset_id limit ${rows})`.execute(db);
  let done = 0;
  while (done < rows) {
    const taken = await queue
      .take({
        where: sql`t.kind = 'market' and t.due_at <= clock_timestamp()`,
        order: sql`t.due_at`,
        limit: batch,
        leaseSeconds: 30,
        set: { run: sql`gen_random_uuid()::text` },
      })
      .execute(db);
    const held = taken.rows.map(({ asset_id, kind, run }) => ({ asset_id, kind, run, set: { failures: 0 } }));
    await runOn(pool as unknown as pg.ClientBase, queue.end(held, { due_at: after(3_600) }));
    done += held.length;
  }
  return rows;
}

for (const round of [1, 2, 3]) {
  console.log(`round ${round}`);
  for (const [batch, rows] of [
    [1, ROWS / 8],
    [64, ROWS],
  ] as const) {
    await measured(`lease queue, by ${batch}`, () => ownRound(batch, rows));
  }
}

const begun = new Map<string, (at: number) => void>();
const sample = async (key: string, enqueue: () => Promise<unknown>) => {
  await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100));
  const started = new Promise<number>((resolve) => begun.set(key, resolve));
  const from = performance.now();
  await enqueue();
  return (await started) - from;
};
const told = (name: string, times: readonly number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  console.log(`${name}: ${median(sorted).toFixed(1)} ms in the middle, ${sorted.at(-3)?.toFixed(1)} ms p95`);
};
const listener = new pg.Client({ connectionString: database.url });
await listener.connect();
await listener.query('listen bench');
listener.on('notification', async () => {
  const { rows } = await queue
    .take({
      where: sql`t.kind = 'told' and t.due_at <= clock_timestamp()`,
      order: sql`t.due_at`,
      limit: 1,
      leaseSeconds: 30,
      set: { run: sql`gen_random_uuid()::text` },
    })
    .execute(db);
  for (const row of rows) begun.get(row.asset_id)?.(performance.now());
});
const times: number[] = [];
for (let n = 1; n <= SAMPLES; n += 1)
  times.push(
    await sample(`a${n}`, async () => {
      await sql`insert into index_schedule (asset_id, kind, chain, cadence_seconds, due_at, planned_at)
        values (${`a${n}`}, 'told', 'ethereum', 60, clock_timestamp(), now())`.execute(db);
      await sql`select pg_notify('bench', '')`.execute(db);
    }),
  );
told('lease queue, LISTEN: from enqueueing to the start', times);
await listener.end();
await database.close();
