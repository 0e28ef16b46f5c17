import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toFunctionSelector } from 'viem';
import { MULTICALL3 } from '../../chains/index.ts';
import type { Json } from '../../domain/observation.ts';
import { factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import type { Params } from '../source.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';
import { holderContractsEndpoint } from './holder-contracts.ts';

const UNI = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';
const TIMELOCK = '0x1a9c8182c09f50c8318d769245bea52c32be35bc';
const GOVERNOR = '0x408ed6354d4973f66138c91495f2f2fcbd8724c3';
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';
const WSTETH = '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0';
const CREATOR = '0x1000000000000000000000000000000000000001';
const OWN_TOKEN = '0x1000000000000000000000000000000000000003';
const TWO_DAYS = 172_800n;

let anvil: Anvil | null = null;
before(async () => {
  anvil = await startAnvil();
  await anvil?.place(MULTICALL3, 'Aggregate');
});
after(() => anvil?.stop());

/** Runs on a real node, or says why it does not. */
function onNode(claim: string, run: (node: Anvil) => Promise<void>): void {
  test(claim, async (t) => (anvil ? run(anvil) : t.diagnostic('skipped: anvil is not installed here')));
}

/** Places a contract that answers these calls with these words, and reverts on any other. */
async function answers(node: Anvil, address: string, words: Readonly<Record<string, string | bigint>>): Promise<void> {
  const rows = Object.entries(words);
  const [caseBytes, headBytes] = [42, 6 + rows.length * 11 + 5];
  const heads = rows.map(([name, _word], at) => {
    const target = (headBytes + at * caseBytes).toString(16).padStart(4, '0');
    return `8063${toFunctionSelector(name).slice(2)}1461${target}57`;
  });
  const cases = rows.map(([_name, word]) => `5b7f${BigInt(word).toString(16).padStart(64, '0')}60005260206000f3`);
  await node.rpc('anvil_setCode', [address, `0x60003560e01c${heads.join('')}60006000fd${cases.join('')}`]);
}

/** Labels that the first operator gives for the contracts of a token. */
async function labels(node: Anvil, token: string): Promise<readonly Json[]> {
  const [params] = holderContractsEndpoint.plan(factsOf('ethereum', token));
  if (params === undefined) return [];
  const { body } = holderContractsEndpoint.request(params);
  const reply = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return valuesOf([parseBody(holderContractsEndpoint, params, await reply.json())], 'holder_labels');
}

async function placeGovernance(
  node: Anvil,
  { delay = TWO_DAYS, admin = GOVERNOR, timelock = TIMELOCK, votes = UNI } = {},
): Promise<void> {
  await answers(node, TIMELOCK, { 'delay()': delay, 'admin()': admin });
  await answers(node, GOVERNOR, { 'timelock()': timelock, 'uni()': votes });
}

onNode('a timelock that a vote of the token alone moves, after two days, is named by the chain', async (node) => {
  await placeGovernance(node);
  assert.deepEqual(await labels(node, UNI), [
    [{ address: TIMELOCK, kind: 'timelock', label: 'timelock of 172800 s behind a governor of this token' }],
  ]);
});

onNode(
  'without delay, with a key as its admin, or behind a governor of something else it is a holder',
  async (node) => {
    for (const change of [
      { delay: 0n },
      { delay: TWO_DAYS - 1n },
      { admin: CREATOR },
      { timelock: CREATOR },
      { votes: STETH },
    ]) {
      await placeGovernance(node, change);
      assert.deepEqual(await labels(node, UNI), [], Object.keys(change).join());
    }
  },
);

onNode('a creator’s own timelock and governor are not asked, whatever they answer', async (node) => {
  await answers(node, CREATOR, {
    'delay()': TWO_DAYS,
    'admin()': CREATOR,
    'timelock()': CREATOR,
    'token()': OWN_TOKEN,
  });
  const facts = factsOf('ethereum', OWN_TOKEN, { 'goplus.holders': [CREATOR] });
  assert.deepEqual(holderContractsEndpoint.plan(facts), []);
  assert.deepEqual(holderContractsEndpoint.plan(factsOf('base', UNI)), [], 'the address of another chain');
});

onNode(
  'a wrapper holds for its own holders what it owes them; what it keeps beyond makes it a holder',
  async (node) => {
    await answers(node, STETH, { 'balanceOf(address)': 1_200n });
    await answers(node, WSTETH, { 'totalSupply()': 1_000n, 'stEthPerToken()': 1_200_000_000_000_000_000n });
    assert.deepEqual(await labels(node, STETH), [
      [{ address: WSTETH, kind: 'staking', label: 'holds it for its own holders' }],
    ]);
    await answers(node, STETH, { 'balanceOf(address)': 2_000n });
    assert.deepEqual(await labels(node, STETH), []);
  },
);

test('a malformed reply labels no holder', () => {
  for (const token of [UNI, STETH]) {
    const [params] = holderContractsEndpoint.plan(factsOf('ethereum', token)) as readonly [Params];
    for (const result of ['0x', '0x00', `0x${'f'.repeat(640)}`, 'not hex'])
      assert.deepEqual(parseBody(holderContractsEndpoint, params, { jsonrpc: '2.0', id: 1, result }).drafts, []);
  }
});
