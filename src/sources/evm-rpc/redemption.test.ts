import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MULTICALL3 } from '../../chains/codecs/abi.ts';
import type { Json } from '../../domain/observation.ts';
import { factsOf, parseBody } from '../fixtures/drive.ts';
import type { Params } from '../source.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';
import { redemptionEndpoint } from './redemption.ts';

const RETH = '0xae78736cd615f374d3085123a210448e74fc6393';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const ETH_FEED = '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419';
const BTC_FEED = '0xf4030086522a5beea4988f8ca5b36dbc97bee88c';
const STRANGER = '0x1000000000000000000000000000000000000001';
const AGGREGATE = '0x1000000000000000000000000000000000000002';
/** Answers getCurrentBlockTimestamp() as Multicall3 does, and leaves every other call to the aggregate of the tests. */
const WITH_BLOCK_TIME = `0x60003560e01c630f28c97d14603e573660006000376000600036600073${AGGREGATE.slice(2)}5af4503d600060003e3d6000f35b4260005260206000f3`;
/** Answers every call with the word in its slot 0. */
const ONE_WORD = '0x60005460005260206000f3';
/** Answers decimals() with 8 and every other call with its slots 0 to 4. */
const FEED = `0x60003560e01c63313ce567146032576000546000526001546020526002546040526003546060526004546080526${'0a06000f3'}5b600860005260206000f3`;
const TRUE_RATE = 1_142_500_000_000_000_000n;

let anvil: Anvil | null = null;
before(async () => {
  anvil = await startAnvil();
  if (!anvil) return;
  // The first block has no time of day.
  await anvil.rpc('evm_setNextBlockTimestamp', [Math.floor(Date.now() / 1000)]);
  await anvil.rpc('evm_mine', []);
  await anvil.place(AGGREGATE, 'Aggregate');
  await anvil.rpc('anvil_setCode', [MULTICALL3, WITH_BLOCK_TIME]);
  await anvil.rpc('anvil_setCode', [RETH, ONE_WORD]);
  await anvil.rpc('anvil_setCode', [ETH_FEED, FEED]);
  await anvil.rpc('anvil_setCode', [BTC_FEED, FEED]);
});
after(() => anvil?.stop());

interface Round {
  readonly rate?: bigint;
  readonly price?: bigint;
  readonly ageSeconds?: number;
  readonly answeredIn?: bigint;
  readonly fetchedAt?: string;
}

/** Runs on a real node, or says why it does not. */
function onNode(claim: string, run: (node: Anvil) => Promise<void>): void {
  test(claim, async (t) => (anvil ? run(anvil) : t.diagnostic('skipped: anvil is not installed here')));
}

/** What the first operator says of a token after its contract and the feeds were set. */
async function say(
  node: Anvil,
  token: string,
  {
    rate = TRUE_RATE,
    price = 330_000_000_000n,
    ageSeconds = 30,
    answeredIn = 7n,
    fetchedAt = new Date().toISOString(),
  }: Round = {},
) {
  const { timestamp } = (await node.rpc('eth_getBlockByNumber', ['latest', false])) as { readonly timestamp: string };
  const updated = BigInt(timestamp) - BigInt(ageSeconds);
  await node.store(RETH, '0x0', rate.toString(16));
  for (const feed of [ETH_FEED, BTC_FEED]) {
    const words = [7n, price, updated, updated, answeredIn];
    for (const [slot, word] of words.entries())
      await node.store(feed, slot.toString(16), BigInt.asUintN(256, word).toString(16));
  }
  const [params] = redemptionEndpoint.plan(factsOf('ethereum', token));
  if (params === undefined) return null;
  const { body } = redemptionEndpoint.request(params);
  const answer = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return parseBody(redemptionEndpoint, params, await answer.json(), fetchedAt);
}

onNode('a staked token is worth its rate times the price of what is staked, as of the block', async (node) => {
  const heard = await say(node, RETH);
  const [draft] = heard?.drafts ?? [];
  assert.equal(draft?.quantity, 'redemption_value_usd');
  assert.equal(draft?.value, 3_770.25);
  assert.equal(draft?.family, 'chain:ethereum');
  const { timestamp } = (await node.rpc('eth_getBlockByNumber', ['latest', false])) as { readonly timestamp: string };
  assert.equal(draft?.observedAt, new Date(Number(timestamp) * 1000).toISOString());
  assert.deepEqual(heard?.learned, {
    'evm_rpc.redemption.ethereum': { coin: 'ethereum', rate: 1.1425 },
  });
});

onNode('a token that is not on the list is not asked, whatever its contract would say', async (node) => {
  await node.rpc('anvil_setCode', [STRANGER, ONE_WORD]);
  assert.equal(await say(node, STRANGER), null);
  assert.deepEqual(redemptionEndpoint.plan(factsOf('base', RETH)), []);
});

onNode('a coin in its wrapping is worth the coin', async (node) => {
  assert.equal((await say(node, WETH))?.drafts[0]?.value, 3_300);
});

onNode('what a company promises to redeem is its word: another family, another tier', async (node) => {
  const [draft] = (await say(node, WBTC, { price: 9_700_000_000_000n }))?.drafts ?? [];
  assert.equal(draft?.value, 97_000);
  assert.equal(draft?.family, 'issuer_disclosure');
  assert.equal(draft?.tier, 'registry');
});

onNode('a rate that cannot be true is no rate: nothing is said and nothing learned', async (node) => {
  for (const rate of [47n * 10n ** 18n, 0n, 10n ** 17n, 2n ** 255n]) {
    const heard = await say(node, RETH, { rate });
    assert.equal(heard?.outcome, 'empty', String(rate));
    assert.deepEqual([heard?.drafts, heard?.learned], [[], {}]);
  }
});

onNode('a price that is silent, of an older round or not above zero is not taken; the rate is', async (node) => {
  const bad: readonly Round[] = [
    { ageSeconds: 4_501 },
    { answeredIn: 6n },
    { price: 0n },
    { price: -1n },
    { ageSeconds: -60 },
  ];
  for (const round of bad) {
    const heard = await say(node, RETH, round);
    assert.deepEqual(
      heard?.drafts,
      [],
      JSON.stringify(round, (_key, value) => String(value)),
    );
    assert.ok(heard?.learned['evm_rpc.redemption.ethereum']);
  }
  assert.deepEqual(
    (await say(node, RETH, { fetchedAt: '2026-01-01T00:00:00.000Z' }))?.drafts,
    [],
    'a block of the future',
  );
  assert.equal((await say(node, RETH, { ageSeconds: 4_400 }))?.drafts.length, 1);
});

test('a malformed reply gives no observation', () => {
  const [params] = redemptionEndpoint.plan(factsOf('ethereum', RETH)) as readonly [Params];
  const reply = (result: Json) => parseBody(redemptionEndpoint, params, { jsonrpc: '2.0', id: 1, result });
  for (const result of ['0x', '0x00', `0x${'f'.repeat(640)}`, 'not hex']) {
    assert.notEqual(reply(result).outcome, 'ok');
    assert.deepEqual(reply(result).drafts, []);
  }
});
