import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { ScoringService } from '../jobs/types.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { monitorAsset, planNext } from '../store/ratings/monitored.ts';
import { ensureDays } from '../store/snapshots/partitions.ts';
import { createMonitor, createRegister } from './monitor.ts';

let database: TestDatabase;
const START = Date.parse('2026-03-01T00:00:00.000Z');
let now = START;
const iso = (at: number) => new Date(at).toISOString();

before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  now = START;
  for (const table of ['monitored_assets', 'rated_assets', 'jobs', 'prices'] as const)
    await database.store.db.deleteFrom(table).execute();
});
after(() => database.close());

/** An asset that was rated once, and is due at once. */
async function rated(assetId: string, dueAt = START): Promise<void> {
  const { db } = database.store;
  await db
    .insertInto('rated_assets')
    .values({
      asset_id: assetId,
      chain: 'ethereum',
      address: '0x1',
      symbol: 'A',
      symbol_folded: 'a',
      name: 'A',
      category: 'default',
      asset: JSON.stringify({ id: assetId }),
      request: JSON.stringify({ type: 'posttge', project: assetId, projectUrl: 'https://a.example/' }),
      state: '{}',
      rating_id: 1,
      as_of: iso(START),
      stored_at: iso(START),
      band: 'A',
      band_rank: 2,
      score: 75,
      trust: 80,
      vfr: null,
      market_cap_usd: null,
      liquidity_usd: 100_000,
      flags: [],
      methodology: '1',
      action: 'new',
      record: Buffer.from('{}'),
      signature: '{}',
      changed_at: iso(START),
    })
    .execute();
  await monitorAsset(
    db,
    {
      asset_id: assetId,
      added_by: 'test',
      added_at: iso(START),
      wanted_until: null,
      due_at: iso(dueAt),
      cadence_seconds: 3_600,
      reason: 'usual',
    },
    true,
  );
}

function scoring() {
  const asked: string[] = [];
  const collect: ScoringService['collect'] = async (assetId) => {
    asked.push(assetId);
    const id = `posttge_1_${String(asked.length).padStart(8, '0')}`;
    await database.store.db
      .insertInto('jobs')
      .values({
        id,
        state: 'running',
        request: '{}',
        request_hash: id,
        deadline_seconds: 60,
        key_id: 'monitor',
        created_at: iso(now),
        started_at: null,
        finished_at: null,
        failure: null,
        owner: null,
        lease_until: null,
        attempts: 1,
        cancel_requested: false,
      })
      .execute();
    return { ok: true, joined: false, job: { id } as never };
  };
  return { asked, collect };
}
const register = () => createRegister(database.store.db, () => now);
const monitor = (collect: ScoringService['collect'], mostUnderWay = 2) =>
  createMonitor({
    db: database.store.db,
    scoring: { collect },
    now: () => now,
    mostUnderWay,
    onError: (error) => assert.fail(String(error)),
  });
const end = (state: string, failure: unknown = null) =>
  database.store.db
    .updateTable('jobs')
    .set({ state, failure: failure === null ? null : JSON.stringify(failure) })
    .execute();

test('due assets are rated, the longest due first, within the limit of concurrent ratings', async () => {
  for (const [index, assetId] of ['a', 'b', 'c', 'd'].entries()) await rated(assetId, START - index * 1_000);
  await rated('later', START + 60_000);
  const { asked, collect } = scoring();
  const one = monitor(collect);
  assert.equal(await one.tick(), 2);
  assert.equal(await one.tick(), 0);
  assert.deepEqual(asked, ['d', 'c']);
  await database.store.db
    .transaction()
    .execute((transaction) =>
      planNext(transaction, [
        { asset_id: 'd', due_at: iso(START + 3_600_000), cadence_seconds: 3_600, reason: 'usual' },
      ]),
    );
  assert.equal(await one.tick(), 1);
  assert.equal(asked.at(-1), 'b');
});

test('many workers on one database request each due rating once', async () => {
  for (let index = 0; index < 30; index += 1) await rated(`asset-${String(index).padStart(2, '0')}`);
  const { asked, collect } = scoring();
  await Promise.all(Array.from({ length: 6 }, () => monitor(collect, 1_000).tick()));
  assert.equal(asked.length, 30);
  assert.equal(new Set(asked).size, 30);
});

test('a worker that dies between taking an asset and requesting its rating loses nothing: the asset becomes due again', async () => {
  await rated('a');
  const dying = monitor(async () => {
    throw new Error('killed');
  });
  await assert.rejects(dying.tick(), /killed/);
  const { asked, collect } = scoring();
  assert.equal(await monitor(collect).tick(), 0);
  // As if a minute had passed by the database's clock.
  await sql`update monitored_assets set job_started_at = job_started_at - interval '1 minute'`.execute(
    database.store.db,
  );
  assert.equal(await monitor(collect).tick(), 1);
  assert.equal(asked.length, 1);
});

test('a failed rating is postponed, longer each time, with its reason', async () => {
  await rated('a');
  const { collect } = scoring();
  const one = monitor(collect);
  const waits: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    assert.equal(await one.tick(), 1);
    await end('failed', { code: 'no_source_reachable', detail: 'nobody answered' });
    await one.tick();
    const [row] = await register().list({ after: '', limit: 10 });
    assert.ok(row && row.failures === turn + 1);
    assert.match(row.lastFailure ?? '', /no_source_reachable: nobody/);
    waits.push(Date.parse(row.dueAt) - now);
    now = Date.parse(row.dueAt);
    await database.store.db.deleteFrom('jobs').execute();
  }
  assert.deepEqual(waits, [600_000, 1_200_000, 2_400_000]);
});

test('a drained pool brings the rating forward', async () => {
  await rated('a', START + 86_400_000);
  await rated('b', START + 86_400_000);
  await ensureDays(database.store.pool, 'prices', ['2026-03-01']);
  await database.store.db
    .insertInto('prices')
    .values(
      [
        ['a', 20_000],
        ['b', 90_000],
      ].map(([asset_id, liquidity_usd]) => ({
        asset_id: String(asset_id),
        at: iso(START + 1_000),
        chain: 'ethereum',
        price_usd: 1,
        volume_24h_usd: null,
        market_cap_usd: null,
        liquidity_usd: Number(liquidity_usd),
      })),
    )
    .execute();
  now = START + 2_000;
  const { asked, collect } = scoring();
  assert.equal(await monitor(collect).tick(), 1);
  assert.equal(asked[0], 'a');
});

test('a drained asset whose ratings fail or are not published keeps its pause', async () => {
  for (const id of ['failing', 'unread']) await rated(id);
  await ensureDays(database.store.pool, 'prices', ['2026-03-01']);
  const drained = (at: number) =>
    database.store.db
      .insertInto('prices')
      .values(
        ['failing', 'unread'].map((asset_id) => ({
          asset_id,
          at: iso(at),
          chain: 'ethereum',
          price_usd: 1,
          volume_24h_usd: null,
          market_cap_usd: null,
          liquidity_usd: 20_000,
        })),
      )
      .execute();
  await drained(START + 1_000);
  now = START + 2_000;
  const { asked, collect } = scoring();
  const one = monitor(collect);
  assert.equal(await one.tick(), 2);
  // One collection fails; the other is not published, and its next one is planned in an hour.
  const failure = JSON.stringify({ code: 'no_source_reachable', detail: 'nobody', candidates: [], tried: [] });
  await sql`update jobs set state = 'failed', failure = ${failure}`.execute(database.store.db);
  const plan = { asset_id: 'unread', due_at: iso(now + 3_600_000), cadence_seconds: 3_600, reason: 'unread' };
  await database.store.db.transaction().execute((transaction) => planNext(transaction, [plan]));
  now += 5_000;
  await drained(now - 1_000);
  assert.equal(await one.tick(), 0, `asked again at once: ${asked}`);
  const due = (await register().list({ after: '', limit: 2 })).map((row) => Date.parse(row.dueAt) - now);
  assert.deepEqual(due, [600_000, 3_595_000]);
});

test('liquidity that snapshots and ratings count differently brings ratings forward once an hour, and each further fall', async () => {
  const { db } = database.store;
  await rated('a', START + 86_400_000);
  await ensureDays(database.store.pool, 'prices', ['2026-03-01']);
  const { asked, collect } = scoring();
  const one = monitor(collect);
  /** A minute later: the rating of the turn before is published, and a market snapshot states this liquidity. */
  const turn = async (liquidity_usd: number, minutes = 1) => {
    const plan = { asset_id: 'a', due_at: iso(now + 86_400_000), cadence_seconds: 86_400, reason: 'usual' };
    await db.transaction().execute((transaction) => planNext(transaction, [plan]));
    await db
      .updateTable('rated_assets')
      .set({ as_of: iso(now) })
      .execute();
    now += minutes * 60_000;
    const price = { asset_id: 'a', chain: 'ethereum', price_usd: 1, volume_24h_usd: null, market_cap_usd: null };
    await db
      .insertInto('prices')
      .values({ ...price, at: iso(now - 1_000), liquidity_usd })
      .execute();
    return one.tick();
  };
  assert.equal(await turn(40_000), 1);
  assert.deepEqual([await turn(40_000), await turn(39_000), await turn(41_000)], [0, 0, 0]);
  assert.equal(await turn(19_000), 1, 'it has halved again');
  assert.equal(await turn(19_000), 0);
  assert.equal(await turn(19_000, 60), 1);
  assert.equal(asked.length, 3);
});

test('turns that passed while one was slow are not made up for, and a stop does not wait for them', async () => {
  await rated('a');
  const begun = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  let looks = 0;
  const one = createMonitor({
    db: database.store.db,
    scoring: {
      async collect() {
        begun.resolve();
        await slow.promise;
        return null;
      },
    },
    now: () => {
      looks += 1;
      return now;
    },
    mostUnderWay: 2,
    onError: (error) => assert.fail(String(error)),
  });
  one.start(1);
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 200));
  looks = 0;
  slow.resolve();
  await one.close();
  assert.ok(looks < 20, `the clock was read ${looks} times after the stop`);
});

test('an asset removed by hand stays out until it is added again', async () => {
  await rated('a');
  const { collect } = scoring();
  const one = monitor(collect);
  assert.equal(await register().remove('a'), true);
  assert.equal(await register().remove('a'), false);
  await monitorAsset(
    database.store.db,
    {
      asset_id: 'a',
      added_by: 'scoring',
      added_at: iso(START),
      wanted_until: null,
      due_at: iso(START),
      cadence_seconds: 1,
      reason: 'usual',
    },
    false,
  );
  assert.equal(await one.tick(), 0);
  assert.equal(await register().add('a', 'cli'), true);
  assert.equal(await one.tick(), 1);
  assert.equal(await register().add('nobody', 'cli'), false);
});

test('an asset not requested for a day is no longer monitored, its rating stays; watched, paused and running ones stay monitored', async () => {
  const { db } = database.store;
  const days = (count: number) => iso(START - count * 86_400_000);
  const all = ['endless', 'ended', 'just ended', 'watched', 'paused', 'under way', 'out'];
  for (const assetId of all) await rated(assetId);
  const change = (assetId: string, values: { wanted_until?: string; paused?: boolean; removed_at?: string }) =>
    db.updateTable('monitored_assets').set(values).where('asset_id', '=', assetId).execute();
  for (const assetId of all.slice(1)) await change(assetId, { wanted_until: days(2) });
  await change('just ended', { wanted_until: days(0.5) });
  await change('paused', { paused: true });
  await change('out', { removed_at: days(3) });
  await db.updateTable('monitored_assets').set({ job_id: 'one' }).where('asset_id', '=', 'under way').execute();
  await db
    .insertInto('watchlist')
    .values({
      account_id: 'a',
      asset_id: 'watched',
      added_at: days(9),
      note: null,
      thresholds: '{}',
      baseline_score: null,
      baseline_band: null,
      baseline_flags: '[]',
    })
    .execute();
  const kept = async () =>
    (await db.selectFrom('monitored_assets').select('asset_id').orderBy('asset_id').execute()).map(
      (row) => row.asset_id,
    );
  const { asked, collect } = scoring();
  const one = monitor(collect, 9);
  await one.tick();
  assert.deepEqual(await kept(), all.filter((assetId) => assetId !== 'ended').sort());
  assert.deepEqual(asked.toSorted(), ['endless', 'watched']);
  assert.equal((await db.selectFrom('rated_assets').select('asset_id').execute()).length, all.length);
  // Somebody scores it again, and stops watching the other; that is seen within the hour.
  await monitorAsset(
    db,
    {
      asset_id: 'ended',
      added_by: 'scoring',
      added_at: iso(now),
      wanted_until: iso(now + 1),
      due_at: iso(now),
      cadence_seconds: 60,
      reason: 'usual',
    },
    false,
  );
  await db.deleteFrom('watchlist').execute();
  await db.updateTable('monitored_assets').set({ job_id: null }).execute();
  await one.tick();
  assert.ok((await kept()).includes('watched'));
  now += 3_600_000;
  await one.tick();
  assert.deepEqual(await kept(), ['ended', 'endless', 'just ended', 'out', 'paused']);
});
