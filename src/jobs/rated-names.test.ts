import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asset, NO_WEBSITE, type ScoreRequest } from '../domain/index.ts';
import { matchPublished } from './rated-names.ts';

const asset = (change: Partial<Asset>): Asset => ({
  id: `eip155:1/erc20:${change.address ?? '0x1'}`,
  chain: 'ethereum',
  address: '0x1',
  symbol: 'KAVA',
  name: 'Kava',
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
  for (const request of [called('kava'), called('KAVA', 'KAVA'), called('another', 'kava'), called(' Kava ')])
    assert.equal(meant(request, [asset({})]), '0x1', JSON.stringify(request));
  assert.equal(meant(called('KAVA'), [asset({}), asset({ address: '0x2' })]), 'ambiguous');
});

test('a copy with the sign of the kelvin for a K is not meant, alone or beside the asset', () => {
  const copy = asset({ address: '0x2', symbol: '\u212aAVA', name: '\u212aava' });
  assert.equal(meant(called('KAVA'), [copy]), null);
  assert.equal(meant(called('KAVA'), [copy, asset({})]), '0x1');
  assert.equal(meant(called('\u212aAVA'), [asset({})]), null);
});
