import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBody, valuesOf } from './fixtures/drive.ts';
import { SOURCES } from './index.ts';
import type { Params } from './source.ts';
import { recordsOf } from './token-records.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const POOL = '0x00000000000000000000000000000000000000cc';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const SOLANA_POOL = '9G6HaM5uyjWvEPVjHwTvKeNokfycQ1o3YSbBAUJ4rjBD';
const ON_ETHEREUM = { chain: 'ethereum', address: TOKEN };
const ON_SOLANA = { chain: 'solana', address: MINT };

function found(source: string, name: string) {
  const of = SOURCES.find((row) => row.name === source);
  const endpoint = of?.endpoints.find((row) => row.name === name);
  assert.ok(of && endpoint, `${source}.${name}`);
  return { of, endpoint };
}

function read(source: string, name: string, params: Params, body: unknown) {
  const heard = parseBody(found(source, name).endpoint, params, body);
  return { outcome: heard.outcome, say: (quantity: string) => valuesOf([heard], quantity)[0] };
}

/** A list of one endpoint: its envelope, a valid row, and what is read from that row. */
interface List {
  readonly of: readonly [source: string, endpoint: string, params: Params];
  readonly reply: (rows: readonly unknown[]) => unknown;
  readonly row: unknown;
  readonly read: readonly [quantity: string, value: unknown];
}

const LISTS: readonly List[] = [
  {
    of: ['dexscreener', 'token_pairs', ON_ETHEREUM],
    reply: (rows) => rows,
    row: {
      chainId: 'ethereum',
      dexId: 'uniswap',
      pairAddress: POOL,
      baseToken: { address: TOKEN },
      quoteToken: { address: WETH },
      priceUsd: '2',
      liquidity: { usd: 1_000 },
    },
    read: ['price_usd', 2],
  },
  {
    of: ['geckoterminal', 'token_pools', ON_ETHEREUM],
    reply: (data) => ({ data }),
    row: {
      attributes: { address: POOL, reserve_in_usd: '1000' },
      relationships: { base_token: { data: { id: `eth_${TOKEN}` } }, quote_token: { data: { id: `eth_${WETH}` } } },
    },
    read: ['pool_liquidity_usd', 1_000],
  },
  {
    of: ['jupiter', 'token', ON_SOLANA],
    reply: (rows) => rows,
    row: { id: MINT, usdPrice: 2, audit: { mintAuthorityDisabled: null } },
    read: ['price_usd', 2],
  },
  {
    of: ['raydium', 'pools_by_mint', ON_SOLANA],
    reply: (data) => ({ success: true, data: { data } }),
    row: { type: 'Standard', id: SOLANA_POOL, mintA: { address: MINT }, mintB: { address: SOL }, tvl: 1_000 },
    read: ['pool_liquidity_usd', 1_000],
  },
  {
    of: ['orca', 'pools_by_token', ON_SOLANA],
    reply: (data) => ({ data }),
    row: { address: SOLANA_POOL, tokenMintA: MINT, tokenMintB: SOL, tvlUsdc: '1000' },
    read: ['pool_liquidity_usd', 1_000],
  },
  {
    of: ['meteora', 'pools', { ...ON_SOLANA, base: 'main' }],
    reply: (data) => ({ data }),
    row: {
      address: SOLANA_POOL,
      token_x: { address: MINT },
      token_y: { address: SOL },
      tvl: 1_000,
      is_blacklisted: null,
    },
    read: ['pool_liquidity_usd', 1_000],
  },
  {
    of: ['dexpaprika', 'pools', ON_ETHEREUM],
    reply: (results) => ({ results }),
    row: { id: POOL, tokens: [{ id: TOKEN }, { id: WETH }], liquidity_usd: 1_000 },
    read: ['pool_liquidity_usd', 1_000],
  },
  {
    of: ['coingecko', 'tickers', { id: 'tide' }],
    reply: (tickers) => ({ tickers }),
    row: {
      base: 'TIDE',
      target: 'USDT',
      market: { identifier: 'binance' },
      coin_id: 'tide',
      is_anomaly: null,
      converted_last: { usd: 2 },
    },
    read: ['venue_price_usd', 2],
  },
  {
    of: ['coingecko', 'markets', { id: 'tide' }],
    reply: (rows) => rows,
    row: { id: 'tide', symbol: 'tide', name: 'Tide', current_price: 2 },
    read: ['price_usd', 2],
  },
  {
    of: ['coingecko', 'coins_list', { id: 'tide' }],
    reply: (rows) => rows,
    row: { id: 'tide', symbol: 'tide', name: 'Tide', platforms: {} },
    read: ['registry_symbol', 'TIDE'],
  },
  {
    of: ['coinmarketcap', 'quotes', { id: 7 }],
    reply: (data) => ({ status: { error_code: 0 }, data }),
    row: { id: 7, quote: [{ symbol: null, price: 2 }] },
    read: ['price_usd', 2],
  },
  {
    of: ['coinmarketcap', 'quotes', { id: 7 }],
    reply: (rows) => ({ status: { error_code: 0 }, data: { TIDE: rows } }),
    row: { id: 7, quote: { USD: { price: 2 } } },
    read: ['price_usd', 2],
  },
  {
    of: ['defillama', 'protocols', { slug: 'tide' }],
    reply: (rows) => rows,
    row: { name: 'Tide', slug: 'tide', category: 'Lending' },
    read: ['protocol_category', 'Lending'],
  },
  {
    of: ['defillama', 'chain_value', { name: 'Tide', tvl: 1_000 }],
    reply: (rows) => rows,
    row: { name: 'Tide', totalCirculatingUSD: { peggedUSD: 500 } },
    read: ['tvl_usd', 1_500],
  },
];

/** Rows that no list here describes: nulls, and objects without the field that names them. */
const INVALID = [null, {}, { id: null, address: null, name: null }];

test('an invalid row of a list costs itself and not the others', () => {
  for (const { of, reply, row, read: expected } of LISTS) {
    const heard = read(...of, reply([INVALID[0], row, ...INVALID.slice(1)]));
    assert.deepEqual([heard.outcome, heard.say(expected[0])], ['ok', expected[1]], of.slice(0, 2).join('.'));
  }
});

test('a list without a valid row is malformed, unless it is empty', () => {
  for (const { of, reply } of LISTS) {
    assert.equal(read(...of, reply([{}, { id: null }])).outcome, 'malformed', of.slice(0, 2).join('.'));
    assert.notEqual(read(...of, reply([])).outcome, 'malformed', of.slice(0, 2).join('.'));
  }
});

test('records are made of the valid rows of a list', () => {
  const lists = [
    ['coinpaprika', 'tickers', (rows: unknown[]) => rows, { quotes: { USD: { price: 2 } } }],
    ['coinpaprika', 'search', (currencies: unknown[]) => ({ currencies }), {}],
    ['coingecko', 'search', (coins: unknown[]) => ({ coins }), {}],
    ['coingecko', 'coins_list', (rows: unknown[]) => rows, {}],
    ['coinmarketcap', 'map', (data: unknown[]) => ({ status: { error_code: 0 }, data }), {}],
  ] as const;
  for (const [source, name, reply, row] of lists) {
    const { of, endpoint } = found(source, name);
    const body = reply([
      { id: '7', symbol: null, name: null },
      { id: '7', symbol: 'TIDE', name: 'Tide', ...row },
    ]);
    assert.equal(parseBody(endpoint, {}, body).outcome, 'ok', `${source}.${name}`);
    assert.deepEqual(
      recordsOf(of, endpoint, body, {}, 'reply').map(({ id, name: called }) => [id, called]),
      [['7', 'Tide']],
      `${source}.${name}`,
    );
  }
});

test('dexscreener: a pair whose profile states neither sites nor handles is read', () => {
  const [{ of, reply, row, read: expected }] = LISTS as readonly [List];
  const pair = { ...(row as object), info: { imageUrl: null, websites: null, socials: null } };
  assert.equal(read(...of, reply([pair])).say(expected[0]), expected[1]);
});

test('defillama: fees are read whether the id of a protocol is text or a number', () => {
  const fees = (defillamaId: unknown) =>
    read('defillama', 'fees', { slug: 'tide', dataType: 'dailyFees' }, { defillamaId, total30d: 900 }).say(
      'fees_30d_usd',
    );
  assert.deepEqual([fees('2269'), fees(2_269)], [900, 900]);
});

test('kraken: a warning beside a result is not an error', () => {
  const result = { 'TIDE/USD': { c: ['2', '1'], v: ['1', '10'], p: ['2', '2'] } };
  const ticker = (error: readonly string[]) => read('kraken', 'ticker', { symbol: 'TIDE/USD' }, { error, result });
  assert.equal(ticker(['WGeneral:Deprecated']).say('venue_price_usd'), 2);
  assert.equal(ticker(['WGeneral:Deprecated', 'EService:Unavailable']).outcome, 'error_reply');
});

test('doh: an MX record with an empty host means that the domain accepts no mail (RFC 7505)', () => {
  const mx = (data: string) =>
    read('doh', 'records', { base: 'main', type: 'MX' }, { Status: 0, Answer: [{ type: 15, data }] }).say('mx_present');
  assert.deepEqual([mx('0 .'), mx('10 mail.example.org.')], [false, true]);
});

test('JSON-RPC: an error or a result that is null is absent', () => {
  const params = { base: 'ethereum', token: TOKEN };
  const reply = (fields: object) => read('evm_rpc', 'code', params, { jsonrpc: '2.0', id: 1, ...fields });
  assert.equal(reply({ result: null, error: { code: -32601, message: null } }).outcome, 'unsupported');
  assert.equal(reply({ result: null, error: null }).outcome, 'malformed');
  assert.equal(reply({ result: '0x6001', error: null }).outcome, 'ok');
});
