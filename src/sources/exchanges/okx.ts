import Type, { type Static } from 'typebox';
import { fields, LooseOptional } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { EXCHANGE, exchangeEndpoints, SIDE } from './markets.ts';

/**
 * OKX spot, public market data, keyless.
 *
 * Lineage: family `cex`. Limits: tickers 20 and books 40 in 2 s by IP (gocryptotrader 2026-08, ratelimit.go). Quirks: all numbers are
 * strings; an error is `code` other than "0" with status 200, with or without an empty `data`; `volCcy24h` is the volume in the quote currency for spot markets, but in the
 * base currency for derivatives, which share the endpoint.
 */
const Row = Type.Object({
  instType: Type.Literal('SPOT'),
  instId: Type.String(),
  ...fields(LooseOptional, 'last', 'volCcy24h', 'ts'),
});
/** Only an error may have no `data`. */
const envelope = <Of extends Type.TSchema>(of: Of) =>
  Type.Union([
    Type.Object({ code: Type.String(), msg: Type.Optional(Type.String()), data: Type.Array(of) }),
    Type.Object({
      code: Type.String({ pattern: '^(?!0$)' }),
      msg: Type.Optional(Type.String()),
      data: Type.Optional(Type.Undefined()),
    }),
  ]);
const Tickers = envelope(Type.Unknown());
const Ticker = envelope(Row);
const Book = envelope(Type.Object({ asks: SIDE, bids: SIDE }));
const BOOK_LEVELS = 400;
/** Error codes: `Instrument ID does not exist` and `does not match`. */
const UNKNOWN_MARKET = new Set(['51001', '51015']);
const TOO_MANY = '50011';

function refusalOf({ code, msg }: { readonly code: string; readonly msg?: string }) {
  if (code === '0') return null;
  const outcome = UNKNOWN_MARKET.has(code) ? 'not_found' : code === TOO_MANY ? 'rate_limited' : 'error_reply';
  return { outcome, detail: `${code} ${msg ?? ''}`.slice(0, 120) } as const;
}

export const okx = defineSource({
  name: 'okx',
  ...EXCHANGE,
  title: 'OKX spot',
  doc: 'https://www.okx.com/docs-v5/en/#order-book-trading-market-data',
  bases: { main: 'https://www.okx.com' },
  budget: { perMinute: 120, burst: 8, concurrency: 3, shareSeconds: 30 },
  provides: { market: 19, own_markets: 4 },
  endpoints: exchangeEndpoints({
    id: 'okx',
    nameOf: ({ base, quote }) => `${base}-${quote}`,
    refusal: refusalOf,
    tickers: {
      doc: '/api/v5/market/tickers?instType=SPOT: every spot ticker in one reply',
      path: '/api/v5/market/tickers',
      query: { instType: 'SPOT' },
      maxBytes: 4 * 1024 * 1024,
      reply: Tickers,
      rowsOf: ({ data = [] }: Static<typeof Tickers>) => data,
      replyOf: (row) => ({ code: '0', data: row === null ? [] : [row] }),
    },
    ticker: {
      doc: '/api/v5/market/ticker?instId=, if the list could not be fetched',
      request: get('/api/v5/market/ticker', { instId: '{symbol}' }),
      reply: Ticker,
      rowOf: ({ data }: Static<typeof Ticker>, symbol) => data?.find((row) => row.instId === symbol),
    },
    read: ({ instId, last, volCcy24h, ts }: Static<typeof Row>) => ({
      symbol: instId,
      last,
      quoteVolume: volCcy24h,
      at: ts,
    }),
    book: {
      doc: '/api/v5/market/books?sz=400: cost of moving the price by 2 %',
      request: get('/api/v5/market/books', { instId: '{symbol}', sz: BOOK_LEVELS }),
      reply: Book,
      sidesOf: ({ data }: Static<typeof Book>) => data?.[0] ?? null,
      most: BOOK_LEVELS,
    },
  }),
});
