import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keccak256, parseAbiItem, toBytes } from 'viem/utils';
import { CHAINS, MULTICALL3 } from '../../chains/index.ts';
import { EVM_BACKING, isShown } from '../backing/rows.ts';
import { factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { evmRedemption } from '../redemption/evm-issuers.ts';
import type { Params } from '../source.ts';
import { backingEndpoint } from './backing.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const WSTETH = '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0';
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';
const RETH = '0xae78736cd615f374d3085123a210448e74fc6393';
const ROCKET_STORAGE = '0x1d8f8f00cfa6758d7be78336684788fb0ee0fa46';
const HOSTILE = '0x1000000000000000000000000000000000000001';
const AGGREGATE = '0x1000000000000000000000000000000000000002';
/** Answers getEthBalance(address) as Multicall3 does, and leaves every other call to the aggregate of the tests. */
const WITH_BALANCES = `0x60003560e01c634d2301cc14603e573660006000376000600036600073${AGGREGATE.slice(2)}5af4503d600060003e3d6000f35b6004353160005260206000f3`;
/** Answers every call with the words in its slots 0 to 2, whatever is asked: what a contract says of itself is worth no more. */
const SAYS_ANYTHING = '0x600054600052600154602052600254604052' + '60606000f3';
/** Answers every call with the word in its slot 0. */
const ONE_WORD = '0x60005460005260206000f3';
/** totalSupply() is slot 0, getBeaconStat() slots 1 to 3; there is no getExternalEther(). */
const LIDO =
  '0x60003560e01c806318160ddd14601e5763ae2e353814602a5760006000fd5b60005460005260206000f35b60015460005260025460205260035460405260606000f3';
const ETHER = 10n ** 18n;

let anvil: Anvil | null = null;
before(async () => {
  anvil = await startAnvil();
  if (!anvil) return;
  await anvil.place(AGGREGATE, 'Aggregate');
  await anvil.rpc('anvil_setCode', [MULTICALL3, WITH_BALANCES]);
  for (const token of [WETH, WSTETH, RETH, STETH, ROCKET_STORAGE, HOSTILE])
    await anvil.rpc('anvil_setCode', [token, ONE_WORD]);
});
after(() => anvil?.stop());

/** Runs on a real node, or says why it does not. */
function onNode(claim: string, run: (node: Anvil) => Promise<void>): void {
  test(claim, async (t) => (anvil ? run(anvil) : t.diagnostic('skipped: anvil is not installed here')));
}

const hex = (value: bigint) => `0x${value.toString(16)}`;

/** What the first operator says of a token; null where it is not asked. */
async function say(node: Anvil, token: string, chain = 'ethereum') {
  const [params] = backingEndpoint.plan(factsOf(chain, token));
  if (params === undefined) return null;
  const { body } = backingEndpoint.request(params);
  const answer = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return parseBody(backingEndpoint, params, await answer.json());
}

onNode(
  'a wrapper of ether is backed by the ether that the chain shows at its address, and hands it out at once',
  async (node) => {
    await node.store(WETH, '0x0', hex(4n * ETHER));
    await node.rpc('anvil_setBalance', [WETH, hex(4n * ETHER)]);
    const whole = await say(node, WETH);
    assert.deepEqual(
      whole?.drafts.map(({ quantity, value, family, tier }) => ({ quantity, value, family, tier })),
      [
        { quantity: 'backing_ratio', value: 1, family: 'chain:ethereum', tier: undefined },
        { quantity: 'exit_days', value: 0, family: 'chain:ethereum', tier: undefined },
      ],
    );
    await node.rpc('anvil_setBalance', [WETH, hex(3n * ETHER)]);
    const short = await say(node, WETH);
    assert.deepEqual(valuesOf(short ? [short] : [], 'backing_ratio'), [0.75]);
    assert.deepEqual(valuesOf(short ? [short] : [], 'exit_days'), [], 'nobody leaves at once what is not there');
    await node.rpc('anvil_setBalance', [WETH, hex(9n * ETHER)]);
    const more = await say(node, WETH);
    assert.deepEqual(valuesOf(more ? [more] : [], 'backing_ratio'), [1], 'what lies beyond is owed to nobody');
  },
);

onNode(
  'a contract of a stranger that answers every call of a vault, a wrapper and a receipt is not asked',
  async (node) => {
    await node.rpc('anvil_setCode', [HOSTILE, SAYS_ANYTHING]);
    for (const slot of ['0x0', '0x1', '0x2']) await node.store(HOSTILE, slot, hex(10n ** 30n));
    await node.rpc('anvil_setBalance', [HOSTILE, hex(10n ** 24n)]);
    assert.equal(await say(node, HOSTILE), null);
    assert.equal(await say(node, WETH, 'base'), null, 'the address of another chain');
  },
);

onNode(
  'a listed vault that says anything of itself is believed only for what the contract of the held asset shows',
  async (node) => {
    await node.rpc('anvil_setCode', [WSTETH, ONE_WORD]);
    await node.store(WSTETH, '0x0', hex(ETHER));
    await node.store(STETH, '0x0', hex(ETHER / 4n));
    const heard = await say(node, WSTETH);
    assert.deepEqual(valuesOf(heard ? [heard] : [], 'backing_ratio'), [0.25]);
    assert.equal(heard?.drafts[0]?.family, 'chain:ethereum');
  },
);

onNode(
  'what a protocol’s reporters state is their word, of another family and tier, and as of their last report',
  async (node) => {
    await node.store(RETH, '0x0', hex(ETHER));
    await node.store(ROCKET_STORAGE, '0x0', hex((ETHER * 99n) / 100n));
    const heard = await say(node, RETH);
    const [draft] = heard?.drafts ?? [];
    assert.deepEqual([draft?.value, draft?.family, draft?.tier], [1, `statement:${RETH}`, 'registry']);
    await node.store(ROCKET_STORAGE, '0x0', hex((ETHER * 9n) / 10n));
    const short = await say(node, RETH);
    assert.deepEqual(valuesOf(short ? [short] : [], 'backing_ratio'), [0.9]);
  },
);

onNode(
  'of Lido the ether in its contract counts beside what its oracle reports, and a call that is not there yet for nothing',
  async (node) => {
    await node.rpc('anvil_setCode', [STETH, LIDO]);
    // Supply; validators deposited and seen, and their balance: 1 of 3 is on its way.
    const words = [100n * ETHER, 3n, 2n, 60n * ETHER];
    for (const [slot, value] of words.entries()) await node.store(STETH, hex(BigInt(slot)), hex(value));
    await node.rpc('anvil_setBalance', [STETH, hex(4n * ETHER)]);
    const short = await say(node, STETH);
    assert.deepEqual(valuesOf(short ? [short] : [], 'backing_ratio'), [0.96]);
    await node.rpc('anvil_setBalance', [STETH, hex(8n * ETHER)]);
    const whole = await say(node, STETH);
    assert.deepEqual(valuesOf(whole ? [whole] : [], 'backing_ratio'), [1]);
  },
);

test('each row is on a chain of ours, in the redemption list, and marks the issuer’s statements', () => {
  for (const row of EVM_BACKING) {
    assert.ok(
      CHAINS.some(({ name, kind }) => kind === 'evm' && name === row.chain),
      row.name,
    );
    assert.ok(evmRedemption(row.chain, row.token), row.name);
    assert.match(row.source, /^https:\/\//);
    assert.equal(row.stated_by === undefined, row.held.every(isShown), row.name);
    for (const part of row.held)
      if (!isShown(part)) {
        const { outputs } = parseAbiItem(`function ${part.call}`) as { readonly outputs: readonly unknown[] };
        assert.equal(outputs.length, part.times.length, row.name);
      }
  }
  assert.equal(new Set(EVM_BACKING.map((row) => `${row.chain}:${row.token}`)).size, EVM_BACKING.length);
  const rocket = EVM_BACKING.find((row) => row.token === RETH)?.held[0];
  assert.deepEqual(rocket && !isShown(rocket) && rocket.args, [keccak256(toBytes('network.balance.total'))]);
});

test('a malformed reply gives no observation', () => {
  for (const token of [WETH, STETH, RETH]) {
    const [params] = backingEndpoint.plan(factsOf('ethereum', token)) as readonly [Params];
    for (const result of ['0x', '0x00', `0x${'f'.repeat(640)}`, 'not hex']) {
      const heard = parseBody(backingEndpoint, params, { jsonrpc: '2.0', id: 1, result });
      assert.notEqual(heard.outcome, 'ok');
      assert.deepEqual(heard.drafts, []);
    }
  }
});
