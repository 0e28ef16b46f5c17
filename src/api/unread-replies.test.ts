import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { UNREAD_LIMITS, type UnreadLimits, watchUnread } from './unread-replies.ts';

const MIB = 2 ** 20;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server that is watched, and clients of it that read only when told to. */
async function opened(limits: Partial<UnreadLimits>, handler: RequestListener) {
  const ended: string[] = [];
  const server = createServer(handler);
  watchUnread(server, (reason) => ended.push(reason), { ...UNREAD_LIMITS, lookEveryMs: 20, ...limits });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    ended,
    async client(requests = 1): Promise<Socket> {
      const socket = connect(port, '127.0.0.1').pause();
      sockets.push(socket);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests));
      return socket;
    },
    connections: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function eventually(holds: () => boolean | Promise<boolean>, within = 10_000): Promise<void> {
  for (const until = performance.now() + within; !(await holds()); ) {
    assert.ok(performance.now() < until, 'it did not come to that');
    await pause(20);
  }
}

test('a client that never reads is ended after its time; one that waits for a slow reply is not', async () => {
  const big = Buffer.alloc(16 * MIB);
  const held = await opened({ slowestMs: 300 }, (_request, response) => void response.end(big));
  for (let i = 0; i < 5; i += 1) await held.client();
  await eventually(async () => held.ended.length === 5 && (await held.connections()) === 0);
  assert.deepEqual(new Set(held.ended), new Set(['slow_reader']));
  await held.close();

  const slow = await opened({ slowestMs: 100 }, (_request, response) => void setTimeout(() => response.end('x'), 600));
  const socket = await slow.client();
  socket.resume();
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  assert.match(bytes.toString(), /200 OK/);
  assert.deepEqual(slow.ended, []);
  await slow.close();
});

test('a slow reader of one large reply that goes on taking it is left alone for many times the limit', async () => {
  const server = await opened({ slowestMs: 300, leastBytes: 16_384 }, (_request, response) => {
    response.end(Buffer.alloc(24 * MIB));
  });
  const socket = await server.client();
  let read = 0;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 4);
  });
  socket.resume();
  await pause(1_800);
  assert.deepEqual(server.ended, []);
  assert.ok(read < 24 * MIB, 'it was slow enough to matter');
  await server.close();
});

test('what all connections leave unread is bounded, those who hold most go first', async () => {
  const server = await opened({ mostBytes: 64 * MIB, graceMs: 0, slowestMs: 60_000 }, (_request, response) => {
    response.end(Buffer.alloc(24 * MIB));
  });
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 20; i += 1) await server.client();
  await eventually(() => server.ended.length >= 16);
  assert.deepEqual(new Set(server.ended), new Set(['too_much_unread']));
  assert.ok((await server.connections()) <= 4);
  assert.ok(process.memoryUsage().arrayBuffers - before < 20 * 24 * MIB, 'they were not all held');
  await server.close();
});

test('a thousand requests sent ahead of their replies are not answered in memory', async () => {
  let handled = 0;
  const server = await opened({ mostRequests: 8 }, (request, response) => {
    if (request.socket.destroyed) return;
    handled += 1;
    setTimeout(() => response.end('x'), 50);
  });
  await server.client(1_000);
  await eventually(() => server.ended.length === 1);
  assert.deepEqual(server.ended, ['too_many_requests_ahead']);
  assert.ok(handled <= 9, `${handled} were begun`);
  await server.close();
});
