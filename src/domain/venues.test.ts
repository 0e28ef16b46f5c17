import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalScope,
  isDollar,
  marketNamed,
  marketOf,
  marketOfScope,
  marketScope,
  poolScope,
} from './venue-scopes.ts';
import { EXCHANGES, type ExchangeRegistry, exchangeCalled, isExchangeId } from './venues.ts';

const REGISTRIES: readonly ExchangeRegistry[] = ['coingecko', 'coinmarketcap', 'coinpaprika', 'defillama'];
const scopeOf = (exchange: string, base: string, quote: string, coin: string | null = null) => {
  const market = marketOf(exchange, base, quote, coin);
  return market && marketScope(market);
};

test('no name belongs to two exchanges, and each name, id and title of the table leads to its exchange', () => {
  assert.equal(new Set(EXCHANGES.map((row) => row.id)).size, EXCHANGES.length);
  for (const registry of REGISTRIES) {
    const names = EXCHANGES.flatMap((row) => [row.names[registry] ?? []].flat().map((name) => [name, row.id] as const));
    assert.equal(new Set(names.map(([name]) => name)).size, names.length, registry);
    for (const [name, id] of names) assert.equal(exchangeCalled(registry, name), id, `${registry} ${name}`);
  }
  for (const { id, title } of EXCHANGES) {
    assert.ok(isExchangeId(id), id);
    assert.equal(exchangeCalled('defillama', title), id);
    assert.equal(exchangeCalled('coingecko', id), id);
  }
});

test('registries keep old names of exchanges', () => {
  const names = ['gdax', 'okex', 'huobi', 'mxc', 'bybit_spot', 'crypto_com', 'gate', 'binance_us', 'bitmax'];
  const ids = ['coinbase', 'okx', 'htx', 'mexc', 'bybit', 'crypto_com', 'gateio', 'binance_us', 'ascendex'];
  assert.deepEqual(
    names.map((name) => exchangeCalled('coingecko', name)),
    ids,
  );
});

test('an unlisted exchange is one under any spelling of its name, and none of the table under a name that is free', () => {
  assert.equal(exchangeCalled('coingecko', 'new_swap.io'), 'unlisted.newswapio');
  assert.equal(exchangeCalled('coinpaprika', 'New-Swap IO'), 'unlisted.newswapio');
  assert.equal(exchangeCalled('coinpaprika', 'gdax'), 'unlisted.gdax', 'only CoinGecko calls Coinbase so');
  assert.equal(exchangeCalled('coingecko', '交易所'), null);
  assert.equal(isExchangeId('unlisted.gate:io'), false);
  assert.equal(isExchangeId('gdax'), false);
});

test('exchanges of pools are not venues: their pools are', () => {
  for (const name of ['uniswap_v3', 'raydium2', 'raydium-clmm', 'Orca', 'pancakeswap_new', 'aerodrome-base'])
    assert.equal(exchangeCalled('coingecko', name), null, name);
  assert.equal(exchangeCalled('coingecko', 'orcaswapx'), 'unlisted.orcaswapx', 'a first word, not a beginning');
});

test('a market has one scope under all spellings of its pair', () => {
  for (const name of ['TIDEUSDT', 'tide_usdt', 'TIDE-USDT', 'TIDE/USDT'])
    assert.deepEqual(marketNamed('binance', name), { exchange: 'binance', base: 'TIDE', quote: 'USDT' }, name);
  assert.equal(scopeOf('kraken', 'XBT', 'ZUSD'), 'venue:kraken:BTC-USD');
  assert.equal(scopeOf('kraken', 'XDG', 'XBT'), 'venue:kraken:DOGE-BTC');
  assert.equal(scopeOf('bitfinex', 'BTC', 'UST'), 'venue:bitfinex:BTC-USDT');
  assert.equal(scopeOf('binance', 'LUNC', 'UST'), 'venue:binance:LUNC-UST', 'another exchange means another coin');
  assert.equal(scopeOf('unlisted.some', 'BTC', 'USDTB', 'tether'), 'venue:unlisted.some:BTC-USDT');
});

test('the longest quote asset at the end of a name is its quote', () => {
  assert.equal(marketNamed('binance', 'ATUSD')?.quote, 'TUSD');
  assert.deepEqual(marketNamed('binance', 'USDCUSDT'), { exchange: 'binance', base: 'USDC', quote: 'USDT' });
  for (const name of ['USDT', 'NOTHING', '', 'A-B-C', 'TIDE-']) assert.equal(marketNamed('binance', name), null, name);
  assert.ok(isDollar('USD') && isDollar('USDT') && !isDollar('EUR') && !isDollar('TUSD'));
});

test('a pair written with addresses is not a market of an exchange', () => {
  assert.equal(scopeOf('unlisted.dex', '0X6B175474E89094C44DA98B954EEDEAC495271D0F', 'USDC'), null);
  assert.equal(scopeOf('unlisted.dex', 'EPJFWDD5AUFQSSQEM2QN1XZYBAPC8G4WEGGKZWYTDT1V', 'SOL'), null);
});

test('a pool is one under all spellings of its address', () => {
  const pool = 'pool:0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640';
  for (const name of [
    '0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640',
    '0X88E6A0C2DDD26FEEB64F039A2C41296FCB3F5640',
    'eth_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
    'polygon_pos_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
    'ethereum:0x88e6A0c2ddd26feeb64f039a2c41296fcb3f5640',
  ])
    assert.equal(poolScope(name), pool, name);
  const solana = '58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2';
  assert.equal(poolScope(`solana_${solana}`), `pool:${solana}`);
  assert.equal(poolScope(solana), `pool:${solana}`, 'base58 keeps its capitals');
});

test('scopes of earlier evidence lead to the canonical ones; canonical scopes stay as they are', () => {
  assert.equal(canonicalScope('venue:gdax:TIDE-USD'), 'venue:coinbase:TIDE-USD');
  assert.equal(canonicalScope('venue:binance:TIDEUSDT'), 'venue:binance:TIDE-USDT');
  assert.equal(canonicalScope('venue:kraken:XBT-EUR'), 'venue:kraken:BTC-EUR');
  assert.equal(canonicalScope('venue:raydium:TIDE-SOL'), null, 'counted as the pool that it is');
  assert.equal(canonicalScope('venue:somewhere:TIDE-XYZ'), 'venue:unlisted.somewhere:TIDE-XYZ');
  for (const scope of ['asset', 'registry:coingecko', 'holder:0xAB', 'venue:what', 'venue:kraken:BTC-USD'])
    assert.equal(canonicalScope(scope), scope);
});

test('whatever a source writes, the canonical form of the canonical form is itself', () => {
  const name = fc.oneof(
    fc.constantFrom(...EXCHANGES.flatMap((row) => [row.id, row.title, ...Object.values(row.names).flat()])),
    fc.string({ maxLength: 40 }),
  );
  const symbol = fc.oneof(fc.constantFrom('BTC', 'XBT', 'usdt', 'ZUSD', 'TIDE', 'UST'), fc.string({ maxLength: 24 }));
  fc.assert(
    fc.property(fc.constantFrom(...REGISTRIES), name, symbol, symbol, (registry, exchangeName, base, quote) => {
      const exchange = exchangeCalled(registry, exchangeName);
      if (exchange === null) return;
      assert.ok(isExchangeId(exchange), exchange);
      const market = marketOf(exchange, base, quote);
      if (market === null) return;
      assert.deepEqual(marketOfScope(marketScope(market)), market);
      assert.deepEqual(marketOf(market.exchange, market.base, market.quote), market);
      assert.equal(canonicalScope(marketScope(market)), marketScope(market));
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      for (const scope of [`venue:${text}`, `pool:${text}`]) {
        const once = canonicalScope(scope);
        if (once !== null) assert.equal(canonicalScope(once), once);
      }
    }),
  );
});
