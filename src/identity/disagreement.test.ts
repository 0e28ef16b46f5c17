import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { A, B, FERN, found, URL_OF } from './fixtures/fernwood.ts';
import { pageOf } from './fixtures/scripted.ts';

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
