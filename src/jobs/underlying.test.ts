import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json, Observation, QuantityId } from '../domain/index.ts';
import { assetNamed } from '../registers/load.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { lockAssets, previousRating, storePublished } from '../store/ratings/write.ts';
import { underlyingOf, underlyingsOf } from './underlying.ts';

const AT = '2026-05-03T12:00:00.000Z';
const VAULTED = 'eip155:1/erc20:0x1111111111111111111111111111111111111111';
const COIN = 'ethereum';
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await publish(VAULTED, 61.5);
  await publish(assetNamed(COIN) ?? assert.fail('the register knows no Ether'), 87);
});
after(() => database.close());

const previous = (assetId: string) => previousRating(database.store.db, assetId);
const said = (quantity: QuantityId, value: Json, scope = 'asset') =>
  ({ quantity, value, scope }) as unknown as Observation;

test('the underlying of a vault has the score of its published rating', async () => {
  const name = VAULTED;
  assert.deepEqual(await underlyingOf([said('vault_asset', name)], previous), { name, score: 61.5 });
  assert.equal(await underlyingOf([said('vault_asset', name, 'venue:a')], previous), null);
});

test('the underlying stated by a register goes before that of a vault', async () => {
  const both = [said('vault_asset', VAULTED), said('underlying_asset', COIN)];
  assert.deepEqual(await underlyingOf(both, previous), { name: COIN, score: 87 });
});

test('an underlying that is not rated, or that no register names, has no score', async () => {
  for (const name of [`${VAULTED.slice(0, -1)}2`, 'a coin of no register'])
    assert.equal(await underlyingOf([said('vault_asset', name)], previous), null, name);
  assert.equal(await underlyingOf([], previous), null);
});

test('parts of a token that stands for several assets have their published scores; parts without one are left out', async () => {
  const mix = { [VAULTED]: 0.25, [COIN]: 0.7, 'a coin of no register': 0.05 };
  assert.deepEqual(await underlyingsOf([said('underlying_assets', mix)], previous), {
    underlyings: [
      { name: VAULTED, share: 0.25, score: 61.5 },
      { name: COIN, share: 0.7, score: 87 },
    ],
  });
  assert.deepEqual(await underlyingsOf([said('underlying_assets', { [COIN]: 'most' })], previous), { underlyings: [] });
  for (const wrong of [null, 'ethereum', ['ethereum']])
    assert.deepEqual(await underlyingsOf([said('underlying_assets', wrong)], previous), {}, JSON.stringify(wrong));
});

async function publish(id: string, score: number): Promise<void> {
  const shared = { band: 'A', score, trust: 80, vfr: null, flags: [], methodology: '1', action: 'new' };
  await database.store.db.transaction().execute(async (transaction) => {
    await lockAssets(transaction, [id]);
    await storePublished(transaction, [
      {
        rating: {
          ...shared,
          asset_id: id,
          as_of: AT,
          stored_at: AT,
          job_id: 'job_1',
          indicative_band: 'A',
          smoothed_score: score,
          vfr_zone: 'INDETERMINATE',
          reversal: false,
          record: Buffer.from('{}'),
          signature: '{}',
        },
        head: {
          ...shared,
          chain: 'ethereum',
          address: null,
          symbol: null,
          symbol_folded: null,
          name: id,
          category: 'other',
          asset: '{}',
          request: '{}',
          state: JSON.stringify({ last: { asOf: AT, score, band: 'A', factors: [] } }),
          band_rank: 1,
          market_cap_usd: null,
          liquidity_usd: null,
        },
      },
    ]);
  });
}
