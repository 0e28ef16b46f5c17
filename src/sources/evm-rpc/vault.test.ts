import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem';
import { MULTICALL3 } from '../../chains/index.ts';
import { factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import type { Endpoint, Params } from '../source.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';
import { vaultEndpoint, vaultHeldEndpoint } from './vault.ts';

const VAULT = '0x1000000000000000000000000000000000000004';
const BORROWER = '0x2000000000000000000000000000000000000005';
/** asset() is slot 0, totalAssets() slot 1; every other call reverts. */
const ANSWERS_LIKE_A_VAULT =
  '0x60003560e01c806338d52e0f14601e576301e1d11414602a5760006000fd5b60005460005260206000f35b60015460005260206000f3';
const UNITS = 10n ** 18n;
const TRANSFER = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

let anvil: Anvil | null = null;
let token = '';
let holder = '';

/** A vault beside a deployed ERC-20 of OpenZeppelin, whose whole supply one account has. */
before(async () => {
  anvil = await startAnvil();
  if (!anvil) return;
  await anvil.place(MULTICALL3, 'Aggregate');
  await anvil.rpc('anvil_setCode', [VAULT, ANSWERS_LIKE_A_VAULT]);
  [holder = ''] = (await anvil.rpc('eth_accounts', [])) as readonly string[];
  const path = createRequire(import.meta.url).resolve(
    '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json',
  );
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { readonly bytecode: Hex };
  const given = parseAbiParameters('string, string, uint256, address');
  const args = encodeAbiParameters(given, ['Dollar of the tests', 'DOT', 1_000n * UNITS, holder as Hex]);
  const { contractAddress } = await anvil.send({ from: holder, data: `${bytecode}${args.slice(2)}` });
  token = String(contractAddress).toLowerCase();
  await anvil.store(VAULT, '0x0', token);
});
after(() => anvil?.stop());

const move = (node: Anvil, to: string, amount: bigint) =>
  node.send({
    from: holder,
    to: token,
    data: encodeFunctionData({ abi: TRANSFER, functionName: 'transfer', args: [to as Hex, amount] }),
  });

/** Runs on a real node, or says why it does not. */
function onNode(claim: string, run: (node: Anvil) => Promise<void>): void {
  test(claim, async (t) => (anvil ? run(anvil) : t.diagnostic('skipped: anvil is not installed here')));
}

async function ask(node: Anvil, endpoint: Endpoint, params: Params) {
  const answer = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(endpoint.request(params).body),
  });
  return parseBody(endpoint, params, await answer.json());
}

/** Everything that is heard of a token: what it says it keeps, then what the asset's contract shows. */
async function vaultOf(node: Anvil, address: string) {
  const first = vaultEndpoint.plan(factsOf('ethereum', address));
  assert.equal(first.length, 1, 'one operator is asked whether it is a vault at all');
  const said = await ask(node, vaultEndpoint, first[0] as Params);
  const held = vaultHeldEndpoint.plan(factsOf('ethereum', address, said.learned));
  return { said, heard: await Promise.all(held.map((params) => ask(node, vaultHeldEndpoint, params))) };
}

onNode(
  'a vault holds what the contract of its asset shows of what it counts as its own; the rest is lent',
  async (node) => {
    await node.store(VAULT, '0x1', `0x${(100n * UNITS).toString(16)}`);
    await move(node, VAULT, 100n * UNITS);
    const whole = await vaultOf(node, VAULT);
    assert.deepEqual(whole.said.learned, { 'evm_rpc.vault_asset': token });
    assert.equal(whole.heard.length, 2, 'both operators');
    assert.deepEqual(valuesOf(whole.heard, 'vault_held_share'), [1, 1]);
    assert.deepEqual(valuesOf(whole.heard, 'vault_asset')[0], `eip155:1/erc20:${token}`);
    // It lends three quarters: what it counts stays, what lies in it does not.
    await node.rpc('anvil_impersonateAccount', [VAULT]);
    await node.rpc('anvil_setBalance', [VAULT, `0x${UNITS.toString(16)}`]);
    await node.send({
      from: VAULT,
      to: token,
      data: encodeFunctionData({ abi: TRANSFER, functionName: 'transfer', args: [BORROWER, 75n * UNITS] }),
    });
    assert.deepEqual(valuesOf((await vaultOf(node, VAULT)).heard, 'vault_held_share'), [0.25, 0.25]);
  },
);

onNode('what is no vault, or an empty one, or names itself or another asset, says nothing', async (node) => {
  const plain = await vaultOf(node, token);
  assert.deepEqual([plain.said.outcome, plain.heard.length], ['empty', 0], 'an ERC-20 without asset()');
  await node.store(VAULT, '0x1', '0x0');
  const empty = await vaultOf(node, VAULT);
  assert.deepEqual(
    empty.heard.map(({ outcome }) => outcome),
    ['empty', 'empty'],
  );
  await node.store(VAULT, '0x1', '0x64');
  const [params] = vaultHeldEndpoint.plan(factsOf('ethereum', VAULT, { 'evm_rpc.vault_asset': BORROWER }));
  assert.equal((await ask(node, vaultHeldEndpoint, params as Params)).outcome, 'empty', 'it changed its asset');
  await node.store(VAULT, '0x0', VAULT);
  assert.equal((await vaultOf(node, VAULT)).said.outcome, 'empty', 'a vault of itself');
});

test('a malformed reply gives no observation', () => {
  const [params] = vaultHeldEndpoint.plan(factsOf('ethereum', VAULT, { 'evm_rpc.vault_asset': BORROWER })) as readonly [
    Params,
  ];
  for (const result of ['0x', '0x00', `0x${'f'.repeat(640)}`, 'not hex']) {
    const heard = parseBody(vaultHeldEndpoint, params, { jsonrpc: '2.0', id: 1, result });
    assert.notEqual(heard.outcome, 'ok');
    assert.deepEqual(heard.drafts, []);
  }
});
