import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { connect } from './database.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { applyChanges, migrate } from './migrate.ts';
import { CHANGES } from './migrations/all.ts';
import { inTransaction } from './snapshots/partitions.ts';
import { endRuns, prolongRuns, returnRun, type TakenSnapshot, takeDueSnapshots } from './snapshots/schedule.ts';

const ROWS = 300;
const NOW = '2026-11-21T00:00:00.000Z';
const LATER = '2026-11-22T00:00:00.000Z';

let database: TestDatabase;
const db = () => database.store.db;
before(async () => {
  database = await testDatabase();
});
after(() => database?.close());

/** Schedules `rows` snapshots of a kind, due at NOW, and nothing else of that kind. */
async function schedule(kind: string, rows: number, on = database.store.pool): Promise<void> {
  await on.query(
    `insert into indexed_assets (asset_id, chain, asset, kinds, cadence, added_by, added_at)
     select 'a' || n, 'ethereum', '{}', '{market,holders,pools}', 'newest', 'test', now() from generate_series(1, $1::int) n
     on conflict do nothing`,
    [rows],
  );
  await on.query('delete from index_schedule where kind = $1', [kind]);
  await on.query(
    `insert into index_schedule (asset_id, kind, chain, cadence_seconds, due_at, planned_at, last_ended_at)
     select 'a' || n, $1, 'ethereum', 60, $2, $2, case when n % 3 > 0 then $2::timestamptz end
     from generate_series(1, $3::int) n`,
    [kind, NOW, rows],
  );
}

const options = { kind: 'market', which: 'again', now: NOW, limit: 7, leaseSeconds: 60, longestSeconds: 60 } as const;
const endOf = ({ assetId, kind, run }: TakenSnapshot) => ({
  ...{ assetId, kind, run, outcome: 'stored', detail: null, failures: 0, endedAt: NOW, dueAt: LATER },
});
const end = (taken: readonly TakenSnapshot[]) =>
  inTransaction(database.store.pool, (client) => endRuns(client, taken.map(endOf)));
const row = async (assetId: string, kind = 'market') =>
  (
    await db()
      .selectFrom('index_schedule')
      .selectAll()
      .where('asset_id', '=', assetId)
      .where('kind', '=', kind)
      .execute()
  )[0];

test('takers that work at once take each row once; a lease that ran out is taken again exactly once', async () => {
  await schedule('market', ROWS);
  const stores = [1, 2, 3, 4].map(() => connect(database.url));
  const drain = async (which: 'first' | 'again', leaseSeconds: number, now: string) => {
    const taken = await Promise.all(
      stores.map(async (store) => {
        const mine: TakenSnapshot[] = [];
        for (;;) {
          const rows = await takeDueSnapshots(store.db, { ...options, which, leaseSeconds, now });
          if (rows.length === 0) return mine;
          mine.push(...rows);
        }
      }),
    );
    return taken.flat();
  };
  try {
    const first = await drain('first', 60, NOW);
    assert.ok(first.every((one) => one.isFirst));
    const again = await drain('again', 60, NOW);
    assert.ok(again.every((one) => !one.isFirst));
    assert.deepEqual([first.length, new Set([...first, ...again].map((one) => one.assetId)).size], [ROWS / 3, ROWS]);
    assert.equal(first.length + again.length, ROWS);
    await sql`update index_schedule set lease_until = now() - interval '1 second' where asset_id in ('a7', 'a9')`.execute(
      db(),
    );
    assert.deepEqual(await drain('again', 60, NOW), [], 'what was lost waits longer each time, whoever takes it');
    assert.deepEqual((await drain('again', 60, LATER)).map((one) => one.assetId).sort(), ['a7', 'a9']);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
});

test('a process that lost a lease learns of it, and neither ends nor returns another’s row', async () => {
  await schedule('market', 1);
  const [mine] = await takeDueSnapshots(db(), { ...options, limit: 1 });
  assert.ok(mine);
  assert.deepEqual(await prolongRuns(db(), [mine], 60), []);
  await sql`update index_schedule set lease_until = now() - interval '1 second', due_at = ${NOW}
    where asset_id = ${mine.assetId}`.execute(db());
  const [theirs] = await takeDueSnapshots(db(), { ...options, limit: 1 });
  assert.equal(theirs?.assetId, mine.assetId);
  assert.deepEqual(await prolongRuns(db(), [mine], 60), [mine.run]);
  await end([mine]);
  await returnRun(db(), mine, LATER);
  const held = await row(mine.assetId);
  assert.deepEqual([held?.run, held?.deaths, held?.last_outcome], [theirs?.run, 2, null]);
  await end(theirs ? [theirs] : []);
  const ended = await row(mine.assetId);
  assert.deepEqual([ended?.run, ended?.lease_until, ended?.deaths, ended?.due_at], [null, null, 0, LATER]);
});

test('an end that is rolled back does not count', async () => {
  await schedule('market', 1);
  const [mine] = await takeDueSnapshots(db(), options);
  assert.ok(mine);
  const failed = inTransaction(database.store.pool, async (client) => {
    await endRuns(client, [endOf(mine)]);
    throw new Error('the snapshot could not be stored');
  });
  await assert.rejects(failed, /could not be stored/);
  assert.deepEqual(await prolongRuns(db(), [mine], 60), []);
  await end([mine]);
  assert.deepEqual(await prolongRuns(db(), [mine], 60), [mine.run]);
});

/** Whether a statement on the schedule waits for somebody's lock. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await database.store.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     and query like '%index_schedule%'`,
  );
  return rows.length > 0;
}

test('rows are locked in the order of their keys, whatever the order in which the database finds them', async () => {
  // The table holds its rows in the other order, and these statements read it from its beginning.
  await schedule('market', 2);
  await database.store.pool.query(`delete from index_schedule where kind = 'market'`);
  await database.store.pool.query(
    `insert into index_schedule (asset_id, kind, chain, cadence_seconds, due_at, planned_at)
     select 'a' || n, 'market', 'ethereum', 60, $1, $1 from unnest(array[2, 1]) n`,
    [NOW],
  );
  const reading = new URL(database.url);
  reading.searchParams.set('options', '-c enable_nestloop=off -c enable_indexscan=off -c enable_bitmapscan=off');
  const other = connect(reading.href);
  const taken = await takeDueSnapshots(db(), { ...options, which: 'first' });
  assert.equal(taken.length, 2);
  try {
    for (const change of [
      () => prolongRuns(other.db, taken, 60),
      () => inTransaction(other.pool, (client) => endRuns(client, taken.map(endOf))),
    ]) {
      let waits: Promise<unknown> = Promise.resolve();
      await inTransaction(database.store.pool, async (client) => {
        await client.query(`select from index_schedule where asset_id = 'a1' and kind = 'market' for update`);
        waits = change();
        while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 20));
        await client.query(`select from index_schedule where asset_id = 'a2' and kind = 'market' for update nowait`);
      });
      await waits;
    }
  } finally {
    await other.close();
  }
});

test('a snapshot is taken by an index however many are due, and nothing that is due is sorted', async () => {
  await schedule('pools', 30_000);
  await sql`analyze index_schedule`.execute(db());
  await sql`analyze indexed_assets`.execute(db());
  for (const which of ['first', 'again'] as const) {
    const spy = mock.method(pg.Client.prototype, 'query');
    await takeDueSnapshots(db(), { ...options, kind: 'pools', which });
    const sent = spy.mock.calls.map(({ arguments: [text, values] }) => ({
      text: String(text),
      values: values as unknown,
    }));
    spy.mock.restore();
    const statement = sent.find(({ text }) => text.includes('index_schedule'));
    const { rows } = await database.store.pool.query(`explain ${statement?.text}`, statement?.values as unknown[]);
    const plan = rows.map((line) => line['QUERY PLAN'] as string).join('\n');
    assert.match(plan, new RegExp(`Index Scan using index_schedule_${which}`), plan);
    assert.doesNotMatch(plan, /Seq Scan on (index_schedule|indexed_assets)/, plan);
    // The one sort is of what was taken.
    assert.equal(plan.match(/Sort Key/g)?.length ?? 0, 1, plan);
  }
});

test('work of a version before leases survives the change of the tables, and the two versions leave each other’s runs alone', async () => {
  const store = connect(await database.emptyDatabase());
  try {
    await applyChanges(store.db, CHANGES, '0011-source-lists');
    await schedule('market', 3, store.pool);
    // Offered and not begun, begun a moment ago, begun by a process that is long gone.
    await store.pool.query(`update index_schedule set queued_at = $1, last_ended_at = $1`, [NOW]);
    const begun = `update index_schedule set run = 'old', started_at = $1, queued_at = null, deaths = 1 where asset_id = $2`;
    await store.pool.query(begun, ['2026-11-20T23:59:30.000Z', 'a2']);
    await store.pool.query(begun, ['2026-11-20T23:50:00.000Z', 'a3']);
    await migrate(store.db);
    const taken = await takeDueSnapshots(store.db, options);
    assert.deepEqual(taken.map((one) => one.assetId).sort(), ['a1', 'a3']);
    // What the older version takes: due, and not offered within 15 seconds of its own clock.
    const older = async () =>
      (
        await store.pool.query<{ asset_id: string }>(
          `select asset_id from index_schedule where due_at <= now() + interval '1 hour'
           and (queued_at is null or queued_at < now() - interval '15 seconds') order by asset_id`,
        )
      ).rows.map((one) => one.asset_id);
    assert.deepEqual(await older(), ['a2']);
    await store.pool.query(`update index_schedule set queued_at = now() - interval '16 seconds' where run <> 'old'`);
    assert.deepEqual(await older(), ['a1', 'a2', 'a3']);
    assert.deepEqual(await prolongRuns(store.db, taken, 60), []);
    assert.deepEqual(await older(), ['a2']);
  } finally {
    await store.close();
  }
});
