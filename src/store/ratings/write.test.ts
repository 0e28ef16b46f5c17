import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Asset } from '../../domain/asset.ts';
import { type TestDatabase, testDatabase } from '../fixtures/database.ts';
import { NEEDS_ONE_NODE } from '../fixtures/given-server.ts';
import { ratingOf } from './fixtures/rated-asset.ts';
import { lockAssets, storePublished } from './write.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database?.close());

const ASSET: Asset = {
  id: 'eip155:1/erc20:0x00000000000000000000000000000000000000b1',
  chain: 'ethereum',
  address: '0x00000000000000000000000000000000000000b1',
  symbol: 'EX',
  name: 'Example',
  category: null,
  website: null,
};

test('a rating again with the same score leaves the indexes of the heads alone', {
  skip: NEEDS_ONE_NODE,
}, async () => {
  const { db } = database.store;
  const ROUNDS = 5;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { rows } = await db.transaction().execute(async (transaction) => {
      const at = new Date(Date.UTC(2026, 10, 1, round)).toISOString();
      await lockAssets(transaction, [ASSET.id]);
      await storePublished(transaction, [ratingOf(ASSET, at, `job ${round}`, { marketCapUsd: 1_000 + round })]);
      return sql<{ updated: number; inPlace: number }>`
        select pg_stat_get_xact_tuples_updated('rated_assets'::regclass)::int as updated,
          pg_stat_get_xact_tuples_hot_updated('rated_assets'::regclass)::int as "inPlace"`.execute(transaction);
    });
    // Counts of a connection may include those of its transactions before.
    const [counted] = rows;
    assert.equal(counted?.inPlace, counted?.updated, `round ${round}`);
    assert.ok(round === 0 || (counted?.updated ?? 0) > 0, `round ${round}`);
  }
});
