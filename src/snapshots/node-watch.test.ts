import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeSockets } from '../upstream/index.ts';
import { EVM_WATCH, type NodeNotification, SOLANA_WATCH, type WatchProtocol, watchNode } from './node-watch.ts';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that a test plays: the documented messages of the nodes, over a connection in memory. */
function playNode(protocol: WatchProtocol) {
  const asked: Request[] = [];
  const seen: NodeNotification[] = [];
  const errors: string[] = [];
  let on: Parameters<NodeSockets['open']>[1] | undefined;
  let connections = 0;
  const watch = watchNode({
    sockets: {
      open(_url, events) {
        on = events;
        connections += 1;
        return { send: (text) => asked.push(JSON.parse(text)) > 0, close: events.closed };
      },
      close: async () => undefined,
    },
    url: 'ws://node',
    protocol,
    seen: (sighting) => seen.push(sighting),
    onError: (error) => errors.push(String(error)),
    firstPauseMs: 1,
  });
  return {
    asked,
    seen,
    errors,
    watch,
    connections: () => connections,
    open: () => on?.opened(),
    lose: () => on?.closed(),
    say: (message: unknown) => on?.message(typeof message === 'string' ? message : JSON.stringify(message)),
  };
}

const POOL = `0x${'a'.repeat(40)}`;
const HASH = `0x${'1'.repeat(64)}`;

test('an EVM node is subscribed for heads and for logs of the pools, and other messages are ignored', () => {
  const node = playNode(EVM_WATCH);
  node.watch.follow([POOL]);
  node.open();
  assert.deepEqual(
    node.asked.map(({ method, params }) => [method, params]),
    [
      ['eth_subscribe', ['newHeads']],
      ['eth_subscribe', ['logs', { address: [POOL] }]],
    ],
  );
  const notify = (result: unknown) =>
    node.say({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', result } });
  notify({ number: '0x10', hash: HASH, parentHash: HASH, nonce: '0x0' });
  notify({ address: POOL.toUpperCase().replace('0X', '0x'), blockNumber: '0x10', removed: true, data: '0x' });
  for (const odd of [
    null,
    7,
    'x',
    {},
    { address: 'x', blockNumber: '0x1' },
    { number: 16, hash: HASH, parentHash: HASH },
  ])
    notify(odd);
  notify({ address: `0x${'b'.repeat(40)}`, blockNumber: '0x10' });
  for (const odd of ['', '{', '[]', 'null', '{"id":"x"}', { method: 'eth_subscription' }, { id: 99, result: '0x2' }])
    node.say(odd);
  assert.deepEqual(node.seen, [
    { number: 16, hash: HASH, parentHash: HASH },
    { pool: POOL, block: 16, removed: true },
  ]);
  node.watch.close();
});

test('a Solana node is subscribed for the logs of each pool; a failed transaction changes nothing', () => {
  const node = playNode(SOLANA_WATCH);
  node.watch.follow(['PoolA', 'PoolB']);
  node.open();
  assert.deepEqual(
    node.asked.map(({ method, params }) => [method, params[0], params[1]]),
    ['PoolA', 'PoolB'].map((pool) => ['logsSubscribe', { mentions: [pool] }, { commitment: 'confirmed' }]),
  );
  node.asked.forEach(({ id }, index) => void node.say({ jsonrpc: '2.0', result: 24_040 + index, id }));
  const notify = (subscription: number, err: unknown) =>
    node.say({
      jsonrpc: '2.0',
      method: 'logsNotification',
      params: { result: { context: { slot: 5_208_469 }, value: { signature: 's', err, logs: [] } }, subscription },
    });
  notify(24_041, null);
  notify(24_040, { InstructionError: [0, 'x'] });
  notify(1, null);
  assert.deepEqual(node.seen, [{ pool: 'PoolB', block: 5_208_469, removed: false }]);
  node.watch.close();
});

test('a refusal of a node is reported, and after a reconnection all followed pools count as changed', async () => {
  const node = playNode(EVM_WATCH);
  node.watch.follow([POOL]);
  node.open();
  node.say({ id: node.asked[1]?.id, error: { code: -32_000, message: 'no such filter' } });
  assert.match(node.errors.join(), /refused eth_subscribe: no such filter/);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(node.connections(), 2);
  node.open();
  assert.deepEqual(node.seen, [{ pool: POOL, block: null, removed: false }]);
  node.watch.close();
  node.lose();
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(node.connections(), 2);
});

test('a node that accepts heads and refuses logs is retried at growing intervals', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const node = playNode(EVM_WATCH);
  node.watch.follow([POOL]);
  const refuse = () => {
    node.open();
    const [heads, logs] = node.asked.slice(-2);
    node.say({ id: heads?.id, result: '0x1' });
    node.say({ id: logs?.id, error: { message: 'not supported' } });
  };
  for (let longest = 1; longest <= 32; longest *= 2) {
    refuse();
    const before = node.connections();
    const tooEarly = Math.ceil(longest / 2) - 1;
    context.mock.timers.tick(tooEarly);
    assert.equal(node.connections(), before, `after ${tooEarly} ms`);
    context.mock.timers.tick(longest - tooEarly);
    assert.equal(node.connections(), before + 1);
  }
  node.watch.close();
});

test('more pools than a connection should hold are followed on it; it is reopened when half of them are not wanted', () => {
  const node = playNode(SOLANA_WATCH);
  const pools = (from: number, count: number) => Array.from({ length: count }, (_, index) => `Pool${from + index}`);
  node.watch.follow(pools(0, 3_000));
  node.open();
  const grant = () => {
    for (const { id } of node.asked.splice(0)) node.say({ id, result: id });
  };
  grant();
  // One asset more, again and again: the connection stays, and nothing is reported as changed.
  for (let more = 1; more <= 5; more += 1) {
    node.watch.follow(pools(0, 3_000 + more));
    assert.equal(node.asked.length, 1);
    grant();
  }
  assert.equal(node.connections(), 1);
  assert.deepEqual(node.seen, []);
  node.watch.follow(pools(2_500, 600));
  assert.deepEqual(node.asked, [], 'it is closed, to be opened with the wanted ones alone');
  node.watch.close();
});
