import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem';
import { type Hex, wordOf } from '../../chains/codecs/abi.ts';
import { SHAPE_CALLS } from '../../chains/decoders/evm-pools/pool-shape.ts';
import { openArchived } from '../../chains/pool-math/archived-pool.ts';
import { factsOf, parseBody } from '../fixtures/drive.ts';
import type { Endpoint } from '../source.ts';
import { evmRpc } from './index.ts';

const TOKEN: Hex = '0x1000000000000000000000000000000000000001';
const OTHER: Hex = '0x1000000000000000000000000000000000000002';
const WETH: Hex = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const PAIR: Hex = '0x3000000000000000000000000000000000000001';
const RANGED: Hex = '0x3000000000000000000000000000000000000003';
const V2: Hex = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f';
const V3: Hex = '0x1f98431c8ad98523631ae4a59f267346ea31f984';
const BLOCK = 21_000_000n;
const SHAPES = endpointCalled('pool_shapes');
const STATES = endpointCalled('pool_states');
const [FACTORY, TOKEN0, TOKEN1, GET_RESERVES, SLOT0, FEE, , , SPACING] = SHAPE_CALLS as readonly Hex[];

/** What contracts answer, by `<address> <calldata>` or `<address> <selector>`. */
type Chain = Readonly<Record<string, readonly (bigint | Hex)[]>>;

function endpointCalled(name: string): Endpoint {
  const found = evmRpc.endpoints.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

const words = (values: readonly (bigint | Hex)[]): Hex => `0x${values.map(wordOf).join('')}`;

/** A node that runs Multicall3 over such contracts. */
function answer(endpoint: Endpoint, params: Parameters<Endpoint['request']>[0], chain: Chain) {
  const { params: sent } = endpoint.request(params).body as { params: readonly [{ data: Hex }] };
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: sent[0].data });
  const calls = args?.[0] as readonly { target: Hex; callData: Hex }[];
  const result = calls.map(({ target, callData }) => {
    const to = target.toLowerCase();
    const found = chain[`${to} ${callData}`] ?? chain[`${to} ${callData.slice(0, 10)}`];
    return { success: found !== undefined, returnData: found === undefined ? ('0x' as Hex) : words(found) };
  });
  return parseBody(endpoint, params, {
    result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
  });
}

function readAll(chain: Chain, pools: readonly string[], token = TOKEN) {
  const known = { 'geckoterminal.pools': [...pools] };
  const learned = SHAPES.plan(factsOf('ethereum', token, known)).map((params) => answer(SHAPES, params, chain).learned);
  const second = STATES.plan(factsOf('ethereum', token, Object.assign({}, known, ...learned)));
  return { second, drafts: second.flatMap((params) => answer(STATES, params, chain).drafts) };
}

const RESERVES = [5_000_000n * 10n ** 18n, 1_000n * 10n ** 18n] as const;
const BALANCE_OF = '0x70a08231';
const DECIMALS = '0x313ce567';
const head: Chain = { '0xca11bde05977b3631167028862be2a173976ca11 0x42cbb15c': [BLOCK] };
const tokens: Chain = { [`${TOKEN} ${DECIMALS}`]: [18n], [`${WETH} ${DECIMALS}`]: [18n] };
const pair: Chain = {
  ...head,
  ...tokens,
  [`${PAIR} ${FACTORY}`]: [V2],
  [`${PAIR} ${TOKEN0}`]: [TOKEN],
  [`${PAIR} ${TOKEN1}`]: [WETH],
  [`${PAIR} ${GET_RESERVES}`]: [...RESERVES, 0n],
  [`${V2} 0xe6a43905`]: [PAIR],
  [`${TOKEN} ${BALANCE_OF}`]: [RESERVES[0]],
  [`${WETH} ${BALANCE_OF}`]: [RESERVES[1]],
};
/** Price 1, liquidity 10^21 between the ticks -6000 and 120, and half of it from there to 6000. */
const ranged: Chain = {
  ...head,
  ...tokens,
  [`${RANGED} ${FACTORY}`]: [V3],
  [`${RANGED} ${TOKEN0}`]: [TOKEN],
  [`${RANGED} ${TOKEN1}`]: [WETH],
  [`${RANGED} ${SLOT0}`]: [1n << 96n, 0n, 0n, 1n, 1n, 0n, 1n],
  [`${RANGED} ${FEE}`]: [3_000n],
  [`${RANGED} ${SPACING}`]: [60n],
  [`${RANGED} 0x1a686502`]: [10n ** 21n],
  [`${RANGED} 0xf30dba93`]: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
  [`${RANGED} 0xf30dba93${wordOf(120n)}`]: [5n * 10n ** 20n, (1n << 256n) - 5n * 10n ** 20n, 0n, 0n, 0n, 0n, 0n, 1n],
  [`${V3} 0x1698ee82`]: [RANGED],
  [`${TOKEN} ${BALANCE_OF}`]: [10n ** 21n],
  [`${WETH} ${BALANCE_OF}`]: [10n ** 21n],
};

test('a pair is read in two requests, with its reserves at one block', () => {
  const { second, drafts } = readAll(pair, [PAIR]);
  assert.deepEqual([second.length, drafts.length], [1, 1]);
  const [draft] = drafts;
  assert.deepEqual(
    [draft?.quantity, draft?.scope, draft?.family, draft?.meaning],
    ['pool_state', `pool:${PAIR}`, 'chain:ethereum', `read from the chain at block ${BLOCK}`],
  );
  const pool = openArchived(PAIR, JSON.parse(JSON.stringify(draft?.value)));
  assert.ok(pool);
  assert.deepEqual(
    pool.tokens.map(({ reserve }) => reserve),
    RESERVES,
  );
  assert.deepEqual([pool.feeRate, pool.height, pool.inactive], [0.003, Number(BLOCK), null]);
  const { amount1 } = pool.curve.toPrice(pool.curve.price * 1.02);
  assert.ok(Math.abs(amount1 / 1e18 - 1_000 * (Math.sqrt(1.02) - 1)) < 1e-9);
});

test('a pool with ticks is exact over the ticks that were read, and gives no depth beyond them', () => {
  const [draft] = readAll(ranged, [RANGED]).drafts;
  const pool = openArchived(RANGED, JSON.parse(JSON.stringify(draft?.value)));
  assert.ok(pool);
  const edge = 1.0001 ** 60;
  const { amount1, reached } = pool.curve.toPrice(1.02);
  // Up to tick 120 with all the liquidity, behind it with half.
  const expected = 1e21 * (edge - 1) + 5e20 * (Math.sqrt(1.02) - edge);
  assert.ok(reached && Math.abs(amount1 / expected - 1) < 1e-9);
  assert.equal(pool.curve.toPrice(1.2).reached, false);
});

describe('what a pool is not observed for', () => {
  const rows: readonly (readonly [string, Chain])[] = [
    ['a factory that nobody knows', { ...pair, [`${PAIR} ${FACTORY}`]: [OTHER] }],
    ['a known factory that does not know the pool', { ...pair, [`${V2} 0xe6a43905`]: [OTHER] }],
    ['a factory that does not answer', { ...pair, [`${V2} 0xe6a43905`]: [] }],
    ['a pair of other tokens', { ...pair, [`${PAIR} ${TOKEN0}`]: [OTHER] }],
    ['a pair of the token with itself', { ...pair, [`${PAIR} ${TOKEN1}`]: [TOKEN] }],
    ['reserves cut short', { ...pair, [`${PAIR} ${GET_RESERVES}`]: [RESERVES[0]] }],
    ['reserves beyond what a pair can hold', { ...pair, [`${PAIR} ${GET_RESERVES}`]: [1n << 200n, 1n, 0n] }],
    ['decimals beyond a byte', { ...pair, [`${WETH} ${DECIMALS}`]: [1_000n] }],
  ];
  for (const [what, chain] of rows) test(what, () => assert.equal(readAll(chain, [PAIR]).drafts.length, 0));

  test('ticks so close that they do not fit into one request', () => {
    assert.equal(readAll({ ...ranged, [`${RANGED} ${SPACING}`]: [1n] }, [RANGED]).drafts.length, 0);
  });

  test('a tick spacing that is not the one before', () => {
    const { second } = readAll(ranged, [RANGED]);
    const [params] = second;
    assert.ok(params);
    const changed = { ...ranged, [`${RANGED} ${SPACING}`]: [10n] };
    assert.equal(answer(STATES, params, changed).drafts.length, 0);
  });

  test('a claim that no reply could have taught', () => {
    for (const pools of [[null], ['x'], [{}], [{ address: PAIR, form: 'uniswap_v2' }], 'x', { a: 1 }])
      assert.equal(answer(STATES, { base: 'ethereum', token: TOKEN, pools }, pair).drafts.length, 0);
  });

  test('a reply with another number of calls', () => {
    const { second } = readAll(pair, [PAIR]);
    const [params] = second;
    assert.ok(params);
    const result = encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: [] });
    assert.equal(parseBody(STATES, params, { result }).outcome, 'malformed');
  });
});

test('a pair that holds less than its reserves state is marked as one without trades', () => {
  const [draft] = readAll({ ...pair, [`${WETH} ${BALANCE_OF}`]: [1n] }, [PAIR]).drafts;
  const pool = openArchived(PAIR, draft?.value);
  assert.equal(pool?.inactive, 'it holds less than its reserves state');
  // What is gone is not counted in the value of the pool.
  assert.deepEqual(
    pool?.tokens.map(({ reserve }) => reserve),
    [RESERVES[0], 1n],
  );
});
