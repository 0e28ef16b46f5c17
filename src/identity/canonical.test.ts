import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_WEBSITE } from '../domain/index.ts';
import { canonicalRequest, differencesOf } from './canonical.ts';
import { A, B, C, FERN, found, healthy, PAGE, request, run, URL_OF } from './fixtures/fernwood.ts';
import { NOW, pageOf, requestOf, type ScriptedToken } from './fixtures/scripted.ts';

/** A token that no registry lists: markets alone know it, and its profile names a website. */
const UNLISTED: ScriptedToken = {
  ...FERN,
  id: 'unlisted',
  name: 'Gorse',
  symbol: 'GORSE',
  address: C,
  listed: false,
  llama: false,
  website: null,
};

describe('the canonical record', () => {
  it('states the origin of each field, and contains nothing of the caller’s', async () => {
    const { canonical, asset } = await found(healthy, {
      ...request,
      category: 'Bank',
      projectUrl: 'https://www.fernwood.example:443/claim?x=1',
      blockchain: 'eth',
    });
    assert.ok(canonical);
    assert.deepEqual(canonical.name, {
      value: 'Fernwood',
      sources: ['coingecko', 'coinmarketcap', 'coinpaprika'],
      since: NOW,
    });
    assert.deepEqual(
      [canonical.website.value, canonical.website.sources],
      [URL_OF, ['coingecko', 'coinmarketcap', 'coinpaprika', 'defillama', 'dexscreener', 'website']],
    );
    assert.deepEqual(canonical.links.value, ['x:fernwood']);
    assert.deepEqual([asset.website, asset.category, asset.name], [URL_OF, null, 'Fernwood']);
    assert.deepEqual([canonical.chain, canonical.address], ['ethereum', A]);
  });

  it('holds the registries’ category words, lower case and sorted', async () => {
    const { canonical, asset } = await found({
      ...healthy,
      tokens: [{ ...FERN, categories: ['Meme', 'Artificial Intelligence'] }],
    });
    assert.deepEqual(canonical?.categories.value, ['artificial intelligence', 'meme']);
    assert.deepEqual(canonical?.categories.sources, ['coingecko']);
    assert.equal(asset.category, 'artificial intelligence, meme');
  });

  it('takes the name most registries use, whichever the caller used', async () => {
    const raw = { 'coingecko.coin': undefined };
    const renamed = { ...healthy, tokens: [{ ...FERN, name: 'Fernwood DAO' }], raw };
    assert.equal((await found(renamed, { ...request, project: 'fernwood' })).asset.name, 'Fernwood DAO');
  });

  it('keeps the host as registries write it', async () => {
    const www = 'https://www.fernwood.example/';
    const world = { tokens: [{ ...FERN, website: `${www}en/token` }], pages: { [www]: PAGE } };
    for (const url of [URL_OF, 'https://app.fernwood.example/x', www])
      assert.equal((await found(world, { ...request, projectUrl: url })).asset.website, www, url);
  });

  it('takes the website from a market profile alone only when the landing page shows the token', async () => {
    const profiled = { ...UNLISTED, profile: 'https://gorse.example/buy' };
    const asked = requestOf({ project: 'Gorse', projectUrl: 'https://gorse.example', tokenAddress: C });
    const shown = await found(
      { tokens: [profiled], pages: { 'https://gorse.example/': pageOf('Gorse', { addresses: [C] }) } },
      asked,
    );
    assert.equal(shown.asset.website, 'https://gorse.example/');
    const silent = await run({ tokens: [profiled], pages: { 'https://gorse.example/': pageOf('Gorse') } }, asked);
    assert.equal(!silent.ok && silent.kind, 'not_identified');
  });

  it('gives no website that only the caller names, although the page shows the token', async () => {
    const page = { 'https://any-site.example/': pageOf('Gorse', { addresses: [C] }) };
    const asked = requestOf({ project: 'Gorse', projectUrl: 'https://any-site.example', tokenAddress: C });
    const result = await found({ tokens: [UNLISTED], pages: page }, asked);
    assert.deepEqual([result.asset.website, result.match, result.registrableDomain], [null, 0, null]);
    assert.equal(result.asset.address, C);
  });

  it('gives the site that token registries name, whichever other site shows the token', async () => {
    const world = {
      tokens: [{ ...UNLISTED, profile: 'https://gorse.example/' }],
      pages: {
        'https://gorse.example/': pageOf('Gorse', { addresses: [C] }),
        'https://any-site.example/': pageOf('Gorse', { addresses: [C] }),
      },
    };
    const asked = requestOf({ project: 'Gorse', projectUrl: 'https://any-site.example', tokenAddress: C });
    const result = await found(world, asked);
    assert.equal(result.asset.website, 'https://gorse.example/');
    assert.ok(
      result.foreignResponses?.some((id) => id.includes('any-site')),
      'what the other site says counts for nothing',
    );
  });
});

describe('registries that disagree about the website', () => {
  const OTHER = 'https://fernwood-token.example/';
  const paprika = (website: string) => ({
    'coinpaprika.coin': {
      id: 'p-fernwood',
      name: 'Fernwood',
      symbol: 'FERN',
      links: { website: [website] },
      contracts: [{ platform: 'eth-ethereum', contract: A }],
    },
  });

  it('two against one: the majority is accepted', async () => {
    const result = await found({ ...healthy, tokens: [{ ...FERN, llama: false }], raw: paprika(OTHER) });
    assert.equal(result.asset.website, URL_OF);
  });

  it('one against one: the one whose landing page shows the token', async () => {
    const listed = { ...FERN, cmcId: 0, llama: false, profile: undefined };
    const world = { tokens: [listed], raw: paprika(OTHER), pages: { [URL_OF]: PAGE, [OTHER]: pageOf('Fernwood') } };
    assert.equal((await found(world)).asset.website, URL_OF);
    const turned = { ...world, pages: { [URL_OF]: pageOf('Fernwood'), [OTHER]: PAGE } };
    for (const projectUrl of [URL_OF, OTHER])
      assert.equal((await found(turned, { ...request, projectUrl })).asset.website, OTHER, projectUrl);
  });

  it('one against one, and neither page shows it: no website is published', async () => {
    const listed = { ...FERN, cmcId: 0, llama: false };
    const pages = { [URL_OF]: pageOf('Fernwood'), [OTHER]: pageOf('Fernwood') };
    const result = await found({ tokens: [listed], raw: paprika(OTHER), pages });
    assert.deepEqual([result.asset.website, result.asset.address], [null, A]);
    assert.deepEqual(
      result.links.map((link) => link.kind),
      ['name_symbol_match'],
    );
  });
});

describe('the request of a record', () => {
  it('names the asset by address, and a chain’s own coin by its chain', async () => {
    const { canonical, stage } = await found(healthy);
    assert.ok(canonical);
    const asked = canonicalRequest(canonical, stage);
    assert.deepEqual(asked, {
      type: 'posttge',
      project: 'Fernwood',
      projectUrl: URL_OF,
      tokenSymbol: 'FERN',
      category: null,
      blockchain: 'ethereum',
      tokenAddress: A,
    });
    assert.equal(canonicalRequest({ ...canonical, address: 'native' }, 'post_tge').tokenAddress, null);
    const bare = { ...canonical, website: { ...canonical.website, value: null } };
    assert.equal(canonicalRequest(bare, 'post_tge').projectUrl, NO_WEBSITE);
    assert.equal(canonicalRequest(canonical, 'pre_tge').type, 'pretge');
  });

  it('finds a chain’s own coin without a website', async () => {
    const ether = { id: 'ethereum', name: 'Ethereum', symbol: 'ETH', chain: null, address: null, website: null };
    const asked = requestOf({
      project: 'Ethereum',
      projectUrl: NO_WEBSITE,
      tokenSymbol: 'ETH',
      blockchain: 'ethereum',
    });
    const result = await found({ tokens: [ether], pages: {} }, asked);
    assert.equal(result.asset.id, 'eip155:1/slip44:60');
  });

  it('finds nothing where no source knows the address', async () => {
    const asked = requestOf({ project: 'X', projectUrl: NO_WEBSITE, tokenAddress: B, blockchain: 'base' });
    const result = await run({ ...healthy }, asked);
    assert.equal(!result.ok && result.kind, 'not_identified');
  });
});

describe('a token in the place of another', () => {
  const NEW: ScriptedToken = { ...UNLISTED, name: 'Fern Dollar', symbol: 'FUSD', profile: URL_OF };
  const asked = { ...request, project: 'Fern Dollar', tokenSymbol: 'FUSD', tokenAddress: C };

  it('and on the landing page too, is identified with the doubt that two tokens claim the site', async () => {
    const both = pageOf('Fernwood', { addresses: [A, C], handle: 'fernwood' });
    const result = await found({ tokens: [FERN, NEW], pages: { [URL_OF]: both } }, asked);
    assert.equal(result.asset.address, C);
    assert.deepEqual(
      result.contradictions.map((row) => row.kind),
      ['two_tokens_claim_site'],
    );
    assert.equal(result.match, 0.54);
  });

  it('and on no landing page, is not taken', async () => {
    const result = await run({ ...healthy, tokens: [FERN, NEW] }, asked);
    assert.equal(!result.ok && result.kind, 'ambiguous');
  });

  it('in one registry alone, is not accepted while two list another', async () => {
    const zebra = { id: 'p-zebra', name: 'Zebra', symbol: 'ZBRA' };
    const raw = {
      'coinpaprika.search': { currencies: [zebra] },
      'coinpaprika.coin': {
        ...zebra,
        links: { website: [URL_OF] },
        contracts: [{ platform: 'eth-ethereum', contract: C }],
      },
    };
    const pages = { [URL_OF]: pageOf('Fernwood') };
    const zebraWords = { ...request, project: 'Zebra', tokenSymbol: 'ZBRA', tokenAddress: C };
    const result = await found({ tokens: [FERN], pages, raw }, zebraWords);
    assert.equal(result.asset.address, C);
    assert.deepEqual(
      result.contradictions.map((row) => row.kind),
      ['two_tokens_claim_site'],
    );
    assert.equal(result.match, 0.36);
  });

  it('is doubted although nothing but the site’s own name leads to the other', async () => {
    const both = pageOf('Fernwood', { addresses: [A, C] });
    const result = await found({ tokens: [{ ...FERN, llama: false }, NEW], pages: { [URL_OF]: both } }, asked);
    assert.deepEqual(
      result.contradictions.map((row) => row.detail),
      [`FERN (ethereum:${A}) claims the same website`],
    );
  });

  it('is no rival of it where two registries list both', async () => {
    const sister = { ...FERN, id: 'fern-dollar', name: 'Fern Dollar', symbol: 'FUSD', address: B, cmcId: 303 };
    const result = await found(
      { ...healthy, tokens: [FERN, sister] },
      { ...request, project: 'Fern Dollar', tokenSymbol: 'FUSD', tokenAddress: B },
    );
    assert.deepEqual([result.asset.address, result.contradictions], [B, []]);
  });
});

describe('a site that leads to another domain', () => {
  it('is not unreachable and states nothing', async () => {
    const world = { ...healthy, redirects: { [URL_OF]: 'https://scam.example/' } };
    const result = await found(world);
    assert.equal(result.asset.website, URL_OF);
    assert.deepEqual(result.contradictions, []);
    assert.ok(!result.links.some((link) => link.kind === 'site_shows_token'));
    assert.match(result.notes.join(' '), /leads to another domain/);
  });

  it('is read when it only leads to another host or page of its own', async () => {
    const world = { ...healthy, redirects: { [URL_OF]: 'https://www.fernwood.example/en' } };
    assert.ok((await found(world)).links.some((link) => link.kind === 'site_shows_token'));
  });
});

describe('differences from the caller’s request', () => {
  const record = async () => {
    const { canonical } = await found(healthy);
    assert.ok(canonical);
    return canonical;
  };

  it('is nothing where they mean the same', async () => {
    const canonical = await record();
    for (const words of [
      request,
      { ...request, projectUrl: 'http://WWW.fernwood.example' },
      { ...request, project: 'Fernwood Protocol', tokenSymbol: '$fern' },
      { ...request, blockchain: 'eth', tokenAddress: A.toUpperCase().replace('0X', '0x') },
      canonicalRequest(canonical, 'post_tge'),
    ])
      assert.deepEqual(differencesOf(words, canonical), [], JSON.stringify(words));
  });

  it('are reported field by field, with the value used instead', async () => {
    const words = differencesOf(
      {
        type: 'posttge',
        project: 'Safe "Bank"\u202e',
        projectUrl: 'https://app.fernwood.example/claim',
        tokenSymbol: 'SAFE',
        category: 'Stablecoin',
        blockchain: 'base',
        tokenAddress: B,
      },
      await record(),
    );
    assert.deepEqual(
      words.map((line) => line.split(':')[0]),
      ['project', 'project_url', 'token_symbol', 'category', 'blockchain', 'token_address'],
    );
    assert.match(words[0] ?? '', /^project: "Safe Bank" was sent; "Fernwood" is used/);
    assert.match(words[3] ?? '', /none is confirmed/);
  });
});
