import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { DAY_MS, HOUR_MS } from '../../domain/statistics.ts';
import { connect } from '../database.ts';
import { type TestDatabase, testDatabase } from '../fixtures/database.ts';
import { NEEDS_OWN_SERVER } from '../fixtures/given-server.ts';
import { closeDays, closedDays, dayRows, dropOldDays, prepareDays } from './daily-close.ts';
import { assetAt, snapshotOf } from './fixtures/snapshots.ts';
import { findIndexedAssets, putIndexedAsset, removeIndexedAsset } from './indexed-assets.ts';
import { listenForSnapshots, noticesOf, payloadsOf, type StoredNotice } from './notices.ts';
import { dailyPrices, lastPoints, priceAt } from './prices.ts';
import { latestSnapshot, snapshotAsOf, snapshotHistory } from './read.ts';
import { snapshotRow } from './snapshot-row.ts';
import { createSnapshotWriter } from './write.ts';

const LISTENER = "application_name = 'assay-listener' and query <> '' and datname = current_database()";
const START = Date.UTC(2026, 4, 10);
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
let database: TestDatabase;
before(async () => {
  database = await testDatabase({ ownServer: NEEDS_OWN_SERVER === false });
});
after(() => database.close());

const market = (index: number, at: number, price = 1) =>
  snapshotRow(snapshotOf(assetAt(index), 'market', iso(at), price));
const count = async (where: string) =>
  (await database.store.pool.query<{ n: number }>(`select count(*) as n from ${where}`)).rows[0]?.n;
const index = (at: number, asset: number) =>
  putIndexedAsset(database.store.db, {
    asset: assetAt(asset),
    kinds: ['market', 'holders', 'pools'],
    cadence: 'newest',
    addedBy: 'test',
    addedAt: iso(at),
    wantedUntil: null,
  });

test('a read as of a time gives the state then, days or months back, and the original bytes', async () => {
  const { db, pool } = database.store;
  const writer = createSnapshotWriter(pool);
  const rows = [0, 1, 26, 27, 24 * 90].map((hours) => market(1, START + hours * HOUR_MS, hours));
  assert.equal(await writer.store(rows, START + 91 * DAY_MS), 5);
  const { id } = assetAt(1);
  const asOf = async (at: number) => (await snapshotAsOf(db, id, 'market', iso(at)))?.asOf ?? null;
  assert.equal(await asOf(START - 1), null);
  assert.equal(await asOf(START), iso(START));
  assert.equal(await asOf(START + 26 * HOUR_MS - 1), iso(START + HOUR_MS));
  assert.equal(await asOf(START + 60 * DAY_MS), iso(START + 27 * HOUR_MS));
  assert.equal(await asOf(START + 400 * DAY_MS), iso(START + 90 * DAY_MS));
  const newest = await latestSnapshot(db, id, 'market');
  assert.deepEqual(Buffer.from(newest?.body ?? []), Buffer.from(rows[4]?.body ?? []));
  assert.equal(newest?.storedAt, iso(START + 91 * DAY_MS));
  assert.equal(await snapshotAsOf(db, id, 'holders', iso(START)), null);
  assert.equal(await snapshotAsOf(db, id, 'market', 'yesterday'), null);
});

test('storing again changes nothing, whichever way the rows go in', async () => {
  const { db, pool } = database.store;
  const writer = createSnapshotWriter(pool);
  const at = START + 5 * DAY_MS;
  assert.equal(await writer.store([market(2, at), market(2, at)], at), 1);
  assert.equal(await writer.store([market(2, at, 99)], at), 0);
  const kept = await latestSnapshot(db, assetAt(2).id, 'market');
  assert.equal(JSON.parse(Buffer.from(kept?.body ?? []).toString()).price_usd, 1, 'a stored snapshot never changes');
  const many = Array.from({ length: 3_000 }, (_, step) => market(3, at + step * 1000));
  assert.equal(await writer.store(many, at + HOUR_MS), 3_000);
  assert.equal(await writer.store(many, at + HOUR_MS), 0);
  const mixed = Array.from({ length: 3_000 }, (_, step) => market(3, at + (step + 1_500) * 1000));
  assert.equal(await writer.store([...mixed, ...mixed], at + 2 * HOUR_MS), 1_500);
  assert.equal(await count(`snapshots where asset_id = '${assetAt(3).id}'`), 4_500);
  assert.equal(await count(`prices where asset_id = '${assetAt(3).id}'`), 4_500);
  const unequal = await count(`snapshots where asset_id = '${assetAt(3).id}' and sha256 <> sha256(body)`);
  assert.equal(unequal, 0);
});

test('a snapshot of next week is refused', async () => {
  await assert.rejects(
    createSnapshotWriter(database.store.pool).store([market(4, START + 7 * DAY_MS)], START),
    RangeError,
  );
});

test('history pages through all snapshots, or the newest of each interval, without a gap or a repeat', async () => {
  const { db, pool } = database.store;
  const { id } = assetAt(5);
  const rows = Array.from({ length: 400 }, (_, step) => market(5, START + step * 600_000, step));
  await createSnapshotWriter(pool).store(rows, START + 3 * DAY_MS);
  const all = async (intervalSeconds: number | null, limit: number) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { from: iso(START), to: iso(START + 2 * DAY_MS), intervalSeconds, limit, cursor };
      const page = await snapshotHistory(db, id, 'market', query);
      assert.ok(page.snapshots.length <= limit);
      seen.push(...page.snapshots.map((one) => one.asOf));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return seen;
  };
  assert.deepEqual(
    await all(null, 100),
    rows.map((row) => row.asOf).filter((asOf) => asOf <= iso(START + 2 * DAY_MS)),
  );
  const hourly = await all(3_600, 7);
  assert.equal(hourly.length, 49);
  assert.equal(hourly[0], iso(START + 50 * 60_000));
  assert.equal(hourly[48], iso(START + 2 * DAY_MS));
  assert.deepEqual(await all(86_400, 1), [
    iso(START + DAY_MS - 600_000),
    iso(START + 2 * DAY_MS - 600_000),
    iso(START + 2 * DAY_MS),
  ]);
  const wrong = { from: iso(START), to: iso(START + DAY_MS), intervalSeconds: null, limit: 5, cursor: "'; drop" };
  assert.deepEqual(await snapshotHistory(db, id, 'market', wrong), { snapshots: [], nextCursor: null });
});

test('a cursor before the first time of a query shows nothing older: plans limit that time', async () => {
  const { db, pool } = database.store;
  const { id } = assetAt(8);
  const rows = Array.from({ length: 6 }, (_, step) => market(8, START + step * 3_600_000, step));
  await createSnapshotWriter(pool).store(rows, START + 3 * DAY_MS);
  const from = START + 4 * 3_600_000;
  for (const intervalSeconds of [null, 3_600]) {
    const query = { from: iso(from), to: iso(START + DAY_MS), intervalSeconds, limit: 10, cursor: iso(START) };
    const page = await snapshotHistory(db, id, 'market', query);
    assert.deepEqual(
      page.snapshots.map((one) => one.asOf),
      [iso(from), iso(from + 3_600_000)],
    );
  }
});

test('a cursor that no page gave is an empty page, also one of a year that PostgreSQL does not have', async () => {
  const { db } = database.store;
  const query = { from: iso(START), to: iso(START + DAY_MS), intervalSeconds: null, limit: 10 };
  for (const cursor of ['0000-01-01T00:00:00.000Z', '2026-13-01T00:00:00.000Z', '2026-05-10T00:00:00Z', 'x'])
    for (const intervalSeconds of [null, 3_600])
      assert.deepEqual(
        await snapshotHistory(db, assetAt(1).id, 'market', { ...query, intervalSeconds, cursor }),
        { snapshots: [], nextCursor: null },
        cursor,
      );
});

test('price history gives points, the price at a time, and one price a day', async () => {
  const { db, pool } = database.store;
  const { id } = assetAt(6);
  const rows = [0, 10, 23, 25, 49].map((hours) => market(6, START + hours * HOUR_MS, hours + 1));
  await createSnapshotWriter(pool).store(rows, START + 3 * DAY_MS);
  assert.deepEqual(
    (await lastPoints(db, id, iso(START + 25 * HOUR_MS), { step: 'hour', count: 26 })).map((row) => row.priceUsd),
    [1, 11, 24, 26],
  );
  assert.equal((await priceAt(db, id, iso(START + 24 * HOUR_MS), 7_200))?.priceUsd, 24);
  assert.equal(await priceAt(db, id, iso(START + 22 * HOUR_MS), 7_200), null);
  assert.deepEqual(
    (await dailyPrices(db, id, iso(START + 50 * HOUR_MS), 30)).map((row) => row.priceUsd),
    [24, 26, 50],
  );
});

test('three missed midnights are closed in order, once, by whoever comes first; a closed day never changes', async () => {
  const { db, pool } = database.store;
  const start = Date.UTC(2026, 7, 1);
  const writer = createSnapshotWriter(pool);
  for (const asset of [10, 11, 12]) await index(start + HOUR_MS, asset);
  await writer.store(
    [
      market(10, start + 20 * HOUR_MS),
      market(10, start + DAY_MS),
      market(10, start + DAY_MS + 1),
      market(11, start + 2 * HOUR_MS),
    ],
    start + DAY_MS,
  );
  await writer.store([snapshotRow(snapshotOf(assetAt(11), 'holders', iso(start + 3 * HOUR_MS)))], start + DAY_MS);
  const now = start + 4 * DAY_MS + 60_000;
  const delay = 120_000;
  assert.deepEqual(
    (await closeDays(pool, 'ethereum', now, delay)).map(({ day, rows }) => [day, rows]),
    [
      ['2026-08-01', 2],
      ['2026-08-02', 2],
      ['2026-08-03', 1],
    ],
  );
  assert.deepEqual(
    await closeDays(pool, 'ethereum', now - 2 * DAY_MS, delay),
    [],
    'a clock set back closes nothing twice',
  );
  const both = await Promise.all([1, 2, 3].map(() => closeDays(pool, 'ethereum', now + 2 * delay, delay)));
  assert.deepEqual(
    both.flat().map(({ day }) => day),
    ['2026-08-04'],
  );
  const rowsOf = async (day: string) => {
    const rows = [];
    for await (const row of dayRows(db, 'ethereum', day))
      rows.push([row.assetId, asOfIn(row.market), asOfIn(row.holders), asOfIn(row.pools)]);
    return rows;
  };
  const first = [
    [assetAt(10).id, iso(start + DAY_MS), null, null],
    [assetAt(11).id, iso(start + 2 * HOUR_MS), iso(start + 3 * HOUR_MS), null],
  ];
  assert.deepEqual(await rowsOf('2026-08-01'), first);
  assert.deepEqual((await rowsOf('2026-08-02'))[0], [assetAt(10).id, iso(start + DAY_MS + 1), null, null]);
  await writer.store([market(12, start + 5 * HOUR_MS), market(11, start + 23 * HOUR_MS)], now);
  await closeDays(pool, 'ethereum', now + delay, delay);
  assert.deepEqual(await rowsOf('2026-08-01'), first, 'what comes late does not change a closed day');
  assert.deepEqual(await rowsOf('2026-09-09'), []);
  assert.deepEqual(
    (await closedDays(db, 'ethereum')).map(({ day, rows }) => [day, rows]),
    [
      ['2026-08-01', 2],
      ['2026-08-02', 2],
      ['2026-08-03', 1],
      ['2026-08-04', 0],
    ],
  );
});

test('a day of many assets is read whole and in the order of their ids, a page at a time', async () => {
  const { db, pool } = database.store;
  const start = Date.UTC(2026, 7, 10);
  const solana = Array.from({ length: 150 }, (_, step) => {
    const asset = { ...assetAt(step), id: `solana:test/token:${step}`, chain: 'solana' };
    return { asset, row: snapshotRow(snapshotOf(asset, 'pools', iso(start + step))) };
  });
  for (const { asset } of solana)
    await putIndexedAsset(db, {
      asset,
      kinds: ['pools'],
      cadence: 'hourly',
      addedBy: 'test',
      addedAt: iso(start),
      wantedUntil: null,
    });
  await createSnapshotWriter(pool).store(
    solana.map(({ row }) => row),
    start + HOUR_MS,
  );
  await closeDays(pool, 'solana', start + 25 * HOUR_MS, 0);
  const ids: string[] = [];
  for await (const row of dayRows(db, 'solana', '2026-08-10')) {
    ids.push(row.assetId);
    assert.ok(row.pools !== null && row.market === null && row.holders === null);
  }
  assert.deepEqual(ids, solana.map(({ asset }) => asset.id).sort());
});

test('a connection that breaks in mid-query fails the query, not the process', async () => {
  const { db } = database.store;
  await assert.rejects(sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(1)`.execute(db));
  // The pool may give the broken connection once more before it knows.
  await until(() =>
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
  );
});

test('retention drops whole days, keeps what an open day needs, and makes a dropped day again when it is written', async () => {
  const { db, pool } = database.store;
  const now = Date.now();
  const writer = createSnapshotWriter(pool);
  const old = Date.UTC(2025, 0, 5);
  await writer.store([market(20, old), market(20, old + DAY_MS), market(20, now)], now);
  const before = await count('snapshots');
  await dropOldDays(pool, now + 1_000 * DAY_MS, 36_000);
  assert.equal(await count('snapshots'), before, 'a clock that is ahead of the database drops nothing');
  const spared = await dropOldDays(pool, now, 2);
  assert.ok(spared.includes('snapshots_20250105') && spared.includes('prices_20250106'));
  assert.ok(
    spared.every((name) => name < 'snapshots_20260803' || name.startsWith('prices') || name.startsWith('daily')),
  );
  assert.equal(await count(`snapshots where asset_id = '${assetAt(20).id}'`), 1);
  assert.equal(await writer.store([market(20, old)], now), 1, 'a day that comes back is made again');
  await prepareDays(pool, now);
  await prepareDays(pool, now);
  assert.ok((await closedDays(db, 'ethereum')).every(({ day }) => day >= '2026-08-03'));
  await assert.rejects(
    Array.fromAsync(dayRows(db, 'ethereum', '2026-08-01')),
    /2 rows, and 0 are still kept/,
    'a day that was dropped is not a day without rows',
  );
});

test('a day that is dropped while it is read fails, and is not read as a shorter one', async () => {
  const { db, pool } = database.store;
  const start = Date.UTC(2026, 7, 10);
  const row = `asset_id = 'solana:test/token:7'`;
  await pool.query(`create table set_aside as select * from snapshots where ${row}`);
  await pool.query(`delete from snapshots where ${row}`);
  await assert.rejects(
    Array.fromAsync(dayRows(db, 'solana', '2026-08-10')),
    /snapshots of solana:test\/token:7 for solana 2026-08-10 are no longer kept/,
  );
  await pool.query('insert into snapshots select * from set_aside');
  await pool.query('drop table set_aside');
  assert.equal((await Array.fromAsync(dayRows(db, 'solana', '2026-08-10'))).length, 150);
  const reader = dayRows(db, 'solana', '2026-08-10')[Symbol.asyncIterator]();
  assert.equal((await reader.next()).done, false);
  await pool.query("update daily_closes set state = 'expired' where chain = 'solana'");
  await pool.query('drop table daily_rows_20260810');
  await assert.rejects(async () => {
    for (;;) if ((await reader.next()).done === true) return;
  }, /150 rows, and 128 are still kept/);
  await prepareDays(pool, start);
});

test('an asset that is added again keeps the settings that the second request leaves out', async () => {
  const { db } = database.store;
  const asset = { ...assetAt(40), category: 'stablecoin', website: 'https://t40.example/' };
  const options = {
    kinds: ['market'],
    cadence: 'hourly',
    addedBy: 'test',
    addedAt: iso(START),
    wantedUntil: null,
  } as const;
  await putIndexedAsset(db, { ...options, asset });
  // As an identifier alone describes it: the settings and the command line know no more.
  const bare = { ...asset, symbol: null, name: asset.address ?? '', category: null, website: null };
  assert.deepEqual((await putIndexedAsset(db, { ...options, asset: bare })).asset, asset);
  const renamed = { ...asset, name: 'Token forty', category: null, website: 'https://forty.example/' };
  assert.deepEqual((await putIndexedAsset(db, { ...options, asset: renamed })).asset, {
    ...renamed,
    category: 'stablecoin',
  });
});

test('an asset is found by id, address and symbol, the more liquid first, and not after it is removed', async () => {
  const { db, pool } = database.store;
  for (const asset of [30, 31]) await index(START, asset);
  await putIndexedAsset(db, {
    asset: assetAt(32, 'T30'),
    kinds: ['market'],
    cadence: 'hourly',
    addedBy: 'test',
    addedAt: iso(START),
    wantedUntil: null,
  });
  await createSnapshotWriter(pool).store([market(30, START, 1)], START);
  const ids = async (text: string) => (await findIndexedAssets(db, 'ethereum', text)).map((asset) => asset.id);
  assert.deepEqual(await ids('t30'), [assetAt(30).id, assetAt(32).id]);
  assert.deepEqual(await ids(assetAt(31).id), [assetAt(31).id]);
  assert.deepEqual(await ids((assetAt(31).address ?? '').toUpperCase().replace('0X', '0x')), [assetAt(31).id]);
  assert.deepEqual(await ids("'; drop table snapshots"), []);
  assert.deepEqual(await ids('a\0b'), []);
  await removeIndexedAsset(db, assetAt(30).id, iso(START));
  assert.deepEqual(await ids('T30'), [assetAt(32).id]);
});

test('notices are sent whole in the channel’s small payloads, and foreign ones are ignored', () => {
  const notices: StoredNotice[] = Array.from({ length: 500 }, (_, step) => ({
    storedAt: '2026-11-20T12:00:01.000Z',
    assetId: assetAt(step).id,
    kind: 'market',
    asOf: iso(START + step),
  }));
  const payloads = payloadsOf(notices);
  assert.ok(payloads.length > 1 && payloads.every((payload) => Buffer.byteLength(payload) < 8_000));
  assert.deepEqual(payloads.flatMap(noticesOf), notices);
  for (const stranger of ['', 'x', '{}', '["a"]', '["a","b","c"]', '["a","market","soon"]', 'null'])
    assert.deepEqual(noticesOf(stranger), []);
});

test('a listener is notified of what was stored while its connection was lost', async () => {
  const { pool, url } = database.store;
  const writer = createSnapshotWriter(pool);
  const told = new Set<string>();
  const listener = listenForSnapshots({ url, onError: () => undefined, pingMs: 200, reconnectMs: 700 });
  const stop = listener.onStored((notice) => told.add(`${notice.assetId} ${notice.asOf}`));
  const now = Date.now();
  await until(async () => (await listening(pool)) === 1);
  await writer.store([market(40, now)], now);
  await until(async () => told.has(`${assetAt(40).id} ${iso(now)}`));
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${LISTENER}`);
  await until(async () => (await listening(pool)) === 0);
  await writer.store([market(40, now + 1)], now);
  assert.ok(!told.has(`${assetAt(40).id} ${iso(now + 1)}`));
  await until(async () => told.has(`${assetAt(40).id} ${iso(now + 1)}`));
  stop();
  await writer.store([market(40, now + 2)], now);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(!told.has(`${assetAt(40).id} ${iso(now + 2)}`));
  await listener.close();
});

test('a server that crashes in mid-snapshot leaves nothing half-written', { skip: NEEDS_OWN_SERVER }, async () => {
  const { url } = database.store;
  // A pool of its own: every connection of it dies.
  const { pool, close } = connect(url);
  // The server ends every connection when one of its processes dies, a moment later: until then it still takes new ones.
  const witness = await pool.connect();
  const restarted = new Promise<void>((resolve) => witness.once('end', resolve));
  const at = START + 6 * DAY_MS;
  const rows = Array.from({ length: 500 }, (_, step) => market(50, at + step));
  const crash = createSnapshotWriter(pool).store(rows, at, async (client) => {
    const { rows: seen } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(seen[0]?.pid ?? 0, 'SIGKILL');
    await client.query('select pg_sleep(5)');
  });
  await assert.rejects(crash);
  await restarted;
  witness.release(true);
  await until(async () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  );
  const left = await pool.query<{ n: number }>(
    `select (select count(*) from snapshots where asset_id = $1) + (select count(*) from prices where asset_id = $1)
       + (select count(*) from snapshot_heads where asset_id = $1) as n`,
    [assetAt(50).id],
  );
  assert.equal(left.rows[0]?.n, 0);
  assert.equal(await createSnapshotWriter(pool).store(rows, at), 500, 'and the same snapshots go in afterwards');
  await close();
});

async function listening(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*) as n from pg_stat_activity where ${LISTENER}`);
  return rows[0]?.n ?? 0;
}

function asOfIn(body: Uint8Array | null): string | null {
  return body === null ? null : (JSON.parse(Buffer.from(body).toString()) as { as_of: string }).as_of;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 8_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error('it did not come true in 8 s');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
