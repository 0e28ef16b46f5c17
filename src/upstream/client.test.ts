import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { ownTime } from './fixtures/own-time.ts';
import { expectBody, expectFailure, get, reply, withHost, within } from './fixtures/test-host.ts';

describe('an answer', () => {
  test('comes with its body, hash, url, time and our own headers were sent', () =>
    withHost(
      (_path, socket) => socket.write(reply(200, '{"a":1}')),
      async (ask, host) => {
        const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
        const got = await ask({ traceparent });
        assert.equal(expectBody(got), '{"a":1}');
        assert.ok(got.ok);
        assert.equal(got.sha256, createHash('sha256').update('{"a":1}').digest('hex'));
        assert.equal(got.url, `${host.url}/x`);
        assert.equal(got.attempts, 1);
        assert.match(host.seen[0] ?? '', new RegExp(`traceparent: ${traceparent}`));
        assert.match(host.seen[0] ?? '', /user-agent: assay-test/);
      },
    ));

  for (const [encoding, name, compress] of [
    ['gzip', 'gzip', gzipSync],
    ['br', 'brotli', brotliCompressSync],
    ['zstd', 'zstd', zstdCompressSync],
    ['deflate', 'zlib', deflateSync],
    ['deflate', 'raw deflate', deflateRawSync],
  ] as const)
    test(`is decoded from ${name}, and an incomplete one is truncated`, () => {
      const body = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index * 7919));
      const packed = compress(Buffer.from(body));
      return withHost(
        (path, socket) =>
          socket.write(
            reply(200, path === '/whole' ? packed : packed.subarray(0, packed.length - 40), {
              'content-encoding': encoding,
            }),
          ),
        async (ask) => {
          assert.equal(expectBody(await ask({}, '/whole')), body);
          expectFailure(await ask({}, '/cut'), 'truncated');
        },
      );
    });

  test('with status 404 is a reply when the caller asks for that, and an http_error with its body when not', () =>
    withHost(
      (_path, socket) => socket.write(reply(404, '{"error":"no"}')),
      async (ask) => {
        const answer = await ask({ okStatuses: [404] });
        assert.equal(answer.ok && answer.status, 404);
        const failure = expectFailure(await ask(), 'http_error');
        assert.equal(failure.status, 404);
        assert.equal(Buffer.from(failure.body ?? []).toString(), '{"error":"no"}');
      },
    ));
});

describe('asking again', () => {
  test('5xx and then success is a success with two attempts', () =>
    withHost(
      (_path, socket, count) => socket.write(count === 1 ? reply(502) : reply(200, '{"a":1}')),
      async (ask) => {
        const got = await ask({ retries: 2 });
        assert.equal(expectBody(got), '{"a":1}');
        assert.equal(got.attempts, 2);
      },
    ));

  test('429 with Retry-After is waited for when it fits the deadline', () =>
    withHost(
      (_path, socket, count) => socket.write(count === 1 ? reply(429, '{}', { 'retry-after': '1' }) : reply(200)),
      async (ask) => {
        const startedAt = Date.now();
        const got = await ask({ retries: 2, deadlines: within(3_000) });
        assert.equal(got.ok, true);
        assert.ok(Date.now() - startedAt >= 990);
      },
    ));

  test('a body that states the limit with status 200 is waited for like a 429, and pauses the budget', () =>
    withHost(
      (path, socket, count) => socket.write(reply(200, path === '/busy' || count === 1 ? 'limit' : '{"a":1}')),
      async (ask, host) => {
        const isLimit = (body: Uint8Array) => Buffer.from(body).toString() === 'limit';
        const startedAt = Date.now();
        const got = await ask({ retries: 2, deadlines: within(4_000), isLimit });
        assert.equal(expectBody(got), '{"a":1}');
        assert.equal(got.attempts, 2);
        assert.ok(Date.now() - startedAt >= 990);
        const failure = expectFailure(await ask({ deadlines: within(4_000), isLimit }, '/busy'), 'rate_limited');
        assert.deepEqual([failure.status, Buffer.from(failure.body ?? []).toString()], [200, 'limit']);
        const pausedAt = Date.now();
        assert.equal((await ask({ deadlines: within(4_000), isLimit }, '/free')).ok, true);
        assert.ok(Date.now() - pausedAt >= 900, 'other requests of the source wait too');
        assert.equal(host.seen.length, 4);
      },
    ));

  test('429 with a Retry-After beyond the deadline fails at once, and the budget pauses', () =>
    withHost(
      (_path, socket) => socket.write(reply(429, '{"slow":1}', { 'retry-after': '30' })),
      async (ask, host) => {
        const passed = ownTime();
        const failure = expectFailure(await ask({ retries: 2 }), 'rate_limited');
        assert.equal(failure.retryAfterSeconds, 30);
        assert.equal(failure.attempts, 1);
        assert.ok(passed() < 300);
        const second = expectFailure(await ask({ retries: 2 }, '/y'), 'budget_spent');
        assert.equal(second.retryAfterSeconds, 30);
        assert.equal(host.seen.length, 1);
      },
    ));

  test('Retry-After may be a date', () =>
    withHost(
      (_path, socket) => socket.write(reply(429, '{}', { 'retry-after': new Date(Date.now() + 90_000).toUTCString() })),
      async (ask) => {
        const seconds = expectFailure(await ask(), 'rate_limited').retryAfterSeconds ?? 0;
        assert.ok(seconds >= 88 && seconds <= 91);
      },
    ));

  test('a POST that a host may have acted on is not sent twice', () =>
    withHost(
      (path, socket, count) => {
        if (path === '/500') socket.write(reply(500));
        else socket.write(count % 2 === 0 ? reply(503) : reply(200));
      },
      async (ask, host) => {
        expectFailure(await ask({ method: 'POST', body: '{}', retries: 2 }, '/500'), 'http_error');
        assert.equal(host.seen.length, 1);
        assert.equal((await ask({ method: 'POST', body: '{}', retries: 2 }, '/503')).attempts, 2);
      },
    ));

  test('attempts end with the total deadline', () =>
    withHost(
      (_path, socket) => setTimeout(() => socket.write(reply(500)), 60),
      async (ask) => {
        const passed = ownTime();
        await ask({ retries: 50, deadlines: within(400) });
        assert.ok(passed() < 550);
      },
    ));
});

describe('secrets', () => {
  test('a key is sent, and is in no url, detail or health line even when the host echoes it', () =>
    withHost(
      (path, socket) => {
        if (path.startsWith('/again')) socket.write(reply(200));
        else socket.write(reply(302, '', { location: `/again?echo=s3cret-value&token=header-secret` }));
      },
      async (ask, host, upstream) => {
        const got = await ask(
          { secretHeaders: { 'x-key': 'header-secret' }, secretQuery: ['apikey'] },
          '/x?apikey=s3cret-value&b=1',
        );
        assert.ok(got.ok);
        assert.match(host.seen[0] ?? '', /apikey=s3cret-value/);
        assert.match(host.seen[0] ?? '', /x-key: header-secret/);
        assert.doesNotMatch(JSON.stringify([got.url, upstream.health()]), /s3cret-value|header-secret/);
      },
    ));

  test('the url of a failure is cut too', () =>
    withHost(
      (_path, socket) => socket.write(reply(500)),
      async (ask) => {
        const failure = expectFailure(
          await ask({ secretQuery: ['apikey'] }, '/x?apikey=s3cret-value&b=1'),
          'http_error',
        );
        assert.match(failure.url, /\?apikey=cut&b=1$/);
      },
    ));
});

describe('the caller', () => {
  test('an aborted caller gets cancelled and the connection is closed', () => {
    let closed = false;
    return withHost(
      (_path, socket) => socket.on('close', () => (closed = true)),
      async (_ask, host, upstream) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 50);
        expectFailure(await upstream.request(get(host.url), controller.signal), 'cancelled');
        expectFailure(await upstream.request(get(host.url), controller.signal), 'cancelled');
        await new Promise((resolve) => setTimeout(resolve, 50));
        assert.equal(closed, true);
        assert.equal(host.seen.length, 1);
      },
    );
  });
});
