import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Address, Hex } from 'viem';
import { readKey } from '../src/chains/decoders/evm-pools/uniswap-v4.ts';
import type { PoolReading } from '../src/chains/pool-math/pool-curve.ts';
import { uniswapSqrtPriceAtTick } from '../src/chains/pool-math/tick-math.ts';
import { readEvmPools } from '../src/snapshots/evm/pools.ts';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { describePool } from '../src/snapshots/pools/record.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { deployAlgebra } from './support/algebra.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { deployPayer, type Payer } from './support/payer.ts';
import { deployUniswap, type Uniswap } from './support/uniswap.ts';
import { deployUniswapV4, type V4PoolKey } from './support/uniswap-v4.ts';

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let anvil: Anvil;
let uniswap: Uniswap;
let v4: Awaited<ReturnType<typeof deployUniswapV4>>;
let payer: Payer;
let algebra: Awaited<ReturnType<typeof deployAlgebra>>;
let tokens: readonly [Address, Address];
const decimalsOf = new Map<Address, number>();

before(async () => {
  anvil = await startAnvil();
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  uniswap = await deployUniswap(anvil);
  v4 = await deployUniswapV4(anvil);
  payer = await deployPayer(anvil);
  algebra = await deployAlgebra(anvil, payer);
  for (const [name, decimals] of [
    ['A18', 18],
    ['B6', 6],
  ] as const)
    decimalsOf.set(await uniswap.token(name, decimals), decimals);
  const made = [...decimalsOf.keys()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)) as [
    Address,
    Address,
  ];
  tokens = made;
  for (const token of made) {
    await v4.approve(token);
    await uniswap.deal(token, payer.address, 10n ** 40n);
  }
});
after(async () => {
  await upstream.close();
  await anvil.stop();
});

const NONE = '0x0000000000000000000000000000000000000000' as const;
const node = () => createEvmReader(upstream, [{ label: 'node', url: anvil.url, secretHeaders: {}, secretQuery: [] }]);
async function readAll(addresses: readonly string[]) {
  const found = await readEvmPools(node(), [v4.dex, algebra.dex], addresses);
  assert.ok(found.ok, found.ok ? '' : found.detail);
  return found.value;
}
async function read(address: string): Promise<PoolReading> {
  const { readings, failures } = await readAll([address]);
  assert.ok(readings[0], JSON.stringify(failures));
  return readings[0];
}
/** Deterministic sizes over many orders of magnitude. */
function sizes(count: number, largest: bigint): readonly bigint[] {
  let state = 99n;
  return Array.from({ length: count }, (_, index) => {
    state = (state * 6_364_136_223_846_793_005n + 1n) & ((1n << 64n) - 1n);
    return (largest * (state >> 20n)) / (1n << 44n) / 10n ** BigInt(index % 6) + 1n;
  });
}
const LIQUIDITY = 10n ** 21n;
const RANGES = [
  [-50, 50, LIQUIDITY],
  [-4, 1, LIQUIDITY * 3n],
  [2, 9, LIQUIDITY * 2n],
  [-9, -6, LIQUIDITY * 5n],
  [-200, 200, LIQUIDITY / 5n],
] as const;

for (const [name, fee, tickSpacing, protocol] of [
  ['0.3 %', 3_000, 60, null],
  ['0.05 % and a fee of the protocol that differs by direction', 500, 10, [500, 1_000]],
  ['no fee and the narrowest ticks', 0, 1, null],
] as const)
  test(`a Uniswap v4 pool with ${name} quotes as its manager, to the base unit, across ticks both ways`, async () => {
    const key: V4PoolKey = { currency0: tokens[0], currency1: tokens[1], fee, tickSpacing, hooks: NONE };
    const before = [await v4.held(tokens[0]), await v4.held(tokens[1])] as const;
    const id = await v4.pool(key, uniswapSqrtPriceAtTick(7 * tickSpacing + 3));
    for (const [lower, upper, amount] of RANGES)
      await v4.addRange(key, lower * tickSpacing, upper * tickSpacing, amount);
    if (protocol) await v4.setProtocolFee(key, ...protocol);
    const held = [(await v4.held(tokens[0])) - before[0], (await v4.held(tokens[1])) - before[1]] as const;
    const fresh = await read(id);
    for (const side of [0, 1] as const) {
      const { reserve } = fresh.tokens[side];
      // Rounding goes against the provider once per range and against us once per range.
      assert.ok(held[side] >= reserve && held[side] - reserve <= 20n, `${held[side]} ${reserve}`);
    }
    let compared = 0;
    let crossed = 0;
    for (const [turn, amountIn] of sizes(24, (LIQUIDITY * BigInt(tickSpacing)) / 300n).entries()) {
      const reading = await read(id);
      const zeroForOne = turn % 2 === 0;
      const quote = await v4.quote(key, amountIn, zeroForOne);
      const ours = reading.curve.swapExactIn(amountIn, zeroForOne);
      if (ours === null || quote === null || quote.taken !== amountIn) continue;
      assert.equal(ours.amountOut, quote.amountOut, `turn ${turn}`);
      compared += 1;
      if (turn % 3 === 0) {
        await v4.swap(key, amountIn, zeroForOne);
        const after = await read(id);
        if (Math.abs(Math.log(after.curve.price / reading.curve.price)) > 1e-4 * tickSpacing) crossed += 1;
      }
    }
    assert.ok(compared >= 15, `${compared} compared`);
    assert.ok(crossed >= 2, `${crossed} swaps past a tick`);
  });

test('an id whose key does not hash to it, or that was never initialised, is no pool', async () => {
  const key: V4PoolKey = { currency0: tokens[0], currency1: tokens[1], fee: 100, tickSpacing: 5, hooks: NONE };
  const id = await v4.pool(key, 1n << 96n);
  const words = [key.currency0, key.currency1]
    .map((token) => token.slice(2).toLowerCase().padStart(64, '0'))
    .concat([100, 5, 0].map((value) => value.toString(16).padStart(64, '0')));
  assert.equal(readKey(id, v4.dex, `0x${words.join('')}`)?.tickSpacing, 5n);
  assert.equal(
    readKey(id, v4.dex, `0x${[...words.slice(0, 3), '6'.padStart(64, '0'), words[4]].join('')}` as Hex),
    null,
  );
  assert.equal(readKey(id, v4.dex, '0x'), null);
  const { readings, failures } = await readAll([id, `0x${'11'.repeat(32)}`, '0x1234', 'nonsense']);
  assert.deepEqual(
    failures.map((failure) => failure.address),
    ['0x1234', 'nonsense', `0x${'11'.repeat(32)}`],
  );
  // It has a price and nothing behind it.
  assert.deepEqual(
    readings[0]?.tokens.map((token) => token.reserve),
    [0n, 0n],
  );
  assert.equal(readings[0]?.curve.swapExactIn(1_000n, true), null);
});

test('a pool of the coin itself is read with eighteen decimals', async () => {
  const key: V4PoolKey = { currency0: NONE, currency1: tokens[1], fee: 3_000, tickSpacing: 60, hooks: NONE };
  const reading = await read(await v4.pool(key, 1n << 96n));
  assert.deepEqual(
    reading.tokens.map((token) => [token.address, token.decimals]),
    [
      ['native', 18],
      [tokens[1].toLowerCase(), decimalsOf.get(tokens[1])],
    ],
  );
});

test('a hook that no swap calls is named; one that may refuse or change a swap or its fee prevents a depth', async () => {
  const hook = (bits: number) => `0x${bits.toString(16).padStart(40, '0')}` as Address;
  const cases = [
    [3_000, hook(0x800), null, /it has a hook/],
    [3_000, hook(0x40), 'its hook is called at each swap and may refuse it or move the liquidity', /it has a hook/],
    [3_000, hook(0xc0), 'its hook is called at each swap and may refuse it or move the liquidity', /it has a hook/],
    [3_000, hook(0x88), 'its hook may change what a swap gives', /it has a hook/],
    [0x800000, hook(0x80), 'its hook sets the fee of each swap', /it has a hook/],
  ] as const;
  for (const [fee, hooks, unsure, note] of cases) {
    const key: V4PoolKey = { currency0: tokens[0], currency1: tokens[1], fee, tickSpacing: 60, hooks };
    const reading = await read(await v4.pool(key, 1n << 96n));
    assert.equal(reading.unsure, unsure);
    assert.match(reading.notes.join('; '), note);
    const record = describePool(reading, {
      asset: tokens[0].toLowerCase(),
      usd: new Map([[tokens[1].toLowerCase(), 1]]),
      symbols: new Map(),
    });
    assert.equal(record.depth_method, unsure === null ? 'exact' : null);
    assert.equal(record.slippage.length > 0, unsure === null);
  }
});

test('a pool whose hook refuses every swap has no depth', async () => {
  const hooks = `0x${(0x10080).toString(16).padStart(40, '0')}` as Address;
  const key: V4PoolKey = { currency0: tokens[0], currency1: tokens[1], fee: 3_000, tickSpacing: 60, hooks };
  // The hook reverts; the pool is made and filled before it has code.
  const hookless = { ...key, hooks: NONE, fee: 3_001 };
  for (const one of [key, hookless]) {
    await anvil.client.setCode({ address: hooks, bytecode: '0x' });
    const id = await v4.pool(one, 1n << 96n);
    await v4.addRange(one, -6_000, 6_000, LIQUIDITY);
    await anvil.client.setCode({ address: hooks, bytecode: '0x60006000fd' });
    const refused = (await v4.quote(one, 10n ** 15n, true)) === null;
    const record = describePool(await read(id), {
      asset: tokens[0].toLowerCase(),
      usd: new Map([[tokens[1].toLowerCase(), 1]]),
      symbols: new Map(),
    });
    assert.equal(refused, one === key);
    assert.equal(record.depth_method, refused ? null : 'exact');
  }
});

test('a key that the position manager keeps is accepted when it hashes to the number, and looked up elsewhere when not', async () => {
  const key: V4PoolKey = { currency0: tokens[0], currency1: tokens[1], fee: 777, tickSpacing: 7, hooks: NONE };
  const id = await v4.pool(key, 1n << 96n);
  const words = [key.currency0, key.currency1, NONE].map((one) => one.slice(2).toLowerCase().padStart(64, '0'));
  const answer = (fee: number) =>
    [words[0], words[1], fee.toString(16).padStart(64, '0'), '7'.padStart(64, '0'), words[2]].join('');
  // Gives the 160 bytes behind it, whatever is asked.
  const keeper = (data: string) => `0x60a0600c60003960a06000f3${data}` as Hex;
  const positions = '0x00000000000000000000000000000000000000ab' as Address;
  for (const fee of [777, 778]) {
    await anvil.client.setCode({ address: positions, bytecode: keeper(answer(fee)) });
    const found = await readEvmPools(node(), [{ ...v4.dex, positions }], [id]);
    assert.ok(found.ok);
    assert.equal(found.value.readings[0]?.feeRate, 777 / 1e6);
  }
});

test('a copy of an Algebra pool names a factory that does not know it, and is not attributed', async () => {
  const pool = await algebra.pool(await uniswap.token('C8', 8), tokens[1], 1n << 96n);
  const fake = '0x00000000000000000000000000000000000000fd' as Address;
  await anvil.client.setCode({ address: fake, bytecode: (await anvil.client.getCode({ address: pool })) ?? '0x' });
  assert.equal((await read(pool)).inactive, null);
  const { readings } = await readAll([fake]);
  assert.match(readings[0]?.notes.join() ?? '', /does not list it/);
  assert.equal(readings[0]?.inactive, 'no known factory or registry confirms it');
});

test('an Algebra pool quotes as its contract, to the base unit, once its dynamic fee is known', async () => {
  const pool = await algebra.pool(tokens[0], tokens[1], uniswapSqrtPriceAtTick(425));
  for (const [lower, upper, amount] of RANGES) await algebra.addRange(pool, lower * 60, upper * 60, amount);
  let compared = 0;
  let crossed = 0;
  for (const [turn, amountIn] of sizes(24, LIQUIDITY / 4n).entries()) {
    const zeroForOne = turn % 2 === 0;
    const reading = await read(pool);
    const quote = await algebra.quote(pool, amountIn, zeroForOne);
    const ours = reading.curve.swapExactIn(amountIn, zeroForOne);
    if (ours === null || quote === null || quote.taken !== amountIn) continue;
    // The first swap of a block sets the fee anew: the difference is that of the fee and nothing else.
    const paid = 1 - reading.feeRate;
    assert.ok(
      Math.abs(Number(ours.amountOut - quote.amountOut)) <= Number(quote.amountOut) * (0.02 * paid) + 1,
      `turn ${turn}`,
    );
    await algebra.swap(pool, amountIn, zeroForOne);
    const after = await read(pool);
    if (after.feeRate === reading.feeRate) {
      assert.equal(ours.amountOut, quote.amountOut, `turn ${turn}`);
      compared += 1;
    }
    if (Math.abs(Math.log(after.curve.price / reading.curve.price)) > 0.006) crossed += 1;
  }
  assert.ok(compared >= 10, `${compared} compared`);
  assert.ok(crossed >= 3, `${crossed} swaps past a tick`);
  assert.equal((await read(pool)).protocol, 'quickswap_v3');
});

test('a contract with absurd prices, ticks or spacings is no pool', async () => {
  // Answers every call with 32 bytes of ones: PUSH32 ff.. PUSH0 MSTORE PUSH1 20 PUSH0 RETURN, without PUSH0.
  const ones = `0x7f${'ff'.repeat(32)}60005260206000f3` as Hex;
  const zeros = '0x60206000f3' as Hex;
  for (const [index, code] of [ones, zeros].entries()) {
    const address = `0x00000000000000000000000000000000000000f${index}` as Address;
    await anvil.client.setCode({ address, bytecode: code });
    const { readings, failures } = await readAll([address]);
    assert.equal(readings.filter((reading) => reading.inactive === null).length, 0);
    assert.equal(readings.length + failures.length, 1);
  }
});
