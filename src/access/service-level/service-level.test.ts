import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { loadPlans, type Plan, type ServiceLevel } from '../plans/plans.ts';
import {
  addValue,
  createServiceLevelReader,
  emptyHistogram,
  type Measured,
  quantile,
  serviceLevelStatus,
} from './measure.ts';
import { startServiceLevelRecorder } from './recorder.ts';

let database: TestDatabase;
const START = Date.parse('2026-03-02T10:00:00.000Z');
let now = START;
before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  now = START;
  for (const table of ['service_minutes', 'freshness_minutes'] as const)
    await database.store.db.deleteFrom(table).execute();
});
after(() => database.close());

const recorder = (processId: string) =>
  startServiceLevelRecorder({
    db: database.store.db,
    processId,
    now: () => now,
    onError: (error) => assert.fail(String(error)),
  });
const hour = async () =>
  (await createServiceLevelReader(database.store.db, () => now).windows()).find((row) => row.window === '1h');

test('minutes of several processes are one service, and a failure counts by its share of the minute', async () => {
  const [one, two] = [recorder('one'), recorder('two')];
  for (let request = 0; request < 30; request += 1) one.count('rms', 200, 0.01, now);
  for (let request = 0; request < 10; request += 1) two.count('chain', 503, 0.02, now);
  // Not promised: what a source does to a score.
  two.count('score', 503, 50, now);
  await one.save();
  await two.save();
  now += 60_000;
  one.count('rms', 200, 0.01, now);
  await one.close();
  await two.close();
  now += 60_000;
  const seen = await hour();
  assert.deepEqual([seen?.requests, seen?.failures], [41, 10]);
  assert.equal(seen?.availabilityPct, 87.5);
  assert.ok(seen?.latencyMs && seen.latencyMs.p50 >= 10 && seen.latencyMs.p50 < 10.5 && seen.latencyMs.p99 < 21);
});

test('a minute without any process is a minute down, and nothing is held against the time before the first', async () => {
  const before = recorder('one');
  await before.close();
  now += 4 * 60_000;
  const next = recorder('two');
  await next.close();
  now += 60_000;
  const seen = await hour();
  assert.equal(seen?.from, new Date(START).toISOString());
  assert.equal(seen?.availabilityPct, 40);
});

test('a minute that is saved again counts once', async () => {
  const one = recorder('one');
  one.count('rms', 200, 0.01, now);
  await one.save();
  one.count('rms', 200, 0.01, now);
  await one.save();
  await one.close();
  now += 60_000;
  assert.equal((await hour())?.requests, 2);
});

test('minutes that pass a second time, because the clock was set back, are counted both times', async () => {
  const one = recorder('one');
  for (const status of [200, 200, 200]) one.count('rms', status, 0.01, now);
  await one.save();
  for (let minute = 0; minute < 5; minute += 1) {
    now += 60_000;
    await one.save();
  }
  now -= 5 * 60_000;
  one.count('rms', 500, 0.01, now);
  await one.save();
  await one.close();
  now += 6 * 60_000;
  const seen = await hour();
  assert.equal(seen?.requests, 4);
});

test('an unmeasured promise is not claimed, and a month long past is not known any more', async () => {
  const reader = createServiceLevelReader(database.store.db, () => now);
  assert.deepEqual([await reader.since(), await reader.windows(), await reader.month('2026-03')], [null, [], null]);
  const one = recorder('one');
  await one.close();
  assert.equal((await createServiceLevelReader(database.store.db, () => now).month('2025-10')) ?? null, null);
});

test('freshness is the age of the newest snapshots, by chain, kind and cadence', async () => {
  const { db } = database.store;
  const rows = ['2026-03-02T09:58:00Z', '2026-03-02T09:59:00Z'].map((minute, index) => ({
    minute,
    chain: 'solana',
    kind: 'market',
    cadence: 'newest',
    age_p50_seconds: 20,
    age_p99_seconds: 100 + index * 50,
    assets: 3,
  }));
  await db.insertInto('freshness_minutes').values(rows).execute();
  now -= 120_000;
  await recorder('one').close();
  now += 120_000;
  assert.deepEqual(
    (await hour())?.freshness.filter((row) => row.chain === 'solana'),
    [{ chain: 'solana', kind: 'market', cadence: 'newest', ageP50Seconds: 20, ageP99Seconds: 150 }],
  );
});

test('an asset is as old as its newest snapshot, and without any as old as its request; paused ones are left out', async () => {
  const { db } = database.store;
  const added = new Date(START - 600_000).toISOString();
  for (const [index, name] of ['fresh', 'never', 'paused'].entries()) {
    const asset = {
      asset_id: name,
      chain: 'base',
      address: name,
      symbol: null,
      asset: '{}',
      kinds: ['market'],
      cadence: 'newest',
      added_by: 'test',
      added_at: added,
      wanted_until: null,
      paused: index === 2,
      removed_at: null,
    };
    await db.insertInto('indexed_assets').values(asset).execute();
    await sql`insert into index_schedule (asset_id, kind, chain, cadence_seconds, due_at, planned_at)
      values (${name}, 'market', 'base', 60, ${added}, ${added})`.execute(db);
  }
  const asOf = new Date(START - 30_000).toISOString();
  await db
    .insertInto('snapshot_heads')
    .values({ asset_id: 'fresh', kind: 'market', chain: 'base', as_of: asOf, stored_at: asOf, changed_at: asOf })
    .execute();
  const [one, two] = [recorder('one'), recorder('two')];
  await Promise.all([one.close(), two.close()]);
  now += 60_000;
  assert.deepEqual((await hour())?.freshness, [
    { chain: 'base', kind: 'market', cadence: 'newest', ageP50Seconds: 30, ageP99Seconds: 600 },
  ]);
});

test('a sum that is a little old is served while the new one is made', async () => {
  await recorder('one').close();
  now += 60_000;
  const reader = createServiceLevelReader(database.store.db, () => now);
  const first = await reader.windows();
  await recorder('one').close();
  now += 60_000;
  const until = (await reader.windows()).find((row) => row.window === '1h')?.to;
  assert.equal(until, first[0]?.to);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal((await reader.windows()).find((row) => row.window === '1h')?.to, new Date(now).toISOString());
});

test('no window holds less than a shorter one, however often they are read while requests are served', async () => {
  const reader = createServiceLevelReader(database.store.db, () => now);
  for (let turn = 0; turn < 12; turn += 1) {
    const one = recorder(`turn-${turn}`);
    for (let request = 0; request < 20; request += 1) one.count('rms', 200, 0.005, now);
    await one.close();
    now += 60_000;
    const windows = await reader.windows();
    assert.deepEqual(
      windows.map(({ to }) => to),
      windows.map(() => windows[0]?.to),
    );
    const [hour = 0, day = 0, month = 0] = windows.map(({ requests }) => requests);
    assert.ok(hour <= day && day <= month, `${hour} ${day} ${month}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
});

test('no window counts less than a shorter one within it, however long ago the longer one was summed', async () => {
  const one = recorder('one');
  for (let request = 0; request < 18; request += 1) one.count('rms', 200, 0.01, now);
  await one.close();
  now += 10 * 60_000;
  const reader = createServiceLevelReader(database.store.db, () => now);
  const requests = async () => Object.fromEntries((await reader.windows()).map((row) => [row.window, row.requests]));
  assert.deepEqual(await requests(), { '1h': 18, '24h': 18, '30d': 18 });
  // Within the ten minutes for which the sum of 30 days is kept.
  const two = recorder('two');
  for (let request = 0; request < 96; request += 1) two.count('rms', 200, 0.01, now);
  await two.close();
  now += 3 * 60_000;
  await reader.windows();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(await requests(), { '1h': 114, '24h': 114, '30d': 114 });
});

const plan = loadPlans(null).find('CHAIN-7500') as Plan;
const promised = plan.sla as ServiceLevel;
const measured = (change: Partial<Measured>): Measured => ({
  from: '',
  to: '',
  availabilityPct: 100,
  requests: 0,
  failures: 0,
  latencyMs: { p50: 1, p95: 2, p99: 3 },
  freshness: [],
  ...change,
});

test('the credit is that of the lowest step the month fell below, and other breaches add to it', () => {
  const table: [Partial<Measured>, number, string][] = [
    [{}, 0, ''],
    [{ availabilityPct: 99.9 }, 0, ''],
    [{ availabilityPct: 99.8999 }, 10, 'availability'],
    [{ availabilityPct: 98.9 }, 25, 'availability'],
    [{ availabilityPct: 12 }, 50, 'availability'],
    [{ availabilityPct: null, latencyMs: null }, 0, ''],
    [{ latencyMs: { p50: 1, p95: 2, p99: 251 } }, 10, 'latency'],
    [
      {
        availabilityPct: 90,
        freshness: [{ chain: 'base', kind: 'market', cadence: 'newest', ageP50Seconds: 1, ageP99Seconds: 121 }],
      },
      60,
      'availability freshness',
    ],
    [
      { freshness: [{ chain: 'base', kind: 'market', cadence: 'hourly', ageP50Seconds: 1, ageP99Seconds: 1e5 }] },
      0,
      '',
    ],
  ];
  for (const [change, creditPct, breaches] of table) {
    const standing = serviceLevelStatus(plan, promised, measured(change));
    assert.deepEqual([standing.creditPct, standing.breaches.join(' ')], [creditPct, breaches], JSON.stringify(change));
  }
});

test('a quantile is never too low and at most 4.5 % too high', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.02, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95, 0.99),
      (values, share) => {
        const histogram = emptyHistogram();
        for (const value of values) addValue(histogram, value);
        const exact = values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
        const seen = quantile(new Map(histogram.entries()), share) ?? 0;
        assert.ok(seen >= exact * 0.999999 && seen <= exact * 1.0451, `${seen} for ${exact}`);
      },
    ),
  );
});
