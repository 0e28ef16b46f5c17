import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { read } from './fixtures/read-reply.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const OWN = '0x00000000000000000000000000000000000000bb';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
/** The coin itself, as Uniswap v4 and Curve write it in their pools. */
const COIN = ['0x0000000000000000000000000000000000000000', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'];
const POOL = '0x00000000000000000000000000000000000000cc';
const MINT = '9G6HaM5uyjWvEPVjHwTvKeNokfycQ1o3YSbBAUJ4rjBD';
const OWN_MINT = 'JunkJunkJunkJunkJunkJunkJunkJunkJunkJunkJunk';
const SOL = 'So11111111111111111111111111111111111111112';
const SOLANA_POOL = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const ON_ETHEREUM = { chain: 'ethereum', address: TOKEN };
const ON_SOLANA = { chain: 'solana', address: MINT };
const FIGURES = ['pool_price_usd', 'pool_liquidity_usd', 'pool_volume_24h_usd', 'pool_quote_reserve_usd'];

/** What a source reads of a pool of the token against `counter`, which it values at a million dollars. */
const SOURCES: Readonly<Record<string, (counter: string) => ReturnType<typeof read>>> = {
  geckoterminal: (counter) => read('geckoterminal', 'token_pools', ON_ETHEREUM, { data: [gecko(POOL, counter)] }),
  dexpaprika: (counter) =>
    read('dexpaprika', 'pools', ON_ETHEREUM, {
      results: [
        { id: POOL, tokens: [{ id: TOKEN }, { id: counter }], price_usd: 2, liquidity_usd: 1e6, volume_usd_24h: 5e5 },
      ],
    }),
  coinmarketcap: (counter) =>
    read('coinmarketcap', 'dex_pools', ON_ETHEREUM, {
      status: { error_code: '0' },
      data: [{ addr: POOL, liqUsd: '1e6', v24: '5e5', t0: { addr: TOKEN }, t1: { addr: counter, liqUsd: '5e5' } }],
    }),
  orca: (counter) =>
    read('orca', 'pools_by_token', ON_SOLANA, {
      data: [
        {
          address: SOLANA_POOL,
          tokenMintA: MINT,
          tokenMintB: counter,
          tvlUsdc: '1000000',
          stats: { '24h': { volume: '500000' } },
        },
      ],
    }),
  meteora: (counter) =>
    read(
      'meteora',
      'pools',
      { ...ON_SOLANA, base: 'main' },
      {
        data: [
          {
            address: SOLANA_POOL,
            token_x: { address: MINT },
            token_y: { address: counter, price: 100 },
            token_y_amount: 5_000,
            current_price: 0.02,
            tvl: 1e6,
            volume: { '24h': 5e5 },
          },
        ],
      },
    ),
  rugcheck: (counter) => rugcheck([market(SOLANA_POOL, counter, 1e6, 100)]),
};

function gecko(address: string, counter: string, more = {}) {
  return {
    attributes: {
      address,
      base_token_price_usd: '2',
      reserve_in_usd: '1000000',
      volume_usd: { h24: '500000' },
      transactions: { h24: { buys: 30, sells: 20, buyers: 10, sellers: 5 } },
      ...more,
    },
    relationships: { base_token: { data: { id: `eth_${TOKEN}` } }, quote_token: { data: { id: `eth_${counter}` } } },
  };
}

function market(pubkey: string, counter: string, usd: number, lpLockedPct: number) {
  const lp = { baseMint: MINT, quoteMint: counter, basePrice: 2, baseUSD: usd / 2, quoteUSD: usd / 2, lpLockedPct };
  return { pubkey, marketType: 'raydium', mintLP: SOL, lp: { ...lp, lpTotalSupply: 100 } };
}

function rugcheck(markets: readonly ReturnType<typeof market>[]) {
  const totalMarketLiquidity = markets.reduce((sum, { lp }) => sum + lp.baseUSD + lp.quoteUSD, 0);
  return read('rugcheck', 'report', { mint: MINT }, { mint: MINT, markets, totalMarketLiquidity });
}

describe('the figures of a pool count only against a token whose value is hard to fake', () => {
  for (const [source, heard] of Object.entries(SOURCES))
    test(source, () => {
      const isSolana = ['orca', 'meteora', 'rugcheck'].includes(source);
      const against = heard(isSolana ? OWN_MINT : OWN);
      for (const quantity of [...FIGURES, 'liquidity_dex_usd', 'trades_24h', 'sells_24h', 'lp_locked_share'])
        assert.equal(against.say(quantity), undefined, quantity);
      for (const coin of isSolana ? [SOL] : [WETH, ...COIN])
        assert.equal(heard(coin).say('pool_liquidity_usd'), 1e6, coin);
    });
});

test('a second token of the issuer hides neither the liquidity of the other pools nor their unlocked shares', () => {
  const deep = market(SOL, SOL, 20_000, 0);
  const both = rugcheck([deep, market(SOLANA_POOL, OWN_MINT, 1e6, 100)]);
  assert.deepEqual([both.say('liquidity_dex_usd'), both.say('lp_locked_share')], [20_000, 0]);
});

test('the chart of a token is that of its deepest pool with a trusted counter token', () => {
  const small = gecko(WETH, WETH, { reserve_in_usd: '3000' });
  const learned = (data: readonly object[]) => read('geckoterminal', 'token_pools', ON_ETHEREUM, { data }).learned;
  assert.equal(learned([gecko(POOL, OWN), small])['geckoterminal.topPool'], WETH);
  assert.equal(learned([gecko(POOL, OWN)])['geckoterminal.topPool'], undefined);
  const counted = read('geckoterminal', 'token_pools', ON_ETHEREUM, { data: [gecko(POOL, OWN), small] });
  assert.deepEqual([counted.say('trades_24h'), counted.say('traders_24h')], [50, 15]);
});

/** Tokens that launches of the chain are paired with: `counterTokens` of Base. */
const VIRTUAL = '0x0b3e328455c4059EEb9e3f84b5543F74E24e7E1b';

test('a pool against the token of a large launchpad counts; pools of that token itself count against coins and dollars', () => {
  const onBase = (address: string, base: string, quote: string) =>
    read('dexscreener', 'token_pairs', { chain: 'base', address }, [
      {
        ...{ chainId: 'base', dexId: 'uniswap', pairAddress: POOL, priceUsd: '0.5', priceNative: '0.25' },
        ...{ baseToken: { address: base }, quoteToken: { address: quote } },
        liquidity: { usd: 40_000, base: 40_000, quote: 10_000 },
      },
    ]).say('pool_liquidity_usd');
  assert.equal(onBase(TOKEN, TOKEN, VIRTUAL), 40_000);
  assert.equal(onBase(TOKEN, TOKEN, OWN), undefined);
  assert.equal(onBase(VIRTUAL.toLowerCase(), TOKEN, VIRTUAL), undefined);
  assert.equal(onBase(VIRTUAL.toLowerCase(), VIRTUAL, '0x4200000000000000000000000000000000000006'), 40_000);
});
