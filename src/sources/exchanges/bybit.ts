import Type, { type Static } from 'typebox';
import { LooseOptional, Maybe } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { EXCHANGE, exchangeEndpoints, SIDE } from './markets.ts';

/**
 * Bybit spot, public market data, keyless.
 *
 * Lineage: family `cex`. Limits: by IP, no number found; our rate is far below that of common clients. Quirks: all numbers are strings; an
 * error is `retCode` other than 0 with status 200; `turnover24h` is the volume in the quote currency for spot, but in the base currency for
 * inverse contracts, so a reply of another category is not read; tokenised shares are in the same list.
 */
const Row = Type.Object({ symbol: Type.String(), lastPrice: LooseOptional, turnover24h: LooseOptional });
const envelope = <Of extends Type.TSchema>(of: Of) =>
  Type.Object({
    retCode: Type.Integer(),
    retMsg: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    result: Maybe(of),
  });
const listOf = <Of extends Type.TSchema>(of: Of) =>
  envelope(Type.Object({ category: Type.Optional(Type.String()), list: Maybe(Type.Array(of)) }));
const Tickers = listOf(Type.Unknown());
const Ticker = listOf(Row);
const Book = envelope(Type.Object({ a: Type.Optional(SIDE), b: Type.Optional(SIDE) }));
const BOOK_LEVELS = 200;
/** Error codes: `Not supported symbols` and other invalid parameters; too many requests. */
const UNKNOWN_MARKET = 10001;
const TOO_MANY = new Set([10006, 10018]);
const SPOT = 'spot';

interface Envelope {
  readonly retCode: number;
  readonly retMsg?: string | null;
  readonly result?: object | null;
}

function refusalOf({ retCode, retMsg, result }: Envelope) {
  if (retCode !== 0) {
    const outcome = retCode === UNKNOWN_MARKET ? 'not_found' : TOO_MANY.has(retCode) ? 'rate_limited' : 'error_reply';
    return { outcome, detail: `${retCode} ${retMsg ?? ''}`.slice(0, 120) } as const;
  }
  const category = (result as { category?: string } | null | undefined)?.category;
  return category !== undefined && category !== SPOT
    ? ({ outcome: 'malformed', detail: 'a reply about another category' } as const)
    : null;
}

export const bybit = defineSource({
  name: 'bybit',
  ...EXCHANGE,
  title: 'Bybit spot',
  doc: 'https://bybit-exchange.github.io/docs/v5/market/tickers',
  bases: { main: 'https://api.bybit.com' },
  budget: { perMinute: 120, burst: 8, concurrency: 3, shareSeconds: 30 },
  provides: { market: 20, own_markets: 5 },
  endpoints: exchangeEndpoints({
    id: 'bybit',
    nameOf: ({ base, quote }) => `${base}${quote}`,
    refusal: refusalOf,
    tickers: {
      doc: '/v5/market/tickers?category=spot: every spot ticker in one reply',
      path: '/v5/market/tickers',
      query: { category: SPOT },
      maxBytes: 4 * 1024 * 1024,
      reply: Tickers,
      rowsOf: ({ result }: Static<typeof Tickers>) => result?.list ?? [],
      replyOf: (row) => ({ retCode: 0, result: { category: SPOT, list: row === null ? [] : [row] } }),
    },
    ticker: {
      doc: '/v5/market/tickers?category=spot&symbol=, if the list could not be fetched',
      request: get('/v5/market/tickers', { category: SPOT, symbol: '{symbol}' }),
      reply: Ticker,
      rowOf: ({ result }: Static<typeof Ticker>, symbol) => result?.list?.find((row) => row.symbol === symbol),
    },
    read: ({ symbol, lastPrice, turnover24h }: Static<typeof Row>) => ({
      symbol,
      last: lastPrice,
      quoteVolume: turnover24h,
    }),
    book: {
      doc: '/v5/market/orderbook?category=spot&limit=200: cost of moving the price by 2 %',
      request: get('/v5/market/orderbook', { category: SPOT, symbol: '{symbol}', limit: BOOK_LEVELS }),
      reply: Book,
      sidesOf: ({ result }: Static<typeof Book>) => (result?.a && result.b ? { asks: result.a, bids: result.b } : null),
      most: BOOK_LEVELS,
    },
  }),
});
