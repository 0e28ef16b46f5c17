import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UNREAD_LIMITS, type UnreadLimits, watchUnread } from './unread-replies.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 2 ** 20;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server that is watched, and clients of it that read only when told to. Closed with the test, also when it fails. */
async function opened(t: TestContext, limits: Partial<UnreadLimits>, handler: RequestListener) {
  const ended: string[] = [];
  const server = createServer(handler);
  watchUnread(server, (reason) => ended.push(reason), { ...UNREAD_LIMITS, lookEveryMs: 20, ...limits });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
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
  };
}

async function eventually(holds: () => boolean | Promise<boolean>, within = 10_000): Promise<void> {
  for (const until = performance.now() + within; !(await holds()); ) {
    assert.ok(performance.now() < until, 'it did not come to that');
    await pause(20);
  }
}

test('a client that never reads is ended after its time; one that waits for a slow reply is not', async (t) => {
  const big = Buffer.alloc(16 * MIB);
  const held = await opened(t, { slowestMs: 300 }, (_request, response) => void response.end(big));
  for (let i = 0; i < 5; i += 1) await held.client();
  await eventually(async () => held.ended.length === 5 && (await held.connections()) === 0);
  assert.deepEqual(new Set(held.ended), new Set(['slow_reader']));

  const slow = await opened(
    t,
    { slowestMs: 100 },
    (_request, response) => void setTimeout(() => response.end('x'), 600),
  );
  const socket = await slow.client();
  socket.resume();
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  assert.match(bytes.toString(), /200 OK/);
  assert.deepEqual(slow.ended, []);
});

test('a slow reader that keeps reading one large reply is not disconnected for many times the limit', async (t) => {
  // The server sees the kernel's buffers (some megabytes) empty in large steps: the limit is several of them long.
  const slowestMs = 1_500;
  const server = await opened(t, { slowestMs, leastBytes: 16_384 }, (_request, response) => {
    response.end(Buffer.alloc(48 * MIB));
  });
  const socket = await server.client();
  // Far above the limit and far below what one reply holds, however fast or busy the machine is: what was due by now is read.
  const BYTES_PER_MS = 4_096;
  const began = performance.now();
  let read = 0;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
    const early = read / BYTES_PER_MS - (performance.now() - began);
    if (early <= 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), early);
  });
  socket.resume();
  await eventually(() => server.ended.length > 0 || performance.now() - began > 4 * slowestMs);
  assert.deepEqual(server.ended, []);
  assert.ok(read < 40 * MIB, 'the reply was never wholly taken');
  assert.ok(read > 4 * MIB, 'it was being read');
});

test('unread replies of all connections are bounded; the connections with most are closed first', async (t) => {
  const server = await opened(t, { mostBytes: 64 * MIB, graceMs: 0, slowestMs: 60_000 }, (_request, response) => {
    response.end(Buffer.alloc(24 * MIB));
  });
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 20; i += 1) await server.client();
  await eventually(() => server.ended.length >= 16);
  assert.deepEqual(new Set(server.ended), new Set(['too_much_unread']));
  assert.ok((await server.connections()) <= 4);
  assert.ok(process.memoryUsage().arrayBuffers - before < 20 * 24 * MIB, 'they were not all held');
});

test('a thousand pipelined requests are not all replied to in memory', async (t) => {
  let handled = 0;
  const server = await opened(t, { mostRequests: 8 }, (request, response) => {
    if (request.socket.destroyed) return;
    handled += 1;
    setTimeout(() => response.end('x'), 50);
  });
  await server.client(1_000);
  await eventually(() => server.ended.length === 1);
  assert.deepEqual(server.ended, ['too_many_requests_ahead']);
  assert.ok(handled <= 9, `${handled} were begun`);
});

test('replies that were read are freed, however many requests a connection made', async (t) => {
  const asked = 30;
  const replies: WeakRef<object>[] = [];
  const server = await opened(t, { lookEveryMs: 60_000 }, (_request, response) => {
    replies.push(new WeakRef(response));
    response.end('x');
  });
  const socket = (await server.client()).resume();
  let read = '';
  socket.on('data', (chunk: Buffer) => {
    read += chunk.toString();
  });
  for (let done = 1; done <= asked; done += 1) {
    await eventually(() => read.split('200 OK').length - 1 === done);
    if (done < asked) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  }
  await pause(20);
  collect();
  const kept = replies.filter((reply) => reply.deref() !== undefined).length;
  assert.equal(replies.length, asked);
  assert.ok(kept <= 2, `${kept} of ${asked} are kept`);
});
