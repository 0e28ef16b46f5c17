import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Abi, Address, Hex } from 'viem';
import { verifyHoldings } from '../src/snapshots/evm/holders.ts';
import { type Holdings, type Ledger, loadLedger, readErc20, saveLedger, tableOf } from '../src/snapshots/evm/ledger.ts';
import type { EvmReader } from '../src/snapshots/evm/reader.ts';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { scanTransfers } from '../src/snapshots/evm/scan-transfers.ts';
import { balanceOf, EVM_KEYS, totalOf } from '../src/snapshots/holders/balance-table.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
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

test('holders from logs match the contract’s balances, without burned tokens, and the deployment block is found', async () => {
  const found = await scan();
  assert.ok(found.ok, found.ok ? '' : found.detail);
  assert.equal(found.value.ledger.from, 8);
  await assertTrue(found.value);
  const verified = await verifyHoldings(nodeAt(anvil.url), found.value);
  assert.ok(verified.ok);
  assert.deepEqual([verified.value.mismatches, verified.value.checked, verified.value.warnings], [0, 41, []]);
  assert.deepEqual([verified.value.token.symbol, verified.value.token.decimals], ['OAK', 18]);
});

test('a node that serves ten blocks at a time gets requests of ten blocks', async () => {
  const found = await scan(null, 'too_large');
  assert.ok(found.ok, found.ok ? '' : found.detail);
  assert.ok(found.value.ledger.range <= 10, String(found.value.ledger.range));
  await assertTrue(found.value);
});

test('a scan that was killed continues from its saved bytes, and damaged bytes are refused', async () => {
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
  test(`a node with false logs (${told}) gives a fault and no list`, async () => {
    const found = await scan(null, told);
    assert.equal(found.ok ? 'a list' : found.reason, reason);
  });

test('a node that stalls is left when the caller leaves', async () => {
  const found = await scan(null, 'stall');
  assert.equal(found.ok ? 'a list' : found.reason, 'cancelled');
});

test('missing logs are detected by the balances of the contract', async () => {
  const found = await scan(null, 'left_out');
  assert.ok(found.ok);
  const verified = await verifyHoldings(nodeAt(anvil.url), found.value);
  assert.ok(verified.ok);
  assert.ok(verified.value.mismatches > 0);
  assert.ok(verified.value.warnings.length > 0);
});

test('a contract that is not a token is not found', async () => {
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
