import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../domain/observation.ts';
import { methodology } from './fixtures/fernwood.ts';
import { requestOf, type ScriptedWorld, scriptedRequester } from './fixtures/scripted.ts';
import { identify } from './identify.ts';

const UNI = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';
const AAVE = '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

const coin = (id: string, symbol: string, name: string, platforms: Json = {}) => ({ id, symbol, name, platforms });
const COINS = [
  coin('bitcoin', 'btc', 'Bitcoin'),
  coin('ethereum', 'eth', 'Ethereum'),
  coin('ethereum-bridged-wormhole', 'eth', 'Ethereum (Wormhole)', {
    solana: '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs',
  }),
  coin('uniswap', 'uni', 'Uniswap', { ethereum: UNI }),
  coin('aave', 'aave', 'Aave', { ethereum: AAVE }),
  coin('usd-coin', 'usdc', 'USDC', { ethereum: USDC }),
];
const PRICES: Readonly<Record<string, number>> = {
  bitcoin: 70_000,
  ethereum: 3_000,
  uniswap: 9,
  aave: 180,
  'usd-coin': 1,
};
const MARKETS = Object.entries(PRICES).map(([id, price], index) => ({
  ...COINS.find((row) => row.id === id),
  current_price: price,
  market_cap_rank: index + 1,
}));
const ticker = (id: string, symbol: string, name: string, price: number) => ({
  id,
  symbol,
  name,
  rank: 1,
  quotes: { USD: { price } },
});
const TICKERS = [
  ticker('btc-bitcoin', 'BTC', 'Bitcoin', 70_100),
  ticker('eth-ethereum', 'ETH', 'Ethereum', 3_004),
  ticker('uni-uniswap', 'UNI', 'Uniswap', 9.01),
  ticker('aave-new', 'AAVE', 'Aave', 180.4),
  ticker('usdc-usdc', 'USDC', 'USDC', 1),
];

/** CoinGecko's budget is spent: only its lists are there. CoinPaprika's page of the coin names the website. */
function world(profile: {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly site: string;
  readonly contract?: string;
}): ScriptedWorld {
  const { id, name, symbol, site, contract } = profile;
  return {
    tokens: [],
    pages: { [site]: `<!doctype html><title>${name}</title><body>${name}</body>` },
    failing: {
      'coingecko.search': 'budget_spent',
      'coingecko.coin': 'budget_spent',
      'coingecko.contract': 'budget_spent',
      coinmarketcap: 'budget_spent',
    },
    raw: {
      'coingecko.coins_list': COINS,
      'coingecko.markets': MARKETS,
      'coinpaprika.tickers': TICKERS,
      'coinpaprika.coin': {
        id,
        name,
        symbol,
        links: { website: [site] },
        ...(contract ? { contracts: [{ platform: 'eth-ethereum', contract }] } : {}),
      },
    },
  };
}

describe('with the budget for single coins spent, the lists identify', () => {
  const rows = [
    {
      project: 'Ethereum',
      id: 'eth-ethereum',
      symbol: 'ETH',
      site: 'https://ethereum.org/',
      asset: 'eip155:1/slip44:60',
      coingecko: 'ethereum',
    },
    {
      project: 'Bitcoin',
      id: 'btc-bitcoin',
      symbol: 'BTC',
      site: 'https://bitcoin.org/',
      asset: 'bip122:000000000019d6689c085ae165831e93/slip44:0',
      coingecko: 'bitcoin',
    },
    {
      project: 'Uniswap',
      id: 'uni-uniswap',
      symbol: 'UNI',
      site: 'https://uniswap.org/',
      asset: `eip155:1/erc20:${UNI}`,
      coingecko: 'uniswap',
      contract: UNI,
    },
    {
      project: 'Aave',
      id: 'aave-new',
      symbol: 'AAVE',
      site: 'https://aave.com/',
      asset: `eip155:1/erc20:${AAVE}`,
      coingecko: 'aave',
      contract: AAVE,
    },
    {
      project: 'USDC',
      id: 'usdc-usdc',
      symbol: 'USDC',
      site: 'https://www.circle.com/',
      asset: `eip155:1/erc20:${USDC}`,
      coingecko: 'usd-coin',
    },
  ] as const;
  for (const row of rows)
    it(row.project, async () => {
      const requester = scriptedRequester(world({ ...row, name: row.project }));
      const asked = requestOf({ project: row.project, projectUrl: row.site, tokenSymbol: row.symbol });
      const result = await identify(asked, requester, methodology);
      assert.ok(result.ok, JSON.stringify(result));
      assert.equal(result.identification.asset.id, row.asset);
      assert.equal(result.identification.keys.coingeckoId, row.coingecko);
      assert.equal(result.identification.keys.coinpaprikaId, row.id);
      const calls = requester.asked.filter((line) => /^coingecko\.(search|coin|contract) /.test(line));
      const own = `coingecko.coin {"id":"${row.coingecko}"}`;
      assert.deepEqual(calls, [own], 'the page of the coin alone, which has no turn, is asked for');
    });
});

describe('a request that was not sent is not evidence', () => {
  const request = requestOf({ project: 'Uniswap', projectUrl: 'https://uniswap.org/', tokenSymbol: 'UNI' });
  const base = world({
    id: 'uni-uniswap',
    name: 'Uniswap',
    symbol: 'UNI',
    site: 'https://uniswap.org/',
    contract: UNI,
  });

  it('no tie to the coin while registries could not be requested: busy, not unidentified', async () => {
    const requester = scriptedRequester({ ...base, failing: { ...base.failing, coinpaprika: 'budget_spent' } });
    const result = await identify(request, requester, methodology);
    assert.ok(!result.ok && result.kind === 'busy', JSON.stringify(result));
    assert.deepEqual(result.sources, ['coingecko', 'coinmarketcap', 'coinpaprika']);
  });

  it('a project that DefiLlama lists without a token may have one while registries are not requested', async () => {
    const protocols = [{ slug: 'uniswap', name: 'Uniswap', symbol: '-', url: 'https://uniswap.org/', tvl: 1 }];
    const requester = scriptedRequester({
      ...base,
      protocols,
      failing: { ...base.failing, 'coinpaprika.coin': 'budget_spent' },
    });
    const result = await identify(request, requester, methodology);
    assert.ok(!result.ok && result.kind === 'busy', JSON.stringify(result));
  });

  it('most registries did not reply in time: not found, without a statement about the project', async () => {
    const slow = Object.fromEntries(
      ['coinpaprika.search', 'dexscreener', 'geckoterminal', 'website', 'rdap', 'coingecko', 'coinmarketcap'].map(
        (source) => [source, 'circuit_open' as const],
      ),
    );
    const requester = scriptedRequester({ ...base, failing: slow });
    const unknown = requestOf({ project: 'Hivecoin', projectUrl: 'https://hivecoin.example/', tokenSymbol: 'HIVC' });
    const result = await identify(unknown, requester, methodology);
    assert.ok(!result.ok && result.kind === 'unreachable' && result.isPartly, JSON.stringify(result));
  });

  it('a row of another price is not taken for the same coin', async () => {
    const raw = { ...base.raw, 'coinpaprika.tickers': [ticker('uni-uniswap', 'UNI', 'Uniswap', 0.02)] };
    const without = world({ id: 'uni-uniswap', name: 'Uniswap', symbol: 'UNI', site: 'https://uniswap.org/' });
    const requester = scriptedRequester({
      ...without,
      raw: { ...raw, 'coinpaprika.coin': without.raw?.['coinpaprika.coin'] },
    });
    const result = await identify(request, requester, methodology);
    assert.ok(!result.ok || result.identification.keys.coingeckoId === null, JSON.stringify(result));
  });
});
