import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import Type from 'typebox';
import { endpoint, type Facts, type Params, type Source } from '../sources/source.ts';
import { ownTime } from '../upstream/fixtures/own-time.ts';
import { assemble } from './assemble.ts';
import { bindSources } from './book.ts';
import { createBulkLists } from './bulk.ts';
import { collect } from './collect.ts';
import { toyFacts, toySource, toyUpstream } from './fixtures/toy.ts';
import { reobserve } from './inspect.ts';
import type { RecordedReply } from './request-once.ts';
import { createJobRequester } from './requester.ts';

function setUp(
  sources: readonly Source[],
  upstream: ReturnType<typeof toyUpstream>,
  forMs = 1_000,
  known: readonly RecordedReply[] = [],
) {
  const book = bindSources(sources, {});
  const events: string[] = [];
  const deadlineAt = performance.now() + forMs;
  const bulk = createBulkLists({ book, upstream, now: Date.now });
  const requester = createJobRequester({
    book,
    upstream,
    bulk,
    now: Date.now,
    ticks: () => performance.now(),
    deadlineAt,
    signal: AbortSignal.timeout(forMs),
    traceparent: null,
    known,
    onReply: (event) => events.push(`${event.source}.${event.endpoint} ${event.outcome}`),
  });
  return { book, requester, events, bulk };
}

const honest = (url: string) => (url.includes('/price/') ? '{"price":2}' : '{"liquidity":500}');

test('replies of the job that started a collection count where the request gets no further reply', async () => {
  let isThere = true;
  const upstream = toyUpstream((request) => (isThere ? { body: honest(request.url) } : { fail: 'timeout' }));
  const first = setUp([toySource('one')], upstream);
  await first.requester.request('one', 'price', { address: 'abc' });
  isThere = false;
  const { requester, book } = setUp([toySource('one')], upstream, 1_000, first.requester.replies());
  await collect(requester, book, toyFacts);
  const { isUnanswered, observations } = assemble(requester.replies(), book);
  assert.equal(isUnanswered, false);
  assert.ok(observations.length > 0);
});

test('facts learned from one reply allow further requests, and each is sent once', async () => {
  const upstream = toyUpstream((request) => ({ body: honest(request.url) }));
  const { requester, book } = setUp([toySource('one'), toySource('two')], upstream);
  await Promise.all([requester.request('one', 'price', { address: 'abc' }), collect(requester, book, toyFacts)]);
  assert.deepEqual([...upstream.seen].sort(), [
    'https://one.example/pool/p1',
    'https://one.example/price/abc',
    'https://two.example/pool/p1',
    'https://two.example/price/abc',
  ]);
  const parts = assemble(requester.replies(), book);
  assert.deepEqual(
    parts.observations.map((row) => `${row.quantity} ${row.source} ${row.value}`),
    ['liquidity_dex_usd one 500', 'liquidity_dex_usd two 500', 'price_usd one 2', 'price_usd two 2'],
  );
  assert.deepEqual(
    parts.attributions.map((row) => row.source),
    ['one', 'two'],
  );
});

test('a lone surrogate from a source is requested and archived as text, and a request that cannot be made ends nothing', async () => {
  const words = endpoint({
    name: 'words',
    doc: 'made up',
    role: 'observe',
    critical: true,
    plan: () => [{ all: true }],
    request: () => ({ path: '/words' }),
    reply: Type.Object({ names: Type.Array(Type.String()) }),
    observe: (reply) => [{ quantity: 'categories', value: reply.names, scope: `page:${reply.names[0]}` }],
    learn: (reply) => ({ 'bad.names': reply.names }),
  });
  const asked = endpoint({
    name: 'asked',
    doc: 'made up',
    role: 'observe',
    critical: false,
    // A plan of ours that cuts a character in two is no different.
    plan: ({ learned }): readonly Params[] =>
      learned['bad.names'] ? [{ names: learned['bad.names'] }, { name: '\u{1f600}'.slice(0, 1) }] : [],
    request: () => ({ path: '/asked' }),
    reply: Type.Object({}),
    observe: () => [],
  });
  const upstream = toyUpstream(({ url }) => ({
    body: url.endsWith('/words') ? '{"names":["a\\ud800","b"]}' : honest(url),
  }));
  const { requester, book } = setUp([toySource('bad', { endpoints: [words, asked] }), toySource('good')], upstream);
  const facts = await collect(requester, book, toyFacts);
  assert.deepEqual(facts.learned['bad.names'], ['a\ufffd', 'b']);
  const parts = assemble(requester.replies(), book);
  assert.deepEqual(
    parts.observations.map((row) => [row.quantity, row.scope, row.value]),
    [
      ['categories', 'page:a\ufffd', ['a\ufffd', 'b']],
      ['liquidity_dex_usd', 'asset', 500],
      ['price_usd', 'asset', 2],
    ],
  );
  assert.doesNotThrow(() => canonicalize({ ...parts }));
  assert.ok(requester.replies().some(({ record }) => JSON.stringify(record.params) === '{"names":["a\ufffd","b"]}'));
});

test('the order of arrival decides nothing', async () => {
  const runs = [];
  for (const slow of ['one', 'two', 'three']) {
    const upstream = toyUpstream((request) => ({
      body: honest(request.url),
      delayMs: request.url.includes(slow) ? 30 : 1,
    }));
    const { requester, book } = setUp([toySource('one'), toySource('two'), toySource('three')], upstream);
    await collect(requester, book, toyFacts);
    const { observations, responses } = assemble(requester.replies(), book);
    runs.push(JSON.stringify({ observations, responses: responses.map((row) => ({ ...row, milliseconds: 0 })) }));
  }
  assert.equal(new Set(runs).size, 1);
});

test('a source that never replies is abandoned at the deadline and named', async () => {
  const upstream = toyUpstream((request) => ({
    body: honest(request.url),
    delayMs: request.url.includes('slow') ? 5_000 : 1,
  }));
  const { requester, book } = setUp([toySource('fast'), toySource('slow')], upstream, 150);
  const passed = ownTime();
  await collect(requester, book, toyFacts);
  assert.ok(passed() < 400, 'the deadline holds');
  const { sources } = assemble(requester.replies(), book);
  assert.equal(sources.find((row) => row.name === 'fast')?.outcome, 'ok');
  assert.equal(sources.find((row) => row.name === 'slow')?.outcome, 'deadline');
});

test('a reply that does not fit, a refusal and a source that is off cost only themselves', async () => {
  const upstream = toyUpstream((request) => {
    if (request.url.includes('broken')) return { body: '{"price":"soon"}' };
    if (request.url.includes('tired')) return { fail: 'rate_limited' };
    return { body: honest(request.url) };
  });
  const off = toySource('off', { enabledByDefault: false, disabledReason: 'its licence' });
  const { requester, book } = setUp([toySource('broken'), toySource('tired'), toySource('good'), off], upstream);
  await collect(requester, book, toyFacts);
  const { sources, isUnanswered } = assemble(requester.replies(), book);
  assert.deepEqual(
    sources.map((row) => `${row.name} ${row.outcome}`),
    ['broken malformed', 'good ok', 'off disabled', 'tired rate_limited'],
  );
  assert.equal(sources.find((row) => row.name === 'off')?.detail, 'its licence');
  assert.equal(isUnanswered, false);
});

test('the failure of all sources is reported', async () => {
  const upstream = toyUpstream(() => ({ fail: 'timeout' }));
  const { requester, book } = setUp([toySource('one'), toySource('two')], upstream);
  await collect(requester, book, toyFacts);
  assert.equal(assemble(requester.replies(), book).isUnanswered, true);
});

test('an endpoint that keeps learning facts cannot cause endless requests', async () => {
  const greedy = toySource('greedy', {
    endpoints: [
      endpoint({
        name: 'more',
        doc: 'made up',
        role: 'observe',
        critical: false,
        plan: (facts) => [{ n: Number(facts.learned['greedy.n'] ?? 0) }],
        request: (params) => ({ path: `/${String(params.n)}` }),
        reply: Type.Object({}),
        observe: () => [],
        learn: (_reply, params) => ({ 'greedy.n': Number(params.n) + 1 }),
      }),
    ],
  });
  const upstream = toyUpstream(() => ({ body: '{}' }));
  const { requester, book } = setUp([greedy], upstream);
  await collect(requester, book, toyFacts);
  assert.ok(upstream.seen.length <= 12, String(upstream.seen.length));
});

test('archived bodies give the same observations again, and a changed archive is detected', async () => {
  const upstream = toyUpstream((request) => ({ body: honest(request.url) }));
  const { requester, book } = setUp([toySource('one')], upstream);
  await collect(requester, book, toyFacts);
  const { observations, responses } = assemble(requester.replies(), book);
  const bodies = new Map(requester.replies().map((answer) => [answer.record.sha256, answer.body]));
  const evidence = { observations, responses, identification: {} } as unknown as Parameters<typeof reobserve>[0];
  const same = await reobserve(evidence, book, async (sha256) => bodies.get(sha256) ?? null);
  assert.deepEqual([same.bodies, same.gone, same.different], [2, 0, []]);
  assert.deepEqual(same.observations, observations);
  const touched = {
    ...evidence,
    observations: observations.map((row) => (row.quantity === 'price_usd' ? { ...row, value: 3 } : row)),
  };
  assert.equal((await reobserve(touched, book, async (sha256) => bodies.get(sha256) ?? null)).different.length, 1);
  assert.equal((await reobserve(evidence, book, async () => null)).gone, 2);
});

test('a key goes into the header, never into the record', async () => {
  const keyed = toySource('keyed', {
    key: { required: true, header: 'x-key', query: 'k', adds: 'requests', from: 'https://a.example' },
  });
  const headers: Record<string, string>[] = [];
  const upstream = toyUpstream((request) => {
    headers.push({ ...request.secretHeaders });
    assert.deepEqual(request.secretQuery, ['k']);
    return { body: honest(request.url) };
  });
  const book = bindSources([keyed], { keyed: { bases: {}, key: 'hush', enabled: null } });
  const bulk = createBulkLists({ book, upstream, now: Date.now });
  const requester = createJobRequester({
    book,
    upstream,
    bulk,
    now: Date.now,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + 500,
    signal: AbortSignal.timeout(500),
    traceparent: null,
    onReply: () => undefined,
  });
  await collect(requester, book, toyFacts);
  assert.deepEqual(headers[0], { 'x-key': 'hush' });
  assert.equal(bindSources([keyed], {}).get('keyed')?.reason, 'needs a key: set ASSAY_SOURCE_KEYED_KEY');
});

test('an address the operator configured is not recorded: it may be of the own network or hold a key', async () => {
  const upstream = toyUpstream((request) => ({ body: honest(request.url) }));
  const book = bindSources([toySource('node')], {
    node: { bases: { main: 'http://10.1.2.3:8899/very-secret' }, key: null, enabled: null },
  });
  const bulk = createBulkLists({ book, upstream, now: Date.now });
  const requester = createJobRequester({
    book,
    upstream,
    bulk,
    now: Date.now,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + 500,
    signal: AbortSignal.timeout(500),
    traceparent: null,
    onReply: () => undefined,
  });
  await collect(requester, book, toyFacts);
  assert.ok(upstream.seen.some((url) => url.startsWith('http://10.1.2.3:8899/very-secret/price')));
  const { responses } = assemble(requester.replies(), book);
  assert.deepEqual(responses.map((row) => row.url).sort(), [
    'configured:node/main/pool/p1',
    'configured:node/main/price/abc',
  ]);
});

test('an endpoint is planned again only when a fact that its plan reads was learned', async () => {
  const plans: Record<string, number> = {};
  const asking = (name: string, plan: (facts: Facts) => readonly Params[], learns?: string) =>
    endpoint({
      name,
      doc: 'made up',
      role: 'observe',
      reply: Type.Object({ liquidity: Type.Number() }),
      critical: false,
      plan(facts) {
        plans[name] = (plans[name] ?? 0) + 1;
        return plan(facts);
      },
      request: (params) => ({ path: `/${name}/${String(params.of ?? '')}` }),
      observe: () => [],
      ...(learns === undefined ? {} : { learn: () => ({ [learns]: name }) }),
    });
  const wordOf = ({ learned }: Facts, name: string) => (learned[name] === undefined ? [] : [{ of: learned[name] }]);
  const source = {
    ...toySource('one'),
    endpoints: [
      asking('first', () => [{}], 'one.a'),
      asking('second', (facts) => wordOf(facts, 'one.a'), 'one.b'),
      asking('third', (facts) => wordOf(facts, 'one.b')),
      asking('listing', ({ learned }) => Object.keys(learned).map((of) => ({ of }))),
      asking('owning', ({ learned }) => (Object.hasOwn(learned, 'one.b') ? [{}] : [])),
    ],
  };
  const upstream = toyUpstream(() => ({ body: '{"liquidity":500}' }));
  const { requester, book } = setUp([source], upstream);
  await collect(requester, book, toyFacts);
  assert.deepEqual([...upstream.seen].map((url) => url.replace('https://one.example', '')).sort(), [
    '/first/',
    '/listing/one.a',
    '/listing/one.b',
    '/owning/',
    '/second/first',
    '/third/second',
  ]);
  assert.deepEqual(plans, { first: 1, second: 2, third: 2, listing: 3, owning: 2 });
});
