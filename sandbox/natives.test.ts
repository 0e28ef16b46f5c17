import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree } from '../src/consensus/index.ts';
import type { QuantityId } from '../src/domain/quantities.ts';
import { assemble } from '../src/evidence/assemble.ts';
import { bindSources } from '../src/evidence/book.ts';
import { createBulkLists } from '../src/evidence/bulk.ts';
import { collect } from '../src/evidence/collect.ts';
import { toyUpstream } from '../src/evidence/fixtures/toy.ts';
import { createJobRequester } from '../src/evidence/requester.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { consensusSets } from '../src/sources/consensus/index.ts';
import { defillama } from '../src/sources/defillama.ts';
import type { Facts } from '../src/sources/source.ts';
import { factsOfCoin } from './drive.ts';
import { FACADES } from './facades/index.ts';
import { createScene } from './scene.ts';
import { createWorld } from './world/world.ts';

/** When `toyUpstream` fetches. */
const FETCHED = Date.parse('2026-01-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const scene = createScene(createWorld({ seed: 1, anchor: FETCHED }), FETCHED, () => 1);

/** A service with the replicas of two sources behind it; `job` scores a coin at an hour and gives its values and the urls that were requested. */
function service() {
  const sources = [consensusSets, defillama];
  const bases = sources.flatMap((source) => Object.entries(source.bases).map(([base, url]) => ({ source, base, url })));
  const upstream = toyUpstream(({ url, body }) => {
    // The longest, for one base may be the beginning of another.
    const [at] = bases.filter((row) => url.startsWith(row.url)).sort((a, b) => b.url.length - a.url.length);
    assert.ok(at, url);
    const { pathname, searchParams, hostname } = new URL(`http://x${url.slice(at.url.length)}`);
    const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : null;
    const request = { source: at.source.name, base: at.base, method: 'GET', path: pathname, query: searchParams };
    const reply = FACADES[at.source.name]?.({ ...request, body: parsed, host: hostname }, scene);
    return reply?.json === undefined ? { fail: 'timeout' } : { body: JSON.stringify(reply.json) };
  });
  const clock = { now: FETCHED };
  const now = () => clock.now;
  const book = bindSources(sources, {});
  const bulk = createBulkLists({ book, upstream, now });
  const methodology = loadMethodology();
  return async (facts: Facts, hours = 0) => {
    clock.now = FETCHED + hours * HOUR_MS;
    const from = upstream.seen.length;
    const requester = createJobRequester({
      book,
      upstream,
      bulk,
      now,
      ticks: () => performance.now(),
      deadlineAt: performance.now() + 20_000,
      signal: AbortSignal.timeout(20_000),
      traceparent: null,
      onReply: () => undefined,
    });
    await collect(requester, book, facts);
    const { observations } = assemble(requester.replies(), book);
    const agreed = agree(observations, methodology, new Date(clock.now).toISOString());
    const value = (quantity: QuantityId) => agreed[quantity]?.value ?? null;
    return { value, urls: upstream.seen.slice(from), observations };
  };
}

test('the coin of a chain without a file here gets its consensus, its fees and its value', async () => {
  const { value } = await service()(factsOfCoin('Bitcoin', 'bitcoin'));
  assert.equal(value('consensus_nakamoto'), 2);
  assert.equal(value('consensus_top_share'), 1_300 / 4_320);
  assert.equal(value('consensus_attack_usd'), 7.2e9);
  assert.equal(value('client_top_share'), 0.78);
  assert.equal(value('transactions_24h'), 440_000);
  assert.ok(Math.abs(Number(value('supply_growth_365d')) - 0.0083) < 0.0005);
  assert.equal(value('fees_30d_usd'), 3e7);
  assert.equal(value('holders_revenue_30d_usd'), 1.8e7);
  assert.equal(value('tvl_usd'), 6.2e9);
  assert.equal(value('protocol_category'), 'Chain');
});

test('the coin of Solana gets the same from its nodes, by either form of its address', async () => {
  const score = service();
  for (const facts of [factsOfCoin('Solana', 'solana', 'solana'), factsOfCoin('Solana', 'solana')]) {
    const { value } = await score(facts);
    assert.equal(value('consensus_nakamoto'), 20);
    assert.equal(value('consensus_stake_tokens'), 80e6);
    assert.equal(value('supply_growth_365d'), 0.041);
    assert.equal(value('transactions_24h'), 95_040_000);
    assert.equal(value('client_top_share'), 0.8);
    assert.equal(value('tvl_usd'), 2.04e10);
  }
});

test('values that need two consecutive requests are observed too', async () => {
  const score = service();
  const ether = await score(factsOfCoin('Ether', 'ethereum', 'ethereum'));
  assert.equal(ether.value('consensus_nakamoto'), 2);
  assert.equal(ether.value('consensus_top_share'), 0.25);
  assert.equal((await score(factsOfCoin('Cardano', 'cardano'))).value('consensus_nakamoto'), 86);
  assert.equal((await score(factsOfCoin('Hedera', 'hedera-hashgraph'))).value('consensus_nakamoto'), 11);
});

test('a day of scores costs one request for each reply, and nothing for tokens', async () => {
  const score = service();
  const ofChains = (urls: readonly string[]) =>
    urls.filter((url) => Object.values(consensusSets.bases).some((base) => url.startsWith(base)));
  const first = ofChains((await score(factsOfCoin('Bitcoin', 'bitcoin'))).urls);
  assert.equal(first.length, 4);
  assert.equal(new Set(first).size, 4);
  for (const hours of [1, 9, 23])
    assert.deepEqual(ofChains((await score(factsOfCoin('Bitcoin', 'bitcoin'), hours)).urls), [], `${hours} h`);
  assert.equal(ofChains((await score(factsOfCoin('Bitcoin', 'bitcoin'), 25)).urls).length >= 4, true);
  const token = {
    ...factsOfCoin('A token', 'bitcoin', 'solana'),
    address: 'So11111111111111111111111111111111111111112',
  };
  assert.deepEqual(ofChains((await score(token, 26)).urls), []);
});
