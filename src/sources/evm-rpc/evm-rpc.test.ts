import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MULTICALL3 } from '../../chains/codecs/abi.ts';
import { drive, factsOf, type ParsedBody, valuesOf } from '../fixtures/drive.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';
import { evmRpc } from './index.ts';

const TOKEN = '0x1000000000000000000000000000000000000001';
const EARLY = '0x1000000000000000000000000000000000000002';
const CLONE = '0x1000000000000000000000000000000000000003';
const PROXIED = '0x1000000000000000000000000000000000000004';
const UUPS = '0x1000000000000000000000000000000000000005';
const WALLET = '0x2000000000000000000000000000000000000001';
const SAFE = '0x2000000000000000000000000000000000000002';
const PRETENDER = '0x2000000000000000000000000000000000000003';
const ADMIN = '0x2000000000000000000000000000000000000004';
const ONE_KEY_SAFE = '0x2000000000000000000000000000000000000005';
const DEAD = '0x000000000000000000000000000000000000dead';
const SINGLETON = '0x41675c099f32341bf84bfc5382af534df5c7461a';
const SAFE_PROXY_CODE =
  '0x608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033';
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';
const SUPPLY = 123_456_789_000_000_000_000_000_001n;

let anvil: Anvil | null = null;

before(async () => {
  anvil = await startAnvil();
  if (!anvil) return;
  await Promise.all([
    anvil.place(MULTICALL3, 'Aggregate'),
    anvil.place(TOKEN, 'Token'),
    anvil.place(EARLY, 'EarlyToken'),
    anvil.place(SINGLETON, 'Singleton'),
    anvil.place(PRETENDER, 'Pretender'),
    anvil.place(ADMIN, 'Admin'),
    anvil.place(PROXIED, 'Proxy'),
    anvil.place(UUPS, 'Proxy'),
    anvil.rpc('anvil_setCode', [SAFE, SAFE_PROXY_CODE]),
    anvil.rpc('anvil_setCode', [ONE_KEY_SAFE, SAFE_PROXY_CODE]),
    anvil.rpc('anvil_setCode', [CLONE, `0x363d3d373d3d3d363d73${TOKEN.slice(2)}5af43d82803e903d91602b57fd5bf3`]),
  ]);
  await Promise.all([
    anvil.store(TOKEN, '0x1', `0x${SUPPLY.toString(16)}`),
    anvil.store(EARLY, '0x0', '0xf4240'),
    anvil.store(SAFE, '0x0', SINGLETON),
    anvil.store(SAFE, '0x4', '0x3'),
    anvil.store(ONE_KEY_SAFE, '0x0', SINGLETON),
    anvil.store(ONE_KEY_SAFE, '0x4', '0x1'),
    anvil.store(ADMIN, '0x0', SAFE),
    anvil.store(PROXIED, IMPLEMENTATION_SLOT, TOKEN),
    anvil.store(PROXIED, ADMIN_SLOT, ADMIN),
    anvil.store(UUPS, IMPLEMENTATION_SLOT, TOKEN),
    anvil.store(UUPS, '0x0', WALLET),
  ]);
});
after(() => anvil?.stop());

/** Runs on a real node, or says why it does not. */
function onNode(claim: string, run: (node: Anvil) => Promise<void>): void {
  test(claim, async (t) => (anvil ? run(anvil) : t.diagnostic('skipped: anvil is not installed here')));
}

async function ask(node: Anvil, token: string, learned = {}): Promise<readonly ParsedBody[]> {
  return drive(evmRpc, factsOf('ethereum', token, learned), node.url);
}

async function withOwner(node: Anvil, owner: string, learned = {}): Promise<readonly ParsedBody[]> {
  await node.store(TOKEN, '0x0', owner);
  return ask(node, TOKEN, learned);
}

onNode('a token is read in one call, its supply exact and its two operators two families', async (node) => {
  const heard = await withOwner(node, WALLET);
  assert.deepEqual(valuesOf(heard, 'total_supply'), [123_456_789, 123_456_789]);
  assert.deepEqual(valuesOf(heard, 'decimals'), [18, 18]);
  assert.deepEqual(valuesOf(heard, 'registry_name')[0], 'Token of the tests é');
  const families = heard
    .filter((one) => one.endpoint === 'token')
    .flatMap((one) => one.drafts.map((draft) => draft.family));
  assert.deepEqual([...new Set(families)], ['chain:ethereum', 'chain:ethereum_2']);
});

onNode('a contract without DELEGATECALL is no proxy, and its slots are not asked for', async (node) => {
  const heard = await withOwner(node, WALLET);
  assert.deepEqual(valuesOf(heard, 'is_proxy'), [false, false]);
  assert.equal(
    heard.some((one) => one.endpoint === 'proxy_slots'),
    false,
  );
});

onNode('a name in bytes32 is read, and a missing owner is not "renounced"', async (node) => {
  const heard = await ask(node, EARLY);
  assert.equal(valuesOf(heard, 'registry_name')[0], 'Early');
  assert.equal(valuesOf(heard, 'registry_symbol')[0], 'ERL');
  assert.equal(valuesOf(heard, 'total_supply')[0], 1);
  assert.deepEqual(valuesOf(heard, 'owner_state'), []);
});

onNode('an owner without code is one key', async (node) => {
  assert.deepEqual(valuesOf(await withOwner(node, WALLET), 'owner_state'), ['eoa', 'eoa']);
});

onNode('the zero owner is renounced', async (node) => {
  assert.deepEqual(valuesOf(await withOwner(node, '0x0'), 'owner_state'), ['none', 'none']);
});

onNode('a real Safe proxy of three signatures is a multisig', async (node) => {
  assert.deepEqual(valuesOf(await withOwner(node, SAFE), 'owner_state'), ['multisig', 'multisig']);
});

onNode('a Safe that one signature satisfies is one key', async (node) => {
  assert.deepEqual(valuesOf(await withOwner(node, ONE_KEY_SAFE), 'owner_state'), ['eoa', 'eoa']);
});

onNode('a contract that only answers like a Safe and a timelock is a contract', async (node) => {
  assert.deepEqual(valuesOf(await withOwner(node, PRETENDER), 'owner_state'), ['contract', 'contract']);
});

onNode(
  "a mint function makes the owner's key the mint key; without a scanner's word nothing is said of it",
  async (node) => {
    const told = await withOwner(node, WALLET, { 'goplus.powers': { mint: true, freeze: false } });
    assert.deepEqual(valuesOf(told, 'mint_authority_state'), ['eoa', 'eoa']);
    assert.deepEqual(valuesOf(told, 'freeze_authority_state'), []);
    assert.deepEqual(valuesOf(await withOwner(node, WALLET), 'mint_authority_state'), []);
  },
);

onNode('behind a transparent proxy stands the owner of its admin contract', async (node) => {
  const heard = await ask(node, PROXIED);
  assert.deepEqual(valuesOf(heard, 'is_proxy'), [true, true]);
  assert.deepEqual(valuesOf(heard, 'proxy_implementation'), [TOKEN, TOKEN]);
  assert.deepEqual(valuesOf(heard, 'proxy_admin_state'), ['multisig', 'multisig']);
});

onNode('an upgradable implementation without admin is upgraded by the owner', async (node) => {
  assert.deepEqual(valuesOf(await ask(node, UUPS), 'proxy_admin_state'), ['eoa', 'eoa']);
});

onNode('a minimal clone cannot be changed', async (node) => {
  const heard = await ask(node, CLONE);
  assert.deepEqual(valuesOf(heard, 'is_proxy'), [false, false]);
  assert.deepEqual(valuesOf(heard, 'proxy_admin_state'), ['immutable', 'immutable']);
});

onNode('burn addresses with a balance are labelled', async (node) => {
  await node.store(TOKEN, '0x0', WALLET);
  await node.rpc('anvil_impersonateAccount', [WALLET]);
  await node.rpc('anvil_setBalance', [WALLET, '0xde0b6b3a7640000']);
  const mint = `0x40c10f19${DEAD.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`;
  await node.send({ from: WALLET, to: TOKEN, data: mint });
  const heard = await ask(node, TOKEN);
  assert.deepEqual(valuesOf(heard, 'holder_labels')[0], [{ address: DEAD, kind: 'burn', label: 'burn address' }]);
  const [decimals = 0] = valuesOf(heard, 'decimals').map(Number);
  assert.deepEqual(valuesOf(heard, 'burned_tokens').map(Number), [10 ** -decimals, 10 ** -decimals]);
});

onNode('an address without code is not found, and nothing is said about it', async (node) => {
  const all = await ask(node, '0x3000000000000000000000000000000000000009');
  const heard = all.filter((one) => !['head', 'sanctions'].includes(one.endpoint));
  assert.deepEqual([...new Set(heard.map((one) => one.outcome))], ['not_found', 'empty']);
  assert.equal(heard.flatMap((one) => one.drafts).length, 0);
});
