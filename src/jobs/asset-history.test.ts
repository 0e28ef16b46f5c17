import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MarketSnapshot } from '../contract/index.ts';
import { DAY_MS, HOUR_MS } from '../domain/statistics.ts';
import { loadMethodology } from '../methodology/load.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { assetAt, snapshotOf } from '../store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../store/snapshots/write.ts';
import { assetHistory } from './kept-snapshots.ts';

const NOW = Date.UTC(2026, 4, 10, 9, 30);
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const keep = (index: number, points: readonly (readonly [ageMs: number, change: Partial<MarketSnapshot>])[]) =>
  createSnapshotWriter(database.store.pool).store(
    points.map(([age, change]) =>
      snapshotRow({ ...(snapshotOf(assetAt(index), 'market', iso(NOW - age)) as MarketSnapshot), ...change }),
    ),
    NOW,
  );
const methodology = loadMethodology();
const historyAt = (index: number, now = NOW, by = methodology) =>
  assetHistory(database.store.db, assetAt(index).id, iso(now), by);

test('an asset that was never looked at has no history', async () => {
  assert.equal(await historyAt(1), null);
});

test('history has the last point of each hour and of each earlier day, and nothing later than the rating', async () => {
  await keep(2, [
    [-HOUR_MS, { volume_24h_usd: 99 }],
    [20 * 60_000, { volume_24h_usd: 3 }],
    [25 * 60_000, { volume_24h_usd: 2 }],
    [2 * HOUR_MS, { volume_24h_usd: 1 }],
    [DAY_MS, { volume_24h_usd: 10 }],
    [DAY_MS + HOUR_MS, { volume_24h_usd: 11 }],
    [31 * DAY_MS, { volume_24h_usd: 31 }],
    [40 * DAY_MS, { volume_24h_usd: 40 }],
  ]);
  const history = await historyAt(2);
  assert.deepEqual(
    history?.hours.map((row) => row.volume24hUsd),
    [11, 10, 1, 3],
  );
  assert.deepEqual(
    history?.days.map((row) => row.volume24hUsd),
    [31, 10],
  );
  assert.equal(history?.quiet, null);
});

test('the quiet period begins after the last day with a trade; a day without a count does not end it', async () => {
  await keep(3, [
    [95 * DAY_MS, { volume_24h_usd: 5 }],
    [80 * DAY_MS, { volume_24h_usd: 0 }],
    [40 * DAY_MS, { volume_24h_usd: null }],
    [20 * DAY_MS, { volume_24h_usd: 0, price_usd: null }],
    [HOUR_MS, { volume_24h_usd: 0 }],
  ]);
  assert.deepEqual((await historyAt(3))?.quiet, { since: iso(NOW - 80 * DAY_MS), points: 3 });
});

test('supplies state when they were read and whether on chain; the oldest is a year old, or the oldest kept', async () => {
  const provenance = {
    total_supply: { sources: ['evm_rpc'], outvoted: [], confidence: 1, interval: null, method: 'consensus' },
  } as const;
  await keep(4, [
    [200 * DAY_MS, { total_supply: 500 }],
    [91 * DAY_MS, { total_supply: 600 }],
    [26 * HOUR_MS, { total_supply: 900, provenance }],
    [HOUR_MS, { total_supply: 1_000, provenance }],
  ]);
  assert.deepEqual((await historyAt(4))?.supply, {
    dayAgo: { at: iso(NOW - 26 * HOUR_MS), totalSupply: 900, isOnChain: true },
    oldest: { at: iso(NOW - 200 * DAY_MS), totalSupply: 500, isOnChain: false },
  });
  await keep(6, [
    [80 * DAY_MS, { total_supply: 500 }],
    [HOUR_MS, { total_supply: 900 }],
  ]);
  assert.equal((await historyAt(6))?.supply.oldest, null, 'eighty days are too few');
  assert.equal((await historyAt(4, NOW + 3 * DAY_MS))?.supply.dayAgo, null, 'three days old is not a day ago');
});

test('the circulating supply of days is kept of a price that stays, market value over price; of one that moves it is not', async () => {
  await keep(8, [
    [9 * DAY_MS, { price_usd: 1, market_cap_usd: 1_000 }],
    [5 * DAY_MS, { price_usd: 1.01, market_cap_usd: 909 }],
    [4 * DAY_MS, { price_usd: 1, market_cap_usd: null }],
  ]);
  assert.deepEqual(
    (await historyAt(8))?.circulating?.map((row) => row.tokens),
    [1_000, 900],
  );
  await keep(9, [
    [9 * DAY_MS, { price_usd: 1, market_cap_usd: 1_000 }],
    [5 * DAY_MS, { price_usd: 2, market_cap_usd: 909 }],
    [4 * DAY_MS, { price_usd: 3, market_cap_usd: 909 }],
  ]);
  assert.deepEqual((await historyAt(9))?.circulating, []);
  const { featureRules } = methodology;
  const strict = {
    ...methodology,
    featureRules: { ...featureRules, redeemed: { ...featureRules.redeemed, steady: 0.001 } },
  };
  assert.deepEqual((await historyAt(8, NOW, strict))?.circulating, [], 'how near is a number of the methodology');
});

test('listings are the large exchanges that traded a day before; pools and quiet markets are none', async () => {
  const venue = (name: string, volume: number | null) => ({
    venue: name,
    price_usd: 1,
    volume_24h_usd: volume,
    sources: [],
  });
  await keep(5, [
    [
      25 * HOUR_MS,
      {
        venues: [
          venue('binance:T5-USDT', 7),
          venue('raydium Abc', 9),
          venue('coinbase:T5-USD', 0),
          // As snapshots of earlier versions named markets.
          venue('binance:T5USDT', 8),
          venue('gdax:T5-USD', 6),
        ],
      },
    ],
  ]);
  assert.deepEqual((await historyAt(5))?.listings, [
    { at: iso(NOW - 25 * HOUR_MS), venue: 'binance:T5-USDT', volume24hUsd: 7 },
    { at: iso(NOW - 25 * HOUR_MS), venue: 'coinbase:T5-USD', volume24hUsd: 6 },
  ]);
});
