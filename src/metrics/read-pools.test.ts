import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { Json } from '../domain/observation.ts';
import { loadMethodology } from '../methodology/load.ts';
import { depthOf } from './depth.ts';
import { readPools } from './read-pools.ts';

const { depth: depthRules } = loadMethodology().metrics;
const ASSET = '0x1000000000000000000000000000000000000001';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const WORTHLESS = '0x2000000000000000000000000000000000000002';
const PLACE = { chain: 'ethereum', address: ASSET };

/** A balanced pair of `asset` tokens at a dollar and `quote` of the counter token; both with 18 decimals. */
function state(counter: string, asset: number, quote: number, change: Record<string, Json> = {}): Json {
  const [reserve0, reserve1] = [asset, quote].map((amount) => String(BigInt(Math.round(amount)) * 10n ** 18n)) as [
    string,
    string,
  ];
  return {
    dex: 'uniswap',
    protocol: 'uniswap_v2',
    kind: 'constant_product',
    tokens: [
      { address: ASSET, decimals: 18, reserve: reserve0 },
      { address: counter, decimals: 18, reserve: reserve1 },
    ],
    feeRate: 0.003,
    curve: { shape: 'constant_product', reserve0, reserve1 },
    lp: null,
    height: 1,
    inactive: null,
    notes: [],
    ...change,
  };
}

function setOf(rows: readonly (readonly [string, string, Json, (number | undefined)?, boolean?])[]): ConsensusSet {
  return Object.fromEntries(
    rows.map(([quantity, scope, value, confidence = 0.5, carried = false]) => [
      scope === 'asset' ? quantity : `${quantity}@${scope}`,
      {
        quantity,
        scope,
        value,
        confidence,
        status: 'agreed',
        families: 2,
        voices: [{ accepted: true, ...(carried ? { carried: true } : {}) }],
      },
    ]),
  ) as unknown as ConsensusSet;
}

const told = (scope: string, liquidity: number) => ['pool_liquidity_usd', scope, liquidity, 0.8] as const;

test('a pool against a dollar or the coin of the chain is exact, and marked so', () => {
  const set = setOf([
    ['price_usd', 'asset', 1, 0.9],
    ['pool_state', 'pool:a', state(USDC, 100_000, 100_000)],
    ['pool_state', 'pool:b', state(WETH, 300_000, 100)],
    told('pool:a', 200_000),
    told('pool:b', 600_000),
  ]);
  const depth = depthOf(set, depthRules, readPools(set, PLACE));
  assert.equal(depth?.method, '2 pools read from the chain');
  assert.ok(Math.abs(depth.upUsd / (400_000 * (Math.sqrt(1.02) - 1)) - 1) < 1e-9);
  assert.ok(Math.abs(depth.downUsd / (400_000 * (1 - Math.sqrt(0.98))) - 1) < 1e-9);
  // Indexers bear the reads out, so that one node is not all that is known of them.
  assert.ok(Math.abs(depth.confidence - 0.8) < 1e-9);
});

test('one node that indexers do not confirm has the confidence of one node', () => {
  const set = setOf([
    ['price_usd', 'asset', 1],
    ['pool_state', 'pool:a', state(USDC, 1_000_000_000, 1_000_000_000)],
    told('pool:a', 200_000),
  ]);
  assert.equal(readPools(set, PLACE).get('pool:a')?.confidence, 0.5);
});

test('any number of worthless tokens on the other side makes no depth', () => {
  const set = setOf([
    ['price_usd', 'asset', 1],
    ['pool_state', 'pool:a', state(WORTHLESS, 1e15, 1e15)],
    told('pool:a', 100),
  ]);
  assert.equal(readPools(set, PLACE).size, 0);
  assert.ok((depthOf(set, depthRules, readPools(set, PLACE))?.upUsd ?? 0) < 1);
});

test('a pool that does not trade has no depth, whatever indexers report', () => {
  const set = setOf([
    ['price_usd', 'asset', 1],
    ['pool_state', 'pool:a', state(USDC, 100_000, 100_000, { inactive: 'swaps are turned off' })],
    ['pool_state', 'pool:b', state(USDC, 0, 0)],
    ['pool_state', 'pool:c', state(USDC, 100_000, 100_000)],
    told('pool:a', 200_000),
    told('pool:b', 900_000),
    told('pool:c', 200_000),
  ]);
  const depth = depthOf(set, depthRules, readPools(set, PLACE));
  assert.ok(depth && Math.abs(depth.upUsd / (100_000 * (Math.sqrt(1.02) - 1)) - 1) < 1e-9);
});

test('a state of an earlier collection, of another token, or an invalid one, is not used', () => {
  const good = state(USDC, 100_000, 100_000);
  for (const rows of [
    [['pool_state', 'pool:a', good, 0.5, true]],
    [['pool_state', 'pool:a', { ...(good as object), tokens: [] }]],
    [
      [
        'pool_state',
        'pool:a',
        { ...(good as object), curve: { shape: 'constant_product', reserve0: '-1', reserve1: 'x' } },
      ],
    ],
    [['pool_state', 'pool:a', 'nonsense']],
    [['pool_state', 'asset', good]],
  ] as const)
    assert.equal(readPools(setOf(rows), PLACE).size, 0);
  assert.equal(readPools(setOf([['pool_state', 'pool:a', good]]), { chain: 'ethereum', address: WORTHLESS }).size, 0);
  assert.equal(readPools(setOf([['pool_state', 'pool:a', good]]), { chain: null, address: ASSET }).size, 0);
});
