import Type, { type Static } from 'typebox';
import { fields, Loose, LooseOptional, num, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { EXCHANGE, type ExchangeTerms, exchangeEndpoints } from './markets.ts';

/**
 * Binance spot, public market data host, keyless.
 *
 * Lineage: family `cex`: an input of the aggregators' averages, so it partly agrees with them by construction. Requested only
 * for pairs that are tied to the asset. Limits: 6,000 weight a minute; we use 3,055 at most (one list of all tickers
 * at 80, 119 books at 25; daily candles weigh 2). Quirks: all numbers are strings; the quote is a dollar token, not the dollar; errors are `{code, msg}` with 400.
 */
const Ticker = Type.Object({
  symbol: TextOptional,
  ...fields(LooseOptional, 'lastPrice', 'quoteVolume', 'closeTime', 'code'),
  msg: TextOptional,
});
const Book = Type.Object({ bids: Type.Array(Type.Array(Loose)), asks: Type.Array(Type.Array(Loose)) });
/** Error codes: an invalid symbol, and characters that no symbol has. */
const UNKNOWN_MARKET = new Set([-1121, -1100]);
/** Error codes: too much weight used; too many requests. */
const TOO_MANY = new Set([-1003, -1015]);
/** Maximum number of levels on a side of the book. */
const BOOK_LEVELS = 500;

function refusalOf({ code, msg }: Static<typeof Ticker>) {
  const read = num(code);
  if (read === null) return null;
  const outcome = UNKNOWN_MARKET.has(read) ? 'not_found' : TOO_MANY.has(read) ? 'rate_limited' : 'error_reply';
  return { outcome, detail: `${read} ${msg ?? ''}`.slice(0, 120) } as const;
}

const TERMS: ExchangeTerms = {
  id: 'binance',
  nameOf: ({ base, quote }) => `${base}${quote}`,
  refusal: refusalOf,
  tickers: {
    doc: '/api/v3/ticker/24hr?type=MINI: every ticker in one reply, weight 80, about 1 MB for 3,500 markets',
    path: '/api/v3/ticker/24hr',
    query: { type: 'MINI' },
    maxBytes: 4 * 1024 * 1024,
    // Each row is validated when it is read, like the reply of `ticker`, so an invalid row does not reject the list.
    reply: Type.Array(Type.Unknown()),
  },
  ticker: {
    doc: '/api/v3/ticker/24hr?symbol=, for a market that the full list does not have',
    request: get('/api/v3/ticker/24hr', { symbol: '{symbol}' }),
    reply: Ticker,
    okStatuses: [400, 404],
  },
  read: (row: Static<typeof Ticker>, symbol) => ({
    symbol: String(row.symbol ?? symbol),
    last: row.lastPrice,
    quoteVolume: row.quoteVolume,
    at: num(row.closeTime),
  }),
  book: {
    name: 'depth',
    doc: '/api/v3/depth?limit=500: cost of moving the price by 2 %',
    request: get('/api/v3/depth', { symbol: '{symbol}', limit: BOOK_LEVELS }),
    reply: Book,
    most: BOOK_LEVELS,
    markets: 2,
  },
  candles: {
    doc: '/api/v3/klines?interval=1d&limit=366: [open time, open, high, low, close, ...] by day, weight 2',
    request: get('/api/v3/klines', { symbol: '{symbol}', interval: '1d', limit: 366 }),
    reply: Type.Array(Type.Array(Loose, { minItems: 5 })),
    closesOf: (rows: readonly (readonly unknown[])[]) => rows.map(([at, , , , close]) => [at, close]),
  },
};

export const binance = defineSource({
  name: 'binance',
  ...EXCHANGE,
  title: 'Binance spot',
  doc: 'https://developers.binance.com/docs/binance-spot-api-docs',
  bases: { main: 'https://data-api.binance.vision' },
  budget: { perMinute: 120, burst: 10, concurrency: 4, shareSeconds: 30 },
  provides: { market: 13, quote_prices: 5, own_markets: 1 },
  endpoints: exchangeEndpoints(TERMS),
});
