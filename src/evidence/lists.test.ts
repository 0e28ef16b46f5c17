import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { endpoint, type Source } from '../sources/source.ts';
import { assemble } from './assemble.ts';
import { bindSources, budgetOf, refreshMsOf } from './book.ts';
import type { ListTurn, SharedLists } from './bulk.ts';
import { createBulkLists } from './bulk.ts';
import { collect } from './collect.ts';
import { toyFacts, toySource, toyUpstream } from './fixtures/toy.ts';
import { reobserve } from './inspect.ts';
import { createJobRequester } from './requester.ts';

const NOW = Date.parse('2026-01-01T00:05:00.000Z');
const Row = Type.Object({ address: Type.String(), price: Type.Number() });

function listing(change: { readonly insteadOf?: readonly string[]; readonly covers?: boolean }): Source {
  const source = toySource('one');
  const list = endpoint({
    name: 'prices',
    doc: 'made up',
    role: 'bulk',
    critical: false,
    plan: (facts) => (facts.address ? [{ address: facts.address }] : []),
    request: () => ({ path: '/prices' }),
    reply: Type.Array(Row),
    list: {
      refreshSeconds: 600,
      keysOf: (row) => [String((row as { address: string }).address)],
      keyOf: ({ address }) => (typeof address === 'string' ? address : null),
      ...(change.insteadOf ? { insteadOf: change.insteadOf } : {}),
    },
    observe: (reply, params) =>
      reply
        .filter((row) => row.address === params.address)
        .map((row) => ({ quantity: 'price_usd' as const, value: row.price })),
    learn: () => ({ 'one.listed': true }),
  });
  const endpoints = source.endpoints.map((row) =>
    row.name === 'price' && change.covers
      ? endpoint({ ...row, plan: (facts) => (facts.learned['one.listed'] ? [] : row.plan(facts)) })
      : row,
  );
  return { ...source, endpoints: [...endpoints, list] };
}

async function job(source: Source, answer: Parameters<typeof toyUpstream>[0]) {
  const upstream = toyUpstream(answer);
  const book = bindSources([source], {});
  const bulk = createBulkLists({ book, upstream, now: () => NOW });
  await bulk.get('one', 'prices', 1_000);
  const requester = createJobRequester({
    book,
    upstream,
    bulk,
    now: () => NOW,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + 2_000,
    signal: AbortSignal.timeout(2_000),
    traceparent: null,
    onReply: () => undefined,
  });
  await collect(requester, book, toyFacts);
  return { upstream, book, requester, parts: assemble(requester.replies(), book) };
}

const body = (url: string) =>
  url.endsWith('/prices') ? '[{"address":"abc","price":3},{"address":"xyz","price":9}]' : '{"price":2,"liquidity":5}';
const prices = (parts: Awaited<ReturnType<typeof job>>['parts']) =>
  parts.observations.filter((row) => row.quantity === 'price_usd').map((row) => `${row.endpoint} ${row.value}`);

test('a value that a list has for an asset is not requested again for it', async () => {
  const { upstream, parts } = await job(listing({ covers: true }), ({ url }) => ({ body: body(url) }));
  assert.deepEqual(prices(parts), ['prices 3']);
  assert.deepEqual(upstream.seen, ['https://one.example/prices']);
});

test('a row of a list counts where the asset’s own page failed, and not in addition to it', async () => {
  const source = listing({ insteadOf: ['price'] });
  const both = await job(source, ({ url }) => ({ body: body(url) }));
  assert.deepEqual(prices(both.parts), ['price 2']);
  const alone = await job(source, ({ url }) =>
    url.includes('/price/') ? { fail: 'rate_limited' } : { body: body(url) },
  );
  assert.deepEqual(prices(alone.parts), ['prices 3']);
  assert.equal(alone.parts.observations[0]?.observedAt, '2026-01-01T00:00:00.000Z', 'as old as the list');
});

test('a row is archived alone and gives the same observation again', async () => {
  const { requester, book, parts } = await job(listing({ covers: true }), ({ url }) => ({ body: body(url) }));
  const bodies = new Map(requester.replies().map(({ record, body: bytes }) => [record.sha256, bytes]));
  const kept = [...bodies.values()].map((bytes) => new TextDecoder().decode(bytes ?? new Uint8Array()));
  assert.deepEqual(kept, ['[{"address":"abc","price":3}]']);
  const evidence = { ...parts, identification: { foreignResponses: [] } } as never;
  const again = await reobserve(evidence, book, async (sha256) => bodies.get(sha256) ?? null);
  assert.deepEqual([again.bodies, again.gone, again.different], [1, 0, []]);
  assert.deepEqual(again.observations, parts.observations);
});

test('of several processes one fetches a list and the others have it of that one', async () => {
  const held = new Map<string, ListTurn>();
  const claimed = new Set<string>();
  const shared: SharedLists = {
    async take(name) {
      const kind = claimed.has(name) ? 'busy' : 'mine';
      claimed.add(name);
      return held.get(name) ?? { kind };
    },
    put: async (name, record, bytes) => void held.set(name, { kind: 'held', record, body: bytes }),
    release: async (name) => void claimed.delete(name),
  };
  const upstream = toyUpstream(({ url }) => ({ body: body(url), delayMs: 50 }));
  const book = bindSources([listing({})], {});
  const all = [1, 2, 3].map(() => createBulkLists({ book, upstream, now: () => NOW, shared }));
  const lists = await Promise.all(all.map((bulk) => bulk.get('one', 'prices', 3_000)));
  for (const list of lists) assert.ok(!('failed' in list) && list.find('abc') !== null);
  assert.equal(upstream.seen.length, 1);
});

test('a free key raises the request budget of a source only where its plan states so', () => {
  const keyed = {
    ...listing({}),
    key: { required: false, header: 'x-key', adds: 'requests', from: 'https://a.example', perMinute: 30 },
  };
  const perMinute = (key: string | null, source = keyed) => budgetOf({ source, key }).perMinute;
  assert.deepEqual(
    [
      perMinute(null),
      perMinute('k'),
      perMinute('k', {
        ...keyed,
        key: { required: false, header: 'x-key', adds: 'requests', from: 'https://a.example' } as never,
      }),
    ],
    [keyed.budget.perMinute, 30, keyed.budget.perMinute],
  );
});

test('with a key billed by the month, lists use at most half of the requests', () => {
  const keyed = {
    ...listing({}),
    key: { required: false, header: 'x-key', adds: 'requests', from: 'https://a.example', perMonth: 1_000 },
  };
  const [endpoint] = keyed.endpoints.filter(({ list }) => list !== undefined);
  assert.ok(endpoint);
  const own = (endpoint.list?.refreshSeconds ?? 0) * 1000;
  const calls = (key: string | null, perMonth: number) =>
    (30 * 86_400_000) / refreshMsOf({ source: { ...keyed, key: { ...keyed.key, perMonth } }, key }, endpoint);
  assert.equal(refreshMsOf({ source: keyed, key: null }, endpoint), own);
  assert.equal(Math.round(calls('k', 1_000)), 500);
  assert.equal(calls('k', 1e9), (30 * 86_400_000) / own);
});

test('a list of text that another process fetched is text', async () => {
  const made = listing({});
  const endpoints = made.endpoints.map((row) =>
    row.list === undefined
      ? row
      : {
          ...row,
          format: 'text' as const,
          reply: Type.String(),
          list: {
            ...row.list,
            rowsOf: (reply: unknown) => String(reply).split(','),
            keysOf: (row: unknown) => [String(row)],
          },
        },
  );
  const upstream = toyUpstream(() => assert.fail('it is held by another process'));
  const record = { fetchedAt: new Date(NOW).toISOString() } as never;
  const held = async (): Promise<ListTurn> => ({ kind: 'held', record, body: Buffer.from('0xa,0xb') });
  const shared: SharedLists = { take: held, put: async () => {}, release: async () => {} };
  const book = bindSources([{ ...made, endpoints }], {});
  const bulk = createBulkLists({ book, upstream, now: () => NOW, shared });
  const list = await bulk.get('one', 'prices', 1_000);
  assert.ok(!('failed' in list), JSON.stringify(list));
  assert.equal(list.find('0xb')?.row, '0xb');
  bulk.close();
});

test('a row that only a reply has named is read when the replies are in, once', async () => {
  const source = listing({});
  const endpoints = source.endpoints.map((row) =>
    row.name === 'prices'
      ? endpoint({ ...row, plan: ({ learned }) => (learned['one.pool'] === undefined ? [] : [{ address: 'xyz' }]) })
      : row,
  );
  const { parts, requester } = await job({ ...source, endpoints }, ({ url }) => ({ body: body(url) }));
  assert.deepEqual(prices(parts).sort(), ['price 2', 'prices 9']);
  assert.equal(requester.replies().filter(({ record }) => record.endpoint === 'prices').length, 1);
});

test('a list that is rejected leaves the one in use in place, and is accepted once that is not used any more', async () => {
  const source = listing({});
  const [before, list] = [source.endpoints.slice(0, -1), source.endpoints.at(-1)];
  assert.ok(list?.list);
  const refuses = (now: unknown, held: unknown) => ((now as []).length < (held as []).length ? 'it is shorter' : null);
  const picky = { ...source, endpoints: [...before, { ...list, list: { ...list.list, refuses } }] };
  let [now, served] = [NOW, body('/prices')];
  const upstream = toyUpstream(() => ({ body: served }));
  const put: number[] = [];
  const shared: SharedLists = {
    take: async () => ({ kind: 'mine' }),
    put: async (_name, _record, bytes) => void put.push(bytes.length),
    release: async () => undefined,
  };
  const bulk = createBulkLists({ book: bindSources([picky], {}), upstream, now: () => now, shared });
  const listed = async () => {
    await bulk.get('one', 'prices', 1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const found = await bulk.get('one', 'prices', 1_000);
    return 'failed' in found ? [] : ['abc', 'xyz'].filter((key) => found.find(key) !== null);
  };
  assert.deepEqual(await listed(), ['abc', 'xyz']);
  served = '[{"address":"abc","price":3}]';
  now += 700_000;
  assert.deepEqual(await listed(), ['abc', 'xyz']);
  assert.deepEqual([upstream.seen.length >= 2, put.length], [true, 1], 'no other process gets it either');
  now += 1_200_000;
  assert.deepEqual(await listed(), ['abc']);
});
