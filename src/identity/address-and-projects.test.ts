import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_WEBSITE } from '../domain/index.ts';
import { A, B, COPYCAT, FERN, found, healthy, MINT, request, run, URL_OF } from './fixtures/fernwood.ts';
import { pageOf, requestOf, type ScriptedToken } from './fixtures/scripted.ts';

describe('an address sent by the caller', () => {
  it('confirms the token', async () => {
    assert.equal(
      (await found(healthy, { ...request, tokenAddress: A.toUpperCase().replace('0X', '0x') })).asset.id,
      `eip155:1/erc20:${A}`,
    );
  });

  it('that a token has on several chains names its deployment on the home chain, unless a chain is sent', async () => {
    const also = [
      ['arbitrum', A],
      ['base', A],
    ] as const;
    const world = { ...healthy, tokens: [{ ...FERN, also }] };
    for (const asked of [
      { ...request, tokenAddress: A },
      requestOf({ project: A, projectUrl: NO_WEBSITE, tokenAddress: A }),
    ]) {
      assert.equal((await found(world, asked)).asset.id, `eip155:1/erc20:${A}`);
      assert.equal((await found(world, { ...asked, blockchain: 'base' })).asset.id, `eip155:8453/erc20:${A}`);
    }
    const elsewhere = { ...FERN, chain: 'solana', address: MINT, also };
    const bridged = { tokens: [elsewhere], pages: { [URL_OF]: pageOf('Fernwood', { addresses: [MINT] }) } };
    const byAddress = await found(bridged, { ...request, tokenAddress: A });
    assert.equal(byAddress.asset.id, `eip155:8453/erc20:${A}`, 'the first of them in the order of chains');
  });

  it('does not take the market data of a coin of another chain with the same name, symbol and website', async () => {
    const fork = { ...FERN, id: 'a-fork', chain: null, address: null, cmcId: 0, llama: false, rank: 900 };
    const raw = { 'coinpaprika.search': { currencies: [{ id: 'p-fernwood', name: 'Fernwood', symbol: 'FERN' }] } };
    for (const asked of [request, { ...request, tokenAddress: A }])
      assert.equal((await found({ ...healthy, tokens: [FERN, fork], raw }, asked)).keys.coingeckoId, 'fernwood');
  });

  it('is not taken when the website and the registries name another token', async () => {
    const result = await run(
      { ...healthy, tokens: [FERN, { ...COPYCAT, listed: false, profile: URL_OF }] },
      { ...request, tokenAddress: B },
    );
    assert.ok(!result.ok && result.kind === 'ambiguous');
    assert.equal(result.candidates[0]?.asset.address, A);
  });

  it('is not taken when nothing ties it to the website', async () => {
    const result = await run(
      { tokens: [{ ...COPYCAT, listed: false, website: null }], pages: { [URL_OF]: pageOf('Fernwood') } },
      { ...request, tokenAddress: B },
    );
    assert.equal(!result.ok && result.kind, 'not_identified');
  });

  describe('that only on-chain metadata ties to the website', () => {
    const mint = { ...FERN, listed: false, website: null, chain: 'solana', address: MINT, llama: false };
    const world = {
      tokens: [mint],
      pages: { [URL_OF]: pageOf('Fernwood') },
      metadataUris: { [MINT]: 'https://fernwood.example/token.json' },
    };

    it('names the token and no website: the token creator’s statement needs the site’s confirmation', async () => {
      const result = await found(world, { ...request, tokenAddress: MINT });
      assert.equal(result.asset.address, MINT);
      assert.equal(result.asset.website, null);
      assert.equal(result.match, 0);
      assert.match(result.notes.join(' '), /no website is confirmed/);
    });

    it('is tied as soon as the landing page shows it', async () => {
      const shown = { ...world, pages: { [URL_OF]: pageOf('Fernwood', { addresses: [MINT] }) } };
      const result = await found(shown, { ...request, tokenAddress: MINT });
      assert.equal(result.asset.website, URL_OF);
      assert.deepEqual(
        result.links.map((link) => link.kind),
        ['site_shows_token', 'metadata_names_domain'],
      );
      assert.equal(result.match, 0.93);
    });
  });
});

describe('projects and coins without a contract', () => {
  const row = {
    slug: 'greyline',
    name: 'Greyline',
    symbol: '-',
    url: 'https://greyline.example',
    address: null,
    gecko_id: null,
    tvl: 5e6,
    twitter: 'greyline',
  };
  const asked = requestOf({ project: 'Greyline', projectUrl: 'https://greyline.example/' });
  const world = {
    tokens: [],
    protocols: [row],
    pages: { [asked.projectUrl]: pageOf('Greyline', { handle: 'greyline' }) },
  };

  it('are pre-TGE when a registry knows the project and no token', async () => {
    const result = await found(world, asked);
    assert.equal(result.asset.id, 'project:greyline.example');
    assert.equal(result.stage, 'pre_tge');
    assert.equal(result.keys.defillamaSlug, 'greyline');
    // The registry lists the domain, site and registry name one handle, and the title carries the name.
    assert.equal(result.match, 0.832);
  });

  it('are not called tokenless while no token registry replies', async () => {
    const failing = { coingecko: 'timeout', coinmarketcap: 'timeout', coinpaprika: 'timeout' } as const;
    const result = await run({ ...world, failing }, asked);
    assert.equal(!result.ok && result.kind, 'not_identified');
  });

  it('are not known when there is a website and nothing else', async () => {
    const result = await run({ ...world, protocols: [] }, asked);
    assert.ok(!result.ok && result.kind === 'not_identified');
    assert.ok(result.tried.some((line) => line.startsWith('coingecko: search')));
  });

  it('follow the pre-TGE model when the caller asks for it', async () => {
    const result = await found({ ...world, protocols: [] }, { ...asked, type: 'PreTGE' });
    assert.equal(result.stage, 'pre_tge');
    assert.equal(result.match, 0.3);
  });

  it('are tied by a repository that the site links and that names the site back', async () => {
    const linked = { [asked.projectUrl]: pageOf('Greyline', { links: ['https://github.com/greyline/core'] }) };
    const match = async (homepage: string | null) => {
      const raw = { 'github.repo': { full_name: 'greyline/core', homepage } };
      return (await found({ tokens: [], protocols: [], pages: linked, raw }, { ...asked, type: 'pretge' })).match;
    };
    assert.equal(Math.round(100 * (await match('https://greyline.example'))), 65);
    for (const homepage of ['https://greyline.example.evil.example/', 'https://other.example/', '', null])
      assert.equal(await match(homepage), 0.3, String(homepage));
  });

  it('are a chain’s own coin', async () => {
    const ether: ScriptedToken = {
      id: 'ethereum',
      name: 'Ethereum',
      symbol: 'ETH',
      chain: null,
      address: null,
      website: 'https://ether.example/',
      rank: 2,
      cmcId: 1027,
    };
    const result = await found(
      { tokens: [ether], pages: {} },
      requestOf({ project: 'Ethereum', projectUrl: 'https://ether.example', tokenSymbol: 'eth' }),
    );
    assert.equal(result.asset.id, 'eip155:1/slip44:60');
    assert.equal(result.asset.address, 'native');
    assert.deepEqual(
      [result.keys.coingeckoId, result.keys.cmcId, result.keys.coinpaprikaId],
      ['ethereum', '1027', 'p-ethereum'],
    );
  });

  it('are a coin of a chain that is not covered, known by its keys', async () => {
    const other: ScriptedToken = {
      id: 'oldcoin',
      name: 'Oldcoin',
      symbol: 'OLD',
      chain: null,
      address: null,
      website: 'https://oldcoin.example/',
      rank: 1,
      cmcId: 1,
    };
    const result = await found(
      { tokens: [other], pages: {} },
      requestOf({ project: 'Oldcoin', projectUrl: 'https://oldcoin.example' }),
    );
    assert.deepEqual(
      [result.asset.id, result.asset.chain, result.keys.coingeckoId, result.stage],
      ['project:oldcoin.example', null, 'oldcoin', 'post_tge'],
    );
  });
});
