import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { freshRating } from './monitor.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

test('a fresh rating that could not be started costs its account none of the quota', async () => {
  let taken = 0;
  const quota = {
    async take() {
      taken += 1;
      return null;
    },
    async giveBack() {
      taken -= 1;
    },
  };
  const away = async () => {
    throw new Error('the store is away');
  };
  const tools = {
    db: database.store.db,
    scoring: { collect: away, submit: away, wait: away },
    requestOf: () => null,
    isFresh: () => false,
  };
  await assert.rejects(
    freshRating(tools, 'project:fresh.example', { keyId: 'key', waitMs: 0, quota }),
    /the store is away/,
  );
  assert.equal(taken, 0);
});
