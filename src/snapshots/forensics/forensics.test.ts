import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ethereum } from '../../chains/ethereum.ts';
import type { ForensicSubject } from '../../domain/evidence.ts';
import type { Upstream, UpstreamReply } from '../../upstream/types.ts';
import { createPriceThen } from './bounded-upstream.ts';
import { createForensics, type ForensicsTools } from './forensics.ts';
import { oldestSecond } from './investigate.ts';
import { openSearch, type SearchTools } from './search.ts';
import type { Drain, WatchedPool } from './types.ts';

const MINT = '3Um3HXzvbbnd1XSto9FkVeeBvGutBfMeFdTvCp1o6gjo';
const subject = (id: string): ForensicSubject => ({
  asset: { id, chain: 'solana', address: MINT, symbol: 'X', name: 'X', category: null, website: null },
  consensus: {},
  flags: [],
  defaultTests: [],
});

/** A client whose answers are made by the test. */
function client(answer: (url: string) => Promise<unknown>): { readonly upstream: Upstream; readonly asked: string[] } {
  const asked: string[] = [];
  const upstream = {
    async request({ url }: { readonly url: string }): Promise<UpstreamReply> {
      asked.push(url);
      const body = Buffer.from(JSON.stringify(await answer(url)));
      return {
        ok: true,
        status: 200,
        headers: {},
        body,
        sha256: '0'.repeat(64),
        url,
        fetchedAt: '2026-01-01T00:00:00.000Z',
        milliseconds: 1,
        attempts: 1,
        fromCache: false,
      };
    },
  } as unknown as Upstream;
  return { upstream, asked };
}

function tools(changes: Partial<ForensicsTools> = {}): ForensicsTools & { clock: { now: number } } {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  return {
    clock,
    upstream: client(async () => ({ jsonrpc: '2.0', id: 1, result: [] })).upstream,
    nodesOf: () => [{ label: 'solana_rpc', url: 'http://127.0.0.1:1/', secretHeaders: {}, secretQuery: [] }],
    explorerOf: () => null,
    llamaCoins: null,
    keptPrice: async () => null,
    attributionOf: () => null,
    everyMs: () => 0,
    now: () => clock.now,
    holders: async () => null,
    seenPayments: async () => [],
    keepPayments: async () => undefined,
    keepLaunch: async () => undefined,
    onError: (error) => {
      throw error;
    },
    ...changes,
  };
}

test('the oldest pool comes second, and no pool is lost or duplicated', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.date({ noInvalidDate: true })), { maxLength: 12 }), (dates) => {
      const pools = dates.map((date, index) => ({ index, createdAt: date?.toISOString() ?? null }));
      const ordered = oldestSecond(pools);
      assert.deepEqual(
        [...ordered].sort((a, b) => a.index - b.index),
        pools,
      );
      assert.equal(ordered[0], pools[0]);
    }),
  );
});

test('an asset without pools in its evidence gets the reason, and sends no request', async () => {
  const { upstream, asked } = client(async () => ({}));
  const forensics = createForensics(tools({ upstream }));
  const found = await forensics.drains(subject('one'), 1_000);
  assert.ok(found.state === 'found');
  assert.equal(found.record.verdict, 'not_seen');
  const codes = found.record.limits.map((limit) => limit.code);
  assert.ok(codes.includes('no_pools') && codes.includes('no_creator'));
  assert.deepEqual(asked, []);
});

test('concurrent callers wait for one search, its result is kept, and made anew when it expires', async () => {
  let searches = 0;
  const given = tools({
    async holders() {
      searches += 1;
      return null;
    },
  });
  const forensics = createForensics(given);
  const all = await Promise.all(Array.from({ length: 20 }, () => forensics.clusters(subject('one'), 1_000)));
  assert.ok(all.every((one) => one.state === 'found'));
  assert.equal(searches, 1);
  given.clock.now += 5 * 3_600_000;
  await forensics.clusters(subject('one'), 1_000);
  assert.equal(searches, 1);
  given.clock.now += 2 * 3_600_000;
  await forensics.clusters(subject('one'), 1_000);
  assert.equal(searches, 2);
});

test('a third search at once is refused with Retry-After, and a search longer than the wait gives 202', async () => {
  let release = () => {};
  const held = new Promise<null>((resolve) => {
    release = () => resolve(null);
  });
  const forensics = createForensics(tools({ holders: () => held }));
  const first = await Promise.all(['one', 'two'].map((id) => forensics.clusters(subject(id), 5)));
  assert.deepEqual(
    first.map((one) => one.state),
    ['searching', 'searching'],
  );
  assert.equal((await forensics.clusters(subject('three'), 5)).state, 'busy');
  assert.equal((await forensics.drains(subject('three'), 5)).state, 'busy');
  release();
  assert.equal((await forensics.clusters(subject('one'), 1_000)).state, 'found');
  assert.equal((await forensics.clusters(subject('three'), 1_000)).state, 'found');
  await forensics.close();
});

test('an internal fault is reported as an error, and the next caller starts anew', async () => {
  const errors: unknown[] = [];
  let broken = true;
  const forensics = createForensics(
    tools({
      async holders() {
        if (broken) throw new Error('a bug');
        return null;
      },
      onError: (error) => errors.push(error),
    }),
  );
  await assert.rejects(forensics.clusters(subject('one'), 1_000), /a search failed/);
  assert.equal(errors.length, 1);
  broken = false;
  assert.equal((await forensics.clusters(subject('one'), 1_000)).state, 'found');
});

test('a project without a token, a native coin and a chain without nodes are not searched', async () => {
  const forensics = createForensics(
    tools({ nodesOf: (chain) => (chain === 'solana' ? tools().nodesOf('solana') : []) }),
  );
  const of = (chain: string | null, address: string | null) => ({
    ...subject('one'),
    asset: { ...subject('one').asset, chain, address },
  });
  for (const one of [of(null, null), of('solana', 'native'), of('base', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984')])
    assert.equal((await forensics.drains(one, 10)).state, 'unsupported');
});

test('a historical price comes from stored prices, else from the day itself, and never from another day', async () => {
  const at = '2026-01-01T00:05:00.000Z';
  const seconds = Date.parse('2026-01-01T00:00:00Z') / 1000;
  const llama = (timestamp: number, price: unknown = 150) =>
    client(async () => ({ coins: { [`solana:${MINT}`]: { price, timestamp, symbol: 'X' } } }));
  const price = (source: ReturnType<typeof llama>, kept: number | null = null) =>
    createPriceThen({ upstream: source.upstream, llamaCoins: 'http://127.0.0.1:1', kept: async () => kept })(
      'solana',
      MINT,
      at,
    );
  assert.deepEqual(await price(llama(seconds), 149), { usd: 149, source: 'own_history' });
  const asked = llama(seconds);
  assert.deepEqual(await price(asked), { usd: 150, source: 'defillama' });
  assert.match(asked.asked[0] ?? '', new RegExp(`/prices/historical/${seconds}/solana%3A${MINT}$`));
  assert.equal(await price(llama(seconds + 90_000)), null);
  for (const nonsense of [-1, 0, 'dear', null, [150]]) assert.equal(await price(llama(seconds, nonsense)), null);
});

test('money of a pool against the wrapped coin is followed as the coin too', async () => {
  const asked: string[] = [];
  const block = { number: '0x10', timestamp: '0x1', hash: `0x${'1'.repeat(64)}`, parentHash: `0x${'2'.repeat(64)}` };
  const replies: Readonly<Record<string, unknown>> = { eth_getBlockByNumber: block, eth_getCode: '0x' };
  const request = async ({ body }: { readonly body: string }) => {
    const { method } = JSON.parse(body) as { readonly method: string };
    asked.push(method);
    return { ok: true, body: Buffer.from(JSON.stringify({ result: replies[method] ?? [] })) };
  };
  const tools = {
    upstream: { request },
    nodesOf: () => [{ label: 'evm_rpc', url: 'http://127.0.0.1/', secretHeaders: {}, secretQuery: [] }],
    explorerOf: () => null,
    everyMs: () => 0,
    now: Date.now,
  } as unknown as SearchTools;
  const { search } = openSearch(tools, 'ethereum', new AbortController().signal).chain;
  const start = { wallet: `0x${'3'.repeat(40)}`, amount: 1n, first: { height: 1 } as Drain };
  const follow = (quote: string) => search.follow({ quote } as WatchedPool, [start], () => false);
  await follow(`0x${'4'.repeat(40)}`);
  assert.ok(!asked.includes('trace_filter'));
  await follow(ethereum.wrappedNative.address);
  assert.ok(asked.includes('trace_filter'), asked.join(' '));
});
