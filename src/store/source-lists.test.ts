import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type Store } from './database.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { claimList, readList, releaseList, writeList } from './sources.ts';

let database: TestDatabase;
let other: Store;
before(async () => {
  database = await testDatabase();
  other = connect(database.store.url);
});
after(async () => {
  await other.close();
  await database.close();
});

const list = { record: '{"id":"coins"}', body: new TextEncoder().encode('[{"id":"bitcoin"}]') };

test('one process may fetch a list, and the others read what it puts', async () => {
  const claims = await Promise.all([claimList(database.store.db, 'coins'), claimList(other.db, 'coins')]);
  assert.deepEqual([...claims].sort(), [false, true]);
  assert.equal(await readList(other.db, 'coins', '2026-01-01T00:00:00Z'), null);
  await writeList(database.store.db, 'coins', '2026-01-01T00:10:00Z', list);
  const read = await readList(other.db, 'coins', '2026-01-01T00:00:00Z');
  assert.deepEqual([read?.record, new TextDecoder().decode(read?.body)], [list.record, '[{"id":"bitcoin"}]']);
  assert.equal(await readList(other.db, 'coins', '2026-01-01T00:10:00Z'), null, 'too old is not there');
});

test('an unused claim is released', async () => {
  assert.equal(await claimList(database.store.db, 'tickers'), true);
  assert.equal(await claimList(other.db, 'tickers'), false);
  await releaseList(database.store.db, 'tickers');
  assert.equal(await claimList(other.db, 'tickers'), true);
});
