import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../fixtures/database.ts';
import type { Tables } from '../tables.ts';
import { storeRatingRestatement } from './disclosures.ts';
import { boundsOf, closedRatingDays, closeRatingDays, ratedDayRows } from './export-days.ts';
import { ratedSeries } from './read.ts';
import { lockAssets, storePublished } from './write.ts';

const MINUTE_MS = 60_000;
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

type Rating = Omit<Insertable<Tables['published_ratings']>, 'id'>;

function ratingOf(assetId: string, asOf: string, band = 'BBB', action = 'affirm'): Rating {
  return {
    asset_id: assetId,
    as_of: asOf,
    stored_at: asOf,
    job_id: `${assetId} ${asOf}`,
    band,
    indicative_band: band,
    score: band === 'NR' ? null : 60,
    smoothed_score: null,
    trust: 70,
    vfr: null,
    vfr_zone: 'INDETERMINATE',
    action,
    reversal: false,
    flags: [],
    methodology: '1.0.0',
    record: Buffer.from(JSON.stringify({ assetId, asOf, band })),
    signature: '{}',
  };
}

/** Stores a rating as the end of a job does; `whileOpen` runs before its transaction commits. */
async function put(rating: Rating, whileOpen: () => Promise<void> = async () => undefined): Promise<number> {
  const { band, score, trust, vfr, flags, methodology, action, asset_id } = rating;
  return database.store.db.transaction().execute(async (transaction) => {
    await lockAssets(transaction, [asset_id]);
    const head = {
      ...{ chain: null, address: null, symbol: `S${asset_id}`, symbol_folded: null, name: asset_id, category: 'other' },
      ...{ asset: '{}', request: '{}', state: '{}', band_rank: 3, market_cap_usd: null, liquidity_usd: null },
      ...{ band, score: score ?? null, trust, vfr: vfr ?? null, flags, methodology, action },
    };
    const stored = await storePublished(transaction, [{ rating, head }]);
    await whileOpen();
    return stored.get(asset_id)?.id ?? 0;
  });
}

async function rowsOf(day: string, revision = 1) {
  const bounds = await boundsOf(database.store.db, day, revision);
  assert.ok(bounds);
  const rows: [string, string, boolean][] = [];
  for await (const { assetId, record, withdrawn } of ratedDayRows(database.store.db, day, bounds))
    rows.push([assetId, JSON.parse(Buffer.from(record).toString()).asOf, withdrawn]);
  return rows;
}

const close = (now: string) => closeRatingDays(database.store.db, Date.parse(now), 5 * MINUTE_MS);

test('no day is closed before there is a rating; then each day once, by any process', async () => {
  assert.deepEqual(await close('2026-11-20T12:00:00Z'), []);
  await put(ratingOf('b', '2026-11-18T23:59:59.999Z'));
  await put(ratingOf('a', '2026-11-19T00:00:00.000Z', 'NR', 'withdraw'));
  await put(ratingOf('a', '2026-11-19T06:00:00.000Z', 'NR'));
  assert.deepEqual(await close('2026-11-19T00:04:59Z'), []);
  assert.deepEqual(await close('2026-11-19T00:05:00Z'), ['2026-11-18']);
  const both = await Promise.all([close('2026-11-20T00:05:00Z'), close('2026-11-20T00:05:00Z')]);
  assert.deepEqual(both.flat(), ['2026-11-19']);
  // A clock that steps back closes nothing and opens nothing.
  assert.deepEqual(await close('2026-11-18T00:00:00Z'), []);
  assert.deepEqual(await closedRatingDays(database.store.db), ['2026-11-18', '2026-11-19']);
  assert.deepEqual(await rowsOf('2026-11-18'), [['b', '2026-11-18T23:59:59.999Z', false]]);
  assert.deepEqual(await rowsOf('2026-11-19'), [
    ['a', '2026-11-19T06:00:00.000Z', true],
    ['b', '2026-11-18T23:59:59.999Z', false],
  ]);
});

test('a rating that is being stored while a day is closed is waited for, and is in it', async () => {
  let closing: Promise<readonly string[]> = Promise.resolve([]);
  await put(ratingOf('c', '2026-11-20T23:59:00.000Z'), async () => {
    closing = close('2026-11-21T00:05:00Z');
    await setTimeout(300);
    assert.deepEqual(await closedRatingDays(database.store.db), ['2026-11-18', '2026-11-19']);
  });
  assert.deepEqual(await closing, ['2026-11-20']);
  assert.deepEqual((await rowsOf('2026-11-20')).at(-1), ['c', '2026-11-20T23:59:00.000Z', false]);
});

test('what is stored after the close is not in the day, whatever its time; nor is a correction', async () => {
  const then = await rowsOf('2026-11-20');
  const id = await put(ratingOf('c', '2026-11-20T23:59:30.000Z'));
  await put(ratingOf('d', '2026-11-18T10:00:00.000Z'));
  await storeRatingRestatement(database.store.db, {
    asset_id: 'c',
    rating_id: id,
    made_at: '2026-11-21T01:00:00.000Z',
    reason: 'wrong',
    body: '{}',
    record: Buffer.from('{"asOf":"corrected"}'),
    signature: '{}',
  });
  assert.deepEqual(await rowsOf('2026-11-20'), then);
  await close('2026-11-22T00:05:00Z');
  assert.deepEqual(
    (await rowsOf('2026-11-21')).map(([assetId, asOf]) => [assetId, asOf]),
    [
      ['a', '2026-11-19T06:00:00.000Z'],
      ['b', '2026-11-18T23:59:59.999Z'],
      ['c', 'corrected'],
      ['d', '2026-11-18T10:00:00.000Z'],
    ],
  );
});

test('the lives of assets come whole, however many ratings they have', async () => {
  const { db } = database.store;
  await sql`insert into published_ratings (asset_id, as_of, stored_at, job_id, band, indicative_band, trust, vfr_zone, action, reversal,
      flags, methodology, record, signature)
    select 'm' || (n % 3), '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', now(), 'job ' || n, 'BBB', 'BBB', 70, 'FAIR',
      'affirm', false, '{}', '1.0.0', '', '{}' from generate_series(1, 24000) n`.execute(db);
  const seen: [string, number][] = [];
  for await (const series of ratedSeries(db)) seen.push([series.assetId, series.ratings.length]);
  assert.deepEqual(seen, [
    ['a', 2],
    ['b', 1],
    ['c', 2],
    ['d', 1],
    ['m0', 8_000],
    ['m1', 8_000],
    ['m2', 8_000],
  ]);
});
