import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { PeerRow } from '../domain/rating.ts';
import { DAY_MS } from '../domain/statistics.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { driverDays, recentPeers, storePeers } from './peers.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
afterEach(() => database.store.db.deleteFrom('peers').execute());
after(() => database.close());

const NOW = Date.parse('2026-05-01T12:00:00Z');
const iso = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
const db = () => database.store.db;

async function keep(assetId: string, days: number, marketValueUsd: number, change: Partial<PeerRow> = {}) {
  const peer: PeerRow = {
    assetId,
    category: 'defi_protocol',
    asOf: iso(days),
    marketValueUsd,
    drivers: { tvl_usd: marketValueUsd / 2 },
    trust: 80,
    aliases: [`coingecko:${assetId}`],
    round: null,
    ...change,
  };
  const entry = { peer, readings: { tvl_usd: marketValueUsd / 4 } };
  await db()
    .transaction()
    .execute((transaction) => storePeers(transaction, [entry]));
  return peer;
}

const seen = async (days: number) =>
  (await recentPeers(db(), iso(days))).map((row) => [row.assetId, row.marketValueUsd]);

test('the newest row of an asset counts; rows older than 30 days do not', async () => {
  await keep('b', 1, 1);
  await keep('a', 2, 2);
  await keep('b', 0, 3);
  await keep('c', 31, 4);
  assert.deepEqual(await seen(0), [
    ['a', 2],
    ['b', 3],
  ]);
});

test('a rating of a past day sees the peers of that day and nothing that came after', async () => {
  await keep('a', 20, 1);
  await keep('a', 10, 2);
  await keep('b', 9.9, 5);
  await keep('a', 0, 3);
  assert.deepEqual(await seen(15), [['a', 1]]);
  assert.deepEqual(await seen(10), [['a', 2]]);
  assert.deepEqual(await seen(0), [
    ['a', 3],
    ['b', 5],
  ]);
});

test('within a day the newer evidence stays, whichever job ends last', async () => {
  await keep('a', 0, 2);
  await keep('a', 0.3, 1);
  assert.deepEqual(await seen(0), [['a', 2]]);
  assert.deepEqual(await seen(0.1), [], 'and it is not seen before it was known');
});

test('a row is returned as it was stored', async () => {
  const round = { date: '2026-01-01', stage: 'seed', postMoneyUsd: 4e7, isEstimated: true } as const;
  const kept = [await keep('a', 0, 2, { round }), await keep('b', 0, 3)];
  assert.deepEqual(await recentPeers(db(), iso(0)), kept);
});

test('an asset’s own days are those before, oldest first, as they were read', async () => {
  for (const days of [40, 29, 3, 1, 0]) await keep('a', days, days + 1);
  await keep('b', 2, 7);
  assert.deepEqual(await driverDays(db(), 'a', iso(0), 29), [
    { day: iso(29).slice(0, 10), readings: { tvl_usd: 7.5 } },
    { day: iso(3).slice(0, 10), readings: { tvl_usd: 1 } },
    { day: iso(1).slice(0, 10), readings: { tvl_usd: 0.5 } },
  ]);
});

test('a category sends a bounded sample into the panel, and always the same one', async () => {
  await Promise.all(
    Array.from({ length: 105 }, (_, index) => keep(`m${index}`, 0, 1 + index, { category: 'memecoin' })),
  );
  await keep('d', 0, 1);
  const panel = await seen(0);
  assert.equal(panel.length, 101);
  assert.deepEqual(await seen(0), panel);
});
