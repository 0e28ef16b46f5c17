import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createGzip } from 'node:zlib';
import { ownTime } from './fixtures/own-time.ts';
import { expectFailure, reply, withHost, within } from './fixtures/test-host.ts';

describe('a host that misbehaves', () => {
  test('latency within the deadline is waited for, beyond it is a timeout', () =>
    withHost(
      (_path, socket) => setTimeout(() => socket.write(reply(200)), 120),
      async (ask) => {
        assert.equal((await ask({ deadlines: within(1_000) })).ok, true);
        const passed = ownTime();
        expectFailure(await ask({ deadlines: within(60) }), 'timeout');
        assert.ok(passed() < 110);
      },
    ));

  test('headers that never come end by the headers deadline', () =>
    withHost(
      (_path, socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: 1\r\n'),
      async (ask) => {
        const passed = ownTime();
        expectFailure(await ask({ deadlines: { ...within(2_000), headersMs: 80 } }), 'timeout');
        assert.ok(passed() < 500);
      },
    ));

  test('a slow drip ends by the body deadline although every byte is on time', () =>
    withHost(
      (_path, socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n');
        const timer = setInterval(() => socket.write('1'), 10);
        socket.on('close', () => clearInterval(timer));
      },
      async (ask) => {
        const passed = ownTime();
        expectFailure(await ask({ deadlines: { ...within(2_000), bodyMs: 150 } }), 'timeout');
        expectFailure(await ask({ deadlines: { ...within(5_000), totalMs: 150 } }), 'timeout');
        assert.ok(passed() < 1_000);
      },
    ));

  test('a reset in mid-body is truncated', () =>
    withHost(
      (_path, socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a":');
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
      async (ask) => void expectFailure(await ask(), 'truncated'),
    ));

  test('JSON shorter than its content-length is truncated', () =>
    withHost(
      (_path, socket) => socket.end(reply(200, '{"a":', { 'content-length': '1000' })),
      async (ask) => void expectFailure(await ask(), 'truncated'),
    ));

  test('a chunked body without its end is truncated', () =>
    withHost(
      (_path, socket) =>
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
        ),
      async (ask) => void expectFailure(await ask(), 'truncated'),
    ));

  test('a wrong content type is refused by its declaration', () =>
    withHost(
      (_path, socket) => socket.write(reply(200, '<html>', { 'content-type': 'text/html' })),
      async (ask) => {
        expectFailure(await ask(), 'wrong_content_type');
        assert.equal((await ask({ accept: [] })).ok, true);
      },
    ));

  test('a gzip bomb of 1 MiB that would become 1 GiB stops at the cap with little memory', async () => {
    const bomb = await gzipBomb();
    await withHost(
      (_path, socket) => socket.write(reply(200, bomb, { 'content-encoding': 'gzip' })),
      async (ask) => {
        const before = process.memoryUsage();
        const passed = ownTime();
        expectFailure(await ask({ maxBytes: 4 * 1_048_576, deadlines: within(5_000) }), 'too_large');
        const after = process.memoryUsage();
        const grown = after.external + after.arrayBuffers - before.external - before.arrayBuffers;
        assert.ok(grown < 64 * 1_048_576, `grew by ${grown} bytes`);
        assert.ok(passed() < 1_000);
      },
    );
  });

  test('a body larger than the cap is refused, declared or not', () =>
    withHost(
      (path, socket) => {
        if (path === '/declared') socket.write(reply(200, 'x'.repeat(2_000)));
        else socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${'x'.repeat(2_000)}`);
      },
      async (ask) => {
        expectFailure(await ask({ maxBytes: 1_000 }, '/declared'), 'too_large');
        expectFailure(await ask({ maxBytes: 1_000 }, '/open'), 'too_large');
      },
    ));

  test('huge headers are refused', () =>
    withHost(
      (_path, socket) => socket.write(reply(200, '{}', { 'x-huge': 'h'.repeat(100_000) })),
      async (ask) => void expectFailure(await ask(), 'too_large'),
    ));

  test('something that is not HTTP and a closed port are unreachable', () =>
    withHost(
      (_path, socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
      async (ask, host) => {
        expectFailure(await ask(), 'unreachable');
        host.close();
        expectFailure(await ask(), 'unreachable');
      },
    ));
});

/** 1 GiB of zeros in about 1 MiB, made without holding it. */
async function gzipBomb(): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const zeros = Buffer.alloc(1_048_576);
  for (let index = 0; index < 1_024; index += 1)
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  gzip.end();
  await new Promise((resolve) => gzip.once('end', resolve));
  return Buffer.concat(chunks);
}
