import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { createWatchlist } from './watchlist.ts';

const ACCOUNT = 'acc_one';
const ASSET = 'eip155:1/erc20:0x1111111111111111111111111111111111111111';
const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const thresholds = { minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null } as const;
let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});
after(() => database.close());

test('no entry is on the list whose asset is not monitored, even if the request ends half-way', async () => {
  const { db } = database.store;
  const watchlist = createWatchlist(db, () => NOW);
  const monitored = async () => (await db.selectFrom('monitored_assets').select('asset_id').execute()).length;
  await sql`create function fail_here() returns trigger language plpgsql as $$ begin raise 'gone'; end $$`.execute(db);
  await sql`create trigger fail_here before insert on monitored_assets execute function fail_here()`.execute(db);
  const put = () => watchlist.put(ACCOUNT, ASSET, { note: null, thresholds }, 10);
  await assert.rejects(put(), /gone/);
  assert.deepEqual([(await watchlist.list(ACCOUNT)).length, await monitored()], [0, 0]);
  await sql`drop trigger fail_here on monitored_assets`.execute(db);
  assert.equal((await put()).outcome, 'added');
  assert.deepEqual([(await watchlist.list(ACCOUNT)).length, await monitored()], [1, 1]);
});
