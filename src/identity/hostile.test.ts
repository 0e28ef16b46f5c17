import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourceRequester } from '../sources/source.ts';
import { A, COPYCAT, FERN, found, healthy, methodology, PAGE, request, run } from './fixtures/fernwood.ts';
import { NOW, pageOf, scriptedRequester } from './fixtures/scripted.ts';
import { identify } from './identify.ts';

describe('when sources fail', () => {
  it('no replies differ from no results', async () => {
    const result = await run({ ...healthy, failing: { '*': 'timeout' } });
    assert.ok(!result.ok && result.kind === 'unreachable');
    assert.ok(result.tried.length >= 6);
  });

  it('a registration alone does not identify a token: with no reply of registries there is no result', async () => {
    const requester = scriptedRequester(healthy);
    const silent = { ok: false, outcome: 'timeout', detail: 'timeout' } as const;
    const ask: SourceRequester['request'] = async (source, endpoint, params) =>
      source === 'rdap' ? requester.request(source, endpoint, params) : silent;
    const alone: SourceRequester = { ...requester, request: ask, bulk: async () => silent };
    const result = await identify(request, alone, methodology, () => undefined);
    assert.equal(!result.ok && result.kind, 'unreachable');
    assert.ok(!result.ok && result.kind === 'unreachable' && result.tried.some((line) => /rdap.*: ok/.test(line)));
  });

  it('a shared host does not identify a project', async () => {
    for (const url of [
      'https://x.com/fernwood',
      'https://pump.fun/coin/abc',
      'https://fernwood.github.io/',
      'https://linktr.ee/fernwood',
    ]) {
      const result = await run(
        { tokens: [{ ...FERN, website: url }], pages: { [url]: pageOf('Fernwood') } },
        { ...request, projectUrl: url },
      );
      assert.equal(!result.ok && result.kind, 'not_identified', url);
    }
  });

  it('an own page on a shared host may still show the token', async () => {
    const url = 'https://fernwood.github.io/';
    const result = await found(
      { tokens: [{ ...FERN, website: url, llama: false }], pages: { [url]: PAGE } },
      { ...request, projectUrl: url },
    );
    assert.equal(result.registrableDomain, null);
    assert.equal(result.asset.address, A);
    const platform = 'https://x.com/fernwood';
    assert.equal(
      (await run({ ...healthy, pages: { [platform]: PAGE } }, { ...request, projectUrl: platform })).ok,
      false,
    );
  });

  it('a dead site and a young domain under an old token cost match', async () => {
    const result = await found({ ...healthy, pages: {}, registeredAt: '2026-11-10T00:00:00Z' });
    assert.deepEqual(
      result.contradictions.map((row) => row.kind),
      ['site_dead', 'domain_younger_than_token'],
    );
    assert.ok(Date.parse(NOW) > 0 && result.match < 0.4);
  });

  it('replies of any shape are survived', async () => {
    for (const junk of [
      null,
      1,
      'text',
      [],
      [null, 1],
      {},
      { coins: 'x', data: 7, pairs: [null, { chainId: 1 }], currencies: [{}] },
      { id: 'x', platforms: { ethereum: 7 }, links: { homepage: 'x' } },
    ]) {
      const raw = Object.fromEntries(
        [
          'coingecko.search',
          'coinmarketcap.map',
          'coinpaprika.search',
          'dexscreener.search',
          'geckoterminal.search_pools',
          'defillama.protocols',
          'rdap.bootstrap',
        ].map((name) => [name, junk]),
      );
      const result = await run({ ...healthy, raw });
      assert.ok(result.ok || result.kind === 'not_identified', JSON.stringify(junk));
    }
  });

  it('a requester that throws is a source that failed', async () => {
    const broken = {
      ...scriptedRequester(healthy),
      request: () => Promise.reject(new Error('bug')),
      bulk: () => Promise.reject(new Error('bug')),
    };
    const result = await identify(request, broken, methodology, () => undefined);
    assert.equal(!result.ok && result.kind, 'unreachable');
  });

  it('hostile texts stay small and clean', async () => {
    const nasty = `Fernwood\u202e${'x'.repeat(1_000_000)}`;
    const result = await found({
      ...healthy,
      tokens: [FERN, { ...COPYCAT, name: nasty, symbol: '\u202eNREF', id: 'nasty' }],
    });
    assert.equal(result.asset.address, A);
    const all = JSON.stringify(result);
    assert.ok(all.length < 20_000);
    assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(all));
  });

  it('a name in look-alike letters is another name', async () => {
    const cyrillic = { ...COPYCAT, name: 'Fеrnwооd', website: null };
    const result = await found({ ...healthy, tokens: [cyrillic, FERN] });
    assert.equal(result.asset.address, A);
  });
});
