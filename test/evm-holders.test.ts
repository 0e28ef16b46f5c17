import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Abi, Address, Hex } from 'viem';
import { blockscoutHolders } from '../src/chain/evm/holders/blockscout.ts';
import { emptyLedger, type Ledger, loadLedger, saveLedger, tableOf } from '../src/chain/evm/holders/ledger.ts';
import { scanTransfers } from '../src/chain/evm/holders/scan-transfers.ts';
import { TRANSFER } from '../src/chain/evm/holders/transfer.ts';
import { verifyLedger } from '../src/chain/evm/holders/verify.ts';
import { createEvmReader } from '../src/chain/evm/reader.ts';
import { readErc20 } from '../src/chain/evm/token.ts';
import type { EvmBlock, EvmLog, EvmReader } from '../src/chain/evm/types.ts';
import { balanceOf, totalOf } from '../src/chain/holders/balance-table.ts';
import { EVM_KEYS } from '../src/chain/holders/key-forms.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { systemResolver } from '../src/upstream/resolver.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';

type Lie = 'none' | 'too_large' | 'twice' | 'left_out' | 'other_blocks' | 'error_in_200' | 'cut' | 'stall';
const require = createRequire(import.meta.url);
const artifact = JSON.parse(
  readFileSync(
    require.resolve('@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json', {
      paths: [require.resolve('@uniswap/v3-periphery/package.json')],
    }),
    'utf8',
  ),
) as { abi: Abi; bytecode: Hex };
const SUPPLY = 10n ** 27n;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let anvil: Anvil;
let token: Address;
let proxy: Server;
let proxyUrl = '';
let lie: Lie = 'none';
const owners: Address[] = [];

before(async () => {
  anvil = await startAnvil();
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  await anvil.mine(7);
  token = await anvil.deploy(artifact.abi, artifact.bytecode, ['Old Oak', 'OAK', SUPPLY, anvil.accounts[0]?.address]);
  proxy = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on(
      'end',
      () =>
        void lying(body).then((text) => {
          if (text === null) return;
          response.setHeader('content-type', 'application/json');
          if (lie === 'cut' && body.includes('eth_getLogs')) {
            response.setHeader('content-length', text.length);
            response.write(text.slice(0, text.length >> 1));
            setTimeout(() => response.destroy(), 20);
          } else response.end(text);
        }),
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const bound = proxy.address();
  proxyUrl = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  for (let index = 0; index < 40; index += 1) owners.push(`0x${(index + 0x1000).toString(16).padStart(40, '0')}`);
  for (let index = 0; index < 120; index += 1) {
    await give(owners[index % owners.length] as Address, BigInt(index + 1) * 10n ** 18n);
    if (index % 10 === 0) await anvil.mine(3);
  }
  await anvil.send(token, artifact.abi, 'burn', [5n * 10n ** 18n]);
});
after(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await upstream.close();
  await anvil.stop();
});

const give = (to: Address, amount: bigint) => anvil.send(token, artifact.abi, 'transfer', [to, amount]);
const nodeAt = (url: string) => createEvmReader(upstream, [{ label: 'node', url, secretHeaders: {}, secretQuery: [] }]);

/** Passes calls on to the chain, and lies about logs as it is told. */
async function lying(body: string): Promise<string | null> {
  const call = JSON.parse(body) as {
    readonly method: string;
    readonly params: readonly { fromBlock: string; toBlock: string }[];
  };
  const isLogs = call.method === 'eth_getLogs';
  if (isLogs && lie === 'stall') return null;
  if (isLogs && lie === 'error_in_200')
    return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'header not found' } });
  const [query] = call.params;
  if (isLogs && lie === 'too_large' && query && Number(query.toBlock) - Number(query.fromBlock) >= 9)
    return JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32005, message: 'query exceeds max block range 10' },
    });
  const reply = await fetch(anvil.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const answer = (await reply.json()) as { result: unknown };
  if (!isLogs || !Array.isArray(answer.result)) return JSON.stringify(answer);
  const logs = answer.result as readonly Record<string, unknown>[];
  if (lie === 'twice') return JSON.stringify({ ...answer, result: [...logs, ...logs] });
  if (lie === 'left_out') return JSON.stringify({ ...answer, result: logs.filter((_, index) => index % 7 !== 3) });
  if (lie === 'other_blocks')
    return JSON.stringify({ ...answer, result: logs.map((log) => ({ ...log, blockNumber: '0xffffff' })) });
  return JSON.stringify(answer);
}

function scan(ledger: Ledger | null = null, told: Lie = 'none') {
  lie = told;
  return scanTransfers({
    reader: nodeAt(proxyUrl),
    token: token.toLowerCase() as Hex,
    ledger,
    from: null,
    reorgDepth: 12,
    signal: AbortSignal.timeout(told === 'stall' ? 800 : 20_000),
  });
}

/** What the contract itself says of everybody, at the newest block. */
async function assertTrue(ledger: Ledger): Promise<void> {
  const { table } = tableOf(ledger);
  let sum = 0n;
  for (const owner of [...owners, anvil.accounts[0]?.address as Address]) {
    const said = (await anvil.read(token, artifact.abi, 'balanceOf', [owner])) as bigint;
    assert.equal(balanceOf(table, EVM_KEYS.keyOf(owner) ?? new Uint8Array()), said, owner);
    sum += said;
  }
  assert.equal(totalOf(table), sum);
  assert.equal(sum, await anvil.read(token, artifact.abi, 'totalSupply'));
}

test('holders from logs are what the contract says of each, burned tokens gone, the deployment found by itself', async () => {
  const found = await scan();
  assert.ok(found.ok, found.ok ? '' : found.detail);
  assert.equal(found.value.from, 8);
  await assertTrue(found.value);
  const verified = await verifyLedger(nodeAt(anvil.url), found.value);
  assert.ok(verified.ok);
  assert.deepEqual([verified.value.mismatches, verified.value.checked, verified.value.warnings], [0, 41, []]);
  assert.deepEqual([verified.value.token.symbol, verified.value.token.decimals], ['OAK', 18]);
});

test('a node that gives ten blocks at a time is asked for ten blocks at a time', async () => {
  const found = await scan(null, 'too_large');
  assert.ok(found.ok, found.ok ? '' : found.detail);
  assert.ok(found.value.range <= 10, String(found.value.range));
  await assertTrue(found.value);
});

test('a scan that was killed goes on from its saved bytes, and damaged bytes are refused', async () => {
  const first = await scan();
  assert.ok(first.ok);
  const saved = saveLedger(first.value);
  await give(owners[3] as Address, 77n);
  const loaded = loadLedger(saved, token.toLowerCase() as Hex);
  assert.ok(loaded);
  const resumed = await scan(loaded);
  assert.ok(resumed.ok);
  await assertTrue(resumed.value);
  assert.equal(loadLedger(saved, '0x0000000000000000000000000000000000000001'), null);
  assert.equal(loadLedger(saved.subarray(0, 100), token.toLowerCase() as Hex), null);
});

for (const depth of [1, 4, 9])
  test(`a reorganisation of ${depth} blocks is undone and read again`, async () => {
    const start = await anvil.client.snapshot();
    for (let index = 0; index < depth; index += 1) await give(owners[index] as Address, 1_000n + BigInt(index));
    const before = await scan();
    assert.ok(before.ok);
    await anvil.client.revert({ id: start });
    await anvil.client.increaseTime({ seconds: 30 });
    for (let index = 0; index < depth + 1; index += 1) await give(owners[39 - index] as Address, 5n);
    const after = await scan(before.value);
    assert.ok(after.ok, after.ok ? '' : after.detail);
    await assertTrue(after.value);
  });

test('a reorganisation deeper than expected is a fault, not a wrong list', async () => {
  const start = await anvil.client.snapshot();
  for (let index = 0; index < 20; index += 1) await give(owners[index] as Address, 9n);
  const before = await scan();
  assert.ok(before.ok);
  await anvil.client.revert({ id: start });
  await anvil.client.increaseTime({ seconds: 60 });
  await anvil.mine(30);
  const after = await scan(before.value);
  assert.equal(after.ok ? 'a list' : after.reason, 'reorganised');
});

for (const [told, reason] of [
  ['twice', 'malformed'],
  ['other_blocks', 'malformed'],
  ['error_in_200', 'unreachable'],
  ['cut', 'malformed'],
] as const)
  test(`a node that lies about logs (${told}) gives a fault and no list`, async () => {
    const found = await scan(null, told);
    assert.equal(found.ok ? 'a list' : found.reason, reason);
  });

test('a node that stalls is left when the caller leaves', async () => {
  const found = await scan(null, 'stall');
  assert.equal(found.ok ? 'a list' : found.reason, 'cancelled');
});

test('logs that are left out show in the balances that the contract itself tells', async () => {
  const found = await scan(null, 'left_out');
  assert.ok(found.ok);
  const verified = await verifyLedger(nodeAt(anvil.url), found.value);
  assert.ok(verified.ok);
  assert.ok(verified.value.mismatches > 0);
  assert.ok(verified.value.warnings.length > 0);
});

test('what is no token is not found', async () => {
  const found = await readErc20(nodeAt(anvil.url), '0x00000000000000000000000000000000000000aa', 'latest');
  assert.equal(found.ok ? '' : found.reason, 'not_found');
  const wallet = await scanTransfers({
    reader: nodeAt(anvil.url),
    token: '0x00000000000000000000000000000000000000aa',
    ledger: null,
    from: null,
    reorgDepth: 5,
  });
  assert.equal(wallet.ok ? '' : wallet.reason, 'not_found');
});

test('any blocks and reorganisations leave the balances that a fresh replay gives', async () => {
  // A chain that is reorganised grows longer by it: more blocks come than go.
  const transfers = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 50 })), { maxLength: 3 });
  const step = fc.record({ cut: fc.nat({ max: 6 }), blocks: fc.array(transfers, { minLength: 7, maxLength: 10 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const chain = toyChain();
      let ledger: Ledger = emptyLedger(TOKEN, 0);
      for (const [turn, { cut, blocks }] of steps.entries()) {
        chain.cut(cut);
        for (const transfers of blocks) chain.add(turn, transfers);
        const found = await scanTransfers({ reader: chain.reader, token: TOKEN, ledger, from: 0, reorgDepth: 8 });
        assert.ok(found.ok, found.ok ? '' : found.detail);
        ledger = loadLedger(saveLedger(found.value), TOKEN) ?? ledger;
        const fresh = await scanTransfers({ reader: chain.reader, token: TOKEN, ledger: null, from: 0, reorgDepth: 8 });
        assert.ok(fresh.ok);
        const sorted = (one: Ledger) => [...one.balances].sort();
        assert.deepEqual(sorted(ledger), sorted(fresh.value));
      }
    }),
    { numRuns: 60 },
  );
});

const TOKEN: Hex = `0x${'11'.repeat(20)}`;
const ownerOf = (index: number): Hex => `0x${index.toString(16).padStart(40, '0')}`;

/** A chain in memory whose newest blocks can be replaced. */
function toyChain() {
  const blocks: (EvmBlock & { readonly logs: readonly EvmLog[] })[] = [];
  let serial = 0;
  const add = (turn: number, transfers: readonly (readonly [number, number, number])[]) => {
    const number = blocks.length;
    serial += 1;
    const hash: Hex = `0x${(turn * 1_000 + serial).toString(16).padStart(64, '0')}`;
    const logs = transfers.map(([from, to, value], logIndex) => ({
      address: TOKEN,
      topics: [TRANSFER, ...[from, to].map((owner): Hex => `0x${ownerOf(owner).slice(2).padStart(64, '0')}`)],
      data: `0x${value.toString(16).padStart(64, '0')}` as Hex,
      blockNumber: number,
      blockHash: hash,
      logIndex,
    }));
    blocks.push({ number, hash, parentHash: blocks.at(-1)?.hash ?? hash, timestamp: number, logs });
  };
  add(0, []);
  const reader: EvmReader = {
    block: async (which) => {
      const found = typeof which === 'number' ? blocks[which] : blocks.at(-1);
      return found ? { ok: true, value: found } : { ok: false, reason: 'not_found', detail: '' };
    },
    logs: async ({ fromBlock, toBlock }) => ({
      ok: true,
      value: blocks.slice(fromBlock, toBlock + 1).flatMap((block) => block.logs),
    }),
    calls: () => Promise.reject(new Error('no calls here')),
    code: () => Promise.reject(new Error('no code here')),
    storage: () => Promise.reject(new Error('no storage here')),
  };
  return { reader, add, cut: (count: number) => void blocks.splice(Math.max(1, blocks.length - count)) };
}

const rows = Array.from({ length: 7 }, (_, index) => ({
  address: { hash: ownerOf(index + 1) },
  value: String(1_000 - index),
}));
async function blockscout(pageOf: (page: number) => unknown) {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        url.pathname.endsWith('/holders') ? pageOf(Number(url.searchParams.get('page') ?? 0)) : { holders_count: '7' },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  upstream.setBudget('blockscout', { perMinute: 1e6, burst: 1e6, concurrency: 4, shareSeconds: 0 });
  const base = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  const found = await blockscoutHolders({ upstream, base, secretHeaders: {}, token: TOKEN, mostPages: 10 });
  server.closeAllConnections();
  server.close();
  return found;
}

test('pages of an indexer are put together; a page that is repeated or out of order is a fault', async () => {
  const pages = (page: number) => ({
    items: rows.slice(page * 3, page * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  });
  const good = await blockscout(pages);
  assert.ok(good.ok);
  assert.deepEqual([good.value.table.count, good.value.holderCount, good.value.pages], [7, 7, 3]);
  const repeated = await blockscout((page) => ({ ...pages(0), next_page_params: { page: page + 1 } }));
  assert.equal(repeated.ok ? '' : repeated.detail, 'a page of holders came twice');
  const disordered = await blockscout((page) => ({
    items: rows.slice((2 - page) * 3, (2 - page) * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  }));
  assert.equal(disordered.ok ? '' : disordered.detail, 'the pages of holders are out of order');
});
