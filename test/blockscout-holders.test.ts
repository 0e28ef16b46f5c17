import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { blockscoutHolders } from '../src/snapshots/evm/blockscout.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { ownerOf, TOKEN } from './support/toy-chain.ts';

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
after(() => upstream.close());

const rows = Array.from({ length: 7 }, (_, index) => ({
  address: { hash: ownerOf(index + 1) },
  value: String(1_000 - index),
}));

async function blockscout(pageOf: (page: number) => unknown, about: object = { holders_count: '7' }) {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(url.pathname.endsWith('/holders') ? pageOf(Number(url.searchParams.get('page') ?? 0)) : about),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  upstream.setBudget('blockscout', { perMinute: 1e6, burst: 1e6, concurrency: 4, shareSeconds: 0 });
  const base = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  const found = await blockscoutHolders({ upstream, base, secretHeaders: {} }, { token: TOKEN, mostPages: 10 });
  server.closeAllConnections();
  server.close();
  return found;
}

test('pages of an indexer are put together; a page that is repeated or out of order is a fault', async () => {
  const pages = (page: number) => ({
    items: rows.slice(page * 3, page * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  });
  const good = await blockscout(pages);
  assert.ok(good.ok);
  assert.deepEqual([good.value.table.count, good.value.holderCount, good.value.pages], [7, 7, 3]);
  const overlapping = await blockscout((page) => ({
    items: rows.slice(Math.max(0, page * 3 - 1), page * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  }));
  assert.ok(overlapping.ok, 'a row that moved onto the next page');
  assert.equal(overlapping.value.table.count, 7);
  const repeated = await blockscout((page) => ({ ...pages(0), next_page_params: { page: page + 1 } }));
  assert.equal(repeated.ok ? '' : repeated.detail, 'a page of holders came twice');
  const disordered = await blockscout((page) => ({
    items: rows.slice((2 - page) * 3, (2 - page) * 3 + 3),
    next_page_params: page < 2 ? { page: page + 1 } : null,
  }));
  assert.equal(disordered.ok ? '' : disordered.detail, 'the pages of holders are out of order');
});

test('a number of holders that was not counted is unknown, not 0', async () => {
  const once = async (about: object) => {
    const found = await blockscout(() => ({ items: rows, next_page_params: null }), about);
    return found.ok ? found.value.holderCount : found.detail;
  };
  // The form of a token whose holders are not counted yet, at newer and at older instances.
  for (const about of [
    { holders_count: null },
    { holders_count: null, holders: null },
    { holders: '' },
    {},
    { holders: '0' },
  ])
    assert.equal(await once(about), null, JSON.stringify(about));
  assert.equal(await once({ holders_count: null, holders: '9' }), 9);
  assert.equal(await once({ holders: 12 }), 12);
  for (const wrong of ['1e3', '-4', ' 7', '0x10', true, []]) assert.equal(await once({ holders_count: wrong }), null);
});
