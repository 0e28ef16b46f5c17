import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_KEYS } from '../../domain/asset.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { ObservationDraft } from '../../domain/observation.ts';
import { coingecko } from '../coingecko/index.ts';
import { coinmarketcap } from '../coinmarketcap.ts';
import { coinpaprika } from '../coinpaprika.ts';
import type { Params, Source } from '../source.ts';
import { binance } from './binance.ts';
import { bybit } from './bybit.ts';
import { coinbase } from './coinbase.ts';
import { gateio } from './gateio.ts';
import { kraken } from './kraken.ts';

const META = { status: 200, headers: {}, fetchedAt: '2026-01-01T00:00:00.000Z', url: 'https://example.org/' };

function endpointOf(source: Source, name: string) {
  const found = source.endpoints.find((row) => row.name === name);
  assert.ok(found, name);
  return found;
}

function observed(source: Source, name: string, reply: object, params: Params): readonly ObservationDraft[] {
  return endpointOf(source, name).observe(reply as never, params, META);
}

const valueIn = (drafts: readonly ObservationDraft[], quantity: string, scope?: string) =>
  drafts.find((row) => row.quantity === quantity && (scope === undefined || row.scope === scope))?.value;

interface Row {
  readonly base?: string;
  readonly target?: string;
  readonly market: string;
  readonly coin?: string;
  readonly targetCoin?: string | null;
  readonly volume?: number;
  readonly stale?: boolean;
}

const tickers = (rows: readonly Row[]) => ({
  tickers: rows.map(({ base = 'BTC', target = 'USD', market, coin = 'bitcoin', targetCoin = null, ...rest }) => ({
    base,
    target,
    market: { name: market, identifier: market },
    converted_last: { usd: 60_000 },
    converted_volume: { usd: rest.volume ?? 1_000 },
    cost_to_move_up_usd: 50,
    cost_to_move_down_usd: 60,
    bid_ask_spread_percentage: 0.01,
    is_stale: rest.stale ?? false,
    coin_id: coin,
    target_coin_id: targetCoin,
  })),
});

test('CoinGecko: the coin’s own markets by canonical names, each once; others’ markets and pools are left out', () => {
  const reply = tickers([
    { market: 'gdax' },
    { market: 'kraken', base: 'XBT', target: 'EUR' },
    { market: 'bitfinex', target: 'UST', targetCoin: 'tether' },
    { market: 'okex', target: 'USDT', targetCoin: 'tether', volume: 500 },
    // The same market twice: the first row stands.
    { market: 'okex', target: 'USDT', targetCoin: 'tether', volume: 499 },
    // Bitcoin is what these are priced in.
    { market: 'binance', base: 'ETH', target: 'BTC', coin: 'ethereum', targetCoin: 'bitcoin' },
    { market: 'binance', base: 'WBTC', target: 'BTC', coin: 'wrapped-bitcoin', targetCoin: 'bitcoin' },
    // Pools: by the pair, and by the exchange.
    { market: 'new_dex', target: '0XDAC17F958D2EE523A2206206994597C13D831EC7', targetCoin: 'tether' },
    { market: 'uniswap_v3', target: 'USDC', targetCoin: 'usd-coin' },
    { market: 'gemini', stale: true },
  ]);
  const drafts = observed(coingecko, 'tickers', reply, { id: 'bitcoin' });
  const volumes = drafts.filter((row) => row.quantity === 'venue_volume_24h_usd');
  assert.deepEqual(
    volumes.map((row) => [row.scope, row.value]),
    [
      ['venue:coinbase:BTC-USD', 1_000],
      ['venue:kraken:BTC-EUR', 1_000],
      ['venue:bitfinex:BTC-USDT', 1_000],
      ['venue:okx:BTC-USDT', 500],
    ],
  );
  assert.equal(valueIn(drafts, 'volume_24h_cex_usd'), 3_500);
});

test('CoinGecko: a stablecoin’s page gives its own markets, not those that are priced in it', () => {
  const reply = tickers([
    { market: 'binance', base: 'BTC', target: 'USDT', coin: 'bitcoin', targetCoin: 'tether' },
    { market: 'kraken', base: 'USDT', target: 'USD', coin: 'tether' },
  ]);
  const drafts = observed(coingecko, 'tickers', reply, { id: 'tether' });
  assert.deepEqual([...new Set(drafts.map((row) => row.scope ?? 'asset'))], ['venue:kraken:USDT-USD', 'asset']);
});

test('exchanges are requested for the coin’s own markets only, dollars first, under their own names', () => {
  const reply = tickers([
    { market: 'binance', target: 'USDC', targetCoin: 'usd-coin', volume: 10 },
    { market: 'binance', target: 'FDUSD', targetCoin: 'first-digital-usd', volume: 200 },
    { market: 'binance', target: 'USDT', targetCoin: 'tether', volume: 90 },
    { market: 'binance', base: 'ETH', target: 'USDT', coin: 'ethereum', targetCoin: 'tether', volume: 999 },
    { market: 'kraken', base: 'XBT', target: 'EUR', volume: 50 },
    { market: 'kraken', base: 'XBT', volume: 40 },
    { market: 'kraken', base: 'XBT', target: 'JPY', volume: 5 },
    { market: 'gate', target: 'USDT', targetCoin: 'tether', volume: 4 },
    { market: 'bybit_spot', target: 'BRL', volume: 3 },
    { market: 'lbank', target: 'USDT', targetCoin: 'tether', volume: 3_000 },
  ]);
  const learned = endpointOf(coingecko, 'tickers').learn?.(reply as never, { id: 'bitcoin' }, META) ?? {};
  const planned = (source: Source, more: object = {}) =>
    endpointOf(source, 'ticker').plan({ keys: NO_KEYS, learned: { ...learned, ...more } } as never);
  assert.deepEqual(planned(binance), [{ symbol: 'BTCUSDT' }, { symbol: 'BTCUSDC' }]);
  assert.deepEqual(planned(gateio), [{ symbol: 'BTC_USDT' }]);
  assert.deepEqual(planned(kraken), [{ symbol: 'BTC/USD' }]);
  assert.deepEqual(planned(bybit), [], 'reais have no known rate');
  assert.deepEqual(planned(kraken, { 'ecb.usdPer': { EUR: 1.1 } }), [
    { symbol: 'BTC/USD' },
    { symbol: 'BTC/EUR', usdPer: 1.1 },
  ]);
});

test('an exchange names a market by the scope of the registry’s row', () => {
  const ticker = { symbol: 'BTCUSDT', lastPrice: '60000.1', quoteVolume: '5000', closeTime: 1_767_225_000_000 };
  const own = observed(binance, 'ticker', ticker, { symbol: 'BTCUSDT' });
  const row = observed(coingecko, 'tickers', tickers([{ market: 'binance', target: 'USDT', targetCoin: 'tether' }]), {
    id: 'bitcoin',
  });
  const scope = 'venue:binance:BTC-USDT';
  assert.equal(valueIn(own, 'venue_volume_24h_usd', scope), 5_000);
  assert.equal(valueIn(row, 'venue_volume_24h_usd', scope), 1_000);
  const dollars = observed(coinbase, 'ticker', { price: '60000', volume: '2' }, { symbol: 'BTC-USD' });
  assert.equal(valueIn(dollars, 'venue_volume_24h_usd', 'venue:coinbase:BTC-USD'), 120_000);
});

test('a market that is not quoted in dollars gives no dollars', () => {
  const ticker = { symbol: 'ETHBTC', lastPrice: '0.05', quoteVolume: '5000', closeTime: 1_767_225_000_000 };
  assert.deepEqual(observed(binance, 'ticker', ticker, { symbol: 'ETHBTC' }), []);
  assert.deepEqual(observed(binance, 'depth', book(600, 0.001), { symbol: 'ETHBTC' }), []);
});

/** So many levels of one dollar on each side of 100, each so far from the last as a share of the price. */
function book(levels: number, step: number) {
  const side = (sign: number) =>
    Array.from({ length: levels }, (_, index) => {
      const price = 100 * (1 + sign * step * (index + 1));
      return [String(price), String(1 / price)];
    });
  return { bids: side(-1), asks: side(1) };
}

test('a book that the exchange cuts off before 2 % is a lower bound; one that ends there is the whole', () => {
  const up = (source: Source, name: string, symbol: string, levels: number, step: number) =>
    Number(valueIn(observed(source, name, book(levels, step), { symbol }), 'venue_depth_up_2pct_usd')?.toString());
  const binanceUp = (levels: number, step: number) => up(binance, 'depth', 'BTCUSDT', levels, step);
  const coinbaseUp = (levels: number, step: number) => up(coinbase, 'book', 'BTC-USD', levels, step);
  assert.ok(Number.isNaN(binanceUp(500, 0.00001)), '500 levels within half a percent: the rest is not known');
  assert.ok(Math.abs(binanceUp(500, 0.0001) - 200) <= 1, 'it reaches beyond 2 %');
  assert.ok(Math.abs(binanceUp(10, 0.0001) - 10) < 1e-6, 'ten orders are all there are');
  assert.ok(Number.isNaN(coinbaseUp(50, 0.0001)));
  assert.ok(Math.abs(coinbaseUp(51, 0.0001) - 51) < 1e-6);
  const cut = observed(coinbase, 'book', book(50, 0.0001), { symbol: 'BTC-USD' });
  assert.ok(Math.abs(Number(valueIn(cut, 'venue_depth_up_2pct_min_usd', 'venue:coinbase:BTC-USD')) - 50) < 1e-6);
  const whole = observed(coinbase, 'book', book(51, 0.0001), { symbol: 'BTC-USD' });
  assert.equal(valueIn(whole, 'venue_depth_up_2pct_min_usd'), undefined);
});

test('CoinMarketCap: a contract that is null costs itself and not the profile', () => {
  const place = { contract_address: '0xABCDEF', platform: { name: 'Ethereum', coin: { slug: 'ethereum' } } };
  const row = { id: 1, name: 'Tide', symbol: 'TIDE', contract_address: [null, 'x', { platform: null }, place] };
  const reply = { status: { error_code: 0 }, data: { '1': row } };
  assert.deepEqual(valueIn(observed(coinmarketcap, 'info', reply, { id: '1' }), 'registry_addresses'), [
    { chain: 'ethereum', address: '0xabcdef' },
  ]);
  const chains = (...places: readonly unknown[]) =>
    valueIn(
      observed(coinmarketcap, 'info', { ...reply, data: { '1': { ...row, contract_address: places } } }, { id: '1' }),
      'listed_chains',
    );
  assert.equal(chains(place), 1);
  assert.equal(chains(place, { ...place, platform: { name: 'Toncoin', coin: { slug: 'toncoin' } } }, null), 2);
  assert.equal(chains({ ...place, contract_address: '' }), undefined);
});

test('CoinPaprika: the list of all tickers replaces the ticker, so that a rating holds one of the two', () => {
  const list = endpointOf(coinpaprika, 'tickers');
  assert.equal(list.list?.standsInFor, 'ticker');
  const row = { id: 'tide', name: 'Tide', symbol: 'TIDE', quotes: { USD: { price: 2 } } };
  assert.deepEqual([list.list?.keysOf(row), list.list?.keyOf({ id: 'tide' })], [['tide'], 'tide']);
  assert.deepEqual(list.plan({ keys: { coinpaprikaId: 'tide' } } as never), []);
  assert.equal(valueIn(observed(coinpaprika, 'ticker', row, { id: 'tide' }), 'price_usd'), 2);
});

test('CoinPaprika is a second registry of where an asset trades: its own spot markets, each once', () => {
  const row = (exchange: string, pair: string, change: object = {}) => ({
    exchange_id: exchange,
    pair,
    base_currency_id: 'tide-tide',
    category: 'Spot',
    outlier: false,
    quotes: { USD: { price: 2, volume_24h: 10 } },
    ...change,
  });
  const reply = [
    row('kraken', 'XBT/USD', { base_currency_id: 'btc-bitcoin' }),
    row('gate-io', 'TIDE/USDT', { quotes: { USD: { price: 2, volume_24h: 70 } } }),
    row('kraken', 'TIDE/EUR', { quotes: { USD: { price: 2.01, volume_24h: 80 } } }),
    row('kraken', 'TIDE/EUR'),
    row('binance', 'TIDE/USDT', { outlier: true }),
    row('bybit', 'TIDE/USDT', { category: 'Perpetual' }),
    row('uniswap-v3', 'TIDE/WETH'),
    row('unheard-of', 'TIDE/USDT'),
    { exchange_id: 7 },
  ];
  const drafts = observed(coinpaprika, 'markets', reply, { id: 'tide-tide' });
  assert.deepEqual(
    drafts.filter(({ quantity }) => quantity === 'venue_volume_24h_usd').map(({ scope, value }) => [scope, value]),
    [
      ['venue:kraken:TIDE-EUR', 80],
      ['venue:gateio:TIDE-USDT', 70],
      ['venue:unlisted.unheardof:TIDE-USDT', 10],
    ],
  );
  assert.deepEqual(endpointOf(coinpaprika, 'markets').learn?.(reply as never, { id: 'tide-tide' }, META), {
    'coinpaprika.cexPairs': [
      { venue: 'kraken', symbol: 'TIDE/EUR' },
      { venue: 'gateio', symbol: 'TIDE/USDT' },
    ],
  });
});

/** 120 days: a coin at one dollar that fell to 0.75 for ten days in a row, a hundred days in. */
const FELL = Array.from({ length: 120 }, (_, day) => ({
  at: Date.UTC(2026, 0, 1) + day * DAY_MS,
  price: day >= 100 && day < 110 ? 0.75 : 1,
}));
const CANDLES: readonly (readonly [Source, string, object])[] = [
  [binance, 'USDXUSDT', FELL.map(({ at, price }) => [at, '9', '9', '9', String(price), '1', at + DAY_MS - 1])],
  // Newest first, in seconds, low before high before open before close.
  [coinbase, 'USDX-USD', FELL.map(({ at, price }) => [at / 1_000, 8, 9, 7, price, 1]).reverse()],
  [
    kraken,
    'USDX/USD',
    {
      error: [],
      result: {
        last: 1,
        'USDX/USD': FELL.map(({ at, price }) => [at / 1_000, '9', '9', '9', String(price), '9', '1', 2]),
      },
    },
  ],
];

test('candles of an exchange give the year’s volatility and the days of a broken peg, in the form of each', () => {
  for (const [source, symbol, reply] of CANDLES) {
    const drafts = observed(source, 'candles', reply, { symbol });
    assert.equal(valueIn(drafts, 'price_history_days'), 119, source.name);
    assert.ok(Math.abs(Number(valueIn(drafts, 'volatility_365d')) - 0.0374) < 0.001, source.name);
    assert.equal(valueIn(drafts, 'peg_days_below_80'), 10, source.name);
    assert.equal(valueIn(drafts, 'volatility_30d'), undefined, 'registries and pools state the month');
    // The quote of Binance is a token that strays itself.
    assert.equal(valueIn(drafts, 'peg_deviation_90d_max'), source === binance ? undefined : 0.25, source.name);
  }
});

test('candles are requested of the first market against a dollar, and of no other', () => {
  const learned = {
    'coingecko.cexPairs': [
      { venue: 'kraken', symbol: 'BTC-EUR' },
      { venue: 'kraken', symbol: 'BTC-USD' },
    ],
    'ecb.usdPer': { EUR: 1.1 },
  };
  const planned = (of: object) => endpointOf(kraken, 'candles').plan({ keys: NO_KEYS, learned: of } as never);
  assert.deepEqual(planned(learned), [{ symbol: 'BTC/USD' }]);
  assert.deepEqual(planned({ ...learned, 'coingecko.cexPairs': learned['coingecko.cexPairs'].slice(0, 1) }), []);
});
