import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourcesFor } from '../domain/index.ts';
import { bindSources } from '../evidence/book.ts';
import { createBulkLists } from '../evidence/bulk.ts';
import { toySource, toyUpstream } from '../evidence/fixtures/toy.ts';
import { loadMethodology, type Methodology } from '../methodology/index.ts';
import type { Upstream } from '../upstream/types.ts';
import { createQuotePrices } from './gather.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

function setUp(methodology: Methodology = loadMethodology()) {
  const [name = ''] = sourcesFor('quote_prices');
  const book = bindSources([toySource(name)], {});
  const toy = toyUpstream((request) => ({
    body: request.url.includes('/price/') ? '{"price":1}' : '{"liquidity":500}',
    delayMs: 50,
  }));
  const upstream: Upstream & { readonly seen: string[] } = {
    ...toy,
    request(request, signal) {
      const cancelled = {
        ok: false,
        reason: 'cancelled',
        detail: 'cancelled',
        status: null,
        url: request.url,
      } as const;
      const more = { fetchedAt: '', milliseconds: 1, attempts: 1, retryAfterSeconds: null, body: null };
      return Promise.race([
        toy.request(request).then((reply) => ({ ...reply, fetchedAt: new Date().toISOString() })),
        new Promise<{ readonly ok: false } & typeof cancelled & typeof more>((resolve) =>
          signal?.addEventListener('abort', () => resolve({ ...cancelled, ...more })),
        ),
      ]);
    },
  };
  const bulk = createBulkLists({ book, upstream, now: Date.now });
  return { quotes: createQuotePrices({ book, upstream, bulk, methodology, now: Date.now }), upstream };
}

test('a snapshot that is stopped takes the price of a quote token from no other', async () => {
  const { quotes } = setUp();
  const stopped = new AbortController();
  const first = quotes.pricesOf('ethereum', [USDC], stopped.signal);
  const other = quotes.pricesOf('ethereum', [USDC], new AbortController().signal);
  setTimeout(() => stopped.abort(), 10);
  assert.deepEqual([...(await first)], []);
  assert.deepEqual([...(await other)], [[USDC, 1]], 'it waited for the same request');
  const later = await quotes.pricesOf('ethereum', [USDC], new AbortController().signal);
  assert.deepEqual([...later], [[USDC, 1]]);
});

test('a price that cannot be computed fails the snapshot, and not the process', async () => {
  const { quotes, upstream } = setUp({} as never);
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const read = () => quotes.pricesOf('ethereum', [USDC], new AbortController().signal);
  await assert.rejects(read(), TypeError);
  const { length } = upstream.seen;
  await assert.rejects(read(), TypeError);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
  assert.equal(upstream.seen.length, 2 * length, 'it is asked for again');
});
