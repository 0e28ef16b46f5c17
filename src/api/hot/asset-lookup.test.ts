import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChain } from '../../chains/index.ts';
import type { Asset } from '../../domain/index.ts';
import type { SnapshotReader } from '../../indexer/index.ts';
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

function find(indexed: readonly Asset[], text: string) {
  const reader = { find: async () => indexed } as unknown as SnapshotReader;
  return createAssetLookup(reader, () => 0).find(ETHEREUM, text);
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
