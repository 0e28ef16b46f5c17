import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { systemResolver } from '../../upstream/agents.ts';
import { createUpstream } from '../../upstream/client.ts';
import { createExplorer, type Explorer } from './blockscout.ts';

const WALLET = `0x${'a'.repeat(40)}` as const;
const EXCHANGE = `0x${'b'.repeat(40)}`;
const SPLITTER = `0x${'c'.repeat(40)}`;

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let server: Server;
let explorer: Explorer;
/** Rows by action; a number is a status. */
let lists: Record<string, readonly object[] | number>;

before(async () => {
  upstream.setBudget('explorer', { perMinute: 1e6, burst: 1e6, concurrency: 8, shareSeconds: 0 });
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    assert.equal(url.pathname, '/api');
    const found = lists[url.searchParams.get('action') ?? ''] ?? 404;
    const isList = typeof found !== 'number';
    response.writeHead(isList ? 200 : found, { 'content-type': 'application/json' });
    response.end(isList ? JSON.stringify({ status: '1', message: 'OK', result: found }) : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  explorer = createExplorer({ upstream, base: `http://127.0.0.1:${port}/api/v2`, secretHeaders: {} });
});
after(async () => {
  server.close();
  await upstream.close();
});

/** Rows as `address_view.ex` writes them. */
const row = (block: number, from: string, value: string, to: string = WALLET) => ({
  blockNumber: String(block),
  timeStamp: String(1_700_000_000 + block),
  hash: `0x${String(block).padStart(64, '0')}`,
  from,
  to,
  value,
  isError: '0',
});
const inner = (...given: Parameters<typeof row>) => {
  const { hash: transactionHash, ...rest } = row(...given);
  return { ...rest, transactionHash, index: '1', type: 'call', callType: 'call', errCode: '' };
};

beforeEach(() => {
  lists = {
    txlist: [row(20, EXCHANGE, '5'), row(21, WALLET, '1', EXCHANGE)],
    txlistinternal: [inner(10, SPLITTER, '7'), inner(11, SPLITTER, '0')],
  };
});

const moves = async () => {
  const found = await explorer.coinsAround(WALLET, 0);
  return found.ok ? found.value.map(({ block, from }) => [block, from]) : found.reason;
};

test('a payment by a contract comes before a later one of an exchange', async () => {
  assert.deepEqual(await moves(), [
    [10, SPLITTER],
    [20, EXCHANGE],
    [21, WALLET],
  ]);
});

test('a list that is not given makes no other payer the first', async () => {
  lists.txlistinternal = 500;
  assert.notEqual(typeof (await moves()), 'object');
});

test('after the end of a list that is cut, nobody is the first payer', async () => {
  lists.txlist = Array.from({ length: 50 }, (_, at) => row(1 + at, WALLET, '1', EXCHANGE));
  lists.txlistinternal = [inner(50, SPLITTER, '7'), inner(51, SPLITTER, '7')];
  const found = await moves();
  assert.ok(Array.isArray(found));
  assert.deepEqual(
    found.filter(([, from]) => from !== WALLET),
    [[50, SPLITTER]],
  );
});
