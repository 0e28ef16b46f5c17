import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Asset } from '../domain/asset.ts';
import type { ScoreReport } from '../domain/evidence.ts';
import { storeEvidence } from '../store/archive.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { insertOrJoin } from '../store/jobs.ts';
import { noObjectStore } from '../store/moved.ts';
import { publishRating } from '../store/ratings/fixtures/rated-asset.ts';
import { createPastPeers } from './past-peers.ts';

const THEN = '2026-05-01T00:00:00.000Z';
const LATER = '2026-06-01T00:00:00.000Z';
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

/** A rating of the asset with this number, of a class, with one factor of so many points. */
async function rated(number: number, at: string, of: string, points: number): Promise<void> {
  const { db } = database.store;
  const address = `0x${String(number).padStart(40, '0')}`;
  const names = { symbol: `P${number}`, name: `P${number}`, category: null, website: null };
  const asset: Asset = { id: `eip155:1/erc20:${address}`, chain: 'ethereum', address, ...names };
  const id = `posttge_${of}_${at}_${number}`;
  const request = { request: '{}', request_hash: id, deadline_seconds: 20, key_id: 'k', created_at: at };
  await insertOrJoin(db, { id, kind: 'score', asset_id: asset.id, ...request });
  const result = Buffer.from(JSON.stringify({ rating: { class: of, factors: [{ code: 'one', score: points }] } }));
  const kept = { jobId: id, record: Buffer.from('{}'), result, resultSha256: 'x', at };
  await db.transaction().execute((transaction) => storeEvidence(transaction, [kept]));
  await publishRating(db, asset, at, id, of);
}

/** The report of another asset's rating. */
const report = (of: string, asOf: string) =>
  ({
    evidence: { asOf, methodologyVersion: '1' },
    published: { asset: { id: 'eip155:1/erc20:0xffffffffffffffffffffffffffffffffffffffff' } },
    rating: { class: of, factors: [{ code: 'one', score: 50 }] },
  }) as unknown as ScoreReport;

test('the peers of a past rating stay the same when a peer is rated in another class later', async () => {
  for (const number of [1, 2, 3, 4, 5]) await rated(number, THEN, 'memecoin', 10 * number);
  const peersOf = createPastPeers(database.store.db, noObjectStore);
  const then = await peersOf(report('memecoin', THEN));
  assert.deepEqual(then, { count: 5, factors: { one: { low: 20, median: 30, high: 40 } } });

  for (const number of [4, 5]) await rated(number, LATER, 'governance', 90);
  assert.deepEqual(await peersOf(report('memecoin', THEN)), then);
  const restarted = createPastPeers(database.store.db, noObjectStore);
  assert.deepEqual(await restarted(report('memecoin', THEN)), then);
  assert.equal((await restarted(report('governance', THEN))).count, 0, 'no peer of another class then');
  assert.equal((await restarted(report('governance', LATER))).count, 2);
  assert.equal((await restarted(report('memecoin', LATER))).count, 3);
});

test('a rating from before classes were stored counts in the class of its archive, whatever asked for it first', async () => {
  for (const number of [1, 2, 3, 4, 5]) await rated(number, '2026-04-01T00:00:00.000Z', 'oracle', 10 * number);
  await database.store.db.updateTable('published_ratings').set({ category: null, class: null }).execute();
  const peersOf = createPastPeers(database.store.db, noObjectStore);
  const at = '2026-04-15T00:00:00.000Z';
  assert.equal((await peersOf(report('governance', at))).count, 0);
  for (const number of [1, 2, 3, 4, 5]) await rated(number, '2026-07-01T00:00:00.000Z', 'oracle', 10 * number);
  assert.equal((await peersOf(report('oracle', at))).count, 5);
});
