import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asset, NO_WEBSITE, type ScoreRequest } from '../domain/index.ts';
import { matchPublished } from './rated-names.ts';

const asset = (change: Partial<Asset>): Asset => ({
  id: `eip155:1/erc20:${change.address ?? '0x1'}`,
  chain: 'ethereum',
  address: '0x1',
  symbol: 'KVQA',
  name: 'Kvqa',
  category: null,
  website: null,
  ...change,
});
const called = (project: string, tokenSymbol: string | null = null): ScoreRequest => ({
  type: 'posttge',
  project,
  projectUrl: NO_WEBSITE,
  tokenSymbol,
  category: null,
  blockchain: null,
  tokenAddress: null,
});
const meant = (request: ScoreRequest, rated: readonly Asset[]) => {
  const found = matchPublished(request, rated);
  return found === null ? null : 'failure' in found ? found.failure.kind : found.asset.address;
};

test('a rated asset is meant by its name or ticker in any case of its letters', () => {
  for (const request of [called('kvqa'), called('KVQA', 'KVQA'), called('another', 'kvqa'), called(' Kvqa ')])
    assert.equal(meant(request, [asset({})]), '0x1', JSON.stringify(request));
  assert.equal(meant(called('KVQA'), [asset({}), asset({ address: '0x2' })]), 'ambiguous');
});

test('a copy with the sign of the kelvin for a K is not meant, alone or beside the asset', () => {
  const copy = asset({ address: '0x2', symbol: '\u212aVQA', name: '\u212avqa' });
  assert.equal(meant(called('KVQA'), [copy]), null);
  assert.equal(meant(called('KVQA'), [copy, asset({})]), '0x1');
  assert.equal(meant(called('\u212aVQA'), [asset({})]), null);
});

test('a copy of a word that the registers have is not meant by it, alone or beside the original', () => {
  const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
  const copy = asset({ address: '0x2', symbol: 'USDC', name: 'USD Coin', website: 'https://usdc-copy.example/' });
  const original = asset({ address: usdc, symbol: 'USDC', name: 'USD Coin' });
  for (const request of [called('USDC'), called('USD Coin'), called('another', 'usdc')]) {
    assert.equal(meant(request, [copy]), null);
    assert.equal(meant(request, [copy, original]), usdc);
  }
  const bySite = { ...called('USDC'), projectUrl: 'https://usdc-copy.example/' };
  assert.equal(meant(bySite, [copy]), '0x2', 'named by its own site');
});
