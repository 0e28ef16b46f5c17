import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Abi, Address, Hex } from 'viem';
import { blockscoutHolders } from '../src/chain/evm/holders/blockscout.ts';
import { emptyLedger, type Holdings, type Ledger, tableOf } from '../src/chain/evm/holders/ledger.ts';
import { loadLedger, saveLedger } from '../src/chain/evm/holders/saved-ledger.ts';
import { scanTransfers } from '../src/chain/evm/holders/scan-transfers.ts';
import { TRANSFER } from '../src/chain/evm/holders/transfer.ts';
import { verifyHoldings } from '../src/chain/evm/holders/verify.ts';
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
async function assertTrue(holdings: Holdings): Promise<void> {
  const { table } = tableOf(holdings);
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
  assert.equal(found.value.ledger.from, 8);
  await assertTrue(found.value);
  const verified = await verifyHoldings(nodeAt(anvil.url), found.value);
  assert.ok(verified.ok);
  assert.deepEqual([verified.value.mismatches, verified.value.checked, verified.value.warnings], [0, 41, []]);
  assert.deepEqual([verified.value.token.symbol, verified.value.token.decimals], ['OAK', 18]);
});

test('a node that gives ten blocks at a time is asked for ten blocks at a time', async () => {
  const found = await scan(null, 'too_large');
  assert.ok(found.ok, found.ok ? '' : found.detail);
  assert.ok(found.value.ledger.range <= 10, String(found.value.ledger.range));
  await assertTrue(found.value);
});

test('a scan that was killed goes on from its saved bytes, and damaged bytes are refused', async () => {
  const first = await scan();
  assert.ok(first.ok);
  const saved = [...saveLedger(first.value.ledger, 200)];
  assert.ok(saved.length > 3);
  await give(owners[3] as Address, 77n);
  const loaded = loadLedger(saved, token.toLowerCase() as Hex);
  assert.ok(loaded);
  const resumed = await scan(loaded);
  assert.ok(resumed.ok);
  await assertTrue(resumed.value);
  assert.equal(loadLedger(saved, '0x0000000000000000000000000000000000000001'), null);
  const mine = token.toLowerCase() as Hex;
  for (const damaged of [
    [],
    saved.slice(0, -1),
    [saved[0]?.subarray(0, 50) ?? saved[1], ...saved.slice(1)],
    [...saved.slice(0, -1), saved.at(-1)?.subarray(0, 25)],
    [...saved, saved[1]],
  ])
    assert.equal(loadLedger(damaged as Uint8Array[], mine), null);
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
    const after = await scan(before.value.ledger);
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
  const after = await scan(before.value.ledger);
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
  const verified = await verifyHoldings(nodeAt(anvil.url), found.value);
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

// A reorganisation takes at most three blocks and the chain grows longer by it, as chains do.
const transfersArb = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 50 })), { maxLength: 3 });
const change = fc.record({ cut: fc.nat({ max: 3 }), blocks: fc.array(transfersArb, { minLength: 4, maxLength: 6 }) });
type Change = { cut: number; blocks: [number, number, number][][] };

test('whatever the chain does between any two calls of a scan, the balances are those of the block it names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 2, maxLength: 6 }),
      fc.array(fc.option(change, { freq: 3 }), { maxLength: 40 }),
      async (first, between) => {
        const chain = toyChain();
        const apply = ({ cut, blocks }: Change) => {
          chain.cut(cut);
          for (const transfers of blocks) chain.add(transfers);
        };
        let ledger: Ledger | null = emptyLedger(TOKEN, 0);
        const waiting = [...between];
        chain.beforeCall(() => {
          const next = waiting.shift();
          if (next) apply(next);
        });
        for (const step of first) {
          apply(step);
          const found = await scanTransfers({ reader: chain.reader, token: TOKEN, ledger, from: 0, reorgDepth: 8 });
          if (!found.ok) {
            // Changing at every look, it may never hold still; then there is no list, and nothing wrong is kept.
            assert.match(found.detail, /kept changing/);
            ledger = null;
            continue;
          }
          assert.equal(chain.hashAt(found.value.at.number), found.value.at.hash);
          const { table, hasHoles } = tableOf(found.value);
          const truth = chain.truth(found.value.at.number);
          const held = [...truth].filter(([, balance]) => balance > 0n);
          assert.equal(table.count, held.length);
          for (const [owner, balance] of held)
            assert.equal(balanceOf(table, EVM_KEYS.keyOf(owner) ?? new Uint8Array()), balance);
          assert.equal(
            hasHoles,
            [...truth.values()].some((balance) => balance < 0n),
          );
          ledger = loadLedger([...saveLedger(found.value.ledger, 256)], TOKEN);
          assert.ok(ledger);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('a node that is behind what was read before changes nothing and is no reorganisation', async () => {
  const chain = toyChain();
  for (let index = 0; index < 30; index += 1) chain.add([[1, 2, 5]]);
  const first = await scanTransfers({ reader: chain.reader, token: TOKEN, ledger: null, from: 0, reorgDepth: 8 });
  assert.ok(first.ok);
  const saved = [...saveLedger(first.value.ledger)];
  chain.cut(20);
  const lagging = await scanTransfers({
    reader: chain.reader,
    token: TOKEN,
    ledger: first.value.ledger,
    from: 0,
    reorgDepth: 8,
  });
  assert.equal(lagging.ok ? '' : lagging.reason, 'unreachable');
  assert.deepEqual([...saveLedger(first.value.ledger)], saved);
});

test('a scan that is killed between any two ranges and goes on from what was saved equals one that ran through', async () => {
  const chain = toyChain();
  for (let index = 0; index < 200; index += 1) chain.add([[index % 5, (index * 3) % 5, index]]);
  const scanFrom = (ledger: Ledger | null, onProgress?: (one: Ledger) => Promise<void>) =>
    scanTransfers({
      reader: chain.reader,
      token: TOKEN,
      ledger: ledger ?? { ...emptyLedger(TOKEN, 0), range: 3 },
      from: 0,
      reorgDepth: 8,
      ...(onProgress ? { onProgress } : {}),
    });
  const whole = await scanFrom(null);
  assert.ok(whole.ok);
  for (let kill = 1; kill <= 6; kill += 1) {
    let saved: Uint8Array[] = [];
    let ranges = 0;
    const killed = scanFrom(null, async (ledger) => {
      saved = [...saveLedger(ledger)];
      ranges += 1;
      if (ranges === kill) throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    const resumed = await scanFrom(loadLedger(saved, TOKEN));
    assert.ok(resumed.ok);
    const sorted = ({ ledger }: Holdings) => [...ledger.balances].sort();
    assert.deepEqual(sorted(resumed.value), sorted(whole.value));
    assert.deepEqual([...resumed.value.tail].sort(), [...whole.value.tail].sort());
  }
});

test('a list that the token itself contradicts, or will not confirm, is not called complete', async () => {
  const found = await scan(null, 'left_out');
  assert.ok(found.ok);
  const verified = await verifyHoldings(nodeAt(anvil.url), found.value);
  assert.ok(verified.ok && !verified.value.holds);
  const silent: EvmReader = {
    ...nodeAt(anvil.url),
    calls: async (calls, block, signal) => {
      const reply = await nodeAt(anvil.url).calls(calls, block, signal);
      if (!reply.ok) return reply;
      const results = reply.value.results.map((result, index) =>
        calls[index]?.data.startsWith('0x70a08231') ? null : result,
      );
      return { ok: true, value: { ...reply.value, results } };
    },
  };
  const good = await scan();
  assert.ok(good.ok);
  const unconfirmed = await verifyHoldings(silent, good.value);
  assert.ok(unconfirmed.ok);
  assert.deepEqual([unconfirmed.value.holds, unconfirmed.value.checked], [false, 0]);
});

const TOKEN: Hex = `0x${'11'.repeat(20)}`;
const ownerOf = (index: number): Hex => `0x${index.toString(16).padStart(40, '0')}`;

/** A chain in memory whose newest blocks can be replaced. */
function toyChain() {
  const blocks: (EvmBlock & { readonly logs: readonly EvmLog[] })[] = [];
  let serial = 0;
  let before = (): void => undefined;
  const add = (transfers: readonly (readonly [number, number, number])[]) => {
    const number = blocks.length;
    serial += 1;
    const hash: Hex = `0x${serial.toString(16).padStart(64, '0')}`;
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
  add([]);
  const reader: EvmReader = {
    block: async (which) => {
      before();
      const found = typeof which === 'number' ? blocks[which] : blocks.at(-1);
      return found ? { ok: true, value: found } : { ok: false, reason: 'not_found', detail: '' };
    },
    logs: async ({ fromBlock, toBlock }) => {
      before();
      return { ok: true, value: blocks.slice(fromBlock, toBlock + 1).flatMap((block) => block.logs) };
    },
    calls: () => Promise.reject(new Error('no calls here')),
    code: () => Promise.reject(new Error('no code here')),
    storage: () => Promise.reject(new Error('no storage here')),
  };
  return {
    reader,
    add,
    cut: (count: number) => void blocks.splice(Math.max(1, blocks.length - count)),
    beforeCall: (listener: () => void) => {
      before = listener;
    },
    hashAt: (number: number) => blocks[number]?.hash,
    /** Balances after the blocks up to `number`, those of the zero address left out. */
    truth(number: number): ReadonlyMap<Hex, bigint> {
      const balances = new Map<Hex, bigint>();
      for (const { topics, data } of blocks.slice(0, number + 1).flatMap((block) => block.logs)) {
        const [from, to] = [topics[1], topics[2]].map((topic): Hex => `0x${topic?.slice(26)}`) as [Hex, Hex];
        balances.set(from, (balances.get(from) ?? 0n) - BigInt(data));
        balances.set(to, (balances.get(to) ?? 0n) + BigInt(data));
      }
      balances.delete(ownerOf(0));
      return balances;
    },
  };
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
  const overlapping = await blockscout((page) => ({
    items: rows.slice(Math.max(0, page * 3 - 1), page * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  }));
  assert.ok(overlapping.ok, 'a row that moved onto the next page');
  assert.equal(overlapping.value.table.count, 7);
  const repeated = await blockscout((page) => ({ ...pages(0), next_page_params: { page: page + 1 } }));
  assert.equal(repeated.ok ? '' : repeated.detail, 'a page of holders came twice');
  const disordered = await blockscout((page) => ({
    items: rows.slice((2 - page) * 3, (2 - page) * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  }));
  assert.equal(disordered.ok ? '' : disordered.detail, 'the pages of holders are out of order');
});
