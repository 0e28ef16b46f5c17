import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Address } from 'viem';
import type { PoolReading } from '../src/chains/pool-math/pool-curve.ts';
import { routedDepth } from '../src/metrics/index.ts';
import { describeContract } from '../src/snapshots/describe.ts';
import { readEvmPools } from '../src/snapshots/evm/pools.ts';
import { asRecording, createEvmReader, recordedReader, recordReads } from '../src/snapshots/evm/reader.ts';
import { describePool } from '../src/snapshots/pools/record.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { deployUniswap, type Uniswap } from './support/uniswap.ts';

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let anvil: Anvil;
let uniswap: Uniswap;
const tokens: Record<string, Address> = {};

before(async () => {
  anvil = await startAnvil();
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  uniswap = await deployUniswap(anvil);
  for (const [name, decimals] of [
    ['A18', 18],
    ['B6', 6],
    ['C8', 8],
    ['D0', 0],
  ] as const)
    tokens[name] = await uniswap.token(name, decimals);
});
after(async () => {
  await upstream.close();
  await anvil.stop();
});

const token = (name: string) => tokens[name] as Address;
const node = () => createEvmReader(upstream, [{ label: 'node', url: anvil.url, secretHeaders: {}, secretQuery: [] }]);
async function read(pool: Address): Promise<PoolReading> {
  const found = await readEvmPools(node(), uniswap.dexes, [pool]);
  assert.ok(found.ok, found.ok ? '' : found.detail);
  const [reading] = found.value.readings;
  assert.ok(reading, JSON.stringify(found.value.failures));
  return reading;
}
/** Deterministic sizes over many orders of magnitude. */
function sizes(count: number, largest: bigint): readonly bigint[] {
  let state = 12_345n;
  return Array.from({ length: count }, (_, index) => {
    state = (state * 6_364_136_223_846_793_005n + 1n) & ((1n << 64n) - 1n);
    return (largest * (state >> 20n)) / (1n << 44n) / 10n ** BigInt(index % 7) + 1n;
  });
}

for (const [a, b, amountA, amountB] of [
  ['A18', 'B6', 3n * 10n ** 21n, 9_123_456n * 10n ** 6n],
  ['C8', 'D0', 77n * 10n ** 8n, 1_000_003n],
] as const)
  test(`a pair of ${a} and ${b} trades the computed amount, to the base unit, and refuses one more`, async () => {
    const pair = await uniswap.pair(token(a), token(b), amountA, amountB);
    for (const [turn, size] of sizes(6, amountA).entries()) {
      const reading = await read(pair);
      const [token0, token1] = reading.tokens.map((one) => one.address) as [Address, Address];
      assert.deepEqual(
        reading.tokens.map((one) => one.reserve),
        [await uniswap.balance(token0, pair), await uniswap.balance(token1, pair)],
      );
      const zeroForOne = turn % 2 === 0;
      const reserve = reading.tokens[zeroForOne ? 0 : 1].reserve;
      const amountIn = (size * reserve) / amountA + 2n;
      const swap = reading.curve.swapExactIn(amountIn, zeroForOne);
      if (swap === null || swap.amountOut === 0n) continue;
      const start = await anvil.client.snapshot();
      await assert.rejects(
        uniswap.swapPair(pair, zeroForOne ? token0 : token1, amountIn, zeroForOne, swap.amountOut + 1n),
      );
      await anvil.client.revert({ id: start });
      await uniswap.swapPair(pair, zeroForOne ? token0 : token1, amountIn, zeroForOne, swap.amountOut);
    }
  });

test('burned and locked liquidity tokens are reported as shares', async () => {
  const pair = await uniswap.pair(token('A18'), token('C8'), 10n ** 20n, 10n ** 12n);
  const supply = await uniswap.lpSupply(pair);
  await uniswap.sendLp(pair, '0x000000000000000000000000000000000000dEaD', supply / 4n);
  await uniswap.sendLp(pair, '0x663A5C229c09b049E36dCc11a9B0d4a8Eb9db214', supply / 8n);
  const { lp } = await read(pair);
  assert.ok(Math.abs((lp?.burned ?? 0) - 0.25) < 1e-6 && Math.abs((lp?.locked ?? 0) - 0.125) < 1e-6);
  assert.equal(lp?.locker, 'UNCX');
});

for (const [a, b, fee] of [
  ['A18', 'B6', 3_000],
  ['C8', 'D0', 500],
  ['B6', 'C8', 10_000],
] as const)
  test(`a ranged pool of ${a} and ${b} at ${fee / 1e4} % quotes as its contract, across its ticks`, async () => {
    const spacing = { 500: 10, 3000: 60, 10000: 200 }[fee];
    const pool = await uniswap.pool(token(a), token(b), fee, 3n << 96n);
    const ground = (tick: number) => Math.floor(Math.max(-880_000, Math.min(880_000, tick)) / spacing) * spacing;
    const here = (await uniswap.poolState(pool))[1];
    const big = 10n ** 22n;
    for (const [below, above, amount] of [
      [-900, 900, big],
      [-240, 60, big / 3n],
      [60, 700, big / 7n],
      [-700, -300, big / 2n],
      [-60_000, 60_000, big / 50n],
    ] as const)
      await uniswap.addRange(
        token(a),
        token(b),
        fee,
        ground(here + below * (spacing / 10)),
        ground(here + above * (spacing / 10)) + spacing,
        amount,
        amount,
      );
    let crossed = 0;
    let compared = 0;
    for (const [turn, amountIn] of sizes(24, big / 2n).entries()) {
      const reading = await read(pool);
      const [token0, token1] = reading.tokens.map((one) => one.address) as [Address, Address];
      const zeroForOne = turn % 2 === 0;
      const [tokenIn, tokenOut] = zeroForOne ? [token0, token1] : [token1, token0];
      const quote = await uniswap.quote(tokenIn, tokenOut, fee, amountIn);
      const ours = reading.curve.swapExactIn(amountIn, zeroForOne);
      if (ours === null) continue;
      assert.ok(quote !== null);
      assert.equal(ours.amountOut, quote.amountOut, `turn ${turn}`);
      crossed += quote.ticksCrossed;
      compared += 1;
      if (turn % 5 === 4) {
        await uniswap.swapPool(tokenIn, tokenOut, fee, amountIn);
        const after = await read(pool);
        const [sqrtPrice] = await uniswap.poolState(pool);
        assert.ok(Math.abs(after.curve.price / (Number(sqrtPrice) / 2 ** 96) ** 2 - 1) < 1e-12);
      }
    }
    assert.ok(compared >= 15, `${compared} compared`);
    assert.ok(crossed >= 3, `${crossed} ticks crossed`);
  });

test('depth of a pool is the amount of its own swaps that moves the price, and value locked its holdings', async () => {
  const pair = await uniswap.pair(token('B6'), token('D0'), 500_000n * 10n ** 6n, 1_000_000n);
  const reading = await read(pair);
  const usd = new Map([[token('B6').toLowerCase(), 1]]);
  const record = describePool(reading, { asset: token('D0').toLowerCase(), usd, symbols: new Map() });
  assert.ok(Math.abs((record.tvl_usd ?? 0) - 1e6) < 1 && Math.abs((record.price_usd ?? 0) - 0.5) < 1e-9);
  assert.ok(record.verified && record.conflicts.length === 0);
  const two = record.depth.find((row) => row.move_pct === 2);
  assert.ok(Math.abs((two?.up_usd ?? 0) - 500_000 * (Math.sqrt(1.02) - 1)) < 1);
  assert.ok(routedDepth([]).length >= 0);
});

test('a pair that names a factory which does not know it is not attributed, and its price does not count', async () => {
  const real = await uniswap.pair(token('A18'), token('D0'), 10n ** 18n, 1_000n);
  const fake = '0x00000000000000000000000000000000000000fe' as Address;
  const code = await anvil.client.getCode({ address: real });
  await anvil.client.setCode({ address: fake, bytecode: code ?? '0x' });
  for (let slot = 0; slot < 9; slot += 1) {
    const index = `0x${slot.toString(16).padStart(64, '0')}` as const;
    const value = await anvil.client.getStorageAt({ address: real, slot: index });
    await anvil.client.setStorageAt({ address: fake, index, value: value ?? '0x' });
  }
  const reading = await read(fake);
  assert.match(reading.notes.join(), /does not list it/);
  assert.equal(reading.inactive, 'no known factory or registry confirms it');
  const record = describePool(reading, {
    asset: token('D0').toLowerCase(),
    usd: new Map([[token('A18').toLowerCase(), 1]]),
    symbols: new Map(),
  });
  assert.deepEqual(record.slippage, []);
});

test('a token taken out behind a pair’s back makes it inactive', async () => {
  const pair = await uniswap.pair(token('C8'), token('B6'), 10n ** 12n, 10n ** 12n);
  await uniswap.deal(token('C8'), pair, 1n);
  assert.equal((await read(pair)).inactive, 'it holds less than its reserves state');
});

test('a contract that is no pool, a wallet and a pool without a price are distinguished', async () => {
  const empty = await uniswap.pool(token('A18'), token('D0'), 500, 0n);
  const found = await readEvmPools(node(), uniswap.dexes, [
    token('A18'),
    '0x00000000000000000000000000000000000000aa',
    `0x${'11'.repeat(32)}`,
    empty,
  ]);
  assert.ok(found.ok);
  assert.equal(found.value.failures.length, 3);
  assert.deepEqual(
    found.value.readings.map((reading) => reading.inactive),
    ['it was never given a price'],
  );
  assert.equal(found.value.readings[0]?.curve.swapExactIn(10n, true), null);
});

test('a contract decoded from its node is decoded alike from what was saved, without the node', async () => {
  const fresh = await uniswap.token('E18', 18);
  const pair = await uniswap.pair(fresh, token('B6'), 5n * 10n ** 21n, 10n ** 13n);
  const ranged = await uniswap.pool(fresh, token('B6'), 3_000, 5n << 96n);
  for (const [address, kind, protocol] of [
    [pair, 'pool', 'uniswap_v2_like'],
    [ranged, 'pool', 'uniswap_v3_like'],
    [token('B6'), 'token', undefined],
  ] as const) {
    const recorder = await recordReads(node(), address.toLowerCase() as `0x${string}`);
    assert.ok(recorder);
    const live = await describeContract(recorder.reader, 'ethereum', address.toLowerCase() as `0x${string}`);
    assert.ok(live.ok, live.ok ? '' : live.detail);
    const saved = asRecording(JSON.parse(JSON.stringify(recorder.recording())));
    assert.ok(saved);
    assert.deepEqual(await describeContract(recordedReader(saved), 'ethereum', saved.address), live);
    assert.deepEqual([live.value.kind, live.value.protocol], [kind, protocol]);
  }
  const nothing = await describeContract(node(), 'ethereum', '0x00000000000000000000000000000000000000aa');
  assert.equal(nothing.ok ? '' : nothing.reason, 'not_found');
  for (const damaged of [null, [], {}, { schema: 'assay.evm-recording/1' }, 'x'])
    assert.equal(asRecording(damaged), null);
});
