import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import canonicalize from 'canonicalize';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { canonicalJson } from '../client/src/canonical-json.ts';
import {
  AssayConnectionError,
  AssayProblem,
  type ClientOptions,
  createClient,
  createEventParser,
} from '../client/src/index.ts';
import { pauseBefore, readRetryAfter } from '../client/src/retry.ts';
import { verifyRecord } from '../client/src/verify-record.ts';
import { verifyWebhook } from '../client/src/verify-webhook.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server that gives these answers in turn, the last one for ever, and a client of it that hardly waits. */
async function against(t: TestContext, answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume();
    seen.push(request);
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl, apiKey: 'ak_test', ...options, retry: { firstPauseMs: 1, ...options.retry } });
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl, client, seen };
}
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) =>
  json(status, { title: code, status, detail: code, code, request_id: 'r1', retry: 'after', ...more }, headers);
const hangUp: Answer = (request) => void request.socket.destroy();
const silent: Answer = () => undefined;
const plans = json(200, { data: [] });
const ask = { path: { asset: 'JUP' } };
const scoreBody = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };

test('a read is retried after refusals and lost replies, and waits for Retry-After', async (t) => {
  const answers = [problem(503, 'not_ready'), hangUp, problem(429, 'rate_limited', { 'retry-after': '1' }), plans];
  const world = await against(t, answers);
  const begun = performance.now();
  await world.client.call('GET /v1/plans', {});
  assert.equal(world.seen.length, 4);
  assert.ok(performance.now() - begun >= 1000);
});

test('a permanent refusal fails at once, with the service’s full problem', async (t) => {
  const world = await against(t, [problem(409, 'ambiguous_asset', {}, { candidates: [{ id: 'a' }] })]);
  await assert.rejects(world.client.call('GET /v1/rms/{asset}', ask), (error: unknown) => {
    assert.ok(error instanceof AssayProblem);
    assert.deepEqual([error.status, error.code, error.requestId], [409, 'ambiguous_asset', 'r1']);
    assert.deepEqual(error.problem.candidates, [{ id: 'a' }]);
    return true;
  });
  assert.equal(world.seen.length, 1);
});

test('a pause longer than the caller would wait is not begun: a used up quota fails at once', async (t) => {
  const world = await against(t, [problem(429, 'quota_exhausted', { 'retry-after': '40000' })]);
  await assert.rejects(
    world.client.call('GET /v1/plans', {}),
    (error: unknown) => error instanceof AssayProblem && error.retryAfterSeconds === 40_000,
  );
  assert.equal(world.seen.length, 1);
});

test('a POST is sent once, unless it carries an Idempotency-Key; scoring always does, the same at each attempt', async (t) => {
  const once = await against(t, [problem(503, 'not_ready')]);
  await assert.rejects(once.client.call('POST /v1/disputes', { body: { asset: 'JUP', claim: 'wrong' } }), AssayProblem);
  assert.equal(once.seen.length, 1);
  const scored = await against(t, [hangUp, json(200, { job_id: 'j', rating: { band: 'A' } })]);
  await scored.client.score(scoreBody, { waitSeconds: 3 });
  const keys = scored.seen.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys[0], keys[1]);
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
  assert.equal(scored.seen[0]?.headers.prefer, 'wait=3');
});

test('a failed job is not requested again under the same key', async (t) => {
  const world = await against(t, [problem(503, 'no_source_reachable', { 'retry-after': '1' }, { job_id: 'j' })]);
  await assert.rejects(world.client.score(scoreBody), AssayProblem);
  assert.equal(world.seen.length, 1);
});

test('a DELETE whose first reply was lost and that then finds nothing has succeeded', async (t) => {
  const world = await against(t, [hangUp, problem(404, 'not_on_whitelist')]);
  assert.equal(await world.client.call('DELETE /v1/rms/whitelist/{asset}', ask), undefined);
  const never = await against(t, [problem(404, 'not_on_whitelist')]);
  await assert.rejects(never.client.call('DELETE /v1/rms/whitelist/{asset}', ask), AssayProblem);
});

test('a silent service is a timeout, an aborted call rejects with its own reason, also between attempts', async (t) => {
  const slow = await against(t, [silent], { timeoutMs: 50, retry: { retries: 1 } });
  const late = (error: unknown) => error instanceof AssayConnectionError && error.reason === 'timeout';
  await assert.rejects(slow.client.call('GET /v1/plans', {}), late);
  assert.equal(slow.seen.length, 2);
  const refusing = await against(t, [problem(503, 'not_ready', { 'retry-after': '20' })]);
  const signal = AbortSignal.timeout(60);
  await assert.rejects(refusing.client.call('GET /v1/plans', { signal }), { name: 'TimeoutError' });
});

test('a reply larger than allowed, one that is not JSON, and a redirect are errors, and the key is sent nowhere else', async (t) => {
  const large = await against(t, [json(200, 'x'.repeat(5000))], { mostBytes: 1000 });
  const tooLarge = (error: unknown) => error instanceof AssayConnectionError && error.reason === 'too_large';
  await assert.rejects(large.client.call('GET /v1/plans', {}), tooLarge);
  assert.equal(large.seen.length, 1);
  const page = await against(t, [(_request, response) => void response.end('<html>')], { retry: { retries: 0 } });
  await assert.rejects(page.client.call('GET /v1/plans', {}), { reason: 'unreadable' });
  const other = await against(t, [plans]);
  const moved = await against(t, [json(307, {}, { location: other.baseUrl })], { retry: { retries: 0 } });
  await assert.rejects(moved.client.call('GET /v1/plans', {}), { reason: 'unreachable' });
  assert.equal(other.seen.length, 0);
});

test('an address part is encoded and can lead nowhere else', async (t) => {
  const world = await against(t, [plans]);
  await world.client.call('GET /v1/rms/{asset}', {
    path: { asset: 'eip155:1/erc20:0xAB?x#' },
    query: { view: 'digest' },
  });
  assert.equal(world.seen[0]?.url, '/v1/rms/eip155%3A1%2Ferc20%3A0xAB%3Fx%23?view=digest');
  for (const asset of ['', '.', '..']) {
    await assert.rejects(async () => world.client.call('GET /v1/rms/{asset}', { path: { asset } }), TypeError);
  }
});

test('a list is read over all its pages, no page before it is needed', async (t) => {
  const pages = [json(200, { data: [1, 2], next_cursor: 'c2' }), json(200, { data: [3], next_cursor: null })];
  const world = await against(t, pages);
  const seen: unknown[] = [];
  for await (const item of world.client.items('GET /v1/rms', { query: { limit: 2 } })) {
    seen.push(item);
    if (seen.length === 2) assert.equal(world.seen.length, 1);
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(world.seen[1]?.url, '/v1/rms?limit=2&cursor=c2');
  const endless = await against(t, [json(200, { data: [1], next_cursor: 'same' })]);
  await assert.rejects(Array.fromAsync(endless.client.items('GET /v1/rms', {})), { reason: 'unreadable' });
});

test('an alert stream that breaks continues after the last alert, without gaps or duplicates', async (t) => {
  const part =
    (text: string, cut: boolean): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
      if (cut) setTimeout(() => response.socket?.destroy(), 20);
    };
  const alert = (id: number) => `id: ${id}\nevent: alert\ndata: {"id":${id}}\n\n`;
  const end = 'event: end\ndata: {"reason":"the key no longer allows this stream"}\n\n';
  const halves = `retry: 1\nid: 4\n\n${alert(5)}id: 6\nevent: al`;
  const world = await against(t, [part(halves, true), hangUp, part(alert(6) + end, false)]);
  const seen: number[] = [];
  await assert.rejects(
    async () => {
      for await (const one of world.client.alertStream()) seen.push(one.id);
    },
    { reason: 'stream_ended', message: /no longer allows/ },
  );
  assert.deepEqual(seen, [5, 6]);
  assert.deepEqual(
    world.seen.map(({ headers }) => headers['last-event-id']),
    [undefined, '5', '5'],
  );
});

test('a stream outlives a service that is away for longer than a call is repeated, and ends at a refusal', async (t) => {
  const alerts: Answer = (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end('retry: 1\n\nid: 1\nevent: alert\ndata: {"id":1}\n\n');
  const away = Array.from({ length: 12 }, (_, index) => problem(index % 2 === 0 ? 502 : 503, 'not_ready'));
  const answers = [alerts, ...away, alerts, problem(403, 'insufficient_scope')];
  const world = await against(t, answers, { retry: { retries: 2 } });
  const seen: number[] = [];
  await assert.rejects(
    async () => {
      for await (const one of world.client.alertStream()) seen.push(one.id);
    },
    { code: 'insufficient_scope' },
  );
  assert.deepEqual(seen, [1, 1]);
});

test('our reader of event streams agrees with another one, wherever the stream is cut', () => {
  const field = fc.constantFrom('data', 'event', 'id', 'retry', 'other', '', 'data: ');
  const value = fc.constantFrom('', ' ', 'a', ' b', '7', 'x:y', '\ufeffé', '{"a":1}');
  const end = fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n');
  const stream = fc.array(fc.tuple(field, fc.constantFrom(':', ''), value, end).map((parts) => parts.join('')));
  fc.assert(
    fc.property(stream, fc.array(fc.integer({ min: 1, max: 5 })), (lines, cuts) => {
      const text = lines.join('');
      const theirs: [string, string][] = [];
      const parser = createParser({ onEvent: ({ event, data }) => theirs.push([event || 'message', data]) });
      parser.feed(text);
      const ours = createEventParser();
      const events = [];
      for (let from = 0, turn = 0; from < text.length; turn += 1) {
        const to = from + (cuts[turn % Math.max(1, cuts.length)] ?? 3);
        events.push(...ours.feed(text.slice(from, to)));
        from = to;
      }
      assert.deepEqual(
        events.map(({ type, data }) => [type, data]),
        theirs,
      );
    }),
    { numRuns: 500 },
  );
});

test('canonical JSON is that of another library, and numbers and texts that JSON does not hold are refused', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      assert.equal(canonicalJson(value), canonicalize(value));
    }),
  );
  for (const wrong of [Number.NaN, '\ud800', 1n]) assert.throws(() => canonicalJson(wrong), TypeError);
});

test('a record is valid under the key that signed it, and not when anything signed was changed', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = { kid: 'k1', crv: 'Ed25519', x: String(publicKey.export({ format: 'jwk' }).x), retired_at: null };
  const record = { score: 62.5, asset: { name: 'é “x”' }, as_of: '2026-11-20T12:00:00.000Z' };
  const value = sign(null, Buffer.from(canonicalize(record) ?? ''), privateKey).toString('base64');
  const signed = {
    ...record,
    age_seconds: 9,
    standing: null,
    signature: { algorithm: 'Ed25519', key_id: 'k1', value },
  };
  assert.deepEqual(await verifyRecord(signed, [key]), { valid: true, keyId: 'k1' });
  const reasons = [
    await verifyRecord({ ...signed, score: 62.6 }, [key]),
    await verifyRecord(signed, []),
    await verifyRecord(record, [key]),
    await verifyRecord({ ...signed, signature: { ...signed.signature, value: 'AAAA' } }, [key]),
    await verifyRecord(signed, [{ ...key, retired_at: '2026-11-19T00:00:00.000Z' }]),
  ].map((result) => (result.valid ? 'valid' : result.reason));
  const expected = ['wrong_signature', 'unknown_key', 'no_signature', 'malformed_signature', 'key_retired_before'];
  assert.deepEqual(reasons, expected);
});

test('a webhook signed by another library is valid, also under the older of two secrets, and nothing else is', async () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  const other = `whsec_${Buffer.from('another-secret-of-24-byte').toString('base64')}`;
  const body = JSON.stringify({ type: 'webhook.test', timestamp: '2026-11-20T12:00:00Z', data: { webhook_id: 1 } });
  const at = new Date();
  const headers = {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1a,zzz ${new Webhook(other).sign('msg_1', at, body)} ${new Webhook(secret).sign('msg_1', at, body)}`,
  };
  const right = await verifyWebhook({ secret: ['whsec_!', secret], headers, body });
  assert.ok(right.valid);
  assert.deepEqual([right.id, right.message.type], ['msg_1', 'webhook.test']);
  // Compiles only while the type of a message tells what its data is.
  if (right.message.type === 'alert.score_change') assert.fail(String(right.message.data.details?.change));
  const now = at.getTime();
  const reasons = [
    await verifyWebhook({ secret, headers, body: `${body} ` }),
    await verifyWebhook({ secret, headers: new Headers(), body }),
    await verifyWebhook({ secret: 'whsec_', headers, body }),
    await verifyWebhook({ secret, headers, body, now: now + 400_000 }),
    await verifyWebhook({ secret, headers, body, now: now - 400_000 }),
    await verifyWebhook({ secret, headers: { ...headers, 'webhook-timestamp': 'NaN' }, body }),
  ].map((result) => (result.valid ? 'valid' : result.reason));
  const expected = ['wrong_signature', 'missing_header', 'malformed_secret', 'too_old', 'too_new', 'too_old'];
  assert.deepEqual(reasons, expected);
  const bare = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(
    `m.${headers['webhook-timestamp']}.[]`,
  );
  const odd = { ...headers, 'webhook-id': 'm', 'webhook-signature': `v1,${bare.digest('base64')}` };
  delete (odd as Record<string, string>)['Webhook-Id'];
  assert.deepEqual(await verifyWebhook({ secret, headers: odd, body: '[]' }), {
    valid: false,
    reason: 'malformed_body',
  });
});

test('pauses grow, stay within their span, and never fall short of Retry-After', () => {
  const policy = { retries: 5, firstPauseMs: 100, longestPauseMs: 5_000 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.option(fc.integer({ min: 0, max: 10 })),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, asked, random) => {
        const pauseMs = pauseBefore(attempt, asked, policy, () => random);
        if (asked !== null && asked > 5) return assert.equal(pauseMs, null);
        assert.ok(pauseMs !== null && pauseMs >= (asked ?? 0) * 1000 && pauseMs <= 5_600);
      },
    ),
  );
  assert.equal(
    pauseBefore(6, null, policy, () => 0),
    null,
  );
  const now = Date.parse('2026-11-20T12:00:00Z');
  assert.equal(readRetryAfter('Fri, 20 Nov 2026 12:00:07 GMT', now), 7);
  assert.equal(readRetryAfter('soon', now), null);
});
