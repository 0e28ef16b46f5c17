import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { A, B, C, FERN, found, healthy, MINT, methodology, request, URL_OF } from './fixtures/fernwood.ts';
import { pageOf, type ScriptedToken, scriptedRequester } from './fixtures/scripted.ts';
import { identify } from './identify.ts';

describe('a healthy project', () => {
  it('is found with every kind of link of the methodology', async () => {
    const found1 = await found(healthy);
    assert.equal(found1.asset.id, `eip155:1/erc20:${A}`);
    assert.equal(found1.stage, 'post_tge');
    assert.equal(found1.registrableDomain, 'fernwood.example');
    assert.deepEqual(
      found1.links.map((link) => link.kind),
      ['site_shows_token', 'registry_lists_domain', 'socials_agree', 'name_symbol_match'],
    );
    assert.equal(found1.match, 0.9832);
    assert.deepEqual(found1.contradictions, []);
  });

  it('carries the names under which the registries know it', async () => {
    const { keys } = await found(healthy);
    assert.equal(keys.coingeckoId, 'fernwood');
    assert.equal(keys.cmcId, '101');
    assert.equal(keys.coinpaprikaId, 'p-fernwood');
    assert.equal(keys.defillamaSlug, 'fernwood');
    assert.deepEqual(keys.githubRepos, ['fernwood-org/contracts']);
    assert.deepEqual(keys.deployments, [{ chain: 'ethereum', address: A }]);
  });

  it('is found without a symbol, its CoinMarketCap id by address', async () => {
    const { keys, asset } = await found(healthy, { ...request, tokenSymbol: null });
    assert.equal(asset.address, A);
    assert.equal(keys.cmcId, '101');
  });

  it('needs two rounds of requests and few calls to CoinGecko', async () => {
    const requester = scriptedRequester(healthy);
    await identify(request, requester, methodology);
    // Lists are shared by all jobs: reading one asks nobody.
    const asked = requester.asked.filter((line) => !/coins_list|markets|tickers|protocols/.test(line));
    assert.ok(asked.filter((line) => line.startsWith('coingecko')).length <= 2, asked.join('\n'));
    assert.ok(asked.length <= 13);
  });

  it('is found whatever single source fails', async () => {
    for (const source of [
      'coingecko',
      'coinmarketcap',
      'coinpaprika',
      'dexscreener',
      'geckoterminal',
      'defillama',
      'rdap',
      'website',
    ]) {
      for (const outcome of ['timeout', 'malformed', 'rate_limited', 'too_large'] as const) {
        const { asset, match } = await found({ ...healthy, failing: { [source]: outcome } });
        assert.equal(asset.address, A, `${source} ${outcome}`);
        assert.ok(match > 0.7, `${source} ${outcome}: ${match}`);
      }
    }
  });
});

describe('one token in several places', () => {
  it('is one asset with all its deployments, its home as the registry states', async () => {
    const wide = { ...FERN, chain: 'arbitrum', address: C, also: [['ethereum', A] as const, ['base', B] as const] };
    const result = await found({ tokens: [wide], pages: { [URL_OF]: pageOf('Fernwood', { addresses: [A] }) } });
    assert.equal(result.asset.chain, 'arbitrum');
    assert.deepEqual(
      result.keys.deployments.map((row) => row.chain),
      ['ethereum', 'base', 'arbitrum'],
    );
  });

  it('stays the original when a bridged copy lists the same website', async () => {
    const bridged: ScriptedToken = {
      ...FERN,
      id: 'bridged-fernwood',
      name: 'Bridged Fernwood (Wormhole)',
      chain: 'solana',
      address: MINT,
      categories: ['Bridged-Tokens'],
      cmcId: 707,
      llama: false,
      rank: null,
    };
    const result = await found({ ...healthy, tokens: [bridged, FERN] });
    assert.equal(result.asset.address, A);
    assert.deepEqual(result.contradictions, []);
    assert.deepEqual(result.keys.deployments, [{ chain: 'ethereum', address: A }]);
  });

  it('is at home where the kept register names it first, before what registries call its home', async () => {
    const cbbtc = '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf';
    const wide = { ...FERN, chain: 'base', address: cbbtc, also: [['ethereum', cbbtc] as const] };
    const result = await found({ tokens: [wide], pages: { [URL_OF]: pageOf('Fernwood', { addresses: [cbbtc] }) } });
    assert.equal(result.asset.id, `eip155:1/erc20:${cbbtc}`);
  });

  it('keeps its home whatever chain the caller names; an address on a chain names that deployment', async () => {
    const wide = { ...healthy, tokens: [{ ...FERN, also: [['base', B] as const] }] };
    assert.equal((await found(wide, { ...request, blockchain: 'base' })).asset.id, (await found(wide)).asset.id);
    const there = await found(wide, { ...request, blockchain: 'base', tokenAddress: B });
    assert.deepEqual([there.asset.chain, there.asset.address], ['base', B]);
  });
});
