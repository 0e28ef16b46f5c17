import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { addUsage, type UsageRow, usageOf } from '../../store/usage.ts';
import type { ApiKey } from '../keys.ts';
import { createUsageMeter, endpointGroups } from './meter.ts';

let database: TestDatabase;
let now = Date.parse('2026-03-01T23:59:59.000Z');
before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  for (const table of ['usage_days', 'usage_flushes'] as const) await database.store.db.deleteFrom(table).execute();
});
after(() => database.close());

const key = { id: 'key_1', accountId: 'acc_1', plan: 'RATING' } as ApiKey;
const totals = (rows: readonly UsageRow[]) =>
  rows.map(({ day, group, requests, billable, refused, errors, bytes }) => [
    day,
    group,
    requests,
    billable,
    refused,
    errors,
    bytes,
  ]);

test('requests are counted by day and group; a 304, a refusal and a failure of ours cost no quota', async () => {
  now = Date.parse('2026-03-01T23:59:59.000Z');
  const meter = createUsageMeter({
    processId: 'p',
    add: (flush) => addUsage(database.store.db, flush),
    now: () => now,
    onError: (error) => assert.fail(String(error)),
    everyMs: 3_600_000,
  });
  for (const status of [200, 404, 304, 429, 503]) meter.count(key, 'rms', status, 100, now);
  await meter.flush();
  now += 2_000;
  meter.count(key, 'chain', 200, 7, now);
  meter.count(key, 'exports', 200, 9, now);
  await meter.close();
  assert.deepEqual(totals(await usageOf(database.store.db, 'acc_1', '2026-03-01', '2026-03-31')), [
    ['2026-03-01', 'rms', 5, 2, 1, 1, 500],
    ['2026-03-02', 'chain', 1, 1, 0, 0, 7],
    ['2026-03-02', 'exports', 1, 1, 0, 0, 9],
  ]);
  assert.deepEqual(await usageOf(database.store.db, 'acc_2', '2026-03-01', '2026-03-31'), []);
});

test('a flush whose reply was lost is sent again and counts once; later counts are kept', async () => {
  let turn = 0;
  const meter = createUsageMeter({
    processId: 'q',
    add: async (flush) => {
      turn += 1;
      // The first never arrives; the second arrives, and its reply does not.
      if (turn === 1) throw new Error('away');
      await addUsage(database.store.db, flush);
      if (turn === 2) throw new Error('the reply was lost');
    },
    now: () => now,
    onError: () => undefined,
    everyMs: 3_600_000,
  });
  for (let request = 0; request < 10; request += 1) {
    meter.count(key, 'rms', 200, 1, now);
    await meter.flush();
  }
  await meter.close();
  const rows = await usageOf(database.store.db, 'acc_1', '2026-01-01', '2026-12-31');
  assert.equal(
    rows.reduce((sum, row) => sum + row.requests, 0),
    10,
  );
});

test('four processes count the same key into one row', async () => {
  const meters = ['a', 'b', 'c', 'd'].map((processId) =>
    createUsageMeter({
      processId,
      add: (flush) => addUsage(database.store.db, flush),
      now: () => now,
      onError: (error) => assert.fail(String(error)),
      everyMs: 3_600_000,
    }),
  );
  for (let round = 0; round < 5; round += 1) {
    for (const meter of meters) for (let turn = 0; turn < 25; turn += 1) meter.count(key, 'rms', 200, 2, now);
    await Promise.all(meters.map((meter) => meter.flush()));
  }
  const rows = await usageOf(database.store.db, 'acc_1', '2026-01-01', '2026-12-31');
  assert.deepEqual(
    rows.map((row) => [row.requests, row.bytes]),
    [[500, 1_000]],
  );
  for (const meter of meters) await meter.close();
});

test('a key that changes its plan at noon has a row of each', async () => {
  const meter = createUsageMeter({
    processId: 'z',
    add: (flush) => addUsage(database.store.db, flush),
    now: () => now,
    onError: (error) => assert.fail(String(error)),
    everyMs: 3_600_000,
  });
  for (const plan of ['RATING', 'INTERNAL', 'RATING']) meter.count({ ...key, plan }, 'rms', 200, 1, now);
  await meter.close();
  const rows = await usageOf(database.store.db, 'acc_1', '2026-01-01', '2026-12-31');
  assert.deepEqual(
    rows.map((row) => [row.plan, row.requests]),
    [
      ['INTERNAL', 1],
      ['RATING', 2],
    ],
  );
});

test('every route has a group, also scoring on a path of the operator’s own', () => {
  const groupOf = endpointGroups('/score/now');
  for (const [route, group] of [
    ['/v1/score', 'score'],
    ['/score/now', 'score'],
    ['/v1/rms/whitelist/:asset', 'watchlist'],
    ['/v1/rms/batch', 'rms'],
    ['/v1/rms/:asset?fresh=true', 'score'],
    ['/v1/exports/daily', 'exports'],
    ['/v1/:chain/exports/daily', 'exports'],
    ['/v1/:chain/:asset/holders/snapshot', 'chain'],
    ['/v1/usage/statement', 'usage'],
    ['/healthz', 'other'],
  ] as const)
    assert.equal(groupOf(route), group);
});
