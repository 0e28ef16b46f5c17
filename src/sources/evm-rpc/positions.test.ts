import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { encodeFunctionData, type Hex, parseAbiItem, stringToHex } from 'viem';
import { CHAINS, MULTICALL3 } from '../../chains/index.ts';
import { positionTerms, readRegister, SHIPPED_FOLDER, useOwnRegisters } from '../../registers/index.ts';
import { factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { priceFeedOf } from '../redemption/terms.ts';
import type { Params } from '../source.ts';
import { type Anvil, type ContractName, startAnvil } from './fixtures/anvil.ts';
import { positionsEndpoint } from './positions.ts';

const LUSD = '0x5f98805a4e8be255a32880fdec7f6728c6568ba0';
const BOLD = '0x6440f144b7e50d6a8439336510312d2f54beb01d';
const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f';
const USDS = '0xdc035d45d973e3ec169d2276ddab16f1e407384f';
const CRVUSD = '0xf939e0a03fb07f59a73314e73794be0e57ac1b4e';
const GHO = '0x40d16fc0246ad3160ccc09b8d0d3a2cd28ae6c2f';
const STRANGER = '0x1000000000000000000000000000000000000009';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const WSTETH = '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0';
const RETH = '0xae78736cd615f374d3085123a210448e74fc6393';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const TBTC = '0x18084fba666a33d37592fa2633fd49a74dd93a88';
const SFRXETH = '0xac3e018457b222d93114458476f3e3416abbe38f';
const TROVES = '0xa39739ef8b0231dbfa0dcda07d7e29faabcf4bb2';
const ACTIVE_POOL = '0xdf9eb223bafbe5c5271415c75aecd68c21fe3d7f';
const DEFAULT_POOL = '0x896a3f03176f05cfbb4f006bfcd8723f2b0d741c';
/** Trove managers and active pools of the three branches: WETH, wstETH, rETH. */
const BRANCHES = [
  [WETH, '0x7bcb64b2c9206a5b699ed43363f6f98d4776cf5a', '0xeb5a8c825582965f1d84606e078620a84ab16afe'],
  [WSTETH, '0xa2895d6a3bf110561dfe4b71ca539d84e1928b22', '0x531a8f99c70d6a56a7cee02d6b4281650d7919a0'],
  [RETH, '0xb2b2abeb5c357a234363ff5d180912d319e3e19e', '0x9074d72cc82dad1e13e454755aa8f144c479532f'],
] as const;
const VAT = '0x35d1b3f3d7966a1dfe207aa4514c12a259a0492b';
const VOW = '0xa950524441892a31ebddf91d3ceefa04bf454466';
const JOIN_ETH_A = '0x2f0b23f53734252bda2277357e97e1517d6b042a';
const SWAP = '0xf6e72db5454dd049d0788e411b06cfaf16853042';
const POCKET = '0x37305b1cd40574e4c5ce33f8e8306be057fd7341';
const FACTORY = '0xc9332fdcb1c491dcc683bae86fe3cb70360738bc';
const WETH_CONTROLLER = '0xa920de414ea4ab66b97da1bfe9e6eca7d4219635';
const WETH_AMM = '0x1681195c176239ac5e72d9aebacf5b2492e0c4ee';
const KEEPER_USDC = '0x9201da0d97caaaff53f01b2fb56767c7072de340';
const POOL_USDC = '0x4dece678ceceb27446b35c672dc7d61f30bad69e';
const POOL_USDT = '0x390f3595bca2df7d23783dfd126427cceb997bf4';

const UNIT = 10n ** 18n;
const RAY = 10n ** 27n;

let anvil: Anvil | null = null;
let sender = '';

before(async () => {
  anvil = await startAnvil();
  if (!anvil) return;
  [sender = ''] = (await anvil.rpc('eth_accounts', [])) as readonly string[];
  await anvil.place(MULTICALL3, 'Multicall');
  for (const feed of ['ETH', 'BTC', 'USDC', 'USDT']) await anvil.place(feedOf(feed), 'Feed');
  for (const token of [
    LUSD,
    BOLD,
    DAI,
    USDS,
    CRVUSD,
    WETH,
    WSTETH,
    RETH,
    USDC,
    USDT,
    WBTC,
    TBTC,
    SFRXETH,
    POOL_USDC,
    POOL_USDT,
  ])
    await anvil.place(token, 'Collateral');
  for (const staked of [WSTETH, RETH, SFRXETH])
    await tell(anvil, staked, 'set(uint8,uint256)', [18, (UNIT * 12n) / 10n]);
  await anvil.place(TROVES, 'Market');
  for (const [, manager] of BRANCHES) await anvil.place(manager, 'Market');
  await anvil.place(VAT, 'Ledger');
  // Every other contract that a row names answers like a market without debt.
  for (const address of contractsOf('crvusd')) await placeOnce(anvil, address, 'Market');
  await prices(anvil);
});
after(() => anvil?.stop());

const feedOf = (name: string) => priceFeedOf('ethereum', name)?.address ?? assert.fail(`no feed of ${name}`);
const rows = () => readRegister(SHIPPED_FOLDER, 'positions')?.rows ?? [];

/** Contracts that a row asks for a debt. */
function contractsOf(id: string): readonly string[] {
  const row = rows().find((one) => one.id === id);
  return (row?.markets ?? []).flatMap(({ debt }) =>
    debt.flatMap(({ product }) => product.flatMap((read) => ('at' in read ? [read.at] : []))),
  );
}

async function placeOnce(node: Anvil, address: string, contract: ContractName): Promise<void> {
  if ((await node.rpc('eth_getCode', [address, 'latest'])) === '0x') await node.place(address, contract);
}

async function tell(node: Anvil, to: string, call: string, args: readonly unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: [parseAbiItem(`function ${call}`)], args } as never);
  await node.send({ from: sender, to, data });
}

const price = (node: Anvil, feed: string, usd: number) =>
  tell(node, feedOf(feed), 'say(int256)', [BigInt(Math.round(usd * 1e8))]);
async function prices(node: Anvil): Promise<void> {
  for (const [feed, usd] of [
    ['ETH', 4_000],
    ['BTC', 100_000],
    ['USDC', 1],
    ['USDT', 1],
  ] as const)
    await price(node, feed, usd);
}
const give = (node: Anvil, token: string, to: string, amount: bigint) =>
  tell(node, token, 'give(address,uint256)', [to, amount]);
const owe = (node: Anvil, market: string, amount: bigint) => tell(node, market, 'owe(uint256)', [amount]);
const lend = (node: Anvil, kind: string, art: bigint, rate = RAY) =>
  tell(node, VAT, 'lend(bytes32,uint256,uint256)', [stringToHex(kind, { size: 32 }), art, rate]);

/** Runs on a real node, or says why it does not. */
function onNode(claim: string, run: (node: Anvil) => Promise<void>): void {
  test(claim, async (t) => (anvil ? run(anvil) : t.diagnostic('skipped: anvil is not installed here')));
}

/** What the first operator says of a coin; null where it is not asked. */
async function say(node: Anvil, token: string, chain = 'ethereum') {
  const [params] = positionsEndpoint.plan(factsOf(chain, token));
  if (params === undefined) return null;
  const answer = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(positionsEndpoint.request(params).body),
  });
  const block = (await node.rpc('eth_getBlockByNumber', ['latest', false])) as { readonly timestamp: Hex };
  return parseBody(
    positionsEndpoint,
    params,
    await answer.json(),
    new Date(Number(block.timestamp) * 1_000).toISOString(),
  );
}
const ratioOf = async (node: Anvil, token: string) => {
  const heard = await say(node, token);
  return heard === null ? null : (valuesOf([heard], 'backing_risk_adjusted')[0] ?? heard.outcome);
};

onNode(
  'ether in the pools of a system of troves counts at the price of the feed, a third less, over the coins that there are',
  async (node) => {
    await give(node, LUSD, sender, 1_000n * UNIT);
    await owe(node, TROVES, 1_000n * UNIT);
    await node.rpc('anvil_setBalance', [ACTIVE_POOL, `0x${((UNIT * 6n) / 10n).toString(16)}`]);
    await node.rpc('anvil_setBalance', [DEFAULT_POOL, `0x${((UNIT * 2n) / 10n).toString(16)}`]);
    const heard = await say(node, LUSD);
    assert.deepEqual(
      heard?.drafts.map(({ quantity, value, family, tier }) => ({ quantity, value, family, tier })),
      [{ quantity: 'backing_risk_adjusted', value: 2.08, family: 'chain:ethereum', tier: undefined }],
    );
    assert.equal(positionsEndpoint.plan(factsOf('ethereum', LUSD)).length, 2, 'both operators');
    await price(node, 'ETH', 1_000);
    assert.equal(await ratioOf(node, LUSD), 0.52);
    await price(node, 'ETH', 4_000);
  },
);

onNode(
  'coins that no row names, and the address of another chain, are not asked, whatever their contracts answer',
  async (node) => {
    await node.place(STRANGER, 'Market');
    for (const [token, chain] of [
      [STRANGER, 'ethereum'],
      [LUSD, 'base'],
      [GHO, 'ethereum'],
    ] as const)
      assert.equal(await say(node, token, chain), null);
  },
);

onNode('a branch without cover is not made good by the others', async (node) => {
  await give(node, BOLD, sender, 3_000n * UNIT);
  for (const [token, manager, pool] of BRANCHES) {
    await owe(node, manager, 1_000n * UNIT);
    await give(node, token, pool, UNIT / 2n);
  }
  // Ether 2,000 at 0.65; staked ether 2,400 at 0.6.
  assert.equal(await ratioOf(node, BOLD), Number(((1.3 + 1.44 + 1.44) / 3).toFixed(6)));
  await give(node, RETH, BRANCHES[2][2], UNIT / 20n);
  assert.equal(await ratioOf(node, BOLD), Number(((1 + 1 + 0.144) / 3).toFixed(6)));
});

onNode('debts that the markets of a row do not explain leave the ratio unknown', async (node) => {
  await give(node, BOLD, sender, 4_000n * UNIT);
  assert.equal(await ratioOf(node, BOLD), 'empty');
});

onNode(
  'of a ledger each kind of loan is covered by its own collateral; what is only said to be there counts as claims, up to half',
  async (node) => {
    // 500 lent on ether at a rate of 1.2, 500 swapped for dollars of which 100 wait in the module, 400 to allocators.
    await lend(node, 'ETH-A', 500n * UNIT, (RAY * 12n) / 10n);
    await give(node, WETH, JOIN_ETH_A, (UNIT * 3n) / 10n);
    await lend(node, 'LITE-PSM-USDC-A', 500n * UNIT);
    await give(node, DAI, SWAP, 100n * UNIT);
    await give(node, USDC, POCKET, 400n * 10n ** 6n);
    await lend(node, 'ALLOCATOR-SPARK-A', 400n * UNIT);
    await tell(node, VAT, 'earn(address,uint256)', [VOW, 0n]);
    // 600 by ether worth 780, 400 by dollars worth 388, 400 of claims worth 280: 120 of 1,400 are short.
    const heard = await say(node, USDS);
    const [draft] = heard?.drafts ?? [];
    const covered = (600 + 388 + 280) / 1_400;
    assert.deepEqual(
      [draft?.value, draft?.family, draft?.tier],
      [Number(covered.toFixed(6)), `statement:${USDS}`, 'registry'],
    );
    assert.equal(await ratioOf(node, DAI), Number(covered.toFixed(6)), 'both coins of the ledger');
    await price(node, 'USDC', 0.5);
    assert.equal(
      await ratioOf(node, USDS),
      Number(((600 + 194 + 280) / 1_400).toFixed(6)),
      'a dollar coin below its peg',
    );
    await price(node, 'USDC', 1.5);
    assert.equal(await ratioOf(node, USDS), Number(covered.toFixed(6)), 'and at most at par above it');
    await price(node, 'USDC', 1);
    await lend(node, 'LSEV2-SKY-A', 100n * UNIT);
    assert.equal(
      await ratioOf(node, USDS),
      Number((1_268 / 1_500).toFixed(6)),
      'debt against the own token counts nothing',
    );
    await lend(node, 'ALLOCATOR-BLOOM-A', 800n * UNIT);
    assert.equal(await ratioOf(node, USDS), 'empty', 'more than half are claims');
  },
);

onNode(
  'coins that were minted and not lent are owed to nobody; a keeper of the peg has its share of a pool',
  async (node) => {
    // 1,000 in the market of ether, 500 by a keeper; 7,000 more wait in the controller.
    await give(node, CRVUSD, sender, 1_400n * UNIT);
    await give(node, CRVUSD, WETH_CONTROLLER, 7_000n * UNIT);
    await owe(node, FACTORY, 1_000n * UNIT);
    await owe(node, WETH_CONTROLLER, 1_000n * UNIT);
    await give(node, WETH, WETH_AMM, (UNIT * 4n) / 10n);
    await owe(node, KEEPER_USDC, 500n * UNIT);
    await give(node, POOL_USDC, KEEPER_USDC, 50n * UNIT);
    await give(node, POOL_USDC, STRANGER, 50n * UNIT);
    await give(node, USDC, POOL_USDC, 1_000n * 10n ** 6n);
    await give(node, CRVUSD, POOL_USDC, 100n * UNIT);
    // Ether 1,600 at 0.65; of the pool 500 at 0.97 and 50 of the coin itself.
    const expected = 1 + (40 + 35) / 1_500;
    assert.equal(await ratioOf(node, CRVUSD), Number(expected.toFixed(6)));
    await give(node, CRVUSD, STRANGER, 1_000n * UNIT);
    assert.equal(await ratioOf(node, CRVUSD), 'empty', 'somebody else minted');
  },
);

onNode('a feed that fell silent gives no price, and so no ratio', async (node) => {
  await node.rpc('evm_increaseTime', [4_501]);
  await node.rpc('evm_mine', []);
  assert.equal(await ratioOf(node, LUSD), 'empty');
  await prices(node);
  assert.equal(await ratioOf(node, LUSD), 2.08);
});

test('an operator’s own row has its contracts read too, and counts less where its cells are unconfirmed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'positions-'));
  const market = {
    name: 'own',
    debt: [{ product: [{ at: STRANGER, call: 'debt()', decimals: 18 }] }],
    held: [{ kind: 'ether', product: [{ coin_of: STRANGER, decimals: 18 }], feed: 'ETH' }],
  };
  const row = (unconfirmed: readonly string[]) => ({
    updated: '2026-11-24',
    sources: { deed: { url: 'https://deeds.example/', licence: 'own', seen: '2026-11-24' } },
    rows: [
      {
        ...{ id: 'own', name: 'Own', symbol: 'OWN', sources: ['deed'], unconfirmed, reviewed_by: [] },
        ...{ seen: '2026-11-24', expires: '2027-05-23', owed: market.debt, markets: [market] },
        tokens: [{ chain: 'eip155:1', address: STRANGER }],
      },
    ],
  });
  const reliabilityOf = (unconfirmed: readonly string[]) => {
    writeFileSync(join(folder, 'positions.json'), JSON.stringify(row(unconfirmed)));
    useOwnRegisters(folder);
    return positionsEndpoint.plan(factsOf('ethereum', STRANGER)).map(({ reliability }) => reliability);
  };
  try {
    assert.deepEqual(reliabilityOf([]), [null, null]);
    assert.deepEqual(reliabilityOf(['markets']), [0.5, 0.5]);
  } finally {
    useOwnRegisters(null);
  }
});

test('each shipped row can be requested: its chain has the feeds, its kinds have haircuts, and each debt names contracts', () => {
  const { haircuts } = positionTerms();
  assert.ok(rows().length >= 4);
  for (const row of rows())
    for (const { chain: caip2, address } of row.tokens) {
      const chain = CHAINS.find((one) => one.caip2 === caip2);
      const plans = positionsEndpoint.plan(factsOf(chain?.name ?? '', address));
      assert.equal(plans.length, 2, row.id);
      assert.doesNotThrow(() => positionsEndpoint.request(plans[0] as Params), row.id);
      for (const { held, unread, name } of row.markets) {
        for (const { kind } of held) assert.ok(kind in haircuts, `${row.id} ${name}: ${kind}`);
        assert.ok(unread === undefined ? held.length > 0 : unread in haircuts, `${row.id} ${name}`);
      }
    }
});

test('archived params make the same requests, in any order of members', () => {
  const turned = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(turned)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, member]) => [key, turned(member)]),
          )
        : value;
  for (const token of [LUSD, BOLD, USDS, CRVUSD]) {
    const [params] = positionsEndpoint.plan(factsOf('ethereum', token)) as readonly [Params];
    const other = positionsEndpoint.request(turned(params) as Params);
    assert.deepEqual(other.body, positionsEndpoint.request(params).body, token);
  }
});

test('a malformed reply gives no observation', () => {
  for (const token of [LUSD, BOLD, USDS, CRVUSD]) {
    const [params] = positionsEndpoint.plan(factsOf('ethereum', token)) as readonly [Params];
    for (const result of ['0x', '0x00', `0x${'f'.repeat(640)}`, 'not hex']) {
      const heard = parseBody(positionsEndpoint, params, { jsonrpc: '2.0', id: 1, result });
      assert.notEqual(heard.outcome, 'ok');
      assert.deepEqual(heard.drafts, []);
    }
  }
});
