import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Source } from '../sources/source.ts';
import { assemble } from './assemble.ts';
import { bindSources } from './book.ts';
import { createBulkLists } from './bulk.ts';
import { collect } from './collect.ts';
import { createEarlyRequests } from './early-requests.ts';
import { toyFacts, toySource, toyUpstream } from './fixtures/toy.ts';
import { createJobRequester, type PendingRequests } from './requester.ts';

const PATIENCE_MS = 2_000;
const reply = (url: string) => ({ body: url.includes('/price/') ? '{"price":2}' : '{"liquidity":500}', delayMs: 20 });
const other = { ...toyFacts, address: 'foreign' };
/** Of a source with more turns than are scarce. */
const plenty = toySource('one');

function setUp(sources: readonly Source[], upstream: ReturnType<typeof toyUpstream>) {
  const book = bindSources(sources, {});
  const bulk = createBulkLists({ book, upstream, now: Date.now });
  const ticks = () => performance.now();
  const common = { book, upstream, bulk, now: Date.now, ticks, traceparent: null };
  const events: string[] = [];
  const requester = (beside: readonly PendingRequests[], events: string[] = [], ended: number[] = []) =>
    createJobRequester({
      ...common,
      deadlineAt: ticks() + PATIENCE_MS,
      signal: AbortSignal.timeout(PATIENCE_MS),
      beside,
      onReply: ({ source, endpoint, outcome, endedAt }, isTaken) => {
        events.push(`${source}.${endpoint} ${outcome}${isTaken ? ' taken' : ''}`);
        ended.push(endedAt);
      },
    });
  const beside: PendingRequests[] = [];
  const finder = requester(beside);
  const ahead = createEarlyRequests({
    ...common,
    mostMs: PATIENCE_MS,
    beside: finder,
    onReply: ({ source, endpoint }, isTaken) => events.push(`${source}.${endpoint}${isTaken ? ' taken' : ''}`),
  });
  beside.push(ahead);
  return { book, finder, ahead, events, requester };
}

const idle = () => new Promise((resolve) => setTimeout(resolve, 150));
const sent = async (upstream: { readonly seen: readonly string[] }, count: number) => {
  while (upstream.seen.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
};

test('a collection uses early requests, complete or pending, and nothing is sent twice', async () => {
  const upstream = toyUpstream(({ url }) => reply(url));
  const { book, ahead, requester, events } = setUp([plenty, toySource('two')], upstream);
  ahead.request('a', toyFacts, false);
  const told: string[] = [];
  const job = requester([ahead], told);
  await collect(job, book, toyFacts);
  assert.equal(upstream.seen.length, 4);
  assert.equal(new Set(upstream.seen).size, 4);
  assert.deepEqual(events.sort(), ['one.pool', 'one.price', 'two.pool', 'two.price']);
  assert.deepEqual(told.sort(), ['one.pool ok taken', 'one.price ok taken', 'two.pool ok taken', 'two.price ok taken']);
  const { observations } = assemble(job.replies(), book);
  assert.equal(observations.length, 4);
});

test('a reply that was requested ahead is reported with the time at which it came, not with that at which it was taken', async () => {
  const upstream = toyUpstream(({ url }) => reply(url));
  const { book, ahead, requester } = setUp([plenty], upstream);
  ahead.request('a', toyFacts, false);
  await idle();
  const takenFrom = Date.now();
  const ended: number[] = [];
  await collect(requester([ahead], [], ended), book, toyFacts);
  assert.equal(ended.length, 2);
  assert.ok(
    ended.every((at) => at < takenFrom - 50),
    `${ended}, taken from ${takenFrom}`,
  );
  const own: number[] = [];
  await collect(requester([], [], own), book, toyFacts);
  assert.ok(own.every((at) => at >= takenFrom));
});

test('what identification has requested is not sent again, and what was sent ahead is not sent by identification', async () => {
  const upstream = toyUpstream(({ url }) => reply(url));
  const { ahead, finder } = setUp([plenty], upstream);
  void finder.request('one', 'price', { address: 'abc' });
  ahead.request('a', toyFacts, false);
  await idle();
  const pool = await finder.request('one', 'pool', { pool: 'p1' });
  assert.ok(pool.ok);
  assert.deepEqual([...upstream.seen].sort(), ['https://one.example/pool/p1', 'https://one.example/price/abc']);
  // The job's evidence is what it requested itself.
  assert.equal(finder.replies().length, 2);
});

test('nothing that was requested ahead of another asset is evidence', async () => {
  const upstream = toyUpstream(({ url }) => (url.endsWith('/foreign') ? { body: '{"price":666}' } : reply(url)));
  const { book, ahead, requester } = setUp([plenty], upstream);
  ahead.request('b', other, false);
  await idle();
  const job = requester([ahead]);
  await collect(job, book, toyFacts);
  assert.ok(upstream.seen.some((url) => url.endsWith('/foreign')));
  assert.equal(JSON.stringify(job.replies()).includes('foreign'), false);
  assert.deepEqual(
    assemble(job.replies(), book).observations.map(({ value }) => value),
    [500, 2],
  );
});

test('the facts of another asset end what is under way, and a third asset is not requested', async () => {
  const upstream = toyUpstream(({ url }) => ({ ...reply(url), delayMs: 60 }));
  const { ahead } = setUp([plenty], upstream);
  ahead.request('b', other, true);
  await sent(upstream, 1);
  ahead.request('a', toyFacts, false);
  ahead.request('c', { ...toyFacts, address: 'third' }, false);
  await idle();
  assert.deepEqual(
    upstream.seen.filter((url) => url.includes('/price/')),
    ['https://one.example/price/foreign', 'https://one.example/price/abc'],
  );
  assert.equal(upstream.seen.filter((url) => url.includes('/pool/')).length, 1, 'of the second asset alone');
});

test('a guess uses no request slot of a source with a small budget', async () => {
  const upstream = toyUpstream(({ url }) => reply(url));
  const budget = { perMinute: 30, burst: 1, concurrency: 1, shareSeconds: 0 };
  const { ahead } = setUp([plenty, toySource('few', { budget })], upstream);
  ahead.request('a', toyFacts, true);
  await idle();
  assert.equal(upstream.seen.filter((url) => url.includes('few.')).length, 0);
  ahead.request('a', toyFacts, false);
  await idle();
  assert.deepEqual([...upstream.seen].sort(), [
    'https://few.example/pool/p1',
    'https://few.example/price/abc',
    'https://one.example/pool/p1',
    'https://one.example/price/abc',
  ]);
});

test('a request that was stopped or refused for its budget is made again; a failure of the source is not', async () => {
  for (const [fail, times] of [
    ['timeout', 1],
    ['rate_limited', 2],
  ] as const) {
    const upstream = toyUpstream(() => ({ fail, delayMs: 10 }));
    const { ahead, requester } = setUp([plenty], upstream);
    ahead.request('a', toyFacts, false);
    await sent(upstream, 1);
    const answer = await requester([ahead]).request('one', 'price', { address: 'abc' });
    assert.deepEqual([answer.ok, answer.outcome, upstream.seen.length], [false, fail, times]);
  }
  const upstream = toyUpstream(({ url }) => ({ ...reply(url), delayMs: 60 }));
  const { ahead, requester } = setUp([plenty], upstream);
  ahead.request('a', toyFacts, false);
  await sent(upstream, 1);
  const asking = requester([ahead]).request('one', 'price', { address: 'abc' });
  ahead.stop();
  ahead.request('a', toyFacts, false);
  assert.ok((await asking).ok);
  assert.equal(upstream.seen.length, 2);
});
