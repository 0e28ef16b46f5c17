import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Address, address, generateKeyPairSigner, type KeyPairSigner, lamports } from '@solana/kit';
import type { LiteSVM } from 'litesvm';
import { ethereum } from '../src/chains/ethereum.ts';
import { TOKEN_2022_PROGRAM } from '../src/chains/solana.ts';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { evmHoldings } from '../src/snapshots/holdings/evm.ts';
import { MOST_TOKENS } from '../src/snapshots/holdings/holdings.ts';
import { solanaHoldings } from '../src/snapshots/holdings/solana.ts';
import { createSolanaReader } from '../src/snapshots/solana/reader.ts';
import { createClassic } from '../src/sources/solana-rpc/fixtures/classic-mint.ts';
import { bytesOf, startChain } from '../src/sources/solana-rpc/fixtures/token-programs.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { SOLANA } from './support/rating-world.ts';
import { type SolanaNode, startSolanaNode } from './support/solana-node.ts';
import { compileContracts, TEST_CONTRACTS } from './support/solidity.ts';

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
const signal = () => AbortSignal.timeout(20_000);
before(() => {
  for (const label of ['node', 'blockscout'])
    upstream.setBudget(label, { perMinute: 1e6, burst: 1e6, concurrency: 8, shareSeconds: 0 });
});
after(() => upstream.close());
const rpc = (url: string) => ({ label: 'node', url, secretHeaders: {}, secretQuery: [] });

describe('an address of Solana', () => {
  let svm: LiteSVM;
  let payer: KeyPairSigner;
  let owner: KeyPairSigner;
  let node: SolanaNode;
  let mint: string;
  let other: string;
  let young: string;
  const read = (known: readonly string[] = []) => {
    const nodes = [rpc(node.url)];
    return solanaHoldings(upstream, nodes, createSolanaReader(upstream, nodes))(owner.address, known, signal());
  };

  before(async () => {
    ({ svm, payer } = await startChain());
    owner = await generateKeyPairSigner();
    svm.airdrop(owner.address, lamports(1_500_000_000n));
    const stranger = await generateKeyPairSigner();
    const first = await createClassic(svm, payer, payer, payer.address, [
      [owner.address, 2_500_000_000n],
      [stranger.address, 9_000_000_000n],
    ]);
    const second = await createClassic(svm, payer, payer, payer.address, [
      [owner.address, 1n],
      [stranger.address, 10n],
    ]);
    const empty = await createClassic(svm, payer, payer, payer.address, [[owner.address, 0n]]);
    mint = first.mint;
    other = second.mint;
    young = (await plantToken2022()).mint;
    const planted = (await plantToken2022(true)).account;
    node = await startSolanaNode(svm, [
      ...first.accounts,
      ...second.accounts,
      ...empty.accounts,
      youngAccount,
      planted,
    ]);
  });
  after(() => node.close());

  let youngAccount: Address = address('11111111111111111111111111111111');
  /** A mint of six decimals and the owner's account of it; `isLying`: more in the account than the mint says there is. */
  async function plantToken2022(isLying = false) {
    const [made, account] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    const bytes = Buffer.alloc(82);
    bytes.writeBigUInt64LE(isLying ? 1n : 8_000_000n, 36);
    bytes.writeUInt8(6, 44);
    bytes.writeUInt8(1, 45);
    const held = Buffer.alloc(166);
    held.set(bytesOf(made.address), 0);
    held.set(bytesOf(owner.address), 32);
    held.writeBigUInt64LE(7_000_000n, 64);
    held.writeUInt8(1, 108);
    held.writeUInt8(2, 165);
    for (const [key, data] of [
      [made.address, bytes],
      [account.address, held],
    ] as const)
      svm.setAccount({
        address: key,
        data: Uint8Array.from(data),
        executable: false,
        lamports: lamports(10_000_000n),
        programAddress: address(TOKEN_2022_PROGRAM),
        space: BigInt(data.length),
      });
    if (!isLying) youngAccount = account.address;
    return { mint: made.address as string, account: account.address };
  }

  test('has its coin and its tokens of both programs, whole; a balance above the supply has no quantity', async () => {
    const found = await read([other]);
    assert.ok(found.ok, JSON.stringify(found));
    const { held, complete, gaps, looked } = found.value;
    const byId = new Map(held.map(({ assetId, quantity }) => [assetId.slice(SOLANA.length), quantity]));
    assert.equal(byId.get('/slip44:501'), 1.5);
    assert.equal(byId.get(`/token:${mint}`), 2.5);
    assert.equal(byId.get(`/token:${young}`), 7);
    assert.deepEqual([...byId.values()].filter((quantity) => quantity === null).length, 1);
    assert.equal(held.length, 5, 'nothing of what is empty');
    assert.equal(held[1]?.assetId, `${SOLANA}/token:${other}`, 'what is known here comes first');
    assert.deepEqual([complete, gaps, looked], [true, [], 4]);
  });

  test('a node that lies or is away gives a fault, never a shorter list', async () => {
    for (const [lie, reason] of [
      ['every_account_twice', 'malformed'],
      ['not_base64', 'malformed'],
      ['forbidden', 'refused'],
    ] as const) {
      node.lie = lie;
      const found = await read();
      assert.deepEqual([found.ok, !found.ok && found.reason], [false, reason], lie);
    }
    node.lie = 'none';
    const nodes = [rpc('http://127.0.0.1:1')];
    const away = await solanaHoldings(upstream, nodes, createSolanaReader(upstream, nodes))(
      owner.address,
      [],
      signal(),
    );
    assert.equal(away.ok, false);
  });
});

describe('an address of an EVM chain', () => {
  let anvil: Anvil;
  let explorer: Server;
  let said: { status: number; body: string } = { status: 200, body: '[]' };
  const owner = '0x00000000000000000000000000000000000000aa';
  const token = async (decimals: number, supply: bigint, balance: bigint, mode = 0, name = 'Token') => {
    const { HeldToken } = compileContracts(['HeldToken'], TEST_CONTRACTS);
    const made = await anvil.deploy(HeldToken.abi, HeldToken.bytecode, [name, decimals, supply, owner, balance, mode]);
    return made.toLowerCase();
  };
  const read = (known: readonly string[], withExplorer = false) => {
    const nodes = [rpc(anvil.url)];
    const bound = explorer.address();
    const port = typeof bound === 'object' && bound ? bound.port : 0;
    const blockscout = withExplorer ? { base: `http://127.0.0.1:${port}/api/v2`, secretHeaders: {} } : null;
    const reader = createEvmReader(upstream, nodes);
    return evmHoldings({ upstream, chain: ethereum, nodes, reader, blockscout })(owner, known, signal());
  };
  const quantities = (held: readonly { assetId: string; quantity: number | null }[]) =>
    Object.fromEntries(held.map(({ assetId, quantity }) => [assetId.replace(/^eip155:1\/(erc20:)?/, ''), quantity]));

  before(async () => {
    anvil = await startAnvil();
    await anvil.client.setBalance({ address: owner, value: 2_250_000_000_000_000_000n });
    explorer = createServer((request, response) => {
      assert.equal(request.url, `/api/v2/addresses/${owner}/token-balances`);
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body);
    });
    explorer.listen(0, '127.0.0.1');
    await once(explorer, 'listening');
  });
  after(async () => {
    explorer.close();
    await anvil.stop();
  });

  test('equals the node’s balances of the coin and of known tokens; hostile contracts affect only themselves', async () => {
    const good = await token(6, 10_000_000n, 3_500_000n);
    const hostile = [
      await token(18, 100n, 50n, 1, '<script>'),
      await token(18, 100n, 50n, 2),
      await token(18, 100n, 50n, 3),
      await token(18, 100n, 2n ** 256n - 1n),
      await token(200, 100n, 50n),
    ];
    const nobody = '0x00000000000000000000000000000000000000bb';
    const found = await read([good, ...hostile, nobody]);
    assert.ok(found.ok, JSON.stringify(found));
    assert.deepEqual(quantities(found.value.held), {
      'slip44:60': 2.25,
      [good]: 3.5,
      [hostile[3] ?? '']: null,
      [hostile[4] ?? '']: null,
    });
    const { complete, gaps, looked } = found.value;
    assert.deepEqual([complete, gaps], [false, ['known_assets_only', 'unread']], 'no balance is not a balance of zero');
    assert.equal(looked, 3, 'three fail, and one is no contract');
    assert.equal(found.value.height, Number(await anvil.client.getBlockNumber({ cacheTime: 0 })));
  });

  test('an explorer names tokens and no balances; its silence and its invalid replies are reported', async () => {
    const listed = await token(18, 10n ** 21n, 4n * 10n ** 18n);
    const item = (hash: string, type = 'ERC-20', value = '999999999999999999999999') => ({
      token: { address_hash: hash, type, name: '\u202e' },
      value,
    });
    said = {
      status: 200,
      body: JSON.stringify([
        item(listed),
        item(`0x${'c'.repeat(40)}`),
        item(`0x${'0'.repeat(39)}8`),
        item(listed, 'ERC-721'),
      ]),
    };
    const found = await read([], true);
    assert.ok(found.ok);
    assert.deepEqual(quantities(found.value.held), { 'slip44:60': 2.25, [listed]: 4 });
    assert.deepEqual([found.value.complete, found.value.gaps], [false, ['explorer_list', 'unread']]);
    for (const answer of [
      { status: 500, body: 'x' },
      { status: 200, body: '{"items":[]}' },
      { status: 200, body: '[{"token":null}]' },
    ]) {
      said = answer;
      const without = await read([listed], true);
      assert.ok(without.ok);
      assert.deepEqual(without.value.gaps, ['explorer_silent'], answer.body);
      assert.equal(quantities(without.value.held)[listed], 4);
    }
  });

  test('a token sent by a stranger whose contract burns all gas hides no other one', async () => {
    const [good, trap] = [await token(6, 10_000_000n, 3_500_000n), await token(18, 100n, 50n, 4)];
    said = { status: 200, body: JSON.stringify([{ token: { address_hash: trap, type: 'ERC-20' }, value: '50' }]) };
    const found = await read([good], true);
    assert.ok(found.ok, JSON.stringify(found));
    assert.deepEqual(quantities(found.value.held), { 'slip44:60': 2.25, [good]: 3.5, [trap]: null });
  });

  test('more tokens than the limit are reported as cut off', async () => {
    const good = await token(18, 10n ** 20n, 10n ** 18n);
    const crowd = Array.from({ length: MOST_TOKENS }, (_, at) => `0x${(2 ** 40 + at).toString(16).padStart(40, '0')}`);
    const found = await read([good, ...crowd]);
    assert.ok(found.ok);
    assert.equal(quantities(found.value.held)[good], 1);
    assert.deepEqual([found.value.gaps, found.value.looked], [['known_assets_only', 'cut', 'unread'], 1]);
  });
});
