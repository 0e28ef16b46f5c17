import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { writeCursor } from './cursors.ts';
import { createRatingReader, type StoredRatings } from './reader.ts';

let database: TestDatabase;
let reader: StoredRatings;
before(async () => {
  database = await testDatabase();
  reader = createRatingReader({ store: database.store, now: Date.now, onError: () => undefined });
});
after(async () => {
  await reader.close();
  await database.close();
});

test('a cursor of a time that PostgreSQL does not have reads from the start', async () => {
  const span = { from: '2026-01-01T00:00:00.000Z', to: '2026-12-31T00:00:00.000Z', intervalSeconds: null };
  for (const time of ['0000-01-01T00:00:00.000Z', '2026-02-30T10:00:00.000Z', '2026-02-28T25:00:00.000Z']) {
    const cursor = writeCursor([time, 1]);
    const page = await reader.history('a', { ...span, actionsOnly: false, limit: 5, cursor });
    assert.deepEqual(page, { ratings: [], nextCursor: null }, time);
    assert.deepEqual(
      await reader.actions({ from: span.from, to: span.to, limit: 5, cursor }),
      { ratings: [], nextCursor: null },
      time,
    );
  }
});
