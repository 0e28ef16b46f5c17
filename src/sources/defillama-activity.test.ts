import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChain } from '../chains/index.ts';
import { defillamaActivity } from './defillama-activity.ts';
import { parseBody } from './fixtures/drive.ts';
import { endpointOf, facts, NOW } from './fixtures/project-drive.ts';
import type { Params } from './source.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
/** Fields as in the free specification; sums by chain as public clients type them. */
const DEXS = {
  protocols: [
    {
      slug: 'swap-v3',
      parentProtocol: 'parent#swap',
      total30d: 70,
      breakdown30d: { ethereum: { 'Swap V3': 50 }, avax: { 'Swap V3': 20 }, elsewhere: { 'Swap V3': 9 } },
    },
    { slug: 'swap-v2', parentProtocol: 'parent#swap', total30d: 30, breakdown30d: { ethereum: { 'Swap V2': 30 } } },
    { slug: 'still', total30d: null },
    'nothing',
  ],
};
/** The example of the specification, and a bridge whose adapter stands still. */
const BRIDGES = {
  bridges: [
    { id: 80, name: 'hyperliquid', monthlyVolume: 3986810177.448681, slug: 'hyperliquid-bridge' },
    { id: 3, name: 'still', monthlyVolume: 0, slug: 'still' },
  ],
};
const pool = (id: string, change: object = {}) => ({
  chain: 'Ethereum',
  symbol: 'USDC',
  pool: id,
  exposure: 'single',
  outlier: false,
  underlyingTokens: [USDC],
  ...change,
});
/** Rows as they were recorded in 2025, with other numbers. */
const POOLS = {
  status: 'success',
  data: [
    pool('a', { tvlUsd: 3_000_000, apy: 4, underlyingTokens: [`0x${USDC.slice(2).toUpperCase()}`] }),
    pool('b', { tvlUsd: 1_000_000, apy: 8 }),
    pool('no-yield', { tvlUsd: 6_000_000, apy: null }),
    pool('pair', { tvlUsd: 9e9, apy: 90, exposure: 'multi', underlyingTokens: [USDC, '0xaa'] }),
    pool('outlier', { tvlUsd: 9e9, apy: 900, outlier: true }),
    pool('dust', { tvlUsd: 9_999, apy: 900 }),
    pool('receipt', { tvlUsd: 9e9, apy: 9, underlyingTokens: null }),
    pool('coin', { tvlUsd: 2e6, apy: 3, underlyingTokens: ['0x0000000000000000000000000000000000000000'] }),
    pool('elsewhere', { tvlUsd: 2e6, apy: 3, chain: 'BSC' }),
  ],
};
const REPLIES: Readonly<Record<string, unknown>> = { dexs: DEXS, bridges: BRIDGES, pools: POOLS };

/** What an endpoint says of the whole reply, which must be what it says of the row that the shared list has. */
function said(name: string, params: Params): readonly unknown[] {
  const held = endpointOf(defillamaActivity, `all_${name}`).list;
  assert.ok(held);
  const rows = held.rowsOf?.(REPLIES[name]) ?? [];
  const row = rows.find((one) => held.keysOf(one).includes(held.keyOf(params) ?? '')) ?? null;
  const values = (body: unknown) => {
    const { outcome, drafts } = parseBody(endpointOf(defillamaActivity, name), params, body, NOW);
    assert.equal(outcome, 'ok');
    return drafts.map(({ quantity, value }) => [quantity, value]);
  };
  const whole = values(REPLIES[name]);
  assert.deepEqual(values(JSON.parse(JSON.stringify(held.replyOf?.(row)))), whole);
  return whole;
}

test('it is off by default, and requests only three lists for all assets', () => {
  assert.equal(defillamaActivity.enabledByDefault, false);
  for (const { name, list } of defillamaActivity.endpoints)
    assert.equal(list?.standsInFor, name.startsWith('all_') ? name.slice(4) : undefined, name);
});

test('a DEX has the volume of its versions, a chain that of all DEXs on it, and what is not listed none', () => {
  assert.deepEqual(said('dexs', { slug: 'swap' }), [['dex_volume_30d_usd', 100]]);
  assert.deepEqual(said('dexs', { slug: 'swap-v2' }), [['dex_volume_30d_usd', 30]]);
  assert.deepEqual(said('dexs', { chain: 'ethereum' }), [['dex_volume_30d_usd', 80]]);
  assert.deepEqual(said('dexs', { chain: 'avalanche' }), [['dex_volume_30d_usd', 20]]);
  const none: readonly Params[] = [{ slug: 'still' }, { slug: 'ethereum' }, { chain: 'base' }, { chain: 'swap' }];
  for (const params of none) assert.deepEqual(said('dexs', params), [], JSON.stringify(params));
});

test('a bridge has what it moved in 30 days, one that moved nothing is not observed', () => {
  assert.deepEqual(said('bridges', { slug: 'hyperliquid-bridge' }), [['bridge_volume_30d_usd', 3986810177.448681]]);
  assert.deepEqual(said('bridges', { slug: 'still' }), []);
  assert.deepEqual(said('bridges', { slug: 'hyperliquid' }), []);
});

test('yields are those of pools that take the token alone, by its address and never by its symbol', () => {
  const [deposits, apy] = said('pools', { chain: 'ethereum', address: USDC }) as [[string, number], [string, number]];
  assert.deepEqual(deposits, ['yield_deposits_usd', 10_000_000]);
  assert.equal(apy[0], 'yield_apy');
  assert.ok(Math.abs(apy[1] - 0.05) < 1e-12, String(apy[1]));
  assert.deepEqual(said('pools', { chain: 'ethereum', address: 'native' }), [
    ['yield_deposits_usd', 2e6],
    ['yield_apy', 0.03],
  ]);
  assert.deepEqual(said('pools', { chain: 'bsc', address: USDC }), [
    ['yield_deposits_usd', 2e6],
    ['yield_apy', 0.03],
  ]);
  for (const params of [
    { chain: 'base', address: USDC },
    { chain: 'ethereum', address: '0xaa' },
  ])
    assert.deepEqual(said('pools', params), []);
});

test('a protocol is looked up by its slug, a coin by its chain, a token only for its yields', () => {
  const plans = (of: Parameters<typeof facts>[0]) =>
    ['dexs', 'bridges', 'pools'].map((name) => endpointOf(defillamaActivity, name).plan(facts(of)));
  const chain = findChain('ethereum');
  const keys = { ...facts().keys, defillamaSlug: 'swap' };
  assert.deepEqual(plans({ keys, chain, address: USDC }), [
    [{ slug: 'swap' }],
    [{ slug: 'swap' }],
    [{ chain: 'ethereum', address: USDC }],
  ]);
  const none = { ...keys, defillamaSlug: null };
  assert.deepEqual(plans({ keys: none, chain, address: 'native' }), [
    [{ chain: 'ethereum' }],
    [],
    [{ chain: 'ethereum', address: 'native' }],
  ]);
  assert.deepEqual(plans({ keys: none, chain: null, address: null }), [[], [], []]);
});
