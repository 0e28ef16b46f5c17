import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChain } from '../../chains/index.ts';
import type { Asset, Namesakes } from '../../domain/index.ts';
import { createAssetLookup } from './asset-lookup.ts';

const ETHEREUM = findChain('ethereum') ?? assert.fail();
const assetOf = (address: string, symbol: string): Asset => ({
  id: `eip155:1/erc20:${address}`,
  chain: 'ethereum',
  address,
  symbol,
  name: symbol,
  category: null,
  website: null,
});
const REAL = assetOf('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USDC');
const COPY = assetOf(`0x${'1'.repeat(40)}`, 'usdc');
const OTHER = assetOf(`0x${'2'.repeat(40)}`, 'QZXV');

function find(indexed: readonly Asset[], text: string, namesakes?: Namesakes) {
  return createAssetLookup({ find: async () => indexed }, () => 0, namesakes).find(ETHEREUM, text);
}

test('a copy of an asset of the registers is not read by its symbol, alone or beside the original', async () => {
  const alone = await find([COPY], 'USDC');
  assert.ok(!alone.ok && alone.code === 'ambiguous');
  assert.deepEqual(alone.candidates, [COPY]);
  for (const indexed of [[REAL], [COPY, REAL]])
    assert.deepEqual(await find(indexed, 'usdc'), { ok: true, asset: REAL });
  assert.deepEqual(await find([COPY], COPY.id), { ok: true, asset: COPY });
});

test('a symbol that no register has is that of the only indexed asset with it', async () => {
  assert.deepEqual(await find([OTHER], 'qzxv'), { ok: true, asset: OTHER });
});

test('a symbol that no register has is not that of an indexed asset that no registry lists, or that another one rivals', async () => {
  const twin = assetOf(`0x${'3'.repeat(40)}`, 'QZXV');
  const standings = new Map([[OTHER.address, { isListed: true, rivals: [] as readonly string[] }]]);
  const namesakes: Namesakes = async (_word, { address }) =>
    standings.get(address) ?? { isListed: false, rivals: ['Other (qzxv)'] };
  assert.deepEqual(await find([twin, OTHER], 'QZXV', namesakes), { ok: true, asset: OTHER });
  const alone = await find([twin], 'QZXV', namesakes);
  assert.ok(!alone.ok && alone.code === 'ambiguous');
  assert.deepEqual(await find([twin], twin.id, namesakes), { ok: true, asset: twin });
  standings.set(OTHER.address, { isListed: true, rivals: ['Not indexed (qzxv-2)'] });
  const rivalled = await find([OTHER], 'QZXV', namesakes);
  assert.ok(!rivalled.ok && rivalled.code === 'ambiguous');
  assert.deepEqual(rivalled.candidates, [OTHER]);
});
