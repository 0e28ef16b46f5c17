import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { A, B, FERN, found, PAGE, URL_OF } from './fixtures/fernwood.ts';
import { pageOf, type ScriptedToken } from './fixtures/scripted.ts';

describe('registries that name different addresses on one chain', () => {
  /** CoinPaprika has an old contract; the lists tie its row to CoinGecko's coin by name, symbol and price. */
  const world = (current: string, old: string) => ({
    tokens: [{ ...FERN, address: current, llama: false, cmcId: 0 }],
    pages: { [URL_OF]: pageOf('Fernwood') },
    raw: {
      'coingecko.coins_list': [{ id: 'fernwood', symbol: 'fern', name: 'Fernwood', platforms: { ethereum: current } }],
      'coingecko.markets': [
        { id: 'fernwood', symbol: 'fern', name: 'Fernwood', current_price: 2, market_cap_rank: 120 },
      ],
      'coinpaprika.tickers': [
        { id: 'p-fernwood', symbol: 'FERN', name: 'Fernwood', rank: 120, quotes: { USD: { price: 2 } } },
      ],
      'coinpaprika.coin': {
        id: 'p-fernwood',
        name: 'Fernwood',
        symbol: 'FERN',
        links: { website: [URL_OF] },
        contracts: [{ platform: 'eth-ethereum', contract: old }],
      },
    },
  });

  for (const [current, old] of [
    [A, B],
    [B, A],
  ] as const) {
    it(`the first registry's is taken, whichever sorts first: ${current.slice(-2)}`, async () => {
      assert.equal((await found(world(current, old))).asset.address, current);
    });

    it(`the one that more of them name is taken: ${current.slice(-2)}`, async () => {
      const { tokens, ...rest } = world(old, current);
      const listed = { ...rest, tokens: tokens.map((token) => ({ ...token, address: old })) };
      const raw = {
        ...listed.raw,
        'coinmarketcap.map': {
          status: { error_code: 0 },
          data: [
            {
              id: 101,
              name: 'Fernwood',
              symbol: 'FERN',
              rank: 120,
              platform: { slug: 'ethereum', token_address: current },
            },
          ],
        },
      };
      assert.equal((await found({ ...listed, raw })).asset.address, current);
    });
  }
});

describe('a registry of projects that is wrong about a token', () => {
  const OAK: ScriptedToken = {
    ...FERN,
    id: 'oakwood',
    name: 'Oakwood',
    symbol: 'OAK',
    website: 'https://oakwood.example/',
    handle: 'oakwood',
    cmcId: 202,
    llama: false,
  };
  const protocol = {
    slug: 'fernwood',
    name: 'Fernwood',
    symbol: 'FERN',
    url: URL_OF,
    gecko_id: 'fernwood',
    tvl: 5,
    listedAt: 1_600_000_000,
  };

  for (const [own, other] of [
    [A, B],
    [B, A],
  ] as const)
    it(`by another token's id at a registry, makes the two no single asset: ${own.slice(-2)}`, async () => {
      const tokens = [
        { ...FERN, address: own, llama: false },
        { ...OAK, address: other },
      ];
      const pages = { [URL_OF]: pageOf('Fernwood', { addresses: [own] }) };
      const protocols = [{ ...protocol, address: `ethereum:${own}`, cmcId: '202' }];
      const { asset, keys, foreignResponses } = await found({ tokens, protocols, pages });
      assert.equal(asset.address, own);
      assert.deepEqual(keys.deployments, [{ chain: 'ethereum', address: own }]);
      assert.notEqual(keys.cmcId, '202');
      assert.ok(foreignResponses?.some((id) => id.includes('coinmarketcap.info') && id.includes('202')));
    });

  it('by the address that stands for no token, makes no single asset of all that have it', async () => {
    for (const address of [`0x${'0'.repeat(40)}`, `ethereum:0x${'Ee'.repeat(20)}`]) {
      const tokens = [
        { ...FERN, llama: false },
        { ...OAK, address: B },
      ];
      const protocols = [
        { ...protocol, address },
        { ...protocol, slug: 'oak', name: 'Oakwood', symbol: 'OAK', url: OAK.website, gecko_id: 'oakwood', address },
      ];
      const { asset, keys } = await found({ tokens, protocols, pages: { [URL_OF]: PAGE } });
      assert.equal(asset.address, A);
      assert.deepEqual(keys.deployments, [{ chain: 'ethereum', address: A }]);
    }
  });
});
