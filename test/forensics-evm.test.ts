import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Abi, type Address, type Hex, parseAbi, parseEther, toEventSelector } from 'viem';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { boundUpstream } from '../src/snapshots/forensics/bounded-upstream.ts';
import { createEvmHistory, type EvmHistory } from '../src/snapshots/forensics/evm/history.ts';
import { investigateEvm } from '../src/snapshots/forensics/evm/investigate.ts';
import { poolEventOf } from '../src/snapshots/forensics/evm/pool-drains.ts';
import { creatorLinks } from '../src/snapshots/forensics/pool-effect.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { deployPayer } from './support/payer.ts';
import { deployUniswap, type Uniswap } from './support/uniswap.ts';
import { COIN_ABI, deployUnwrap, REMOVER_ABI } from './support/unwrap.ts';

const PAIR = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function burn(address to) returns (uint256, uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
]) as Abi;
const V3 = parseAbi([
  'function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes data) returns (uint256, uint256)',
  'function burn(int24 lower, int24 upper, uint128 amount) returns (uint256, uint256)',
  'function collect(address recipient, int24 lower, int24 upper, uint128 amount0, uint128 amount1) returns (uint128, uint128)',
]) as Abi;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let anvil: Anvil;
let uniswap: Uniswap;
let coin: Address;
let remover: Address;

before(async () => {
  anvil = await startAnvil();
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  uniswap = await deployUniswap(anvil);
  ({ coin, remover } = await deployUnwrap(anvil));
});
after(async () => {
  await upstream.close();
  await anvil.stop();
});

const lower = (address: Address) => address.toLowerCase() as Hex;
const person = (index: number) => lower(`0x${index.toString(16).padStart(40, 'a')}` as Address);

function tools(changes: Partial<EvmHistory> = {}) {
  const bounds = { calls: 2_000, bytes: 1e9, deadlineAt: Date.now() + 60_000, everyMs: 0 };
  const bound = boundUpstream(upstream, bounds, Date.now);
  const nodes = [{ label: 'node', url: anvil.url, secretHeaders: {}, secretQuery: [] }];
  return {
    reader: createEvmReader(bound.upstream, nodes),
    history: { ...createEvmHistory(bound.upstream, nodes), ...changes },
    explorer: null,
    wrappedCoin: lower(coin),
    blocksPerDay: 7_200,
  };
}
/** Sends as somebody whose key nobody needs. */
async function as(from: Hex, action: { to: Address; value?: bigint; data?: Hex }): Promise<Hex> {
  await anvil.client.impersonateAccount({ address: from });
  const hash = await anvil.client.sendTransaction({ account: from, ...action, gas: 500_000n } as never);
  await anvil.receipt(hash);
  return hash;
}
async function pairWithCoin(name: string): Promise<{ token: Address; pair: Address }> {
  const token = await uniswap.token(name, 18);
  const value = parseEther('100');
  const hash = await anvil.client.writeContract({
    address: coin,
    abi: COIN_ABI,
    functionName: 'deposit',
    value,
  } as never);
  await anvil.receipt(hash);
  const pair = await uniswap.pair(token, coin, parseEther('5000'), value);
  return { token, pair };
}

test('the event topics of unwrapping a coin are those of WETH9', () => {
  assert.equal(
    toEventSelector('Deposit(address,uint256)'),
    '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  );
  assert.equal(
    toEventSelector('Withdrawal(address,uint256)'),
    '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
  );
});

test('liquidity removed through a router and paid in coins: owner, amount, recipients, and two steps further', async () => {
  const { token, pair } = await pairWithCoin('RUG1');
  await anvil.mine(30);
  const liquidity = (await anvil.read(pair, PAIR, 'balanceOf', [uniswap.me])) as bigint;
  await anvil.send(pair, PAIR, 'approve', [remover, liquidity]);
  const [first, second, third] = [person(1), person(2), person(3)];
  await anvil.send(remover, REMOVER_ABI, 'removeCoins', [pair, token, coin, liquidity, first]);
  await as(first, { to: second, value: parseEther('90') });
  await as(second, { to: third, value: parseEther('80') });
  await anvil.mine(5);

  const question = {
    base: lower(token),
    creator: lower(uniswap.me),
    pools: [{ address: lower(pair), dex: 'uniswap', createdAt: null }],
    isService: () => false,
  };
  const found = await investigateEvm(tools(), question);
  assert.deepEqual(found.limits, []);
  const [finding] = found.pools;
  const [drain] = finding?.drains ?? [];
  assert.equal(finding?.drains.length, 1);
  assert.equal(drain?.kind, 'removal');
  assert.equal(drain?.actor, lower(uniswap.me));
  assert.equal(drain?.liquidityOwner, lower(uniswap.me));
  assert.ok((drain?.shareTaken ?? 0) > 0.99999);
  assert.equal(finding?.peak, parseEther('100'));
  assert.deepEqual(
    drain?.recipients.map(({ address, asset, amount, presumed }) => [address, asset, amount, presumed]),
    [[first, 'native', drain?.quoteAmount, false]],
  );
  const moves = found.hops.map(({ depth, from, to, amount }) => [depth, from, to, amount]);
  assert.deepEqual(moves, [
    [1, first, second, parseEther('90')],
    [2, second, third, parseEther('80')],
  ]);
  assert.ok(found.hops.every((hop) => hop.at !== null && hop.transaction.length === 66));
  const links = creatorLinks(question.creator, finding?.drains ?? [], found.hops, found.fundings, found.services);
  assert.deepEqual(
    links.map((link) => [link.wallet, link.how]),
    [[lower(uniswap.me), 'is_creator']],
  );

  const refused = async () => ({ ok: false, reason: 'refused', detail: 'no traces' }) as const;
  const blind = await investigateEvm(tools({ coinsIn: refused, coinsOf: refused }), question);
  const [assumed] = blind.pools[0]?.drains[0]?.recipients ?? [];
  assert.deepEqual([assumed?.address, assumed?.presumed], [lower(uniswap.me), true]);
  assert.ok(blind.limits.some((limit) => limit.code === 'no_traces'));
});

test('a pair burned by hand, in two transactions: the owner of the liquidity is its sender to the pair', async () => {
  const [base, quote] = [await uniswap.token('RUG2', 18), await uniswap.token('USDX', 6)];
  const pair = await uniswap.pair(base, quote, 10n ** 24n, 50_000n * 10n ** 6n);
  const liquidity = (await anvil.read(pair, PAIR, 'balanceOf', [uniswap.me])) as bigint;
  const [taker, next] = [person(4), person(5)];
  await anvil.send(pair, PAIR, 'transfer', [pair, (liquidity * 97n) / 100n]);
  await anvil.send(pair, PAIR, 'burn', [taker]);
  await anvil.client.setBalance({ address: taker, value: parseEther('1') });
  const data =
    `0xa9059cbb${next.slice(2).padStart(64, '0')}${(40_000n * 10n ** 6n).toString(16).padStart(64, '0')}` as Hex;
  await as(taker, { to: quote, data });
  const found = await investigateEvm(tools(), {
    base: lower(base),
    creator: null,
    pools: [{ address: lower(pair), dex: 'uniswap', createdAt: null }],
    isService: () => false,
  });
  const [drain] = found.pools[0]?.drains ?? [];
  assert.equal(drain?.kind, 'removal');
  assert.equal(drain?.liquidityOwner, lower(uniswap.me));
  assert.deepEqual(
    drain?.recipients.map((one) => [one.address, one.asset]),
    [[taker, lower(quote)]],
  );
  assert.equal(Math.round((drain?.shareTaken ?? 0) * 100), 97);
  assert.deepEqual(
    found.hops.map(({ from, to, amount }) => [from, to, amount]),
    [[taker, next, 40_000n * 10n ** 6n]],
  );
  assert.equal(found.pools[0]?.pool.quoteDecimals, 6);
});

test('the events of trades and removals are recognised by the published topics of pools', () => {
  const pool = person(9);
  const told = (event: string) => {
    const log = {
      address: pool,
      topics: [toEventSelector(event)],
      data: '0x',
      block: 1,
      blockHash: `0x${'cd'.repeat(32)}`,
      index: 0,
      transaction: '0x',
    } as const;
    return poolEventOf([log], pool);
  };
  for (const swap of [
    'Swap(address,uint256,uint256,uint256,uint256,address)',
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
    'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
    'Swap(address,address,uint256,uint256,uint256,uint256)',
  ])
    assert.equal(told(swap), 'sale');
  for (const removal of [
    'Burn(address,uint256,uint256,address)',
    'Burn(address,int24,int24,uint128,uint256,uint256)',
    'Burn(address,address,uint256,uint256)',
    'Collect(address,address,int24,int24,uint128,uint128)',
  ])
    assert.equal(told(removal), 'removal');
  assert.equal(told('Sync(uint112,uint112)'), null);
  assert.equal(poolEventOf([], pool), null);
});

test('a pool emptied by selling into it is reported as a sale, not as a removal', async () => {
  const [base, quote] = [await uniswap.token('DUMP', 18), await uniswap.token('USDY', 6)];
  const pair = await uniswap.pair(base, quote, 10n ** 24n, 50_000n * 10n ** 6n);
  const zeroForOne = lower(base) < lower(quote);
  await uniswap.swapPair(pair, base, 10n ** 25n, zeroForOne, 45_000n * 10n ** 6n);
  const found = await investigateEvm(tools(), {
    base: lower(base),
    creator: null,
    pools: [{ address: lower(pair), dex: 'uniswap', createdAt: null }],
    isService: () => false,
  });
  const [drain] = found.pools[0]?.drains ?? [];
  assert.equal(drain?.kind, 'sale');
  assert.equal(drain?.quoteAmount, 45_000n * 10n ** 6n);
  assert.equal(drain?.basis, 'events');
});

test('a range removed from a v3 pool is a removal, and its owner is not guessed', async () => {
  const payer = await deployPayer(anvil);
  const [base, quote] = [await uniswap.token('RUG3', 18), await uniswap.token('USDZ', 18)];
  const pool = await uniswap.pool(base, quote, 3_000, 2n ** 96n);
  for (const token of [base, quote]) await uniswap.deal(token, payer.address, 10n ** 30n);
  const range = [-6_000, 6_000] as const;
  const liquidity = 10n ** 22n;
  await payer.run(pool, V3, 'mint', [payer.address, ...range, liquidity, '0x']);
  const held = await uniswap.balance(quote, pool);
  await payer.run(pool, V3, 'burn', [...range, liquidity]);
  await payer.run(pool, V3, 'collect', [person(6), ...range, 2n ** 127n, 2n ** 127n]);
  const found = await investigateEvm(tools(), {
    base: lower(base),
    creator: null,
    pools: [{ address: lower(pool), dex: 'uniswap', createdAt: null }],
    isService: () => false,
  });
  const [drain] = found.pools[0]?.drains ?? [];
  assert.deepEqual([drain?.kind, drain?.basis], ['removal', 'events']);
  assert.equal(drain?.actor, lower(uniswap.me));
  assert.equal(drain?.liquidityOwner, null);
  assert.deepEqual(
    drain?.recipients.map((one) => one.address),
    [person(6)],
  );
  assert.ok((drain?.quoteAmount ?? 0n) + 1n >= held);
});

test('a node that serves few blocks at once gets smaller requests, and the same is found', async () => {
  const { token, pair } = await pairWithCoin('RUG4');
  await anvil.mine(40);
  const liquidity = (await anvil.read(pair, PAIR, 'balanceOf', [uniswap.me])) as bigint;
  await anvil.send(pair, PAIR, 'approve', [remover, liquidity]);
  await anvil.send(remover, REMOVER_ABI, 'removeCoins', [pair, token, coin, liquidity, person(7)]);
  await anvil.mine(40);
  const whole = tools();
  const question = {
    base: lower(token),
    creator: null,
    pools: [{ address: lower(pair), dex: 'uniswap', createdAt: new Date(Date.now() - 3_600_000).toISOString() }],
    isService: () => false,
  };
  const narrow: EvmHistory['logs'] = async (asked, signal) =>
    asked.toBlock - asked.fromBlock >= 10
      ? { ok: false, reason: 'too_large', detail: 'limited to a 10 blocks range' }
      : whole.history.logs(asked, signal);
  const [first, second] = [
    await investigateEvm(whole, question),
    await investigateEvm(tools({ logs: narrow }), question),
  ];
  assert.equal(first.pools[0]?.drains.length, 1);
  assert.equal(second.pools[0]?.drains[0]?.transaction, first.pools[0]?.drains[0]?.transaction);
});
