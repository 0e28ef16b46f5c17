import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HoldersReply } from '../src/contract/holders.ts';
import { MarketReply } from '../src/contract/market.ts';
import { PoolsReply } from '../src/contract/pools.ts';
import { historyOf } from '../src/contract/snapshot.ts';
import { chainApiWorld, fits, HOSTILE, market, read } from './support/chain-api-world.ts';
import { CONTRACT, JUP, MINT, marketSnapshot, SOLANA, UNI } from './support/chain-snapshots.ts';
import type { ChainWorld } from './support/chain-world.ts';

let world: ChainWorld;

before(async () => {
  world = await chainApiWorld();
});

after(() => world.close());

test('each snapshot reply fits its documented schema and states age, mode and when to request it again', async () => {
  for (const [path, schema, age] of [
    [market(), MarketReply, 26],
    [`/v1/solana/${MINT}/holders/snapshot`, HoldersReply, 3_896],
    [`/v1/solana/${MINT}/liquidity/pools`, PoolsReply, 296],
    [`/v1/ethereum/market/${CONTRACT}/snapshot`, MarketReply, 56],
  ] as const) {
    const reply = await world.get(path);
    assert.equal(reply.status, 200, path);
    const body = await read(reply);
    fits(schema, body);
    assert.equal(body.age_seconds, age);
    assert.equal(body.data_mode, 'sandbox');
    assert.match(reply.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
    assert.match(reply.headers.get('etag') ?? '', /^"[^"]+"$/);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(reply.headers.get('assay-data-mode'), 'sandbox');
    assert.ok(reply.headers.get('x-request-id'));
  }
});

test('an asset is found by address, symbol in any case and CAIP-19 id', async () => {
  for (const text of [MINT, 'JUP', 'jUp', `${SOLANA}/token:${MINT}`, `solana:${MINT}`]) {
    const reply = await world.get(market(text));
    assert.equal(reply.status, 200, text);
    assert.equal((await read<{ asset: { id: string } }>(reply)).asset.id, JUP.id);
  }
  const upper = await world.get(`/v1/ethereum/market/0x${CONTRACT.slice(2).toUpperCase()}/snapshot`);
  assert.equal(upper.status, 200);
});

test('one tag identifies one set of bytes; an unchanged snapshot gives 304 at any age', async () => {
  const first = await world.get(market());
  const etag = first.headers.get('etag') ?? '';
  const again = await world.get(market());
  assert.equal(again.headers.get('etag'), etag);
  assert.equal(await again.text(), await first.text());
  world.clock.now += 5_000;
  const later = await world.get(market(), { headers: { 'if-none-match': `"other", W/${etag}` } });
  assert.equal(later.status, 304);
  assert.equal(later.headers.get('etag'), etag);
  assert.equal(later.headers.get('assay-age-seconds'), '31');
  const fresh = await world.get(market());
  assert.notEqual(fresh.headers.get('etag'), etag);
  assert.equal((await read(fresh)).age_seconds, 31);
  world.clock.now -= 5_000;
  const packed = await world.get(market(), { headers: { 'accept-encoding': 'zstd' } });
  assert.notEqual(packed.headers.get('etag'), etag);
});

test('bodies are packed as the client likes, with the same content', async () => {
  const plain = await (await world.get(market())).text();
  const raw = (encoding: string) => world.get(market(), { headers: { 'accept-encoding': encoding } });
  for (const encoding of ['gzip', 'br', 'zstd']) {
    const reply = await raw(encoding);
    assert.equal(reply.headers.get('content-encoding'), encoding);
    assert.equal(await reply.text(), plain);
  }
  assert.equal((await raw('gzip;q=0')).headers.get('content-encoding'), null);
});

test('as_of replies with the state known then', async () => {
  const then = await world.get(`${market()}?as_of=2026-11-20T12:00:00Z`);
  const body = await read(then);
  fits(MarketReply, body);
  assert.equal(body.as_of, '2026-11-20T11:58:00.000Z');
  assert.equal((await read(await world.get(`${market()}?as_of=2026-11-01T00:00:00Z`))).code, 'no_snapshot_then');
});

test('pools come by scope and by size, and their totals are those of the pools listed', async () => {
  type Pools = {
    pools: { address: string }[];
    totals: { pools: number; tvl_usd: number };
    scope?: { pools_left_out: number };
  };
  const path = `/v1/solana/${MINT}/liquidity/pools`;
  const all = await read<Pools>(await world.get(path));
  assert.equal(all.pools.length, 13);
  assert.equal(all.scope, undefined);
  const verified = await read<Pools>(await world.get(`${path}?scope=verified&min_tvl_usd=4000`));
  fits(PoolsReply, verified);
  assert.deepEqual(
    verified.pools.map((row) => row.address),
    ['pool4', 'pool6', 'pool8', 'pool10'],
  );
  assert.equal(verified.totals.tvl_usd, 28_000);
  assert.equal(verified.scope?.pools_left_out, 9);
  const top = await read<Pools>(await world.get(`${path}?scope=top`));
  assert.equal(top.pools.length, 10);
  assert.equal(top.pools[0]?.address, 'pool11');
});

test('history is paged, oldest first, and a known page gives 304', async () => {
  type Page = { data: { as_of: string }[]; next_cursor: string | null };
  const path = `/v1/solana/market/${MINT}/history?interval=all&limit=3`;
  const reply = await world.get(path);
  const first = await read<Page>(reply);
  fits(historyOf(MarketReply), first);
  assert.equal(first.data.length, 3);
  const rest = await read<Page>(await world.get(`${path}&cursor=${first.next_cursor}`));
  assert.deepEqual([rest.data.length, rest.next_cursor], [1, null]);
  for (const cursor of ['abc', '2026-13-01T00:00:00.000Z', '2026-11-20', '12'])
    assert.equal((await world.get(`${path}&cursor=${cursor}`)).status, 400, `${cursor} is not the end of the list`);
  const hourly = await read<Page>(await world.get(`/v1/solana/market/${MINT}/history`));
  assert.deepEqual(
    hourly.data.map((row) => row.as_of.slice(11, 16)),
    ['10:10', '11:58', '12:34'],
  );
  world.clock.now += 1_000;
  const known = await world.get(path, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } });
  world.clock.now -= 1_000;
  assert.equal(known.status, 304);
  fits(historyOf(PoolsReply), await read(await world.get(`/v1/solana/${MINT}/liquidity/history`)));
  fits(historyOf(HoldersReply), await read(await world.get(`/v1/solana/${MINT}/holders/history`)));
});

test('what strangers named their token stays inert JSON', async () => {
  const reply = await world.get(market(HOSTILE.address ?? ''));
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  const body = await read<{ asset: { name: string; symbol: string } }>(reply);
  fits(MarketReply, body);
  assert.equal(body.asset.name, HOSTILE.name);
  assert.equal(body.asset.symbol, HOSTILE.symbol);
});

test('an unknown parameter is refused: a misspelt `as_of` gave the newest snapshot', async () => {
  const reply = await world.get(`${market()}?as_off=1`);
  assert.equal(reply.status, 400);
  assert.match(await reply.text(), /the parameters are as_of, got \\"as_off\\"; did you mean as_of\?/);
  const open = await world.get(`${market()}?colour=red`);
  assert.equal(open.status, 200, 'the interface document leaves the parameters of its paths open');
  assert.match(open.headers.get('assay-warnings') ?? '', /colour was ignored/);
});

test('a reply from memory, before the router, equals that of the routes, head and body', async () => {
  const key = await world.key('INTERNAL');
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const reply = await fetch(`${world.url}${path}`, {
      headers: { 'x-api-key': key, 'x-request-id': 'same', ...more },
    });
    const head = Object.fromEntries([...reply.headers].filter(([name]) => !['date', 'keep-alive'].includes(name)));
    return { status: reply.status, head, body: await reply.text() };
  };
  for (const path of [market(), `/v1/solana/${MINT}/holders/snapshot`, `/v1/solana/${MINT}/liquidity/pools`])
    for (const coding of ['identity', 'gzip', 'br, zstd;q=0.1']) {
      await ask(path, { 'accept-encoding': coding });
      const fast = await ask(path, { 'accept-encoding': coding });
      // A key as a bearer, and an address with a query, go the whole way.
      const slow = await ask(`${path}?`, { 'accept-encoding': coding });
      assert.deepEqual(fast, slow, `${path} ${coding}`);
      assert.equal(fast.status, 200);
      const etag = fast.head.etag ?? '';
      const known = await ask(path, { 'accept-encoding': coding, 'if-none-match': etag });
      assert.deepEqual(known, await ask(`${path}?`, { 'accept-encoding': coding, 'if-none-match': etag }));
      assert.equal(known.status, 304);
    }
});

test('a new snapshot is served at once after its notice, and a lost notice is detected', async () => {
  const price = async () => (await read<{ price_usd: number }>(await world.get(market()))).price_usd;
  assert.equal(await price(), 1.25);
  world.clock.now += 10_000;
  world.reader.put(marketSnapshot(JUP, new Date(world.clock.now).toISOString(), 2));
  assert.equal(await price(), 2);
  world.clock.now += 10_000;
  world.reader.putSilently(marketSnapshot(JUP, new Date(world.clock.now).toISOString(), 3));
  await price();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await price(), 3);
});

test('many misses at the same time cost one read', async () => {
  world.clock.now += 10_000;
  world.reader.put(marketSnapshot(UNI, new Date(world.clock.now).toISOString()));
  world.reader.delayMs = 30;
  const before = world.reader.reads.latest;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => world.get(`/v1/ethereum/market/${CONTRACT}/snapshot`)),
  );
  world.reader.delayMs = 0;
  assert.ok(replies.every((reply) => reply.status === 200));
  assert.equal(world.reader.reads.latest - before, 1);
});

test('the OpenAPI document has the paths of the interface document', async () => {
  const { paths } = await read<{ paths: Record<string, unknown> }>(await fetch(`${world.url}/openapi.json`));
  for (const path of [
    '/v1/solana/market/{asset}/snapshot',
    '/v1/solana/{asset}/holders/snapshot',
    '/v1/solana/{asset}/liquidity/pools',
    '/v1/solana/exports/daily',
    '/v1/{chain}/exports/daily',
    '/v1/chains',
    '/v1/plans',
    '/v1/status',
  ])
    assert.ok(paths[path], path);
});
