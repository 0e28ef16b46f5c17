import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { findByPages } from './pages.ts';
import { storeRatedAsset } from './ratings/fixtures/rated-asset.ts';
import { takeDueRatings } from './ratings/monitored.ts';
import { assetAt } from './snapshots/fixtures/snapshots.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

/** Keys from 1 to `last`; a row for each that `every` divides. */
async function look(last: number, every: number, limit: number) {
  const pages: number[] = [];
  const rows = await findByPages<number, number>({
    limit,
    async keys(before, count) {
      const first = (before ?? 0) + 1;
      const page = Array.from({ length: Math.max(0, Math.min(count, last - first + 1)) }, (_, index) => first + index);
      pages.push(page.length);
      return page;
    },
    rows: async (keys, room) => keys.filter((key) => key % every === 0).slice(0, room),
  });
  return { rows, pages };
}

test('pages grow until the rows are found or no keys are left, and none comes twice', async () => {
  assert.deepEqual(await look(10_000, 1, 20), {
    rows: Array.from({ length: 20 }, (_, index) => index + 1),
    pages: [20],
  });
  assert.deepEqual(await look(10_000, 100, 3), { rows: [100, 200, 300], pages: [16, 64, 256] });
  assert.deepEqual(await look(2_500, 3_000, 1), { rows: [], pages: [16, 64, 256, 1_000, 1_000, 164] });
  assert.deepEqual(await look(16, 20, 1), { rows: [], pages: [16, 0] });
  assert.deepEqual(await look(0, 1, 5), { rows: [], pages: [0] });
});

test('assets that were never rated do not keep those behind them from being taken', async () => {
  const { db } = database.store;
  const at = '2026-11-20T00:00:00.000Z';
  const ids = Array.from({ length: 90 }, (_, index) => assetAt(index).id);
  // All due in the same moment, which is finer than a millisecond.
  await sql`insert into monitored_assets (asset_id, added_by, added_at, due_at, reason, cadence_seconds)
    select asset_id, 'test', ${at}, ${at}::timestamptz + interval '7 microseconds', 'cadence', 3600
    from unnest(${ids}::text[]) asset_id`.execute(db);
  for (const index of [85, 88]) await storeRatedAsset(db, assetAt(index), at);
  const taken = async (limit: number) =>
    (await takeDueRatings(db, '2026-11-21T00:00:00.000Z', limit, 60)).map((due) => due.asset_id);
  assert.deepEqual(await taken(1), [assetAt(85).id]);
  assert.deepEqual(await taken(5), [assetAt(88).id]);
  assert.deepEqual(await taken(5), []);
});
