import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import Type from 'typebox';
import { endpoint, type Finds, type ListTerms, type Source } from '../sources/source.ts';
import { ownTime } from '../upstream/fixtures/own-time.ts';
import { assemble } from './assemble.ts';
import { bindSources } from './book.ts';
import { createBulkLists } from './bulk.ts';
import { collect } from './collect.ts';
import { toyFacts, toySource, toyUpstream } from './fixtures/toy.ts';
import { reobserve } from './inspect.ts';
import { createJobRequester } from './requester.ts';

/** When every toy reply was fetched. */
const FETCHED = Date.parse('2026-01-01T00:00:00.000Z');
const LIST = 'https://one.example/pools';
const SINGLE = 'https://one.example/pool/p1';

/** The list of all pools stands in for the pool that `price` teaches, so that its params are known only during the collection. */
function standingIn(terms: Partial<ListTerms>, finds?: Finds): Source {
  const source = toySource('one');
  const list = endpoint({
    name: 'pools',
    doc: 'made up',
    role: 'bulk',
    critical: false,
    maxBytes: 1_000,
    plan: () => [],
    request: () => ({ path: '/pools' }),
    reply: terms.rowsOf ? Type.Object({ pools: Type.Array(Type.Unknown()) }) : Type.Array(Type.Unknown()),
    list: {
      refreshSeconds: 60,
      keysOf: (row) => {
        const id = (row as { id?: unknown } | null)?.id;
        return typeof id === 'string' ? [id] : [];
      },
      keyOf: ({ pool }) => (typeof pool === 'string' ? pool : null),
      standsInFor: 'pool',
      ...terms,
    },
    observe: () => [],
    ...(finds && { finds }),
  });
  return { ...source, endpoints: [list, ...source.endpoints] };
}

type Reply = ReturnType<Parameters<typeof toyUpstream>[0]>;

/** Jobs of one service that share its lists; `list` is what the list's url answers. */
function service(list: () => Reply, terms: Partial<ListTerms> = {}, finds?: Finds) {
  const asked: { readonly url: string; readonly maxBytes: number }[] = [];
  const upstream = toyUpstream((request) => {
    asked.push({ url: request.url, maxBytes: request.maxBytes });
    if (request.url === LIST) return list();
    return { body: request.url === SINGLE ? '{"id":"p1","liquidity":5}' : '{"price":2}' };
  });
  const clock = { now: FETCHED };
  const now = () => clock.now;
  const book = bindSources([standingIn(terms, finds)], {});
  const bulk = createBulkLists({ book, upstream, now });
  async function job(deadlineMs = 2_000) {
    const from = asked.length;
    const requester = createJobRequester({
      book,
      upstream,
      bulk,
      now,
      ticks: () => performance.now(),
      deadlineAt: performance.now() + deadlineMs,
      signal: AbortSignal.timeout(deadlineMs),
      traceparent: null,
      onReply: () => undefined,
    });
    await collect(requester, book, toyFacts);
    const parts = assemble(requester.replies(), book);
    return {
      requester,
      parts,
      liquidity: parts.observations.filter((row) => row.quantity === 'liquidity_dex_usd').map((row) => row.value),
      urls: asked
        .slice(from)
        .map((row) => row.url)
        .filter((url) => url === LIST || url === SINGLE),
    };
  }
  return { book, bulk, clock, asked, job };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const ROWS = '[{"id":"p0","liquidity":8},{"id":"p1","liquidity":7}]';

test('a row replaces the request, as the reply of its endpoint, with its own hash and the age of the list', async () => {
  const { job, book } = service(() => ({ body: ROWS }));
  const { urls, liquidity, parts, requester } = await job();
  assert.deepEqual([urls, liquidity], [[LIST], [7]]);
  const record = parts.responses.find((row) => row.endpoint === 'pool');
  const row = '{"id":"p1","liquidity":7}';
  assert.ok(record);
  assert.match(record.id, /^one\.pool#/);
  assert.deepEqual(
    [record.url, record.fromCache, record.fetchedAt, record.bytes, record.sha256],
    [LIST, true, '2026-01-01T00:00:00.000Z', row.length, createHash('sha256').update(row).digest('hex')],
  );
  const bodies = new Map(requester.replies().map((answer) => [answer.record.sha256, answer.body]));
  const evidence = { ...parts, identification: { foreignResponses: [] } } as never;
  const again = await reobserve(evidence, book, async (sha256) => bodies.get(sha256) ?? null);
  assert.deepEqual([again.bodies, again.gone, again.different], [2, 0, []]);
});

test('a list is fetched once for all jobs of an interval, then again by the next reader only', async (t) => {
  const { job, clock, bulk, asked } = service(() => ({ body: ROWS }));
  t.after(() => bulk.close());
  bulk.start();
  assert.equal(asked.length, 0, 'nobody reads it');
  const first = await Promise.all([job(), job(), job()]);
  assert.deepEqual(
    first.map((row) => row.liquidity),
    [[7], [7], [7]],
  );
  assert.equal(asked.filter((row) => row.url === LIST).length, 1);
  clock.now += 60_000;
  assert.deepEqual((await job()).urls, [], 'a minute old');
  clock.now += 1_000;
  bulk.start();
  assert.equal(asked.filter((row) => row.url === LIST).length, 1, 'old, and read by nobody');
  assert.deepEqual((await job()).urls.includes(LIST), true);
});

test('a list that is not read any more is freed', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { bulk, clock } = service(() => ({ body: ROWS }));
  t.after(() => bulk.close());
  bulk.start();
  const held = await bulk.get('one', 'pools', 1_000);
  assert.ok(!('failed' in held));
  clock.now += 130_000;
  t.mock.timers.tick(15_000);
  const later = await bulk.get('one', 'pools', 0);
  assert.ok('failed' in later, 'it is fetched anew and not yet there');
});

for (const [name, list] of [
  ['that fails', { fail: 'timeout' }],
  ['that is refused for its size', { fail: 'too_large' }],
  ['that is none', { body: '{"code":-1}' }],
  ['that is no JSON', { body: '<html>' }],
  ['without the row', { body: '[{"id":"p0","liquidity":8}]' }],
  ['whose row has the wrong types', { body: '[{"id":"p1","liquidity":"much"}]' }],
  ['of nonsense', { body: '[null,1,"p1",[],{"id":7},{"id":{}}]' }],
] as const)
  test(`a list ${name} loses no reply: the source is requested directly`, async () => {
    const { job } = service(() => list);
    const { urls, liquidity } = await job();
    assert.deepEqual([urls, liquidity], [[LIST, SINGLE], [5]]);
  });

test('of rows of one name the first counts, once; the size of a list is capped by its endpoint', async () => {
  const { job, asked } = service(() => ({ body: '[{"id":"p1","liquidity":7},{"id":"p1","liquidity":900}]' }));
  assert.deepEqual((await job()).liquidity, [7]);
  assert.equal(asked.find((row) => row.url === LIST)?.maxBytes, 1_000);
});

test('a row older than the interval is not read when the list cannot be fetched again', async () => {
  const replies: Reply[] = [{ body: ROWS }, { fail: 'rate_limited' }];
  const { job, clock } = service(() => replies.shift() ?? { fail: 'rate_limited' });
  assert.deepEqual((await job()).liquidity, [7]);
  clock.now += 61_000;
  const { urls, liquidity } = await job();
  assert.deepEqual([urls, liquidity], [[LIST, SINGLE], [5]]);
  assert.deepEqual((await job()).urls, [SINGLE], 'and the list is left alone for half an interval');
});

test('a slow list is waited for half of the remaining time, and by the first readers only', async () => {
  const { job } = service(() => ({ body: ROWS, delayMs: 1_500 }));
  const first = await job(600);
  assert.deepEqual([first.urls, first.liquidity], [[LIST, SINGLE], [5]]);
  const passed = ownTime();
  const second = await job(600);
  assert.deepEqual([second.urls, second.liquidity], [[SINGLE], [5]]);
  assert.ok(passed() < 250, 'its fetch began long enough ago');
});

test('a complete list is evidence of absence, and its rows may be inside an object', async () => {
  const terms: Partial<ListTerms> = {
    rowsOf: (reply) => (reply as { pools: readonly unknown[] }).pools,
    replyOf: (row) => (row === null ? { liquidity: 0 } : row),
  };
  const with1 = service(() => ({ body: `{"pools":${ROWS}}` }), terms);
  const found = await with1.job();
  assert.deepEqual([found.urls, found.liquidity], [[LIST], [7]]);
  const without = service(() => ({ body: '{"pools":[]}' }), terms);
  const none = await without.job();
  assert.deepEqual([none.urls, none.liquidity], [[LIST], [0]]);
});

test('a list that identity searches too is fetched in the background, and an old row of it never replaces a request', async (t) => {
  const { job, clock, bulk, asked } = service(
    () => ({ body: ROWS }),
    {},
    { by: 'list', of: 'largest', called: 'list' },
  );
  t.after(() => bulk.close());
  bulk.start();
  await settle();
  assert.deepEqual(
    asked.map((row) => row.url),
    [LIST],
  );
  assert.deepEqual((await job()).liquidity, [7]);
  clock.now += 61_000;
  const { urls, liquidity } = await job();
  assert.ok(urls.includes(SINGLE), 'the row is older than its interval');
  assert.deepEqual(liquidity, [5]);
});
