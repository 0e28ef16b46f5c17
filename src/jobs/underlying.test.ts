import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json, Observation, QuantityId } from '../domain/index.ts';
import { assetNamed } from '../registers/load.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { lastScore, lockAssets, storePublished } from '../store/ratings/write.ts';
import { underlyingOf, underlyingsOf } from './underlying.ts';

const AT = '2026-05-03T12:00:00.000Z';
const VAULTED = 'eip155:1/erc20:0x1111111111111111111111111111111111111111';
const COIN = 'ethereum';
const USDC = 'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await publish(VAULTED, 61.5);
  await publish(assetNamed(COIN) ?? assert.fail('the register knows no Ether'), 87);
});
after(() => database.close());

const last = (assetId: string) => lastScore(database.store.db, assetId);
const said = (quantity: QuantityId, value: Json, scope = 'asset') =>
  ({ quantity, value, scope }) as unknown as Observation;

test('the underlying of a vault has the score of its published rating', async () => {
  const name = VAULTED;
  assert.deepEqual(await underlyingOf([said('vault_asset', name)], last), { name, score: 61.5 });
  assert.equal(await underlyingOf([said('vault_asset', name, 'venue:a')], last), null);
});

test('the underlying stated by a register goes before that of a vault', async () => {
  const both = [said('vault_asset', VAULTED), said('underlying_asset', COIN)];
  assert.deepEqual(await underlyingOf(both, last), { name: COIN, score: 87 });
});

test('an underlying of a register that was not rated here is left out; another one has no score', async () => {
  for (const name of [USDC, 'a coin of no register'])
    assert.equal(await underlyingOf([said('vault_asset', name)], last), null, name);
  assert.equal(await underlyingOf([], last), null);
  const name = `${VAULTED.slice(0, -1)}2`;
  assert.deepEqual(await underlyingOf([said('vault_asset', name)], last), { name, score: null });
});

test('an underlying whose rating is withheld keeps its last score; one that never had any has none', async () => {
  const [withheld, never] = ['3', '4'].map((end) => `${VAULTED.slice(0, -1)}${end}`);
  assert.ok(withheld !== undefined && never !== undefined);
  await publish(withheld, 22);
  await publish(withheld, null, '2026-05-04T12:00:00.000Z');
  await publish(never, null);
  assert.deepEqual(await underlyingOf([said('vault_asset', withheld)], last), { name: withheld, score: 22 });
  assert.deepEqual(await underlyingOf([said('vault_asset', never)], last), { name: never, score: null });
  assert.deepEqual(await underlyingsOf([said('underlying_assets', { [withheld]: 0.6, [USDC]: 0.4 })], last), {
    underlyings: [{ name: withheld, share: 0.6, score: 22 }],
  });
});

test('parts of a token that stands for several assets have their published scores; parts without one are left out', async () => {
  const mix = { [VAULTED]: 0.25, [COIN]: 0.7, 'a coin of no register': 0.05 };
  assert.deepEqual(await underlyingsOf([said('underlying_assets', mix)], last), {
    underlyings: [
      { name: VAULTED, share: 0.25, score: 61.5 },
      { name: COIN, share: 0.7, score: 87 },
    ],
  });
  assert.deepEqual(await underlyingsOf([said('underlying_assets', { [COIN]: 'most' })], last), { underlyings: [] });
  for (const wrong of [null, 'ethereum', ['ethereum']])
    assert.deepEqual(await underlyingsOf([said('underlying_assets', wrong)], last), {}, JSON.stringify(wrong));
});

async function publish(id: string, score: number | null, at = AT): Promise<void> {
  const shared = {
    band: score === null ? 'NR' : 'A',
    score,
    trust: 80,
    vfr: null,
    flags: [],
    methodology: '1',
    action: 'new',
  };
  await database.store.db.transaction().execute(async (transaction) => {
    await lockAssets(transaction, [id]);
    await storePublished(transaction, [
      {
        rating: {
          ...shared,
          asset_id: id,
          as_of: at,
          stored_at: at,
          job_id: `job_${at}`,
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
          state: JSON.stringify({ last: { asOf: at, score, band: 'A', factors: [] } }),
          band_rank: 1,
          market_cap_usd: null,
          liquidity_usd: null,
        },
      },
    ]);
  });
}
