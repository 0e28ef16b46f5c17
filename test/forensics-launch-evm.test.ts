import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Abi, type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import type { LaunchRecord } from '../src/contract/index.ts';
import type { ForensicSubject } from '../src/domain/index.ts';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { boundUpstream } from '../src/snapshots/forensics/bounded-upstream.ts';
import { createEvmHistory } from '../src/snapshots/forensics/evm/history.ts';
import { evmSearch } from '../src/snapshots/forensics/evm/investigate.ts';
import { findLaunch } from '../src/snapshots/forensics/launch-search.ts';
import { STUDIED_PAYERS } from '../src/snapshots/forensics/null-model.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { deployUniswap, type Uniswap } from './support/uniswap.ts';

const ERC20 = parseAbi(['function transfer(address to, uint256 value) returns (bool)']) as Abi;
const PAIR = parseAbi(['function swap(uint256 a, uint256 b, address to, bytes data)']) as Abi;
const SUPPLY = 10n ** 24n;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let anvil: Anvil;
let uniswap: Uniswap;

before(async () => {
  anvil = await startAnvil();
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  uniswap = await deployUniswap(anvil);
});
after(async () => {
  await upstream.close();
  await anvil.stop();
});

const lower = (address: Address) => address.toLowerCase() as Hex;
const person = (index: number) => lower(`0x${index.toString(16).padStart(40, 'b')}` as Address);

/** Sends without waiting, as somebody whose key nobody needs. */
async function send(from: Address, action: { to: Address; value?: bigint; data?: Hex }): Promise<Hex> {
  await anvil.client.impersonateAccount({ address: from });
  return anvil.client.sendTransaction({ account: from, ...action, gas: 500_000n, gasPrice: 10n ** 10n } as never);
}
/** Gives coins by a payment that traces show. */
async function pay(from: Address, to: Address, value: bigint): Promise<void> {
  const hash = await send(from, { to, value });
  await anvil.receipt(hash);
}

/**
 * A launch: the pair is filled, and in the same block every buyer takes its part, in one transaction to the pair and one that swaps.
 * `payers`: who first paid each of the buyers.
 */
async function launch(name: string, payers: readonly Address[], first: number) {
  const [token, quote] = [await uniswap.token(name, 18), await uniswap.token(`${name}Q`, 18)];
  const buyers = payers.map((_, index) => person(first + index));
  for (const [index, payer] of payers.entries()) {
    await pay(payer, buyers[index] as Address, parseEther('1') + BigInt(index) * parseEther('0.137'));
    await uniswap.deal(quote, buyers[index] as Address, 10n ** 30n);
  }
  await anvil.mine(20);
  const pair = await uniswap.pair(token, quote, SUPPLY, SUPPLY);
  const made = await anvil.client.getBlock();
  await anvil.mine(3);
  // The first block in which somebody buys holds all of them.
  await anvil.client.setAutomine(false);
  const isFirst = lower(token) < lower(quote);
  for (const buyer of buyers) {
    const swapped = encodeFunctionData({
      abi: PAIR,
      functionName: 'swap',
      args: isFirst ? [SUPPLY / 20n, 0n, buyer, '0x'] : [0n, SUPPLY / 20n, buyer, '0x'],
    });
    await send(buyer, {
      to: quote,
      data: encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [pair, 10n ** 26n] }),
    });
    await send(buyer, { to: pair, data: swapped });
  }
  await anvil.client.mine({ blocks: 1 });
  await anvil.client.setAutomine(true);
  await anvil.mine(5);
  return {
    token: lower(token),
    pair: lower(pair),
    buyers,
    createdAt: new Date(Number(made.timestamp) * 1000).toISOString(),
  };
}

function subject(token: Hex): ForensicSubject {
  return {
    asset: {
      id: `eip155:1/erc20:${token}`,
      chain: 'ethereum',
      address: token,
      symbol: 'A',
      name: 'A',
      category: null,
      website: null,
    },
    consensus: {
      total_supply: { value: 1_000_000 },
      decimals: { value: 18 },
    } as unknown as ForensicSubject['consensus'],
    flags: [],
    defaultTests: [],
  };
}

async function found(token: Hex, pair: Hex, createdAt: string, calls = 500) {
  const bounds = { calls, bytes: 1e9, deadlineAt: Date.now() + 60_000, everyMs: 0 };
  const bound = boundUpstream(upstream, bounds, Date.now);
  const nodes = [{ label: 'node', url: anvil.url, secretHeaders: {}, secretQuery: [] }];
  const tools = {
    reader: createEvmReader(bound.upstream, nodes),
    history: createEvmHistory(bound.upstream, nodes),
    explorer: null,
    wrappedCoin: null,
    blocksPerDay: 86_400,
  };
  const question = {
    base: token,
    creator: lower(uniswap.me),
    pools: [{ address: pair, dex: 'uniswap', createdAt }],
    isService: () => false,
  };
  const launched = await findLaunch(subject(token), question, evmSearch(tools), async () => STUDIED_PAYERS);
  return { ...launched, calls: bound.requestCount() };
}

const rich = (index: number) => person(0xf000 + index);

test('a bundle whose wallets one wallet paid, and an honest launch: only the first is a bundle', async () => {
  for (const index of [0, 1, 2, 3, 4, 5, 6])
    await anvil.client.setBalance({ address: rich(index), value: parseEther('100') });
  const bundled = await launch(
    'BNDL',
    Array.from({ length: 5 }, () => rich(0)),
    0x100,
  );
  const honest = await launch('HNST', [1, 2, 3, 4, 5].map(rich), 0x200);

  const first = await found(bundled.token, bundled.pair, bundled.createdAt);
  const record = first.record as LaunchRecord;
  assert.deepEqual(first.limits, []);
  assert.equal(record.buyers, 5);
  assert.equal(record.bundles.length, 1);
  assert.equal(record.bundles[0]?.funder, rich(0));
  assert.deepEqual(record.bundles[0]?.members.map((member) => member.address).sort(), [...bundled.buyers].sort());
  assert.equal(record.bundled_pct, 25);
  assert.ok((record.bundles[0]?.p_value ?? 1) < 0.01);
  assert.deepEqual(record.snipers, []);

  const second = await found(honest.token, honest.pair, honest.createdAt);
  assert.equal(second.record?.buyers, 5);
  assert.deepEqual(second.record?.bundles, []);
  assert.equal(second.record?.bundled_pct, 0);
  assert.equal(second.record?.snipers.length, 5);
  assert.equal(second.record?.payers_known, 5);
  assert.ok(first.calls < 200, `${first.calls} calls`);
});

test('wallets that the creator paid are insiders, and a search that runs out of calls states so', async () => {
  const inside = await launch('INSD', [uniswap.me, uniswap.me, rich(6)], 0x300);
  const whole = await found(inside.token, inside.pair, inside.createdAt);
  assert.deepEqual(whole.record?.insiders.map((one) => one.address).sort(), inside.buyers.slice(0, 2).sort());
  assert.ok(whole.record?.bundles[0]?.links.includes('funded_by_creator'));
  assert.equal(whole.record?.bundles[0]?.members.length, 2);
  const cut = await found(inside.token, inside.pair, inside.createdAt, 6);
  assert.equal(cut.record, null);
  assert.ok(cut.limits.length > 0);
});
