import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './fixtures/read-reply.ts';
import { poolKind } from './observations.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const POOL = '9G6HaM5uyjWvEPVjHwTvKeNokfycQ1o3YSbBAUJ4rjBD';

test('dexscreener: a counter token is trusted by its address, and what is not trusted is not counted at all', () => {
  const pair = (counter: string, symbol: string) => ({
    chainId: 'ethereum',
    dexId: 'uniswap',
    pairAddress: OTHER,
    baseToken: { address: TOKEN },
    quoteToken: { address: counter, symbol },
    priceUsd: '2',
    txns: { h24: { buys: 3, sells: 2 } },
    volume: { h24: 500 },
    liquidity: { usd: 900 },
  });
  const heard = (rows: object[]) => read('dexscreener', 'token_pairs', { chain: 'ethereum', address: TOKEN }, rows);
  const fake = heard([pair('0x00000000000000000000000000000000000000cc', 'USDC')]);
  for (const quantity of ['price_usd', 'liquidity_dex_usd', 'volume_24h_dex_usd', 'trades_24h', 'pool_liquidity_usd'])
    assert.equal(fake.say(quantity), undefined, quantity);
  const real = heard([pair(WETH, 'WETH'), pair('0x00000000000000000000000000000000000000cc', 'WETH')]);
  assert.deepEqual([real.say('price_usd'), real.say('volume_24h_dex_usd'), real.say('trades_24h')], [2, 500, 5]);
  assert.deepEqual([real.say('buys_24h'), real.say('sells_24h')], [3, 2]);
  // Of the counter token the sides are the other way round; a pool that states neither says nothing of them.
  const turned = { ...pair(TOKEN, 'T'), baseToken: { address: WETH }, priceNative: '1' };
  assert.deepEqual([heard([turned]).say('buys_24h'), heard([turned]).say('sells_24h')], [2, 3]);
  assert.equal(heard([{ ...pair(WETH, 'WETH'), txns: {} }]).say('sells_24h'), undefined);
});

test('dexscreener: the counter side of a pool is worth what the pair says, from either side', () => {
  const pair = (base: string, quote: string, liquidity: object) => ({
    chainId: 'ethereum',
    dexId: 'uniswap',
    labels: ['v3'],
    pairAddress: OTHER,
    baseToken: { address: base },
    quoteToken: { address: quote },
    priceNative: '0.001',
    priceUsd: '2',
    liquidity: { usd: 10_400, ...liquidity },
  });
  const said = (row: object) =>
    read('dexscreener', 'token_pairs', { chain: 'ethereum', address: TOKEN }, [row]).say('pool_quote_reserve_usd');
  // 0.2 WETH at 2,000 USD lie against 5,000 tokens.
  assert.equal(said(pair(TOKEN, WETH, { base: 5_000, quote: 0.2 })), 400);
  assert.equal(said(pair(WETH, TOKEN, { base: 5_000, quote: 0.2 })), 10_000);
  assert.equal(said(pair(TOKEN, WETH, {})), undefined);
  assert.equal(said(pair(TOKEN, '0x00000000000000000000000000000000000000cc', { base: 5_000, quote: 0.2 })), undefined);
});

test('dexpaprika and CoinMarketCap: pools of other tokens are not the token’s', () => {
  const named = { id: OTHER, tokens: [{ id: WETH }, { id: OTHER }] };
  assert.equal(
    read('dexpaprika', 'pools', { chain: 'ethereum', address: TOKEN }, { results: [named] }).drafts.length,
    0,
  );
  const row = { addr: OTHER, liqUsd: '5', t0: { addr: WETH }, t1: { addr: OTHER } };
  const heard = read(
    'coinmarketcap',
    'dex_pools',
    { chain: 'ethereum', address: TOKEN },
    { status: { error_code: '0' }, data: [row] },
  );
  assert.equal(heard.drafts.length, 0);
});

test('candles that ended long ago do not give the volatility of today', () => {
  const DAY = 86_400;
  const today = Math.floor(Date.parse('2026-11-20T12:00:00.000Z') / 1_000 / DAY) * DAY;
  const rows = (last: number) =>
    Array.from({ length: 60 }, (_, day) => [last - day * DAY, '1', '2', '1', String(1 + (day % 5) / 10), '9']);
  const ofPool = (last: number) =>
    read(
      'geckoterminal',
      'ohlcv',
      { chain: 'solana', pool: POOL, address: MINT },
      { data: { attributes: { ohlcv_list: rows(last) } } },
    );
  const ofMarket = (last: number) =>
    read(
      'binance',
      'candles',
      { symbol: 'TIDEUSDT' },
      rows(last)
        .map(([at, ...row]) => [Number(at) * 1_000, ...row])
        .reverse(),
    );
  const datesOf = ({ drafts }: ReturnType<typeof read>) =>
    drafts.flatMap(({ quantity, observedAt }) =>
      quantity.startsWith('volatility') || quantity === 'price_history_days' ? [observedAt] : [],
    );
  for (const chart of [ofPool, ofMarket]) {
    const found = datesOf(chart(today));
    assert.ok(found.length >= 2 && found.every((at) => at === undefined), 'candles of today');
    assert.deepEqual(datesOf(chart(today - DAY)), found);
    const ended = today - 200 * DAY;
    assert.deepEqual(new Set(datesOf(chart(ended))), new Set([new Date(ended * 1_000).toISOString()]));
  }
});

test('geckoterminal: candles of a pool without the token give nothing', () => {
  const candles = Array.from({ length: 40 }, (_, day) => [
    1_700_000_000 + day * 86_400,
    1,
    1,
    1,
    1 + (day % 2) / 10,
    5,
  ]);
  const body = (base: string) => ({
    data: { attributes: { ohlcv_list: candles } },
    meta: { base: { address: base }, quote: { address: WETH } },
  });
  const params = { chain: 'ethereum', pool: OTHER, address: TOKEN };
  assert.equal(read('geckoterminal', 'ohlcv', params, body(OTHER)).drafts.length, 0);
  assert.ok(read('geckoterminal', 'ohlcv', params, body(TOKEN)).say('volatility_30d'));
});

test('raydium: a pool whose stated value is not that of its dollars, or that holds an obscure counter token, is not valued', () => {
  const JUNK = 'JunkJunkJunkJunkJunkJunkJunkJunkJunkJunkJunk';
  const USDC = MINT;
  const pool = (mintA: string, amountA: number, mintB: string, amountB: number, tvl: number, burnPercent: number) => ({
    type: 'Standard',
    id: POOL,
    mintA: { address: mintA },
    mintB: { address: mintB },
    mintAmountA: amountA,
    mintAmountB: amountB,
    tvl,
    burnPercent,
    day: { volume: 77 },
  });
  const heard = (address: string, ...rows: object[]) =>
    read('raydium', 'pools_by_mint', { address }, { success: true, data: { data: rows } });
  // A recorded row: the value of the pool is that of a token whose name is ETH, at some price.
  const recorded = pool(USDC, 1_318.73611189, JUNK, 28_309_967.717412, 364_090.9, 0);
  for (const address of [JUNK, USDC]) {
    const said = heard(address, recorded);
    for (const quantity of ['pool_price_usd', 'pool_liquidity_usd', 'pool_quote_reserve_usd', 'pool_volume_24h_usd'])
      assert.equal(said.say(quantity), undefined, quantity);
    assert.equal(said.say('pool_pair'), address === JUNK ? USDC : JUNK);
  }
  const fair = heard(JUNK, { ...recorded, tvl: 2_640 });
  assert.equal(fair.say('pool_quote_reserve_usd'), 1_320);
  // A worthless pool with burned shares does not cover a deep one without.
  const token = OTHER;
  const deep = pool(token, 10, SOL, 100, 20_000, 0);
  const faked = { ...pool(token, 10, JUNK, 1e9, 9_000_000, 100), id: SOL };
  assert.equal(heard(token, deep, faked).say('lp_burned_share'), 0);
  assert.equal(heard(token, deep).say('pool_price_usd'), 1_000);
});

test('geckoterminal: authorities of a mint are those of Solana; a contract may mint without any', () => {
  const attributes = { address: TOKEN, mint_authority: 'no', freeze_authority: 'no' };
  const states = (chain: string) => {
    const said = read('geckoterminal', 'token_info', { chain, address: TOKEN }, { data: { attributes } });
    return [said.say('mint_authority_state'), said.say('freeze_authority_state')];
  };
  assert.deepEqual(states('solana'), ['none', 'none']);
  assert.deepEqual(states('ethereum'), [undefined, undefined]);
});

test('geckoterminal: a young deepest pool does not hide the chart of an older one', () => {
  const pool = (address: string, reserve: number, daysAgo: number) => ({
    attributes: {
      address,
      reserve_in_usd: String(reserve),
      pool_created_at: new Date(Date.parse('2026-11-20T12:00:00.000Z') - daysAgo * 86_400_000).toISOString(),
    },
    relationships: { base_token: { data: { id: `eth_${TOKEN}` } }, quote_token: { data: { id: `eth_${WETH}` } } },
  });
  const older = (...data: readonly object[]) =>
    read('geckoterminal', 'token_pools', { chain: 'ethereum', address: TOKEN }, { data }).learned[
      'geckoterminal.olderPool'
    ];
  assert.equal(older(pool(OTHER, 2_500, 0.2), pool(WETH, 300, 24)), WETH);
  assert.equal(older(pool(OTHER, 2_500, 40), pool(WETH, 300, 90)), undefined, 'the deepest has a chart of its own');
  assert.equal(older(pool(OTHER, 2_500, 20), pool(WETH, 300, 20.5)), undefined, 'both began together');
  assert.equal(older(pool(OTHER, 2_500, 0.2)), undefined);
  const candles = [1, 1.1, 0.002, 0.002].map((close, day) => [1_700_000_000 + day * 86_400, 1, 1, 1, close, 5]);
  const body = { data: { attributes: { ohlcv_list: candles } } };
  const said = read('geckoterminal', 'ohlcv', { chain: 'ethereum', pool: WETH, address: TOKEN, older: true }, body);
  assert.deepEqual(
    said.drafts.map(({ quantity, scope }) => [quantity, scope]),
    [['pool_lasting_fall', `pool:${WETH.toLowerCase()}`]],
  );
});

test('coingecko: the genesis of a chain is not the first trade of its coin; chains that are not covered are counted; a full page of markets has no sum', () => {
  const coin = (more: object) =>
    read('coingecko', 'coin', { id: 'x' }, { id: 'x', symbol: 'x', name: 'X', genesis_date: '2009-01-03', ...more });
  assert.deepEqual(
    [coin({}).say('first_trade_at'), coin({}).say('token_created_at')],
    [undefined, '2009-01-03T00:00:00.000Z'],
  );
  assert.equal(
    coin({ asset_platform_id: 'ethereum', platforms: { ethereum: TOKEN } }).say('token_created_at'),
    undefined,
  );
  const platforms = { ethereum: TOKEN, 'the-open-network': 'EQx', '': '', base: null };
  assert.deepEqual([coin({ platforms }).say('listed_chains'), coin({}).say('listed_chains')], [2, undefined]);
  const row = {
    base: 'X',
    target: 'USDT',
    market: { name: 'Binance', identifier: 'binance' },
    coin_id: 'x',
    converted_volume: { usd: 7 },
  };
  const page = (length: number) =>
    read('coingecko', 'tickers', { id: 'x' }, { tickers: Array.from({ length }, () => row) }).say('volume_24h_cex_usd');
  assert.deepEqual([page(3), page(100)], [7, undefined]);
});

test('dexscreener: liquidity and volume that a pair does not state are unknown, not 0', () => {
  // The form of a pair on a bonding curve: it has no `liquidity`.
  const curve = {
    chainId: 'solana',
    dexId: 'pumpfun',
    pairAddress: POOL,
    baseToken: { address: MINT },
    quoteToken: { address: SOL, symbol: 'SOL' },
    priceUsd: '0.00001',
    txns: { h24: { buys: 30, sells: 20 } },
    volume: { h24: 5066.66 },
  };
  const pool = { ...curve, dexId: 'raydium', pairAddress: SOL, liquidity: { usd: 900 } };
  const heard = (rows: object[]) => read('dexscreener', 'token_pairs', { chain: 'solana', address: MINT }, rows);
  const alone = heard([curve]);
  assert.deepEqual([alone.say('liquidity_dex_usd'), alone.say('pool_liquidity_usd')], [undefined, undefined]);
  assert.deepEqual([alone.say('volume_24h_dex_usd'), alone.say('price_usd')], [5066.66, 0.00001]);
  assert.equal(heard([curve, pool]).say('liquidity_dex_usd'), 900);
  assert.equal(heard([{ ...pool, liquidity: { usd: 0 } }]).say('liquidity_dex_usd'), 0);
  const silent = heard([{ ...pool, volume: {}, txns: {} }]);
  for (const quantity of ['volume_24h_dex_usd', 'pool_volume_24h_usd', 'trades_24h'])
    assert.equal(silent.say(quantity), undefined, quantity);
  // A negative amount is an error in the reply.
  assert.equal(heard([{ ...pool, liquidity: { usd: -5 }, volume: { h24: -1 } }]).say('liquidity_dex_usd'), undefined);
  assert.equal(heard([{ ...pool, volume: { h24: -1 } }]).say('volume_24h_dex_usd'), undefined);
});

test('pools: a version number in the name of an exchange does not make its pools constant products', () => {
  const kinds = ['uniswap_v2', 'pancakeswap_v2', 'pancakeswap-v3-bsc', 'uniswap-v4-base'].map(poolKind);
  assert.deepEqual(kinds, ['constant_product', 'constant_product', 'concentrated', 'concentrated']);
  // Weighted and stable pools; both volatile and stable pools under one name; pools of other formulas.
  for (const dex of ['balancer-v2-arbitrum', 'Balancer V3', 'velodrome-finance-v2', 'maverick-v2-base', 'dodo-v2'])
    assert.equal(poolKind(dex), null, dex);
  for (const dex of ['traderjoe-v2-1-avalanche', 'Trader Joe V2.2', 'joe-v2-arbitrum', 'lfj-v2-2-monad'])
    assert.equal(poolKind(dex), 'bins', dex);
  assert.equal(poolKind('meteora-damm-v2'), 'concentrated');
});

test('birdeye: its liquidity counts stake pools, and is not read', () => {
  const heard = read('birdeye', 'token_overview', {}, { success: true, data: { price: 160, liquidity: 16e9 } });
  assert.deepEqual([heard.say('price_usd'), heard.say('liquidity_dex_usd')], [160, undefined]);
});

test('pyth: the feed of that whole name, and none where two have it', () => {
  const id = 'a'.repeat(64);
  const feed = (symbol: string) => ({ id, attributes: { base: 'BTC', quote_currency: 'USD', symbol } });
  const learned = (rows: object[]) => read('pyth', 'feeds', { symbol: 'BTC' }, rows).learned;
  assert.deepEqual(learned([feed('Crypto.BTC/USD.RR'), feed('Crypto.BTC/USD')]), { 'pyth.feed': id });
  assert.deepEqual(learned([feed('Crypto.BTC/USD'), feed('Crypto.BTC/USD')]), {});
});

test('dexscreener: a fully diluted value below the capitalisation counts one chain', () => {
  const pair = {
    chainId: 'base',
    dexId: 'uniswap',
    pairAddress: OTHER,
    baseToken: { address: TOKEN },
    quoteToken: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
    priceUsd: '85113.87',
    liquidity: { usd: 314821 },
  };
  const heard = (fdv: number) =>
    read('dexscreener', 'token_pairs', { chain: 'base', address: TOKEN }, [{ ...pair, fdv, marketCap: 10667322380 }]);
  assert.deepEqual([heard(5372139).say('fdv_usd'), heard(5372139).say('market_cap_usd')], [undefined, 10667322380]);
  assert.equal(heard(11667322380).say('fdv_usd'), 11667322380);
});

test('github: a push is not a commit', () => {
  const body = { full_name: 'fern/core', pushed_at: '2026-11-01T00:00:00Z', created_at: '2020-01-01T00:00:00Z' };
  const heard = read('github', 'repo', { repo: 'fern/core' }, body);
  assert.deepEqual(
    [heard.say('last_commit_at'), heard.say('repo_created_at')],
    [undefined, '2020-01-01T00:00:00.000Z'],
  );
});

test('kraken: a market without trades for a day has a volume of 0 and gives no price of the asset', () => {
  const tick = (last: string) =>
    read(
      'kraken',
      'ticker',
      { symbol: 'X/USD' },
      { error: [], result: { 'X/USD': { c: [last, '1'], v: ['0', '0'], p: ['0', '0'] } } },
    );
  assert.deepEqual([tick('0').say('venue_volume_24h_usd'), tick('0').say('venue_price_usd')], [0, undefined]);
  assert.deepEqual([tick('3').say('venue_price_usd'), tick('3').say('price_usd')], [3, undefined]);
});

test('coinpaprika: markets of known exchanges come before those of unknown ones', () => {
  const row = (exchange: string, volume: number) => ({
    exchange_id: exchange,
    pair: 'X/USD',
    base_currency_id: 'x-x',
    category: 'Spot',
    quotes: { USD: { price: 1, volume_24h: volume } },
  });
  const rows = [...Array.from({ length: 70 }, (_, at) => row(`nobody-${at}`, 9e9)), row('kraken', 5)];
  const heard = read('coinpaprika', 'markets', { id: 'x-x' }, rows);
  assert.equal(heard.drafts[0]?.scope, 'venue:kraken:X-USD');
});

test('CoinMarketCap: the quote in dollars of either version, and of no other currency', () => {
  const price = (data: unknown) =>
    read('coinmarketcap', 'quotes', { id: '1' }, { status: { error_code: 0 }, data }).say('price_usd');
  const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC' };
  assert.equal(
    price([
      {
        ...coin,
        quote: [
          { symbol: 'EUR', price: 90 },
          { symbol: 'USD', price: 100 },
        ],
      },
    ]),
    100,
  );
  assert.equal(price([{ ...coin, quote: [{ symbol: 'EUR', price: 90 }] }]), undefined);
  assert.equal(price({ 1: { ...coin, quote: { USD: { price: 100 } } } }), 100);
  assert.equal(price({ 1: { ...coin, quote: { USDT: { price: 100 } } } }), undefined);
});

test('birdeye: a capitalisation without a circulating supply counts one chain', () => {
  const cap = (data: object) => read('birdeye', 'token_overview', {}, { success: true, data }).say('market_cap_usd');
  assert.deepEqual(
    [cap({ mc: 22, supply: 22 }), cap({ mc: 75, circulatingSupply: 5 }), cap({ marketCap: 87 })],
    [undefined, 75, 87],
  );
});
