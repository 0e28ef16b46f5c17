import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_KEYS } from '../../domain/asset.ts';
import { readReply } from '../../evidence/read-reply.ts';
import { factsOf } from '../fixtures/drive.ts';
import type { Source } from '../source.ts';
import { binance } from './binance.ts';
import { bitstamp } from './bitstamp.ts';
import { bybit } from './bybit.ts';
import { gateio } from './gateio.ts';
import { kraken } from './kraken.ts';
import { kucoin } from './kucoin.ts';
import { okx } from './okx.ts';

const META = { status: 200, headers: {}, fetchedAt: '2026-01-01T00:00:00.000Z', url: '' };

function endpointOf(source: Source, name: string) {
  const found = source.endpoints.find((row) => row.name === name);
  assert.ok(found, name);
  return found;
}

function read(source: Source, name: string, reply: unknown, params: object, status = 200) {
  const body = new TextEncoder().encode(JSON.stringify(reply));
  return readReply(source, endpointOf(source, name), params as never, body, { ...META, status }, 'x');
}

/** The ticker of one market out of the list of all, as a score reads it. */
function ofList(source: Source, reply: unknown, params: { readonly symbol: string; readonly usdPer?: number }) {
  const { list } = endpointOf(source, 'tickers');
  assert.ok(list);
  const checked = read(source, 'tickers', reply, {});
  const rows = (list.rowsOf?.(reply) ?? reply) as readonly unknown[];
  const row = rows.find((one) => list.keysOf(one).includes(list.keyOf(params) ?? '')) ?? null;
  const held = list.replyOf ? list.replyOf(row) : row;
  const found = read(source, 'ticker', held, params);
  return {
    list: checked.outcome,
    outcome: found.outcome,
    values: Object.fromEntries(found.observations.map((one) => [`${one.quantity} ${one.scope}`, one.value])),
  };
}

const krakenTick = { a: ['2', '1', '1'], b: ['1.9', '1', '1'], c: ['2.0', '5'], v: ['10', '400'], p: ['1.8', '1.9'] };
const LISTS = {
  kraken: { error: [], result: { 'TIDE/USD': krakenTick, 'TIDE/USD:BTNL': krakenTick, 'TIDE/EUR': krakenTick } },
  okx: {
    code: '0',
    msg: '',
    data: [
      // Of a derivative the volumes have other units.
      { instType: 'SWAP', instId: 'TIDE-USDT-SWAP', last: '2.0', vol24h: '9', volCcy24h: '90' },
      { instType: 'SPOT', instId: 'TIDE-USDT', last: '2.0', vol24h: '400', volCcy24h: '760', ts: '1767225600000' },
    ],
  },
  bybit: {
    retCode: 0,
    retMsg: 'OK',
    result: {
      category: 'spot',
      list: [{ symbol: 'TIDEUSDT', lastPrice: '2.0', turnover24h: '760', volume24h: '400' }],
    },
  },
  kucoin: {
    code: '200000',
    data: { ticker: [{ symbol: 'TIDE-USDT', symbolName: 'TIDE-USDT', last: '2.0', vol: '400', volValue: '760' }] },
  },
  gateio: [
    { currency_pair: 'TIDE3L_USDT', last: '0.2', base_volume: '1', quote_volume: '1' },
    { currency_pair: 'FLOW_USDT', last: '0.2', base_volume: '1', quote_volume: '1', etf_leverage: '3' },
    { currency_pair: 'TIDE_USDT', last: '2.0', lowest_ask: '', base_volume: '400', quote_volume: '760' },
  ],
  bitstamp: [{ pair: 'TIDE/USD', last: '2.0', volume: '400', vwap: '1.9', timestamp: '1767225600' }],
};
const CASES = [
  { source: kraken, symbol: 'TIDE/USD', quote: 'USD', unlisted: 'WAVE/USD' },
  { source: okx, symbol: 'TIDE-USDT', quote: 'USDT', unlisted: 'WAVE-USDT' },
  { source: bybit, symbol: 'TIDEUSDT', quote: 'USDT', unlisted: 'WAVEUSDT' },
  { source: kucoin, symbol: 'TIDE-USDT', quote: 'USDT', unlisted: 'WAVE-USDT' },
  { source: gateio, symbol: 'TIDE_USDT', quote: 'USDT', unlisted: 'WAVE_USDT' },
  { source: bitstamp, symbol: 'TIDE/USD', quote: 'USD', unlisted: 'WAVE/USD' },
] as const;

for (const { source, symbol, quote, unlisted } of CASES) {
  const reply = LISTS[source.name as keyof typeof LISTS];

  test(`${source.name}: last price and the volume of 24 h in the quote currency, from the list of all tickers`, () => {
    const found = ofList(source, reply, { symbol });
    assert.deepEqual(found, {
      list: 'ok',
      outcome: 'ok',
      values: {
        'price_usd asset': 2,
        [`venue_price_usd venue:${source.name}:TIDE-${quote}`]: 2,
        [`venue_volume_24h_usd venue:${source.name}:TIDE-${quote}`]: 760,
      },
    });
  });

  test(`${source.name}: a market missing in the complete list is a reply without values`, () => {
    assert.deepEqual(ofList(source, reply, { symbol: unlisted }), { list: 'ok', outcome: 'ok', values: {} });
  });
}

test('gateio: a market whose leverage is stated as 0 is not a leveraged token', () => {
  const row = (etf_leverage: unknown) => [
    { currency_pair: 'TIDE_USDT', last: '2.0', quote_volume: '760', etf_leverage },
  ];
  const price = (leverage: unknown) => ofList(gateio, row(leverage), { symbol: 'TIDE_USDT' }).values['price_usd asset'];
  assert.deepEqual(['0', '0.0', 0, '', null].map(price), [2, 2, 2, 2, 2]);
  // The form of the documentation's example.
  assert.deepEqual(['3', '-3', 3, '2.2803019447281203'].map(price), [undefined, undefined, undefined, undefined]);
});

test('okx: an error without data is the error that it states', () => {
  const outcome = (body: object) => read(okx, 'ticker', body, { symbol: 'TIDE-USDT' }).outcome;
  assert.equal(outcome({ code: '50011', msg: 'Too Many Requests' }), 'rate_limited');
  assert.equal(outcome({ code: '50001', msg: 'Service temporarily unavailable' }), 'error_reply');
  assert.equal(outcome({ code: '51001', msg: 'Instrument ID does not exist', data: [] }), 'not_found');
  // Success without data is no reply about the market.
  assert.equal(outcome({ code: '0', msg: '' }), 'malformed');
});

test('another currency is converted at the planned rate, and gives no price of the asset', () => {
  const { values } = ofList(kraken, LISTS.kraken, { symbol: 'TIDE/EUR', usdPer: 1.1 });
  assert.deepEqual(Object.keys(values), [
    'venue_price_usd venue:kraken:TIDE-EUR',
    'venue_volume_24h_usd venue:kraken:TIDE-EUR',
  ]);
  assert.ok(Math.abs(Number(values['venue_price_usd venue:kraken:TIDE-EUR']) - 2.2) < 1e-12);
  assert.deepEqual(ofList(kraken, LISTS.kraken, { symbol: 'TIDE/EUR' }).values, {});
});

test('a partner’s book, a leveraged token and a derivative are not markets of the asset', () => {
  for (const [source, reply, symbol] of [
    [kraken, LISTS.kraken, 'TIDE/USD:BTNL'],
    [gateio, LISTS.gateio, 'TIDE3L_USDT'],
    [gateio, LISTS.gateio, 'FLOW_USDT'],
  ] as const)
    assert.deepEqual(ofList(source, reply, { symbol }).values, {});
  const swap = { code: '0', data: [{ instType: 'SWAP', instId: 'TIDE-USDT', last: '2.0', volCcy24h: '90' }] };
  assert.equal(read(okx, 'ticker', swap, { symbol: 'TIDE-USDT' }).outcome, 'malformed');
  const linear = { retCode: 0, result: { category: 'linear', list: [] } };
  assert.equal(read(bybit, 'tickers', linear, {}).outcome, 'malformed');
});

test('an error inside a reply with status 200 is a failure', () => {
  const failed = [
    [kraken, { error: ['EAPI:Rate limit exceeded'] }, 'rate_limited'],
    [kraken, { error: ['EGeneral:Internal error'] }, 'error_reply'],
    [okx, { code: '50011', msg: 'Too Many Requests', data: [] }, 'rate_limited'],
    [okx, { code: '50001', msg: 'Service temporarily unavailable', data: [] }, 'error_reply'],
    [bybit, { retCode: 10006, retMsg: 'Too many visits!', result: {} }, 'rate_limited'],
    [bybit, { retCode: 10016, retMsg: 'Server error.', result: {} }, 'error_reply'],
    [kucoin, { code: '429000', msg: 'Too Many Requests' }, 'rate_limited'],
    [kucoin, { code: '500000', msg: 'Internal Server Error' }, 'error_reply'],
  ] as const;
  for (const [source, reply, outcome] of failed)
    for (const name of ['tickers', 'ticker', 'book'])
      assert.equal(read(source, name, reply, { symbol: 'TIDE-USDT' }).outcome, outcome, `${source.name} ${name}`);
});

test('an exchange’s own error for an unknown market is recognised', () => {
  const unknown = [
    [kraken, { error: ['EQuery:Unknown asset pair'] }, 200],
    [okx, { code: '51001', msg: 'Instrument ID does not exist', data: [] }, 200],
    [bybit, { retCode: 10001, retMsg: 'Not supported symbols', result: {} }, 200],
    [kucoin, { code: '400100', msg: 'symbol not exists' }, 200],
    [gateio, { label: 'INVALID_CURRENCY_PAIR', message: 'Invalid currency pair' }, 400],
  ] as const;
  for (const [source, reply, status] of unknown)
    assert.equal(read(source, 'ticker', reply, { symbol: 'TIDE-USDT' }, status).outcome, 'not_found', source.name);
});

const side = (sign: number, levels: number, step: number) =>
  Array.from({ length: levels }, (_, index) => {
    const price = 100 * (1 + sign * step * (index + 1));
    return [String(price), String(1 / price)];
  });

test('books are read in any order; one that is cut off before 2 % is a lower bound', () => {
  const sides = (levels: number, step: number) => ({
    asks: side(1, levels, step).reverse(),
    bids: side(-1, levels, step).reverse(),
  });
  const replies: readonly (readonly [Source, string, number, (book: ReturnType<typeof sides>) => unknown])[] = [
    [kraken, 'TIDE/USD', 500, (book) => ({ error: [], result: { 'TIDE/USD': book } })],
    [okx, 'TIDE-USD', 400, (book) => ({ code: '0', data: [book] })],
    [bybit, 'TIDEUSD', 200, ({ asks, bids }) => ({ retCode: 0, result: { s: 'TIDEUSD', a: asks, b: bids } })],
    [kucoin, 'TIDE-USD', 100, (book) => ({ code: '200000', data: book })],
    [gateio, 'TIDE_USD', 1_000, (book) => book],
    [bitstamp, 'tideusd', Number.POSITIVE_INFINITY, (book) => book],
  ];
  for (const [source, symbol, most, replyOf] of replies) {
    const up = (levels: number, step: number) =>
      read(source, 'book', replyOf(sides(levels, step)), { symbol })
        .observations.filter((row) => row.quantity.startsWith('venue_depth_up'))
        .map((row) => [row.quantity, row.scope, Math.round(Number(row.value))]);
    const scope = `venue:${source.name}:TIDE-USD`;
    assert.deepEqual(up(40, 0.0011), [['venue_depth_up_2pct_usd', scope, 18]], `${source.name}: 18 of 40 levels`);
    if (Number.isFinite(most))
      assert.deepEqual(up(most, 0.00001), [['venue_depth_up_2pct_min_usd', scope, most]], `${source.name}: cut off`);
    else assert.deepEqual(up(1_500, 0.00001), [['venue_depth_up_2pct_usd', scope, 1_500]], 'books are whole');
  }
});

test('an exchange’s own list of contracts ties a symbol to the asset; another chain’s same address does not', () => {
  const address = '0xABCDEF0000000000000000000000000000000001';
  const replies = [
    [kucoin, { code: '200000', data: [{ currency: 'TIDE', chains: [{ chainId: 'eth', contractAddress: address }] }] }],
    [gateio, [{ currency: 'TIDE', delisted: false, chains: [{ name: 'ETH', addr: address }] }]],
  ] as const;
  for (const [source, reply] of replies) {
    const { list, learn } = endpointOf(source, 'currencies');
    assert.equal(read(source, 'currencies', reply, {}).outcome, 'ok');
    const [row] = list?.rowsOf?.(reply) ?? [];
    assert.deepEqual(list?.keysOf(row), [`ethereum:${address.toLowerCase()}`]);
    assert.equal(list?.keyOf({ chain: 'bsc', address }), `bsc:${address.toLowerCase()}`);
    assert.deepEqual(learn?.(reply as never, {}, META), {});
    // A row is archived alone, and read again.
    assert.deepEqual(read(source, 'currencies', [row], {}).learned, {
      [`${source.name}.cexPairs`]: ['USDT', 'USDC', 'USD'].map((quote) => ({
        venue: source.name,
        symbol: `TIDE-${quote}`,
      })),
    });
  }
  const gone = [{ currency: 'TIDE', delisted: true, chains: [{ name: 'ETH', addr: address }] }];
  assert.deepEqual(endpointOf(gateio, 'currencies').list?.rowsOf?.(gone), []);
});

test('bitstamp: a market keeps its name where the two symbols together end like another quote', () => {
  for (const base of ['GRT', 'SHIB', 'USDT', 'XTZ', 'TIDE']) {
    const facts = {
      ...factsOf('ethereum', 'native'),
      keys: { ...NO_KEYS, cexPairs: [{ venue: 'bitstamp', symbol: `${base}-USD` }] },
    };
    const [params] = endpointOf(bitstamp, 'ticker').plan(facts);
    assert.ok(params);
    const list = [{ pair: `${base}/USD`, last: '2.0', volume: '400', vwap: '1.9', timestamp: '1767225600' }];
    assert.equal(
      ofList(bitstamp, list, { symbol: String(params.symbol) }).values[
        `venue_volume_24h_usd venue:bitstamp:${base}-USD`
      ],
      760,
      base,
    );
    assert.deepEqual(endpointOf(bitstamp, 'book').request(params).path, `/api/v2/order_book/${base.toLowerCase()}usd/`);
  }
});

test('a symbol that ends in Z is not cut where the quote is a currency; a dollar token that broke its peg is no dollar', () => {
  const planned = (symbol: string) => {
    const facts = {
      ...factsOf('ethereum', 'native', { 'ecb.usdPer': { EUR: 1.1 } }),
      keys: { ...NO_KEYS, cexPairs: [{ venue: 'binance', symbol }] },
    };
    const [params] = endpointOf(binance, 'depth').plan(facts);
    const book = { bids: [['1.99', '100']], asks: [['2.01', '100']] };
    return params && read(binance, 'depth', book, params).observations[0]?.scope;
  };
  assert.equal(planned('XTZ-EUR'), 'venue:binance:XTZ-EUR');
  assert.equal(planned('XTZ-USDC'), 'venue:binance:XTZ-USDC');
  for (const quote of ['FDUSD', 'TUSD', 'USDE', 'USDS', 'USDG', 'PYUSD', 'USD1', 'EURC', 'TRY', 'KRW'])
    assert.equal(planned(`TIDE-${quote}`), undefined, `${quote}: no rate is known`);
});
