import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { NOW, pageOf, requestOf, type ScriptedToken, type ScriptedWorld, scriptedAsker } from './fixtures/scripted.ts';
import { identify } from './identify.ts';

const methodology = loadMethodology();
const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const C = '0x00000000000000000000000000000000000000c3';
const MINT = 'So1arPane1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const URL_OF = 'https://fernwood.example/';

const FERN: ScriptedToken = {
  id: 'fernwood',
  name: 'Fernwood',
  symbol: 'FERN',
  chain: 'ethereum',
  address: A,
  website: URL_OF,
  handle: 'fernwood',
  rank: 120,
  cmcId: 101,
  llama: true,
  repo: 'fernwood-org/contracts',
};
const COPYCAT: ScriptedToken = {
  ...FERN,
  id: 'fernwood-2',
  chain: 'base',
  address: B,
  website: 'https://fernwood-claim.example/',
  handle: 'other',
  rank: null,
  cmcId: 909,
  llama: false,
  repo: 'other/copy',
};
const request = requestOf({ project: 'Fernwood', projectUrl: URL_OF, tokenSymbol: 'FERN' });
const PAGE = pageOf('Fernwood', {
  addresses: [A],
  handle: 'fernwood',
  links: ['https://github.com/fernwood-org/contracts'],
});
const healthy: ScriptedWorld = { tokens: [FERN], pages: { [URL_OF]: PAGE } };

const run = (world: ScriptedWorld, asked = request) => identify(asked, scriptedAsker(world), methodology);
async function found(world: ScriptedWorld, asked = request) {
  const result = await run(world, asked);
  assert.ok(result.ok, `expected an identification, got ${JSON.stringify(result)}`);
  return result.identification;
}

describe('a healthy project', () => {
  it('is found with every link the methodology knows for it', async () => {
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

  it('needs two rounds of questions and few calls to CoinGecko', async () => {
    const asker = scriptedAsker(healthy);
    await identify(request, asker, methodology);
    assert.ok(asker.asked.filter((line) => line.startsWith('coingecko')).length <= 2, asker.asked.join('\n'));
    assert.ok(asker.asked.length <= 14);
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

describe('impostors', () => {
  it('with the same name and symbol are set aside with the reason', async () => {
    const result = await found({ ...healthy, tokens: [COPYCAT, FERN] });
    assert.equal(result.asset.address, A);
    assert.equal(result.match, 0.9832);
    const [aside] = result.rejected;
    assert.match(aside?.reason ?? '', /another website.*fernwood-claim\.example/);
    assert.ok(
      result.foreignResponses?.some((id) => id.includes('fernwood-2')),
      'its replies count for nothing',
    );
    assert.ok(!result.foreignResponses?.some((id) => id.includes('"fernwood"')));
  });

  it('that buy a market profile with the project’s website are not taken', async () => {
    const paid = { ...COPYCAT, listed: false, profile: URL_OF };
    const bare = pageOf('Fernwood');
    const result = await run({ tokens: [paid], pages: { [URL_OF]: bare } });
    assert.equal(result.ok, false);
    assert.equal(!result.ok && result.kind, 'not_identified');
    assert.match(!result.ok && result.kind === 'not_identified' ? result.tried.join(' ') : '', /market profile/);
  });

  it('on a look-alike domain get a match below the minimum', async () => {
    const fake = 'https://femwood.example/';
    const world = {
      tokens: [FERN, { ...COPYCAT, listed: false, website: fake }],
      pages: { [fake]: pageOf('Fernwood', { addresses: [B] }) },
    };
    const result = await found(world, { ...request, projectUrl: fake });
    assert.equal(result.asset.address, B);
    assert.deepEqual(
      result.contradictions.map((row) => row.kind),
      ['confusable_domain'],
    );
    assert.ok(result.match < methodology.trust.minimumMatch, String(result.match));
  });

  it('a token the site merely links to, a swap into a dollar say, is not the project’s', async () => {
    const dollar: ScriptedToken = {
      ...FERN,
      id: 'dollar',
      name: 'Some Dollar',
      symbol: 'USDX',
      address: B,
      website: null,
      listed: false,
    };
    const linked = pageOf('Fernwood', { links: [`https://app.uniswap.org/swap?outputCurrency=${B}`] });
    const result = await run({ tokens: [dollar], pages: { [URL_OF]: linked } }, { ...request, tokenSymbol: null });
    assert.equal(!result.ok && result.kind, 'not_identified');
  });

  it('cannot borrow the true token by printing its address', async () => {
    const blog = 'https://unrelated-blog.example/';
    const result = await run({ ...healthy, pages: { [blog]: PAGE } }, { ...request, projectUrl: blog });
    assert.equal(!result.ok && result.kind, 'not_identified');
    assert.match(!result.ok && result.kind === 'not_identified' ? result.tried.join(' ') : '', /fernwood\.example/);
  });
});

describe('one token in several places', () => {
  it('is one asset with all its deployments, at home where the registry says', async () => {
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

  it('lets the caller choose the chain', async () => {
    const wide = { ...FERN, also: [['base', B] as const] };
    assert.equal((await found({ ...healthy, tokens: [wide] }, { ...request, blockchain: 'base' })).asset.chain, 'base');
  });
});

describe('two tokens that claim one website', () => {
  const twins = [
    { ...FERN, llama: false },
    { ...FERN, id: 'fernwood-b', address: B, cmcId: 202, llama: false },
  ];
  const silent = { tokens: twins, pages: { [URL_OF]: pageOf('Fernwood', { handle: 'fernwood' }) } };

  it('are named as candidates', async () => {
    const result = await run(silent);
    assert.ok(!result.ok && result.kind === 'ambiguous');
    assert.deepEqual(result.candidates.map((row) => row.asset.address).sort(), [A, B]);
    assert.ok(result.candidates.every((row) => row.match > 0 && row.match < 0.6));
  });

  it('are not told apart by a social handle alone', async () => {
    const [first, second] = twins;
    assert.ok(first && second);
    const result = await run({ ...silent, tokens: [first, { ...second, handle: 'somebody' }] });
    assert.equal(!result.ok && result.kind, 'ambiguous');
  });

  it('are told apart by the address the caller sends, at a price', async () => {
    const result = await found(silent, { ...request, tokenAddress: B, blockchain: 'ethereum' });
    assert.equal(result.asset.address, B);
    assert.ok(result.contradictions.some((row) => row.kind === 'two_tokens_claim_site'));
  });

  it('are told apart by the website showing one of them', async () => {
    assert.equal((await found({ ...silent, pages: { [URL_OF]: PAGE } })).asset.address, A);
  });

  it('are two assets when they bear other names: the caller’s symbol chooses', async () => {
    const sister: ScriptedToken = {
      ...FERN,
      id: 'fern-dollar',
      name: 'Fern Dollar',
      symbol: 'FUSD',
      address: B,
      cmcId: 303,
      rank: 40,
    };
    const result = await found({ ...healthy, tokens: [FERN, sister] });
    assert.equal(result.asset.symbol, 'FERN');
    assert.deepEqual(result.contradictions, []);
    assert.equal(
      (await found({ ...healthy, tokens: [FERN, sister] }, { ...request, project: 'Fern Dollar', tokenSymbol: 'FUSD' }))
        .asset.symbol,
      'FUSD',
    );
  });
});

describe('an address sent by the caller', () => {
  it('confirms the token', async () => {
    assert.equal(
      (await found(healthy, { ...request, tokenAddress: A.toUpperCase().replace('0X', '0x') })).asset.id,
      `eip155:1/erc20:${A}`,
    );
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

  it('is taken weakly when only on-chain metadata names the website', async () => {
    const mint = { ...FERN, listed: false, chain: 'solana', address: MINT, llama: false };
    const world = {
      tokens: [mint],
      pages: { [URL_OF]: pageOf('Fernwood') },
      metadataUris: { [MINT]: 'https://fernwood.example/token.json' },
    };
    const result = await found(world, { ...request, tokenAddress: MINT });
    assert.equal(result.match, 0.3);
    assert.deepEqual(
      result.links.map((link) => link.kind),
      ['metadata_names_domain'],
    );
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
    assert.equal(result.match, 0.76);
  });

  it('are not called tokenless while no token registry answers', async () => {
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

describe('when things are bad', () => {
  it('nobody answering is not the same as nothing found', async () => {
    const result = await run({ ...healthy, failing: { '*': 'timeout' } });
    assert.ok(!result.ok && result.kind === 'unreachable');
    assert.ok(result.tried.length >= 6);
  });

  it('a shared host is no identity', async () => {
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

  it('an asker that throws is a source that failed', async () => {
    const broken = {
      ...scriptedAsker(healthy),
      ask: () => Promise.reject(new Error('bug')),
      bulk: () => Promise.reject(new Error('bug')),
    };
    const result = await identify(request, broken, methodology);
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
