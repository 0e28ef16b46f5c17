import Type, { type Static } from 'typebox';
import { fieldsOf } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { EXCHANGE, exchangeEndpoints, SIDE } from './markets.ts';

/**
 * Kraken spot, public market data, keyless.
 *
 * Lineage: family `cex`. `assetVersion=1` returns market names as `BTC/USD`; without it the list mixes `XXBTZUSD`, `XDGUSD` and `BCHEUR`.
 * Limits: per IP, the number is not published; `EAPI:Rate limit exceeded` has status 200. Quirks: `v`, `p` and similar fields are pairs
 * [since 00:00 UTC, last 24 h], of which the second value is used; quotes such as `USD:BTNL` are a partner's book, not a market of Kraken;
 * tokenised shares are in the same list.
 */
const Pair = Type.Array(Type.Unknown());
const Tick = Type.Object({ c: Pair, v: Pair, p: Pair });
const Errors = Type.Array(Type.String());
const Tickers = Type.Object({ error: Errors, result: Type.Optional(Type.Record(Type.String(), Type.Unknown())) });
const Ticker = Type.Object({ error: Errors, result: Type.Optional(Type.Record(Type.String(), Tick)) });
const Book = Type.Object({
  error: Errors,
  result: Type.Optional(Type.Record(Type.String(), Type.Object({ asks: SIDE, bids: SIDE }))),
});
const BOOK_LEVELS = 500;
/** Besides the rows, the result has `last`, the id from which to continue. */
const Candles = Type.Object({ error: Errors, result: Type.Optional(Type.Record(Type.String(), Type.Unknown())) });
const DAY_MINUTES = 1_440;
const NAMES = { assetVersion: 1 };

interface Row extends Static<typeof Tick> {
  readonly pair: string;
}

/** The first letter of a code is its severity: `E` an error, `W` a warning beside a result (support.kraken.com, API error messages). */
const WARNING = /^W/;

/** Maps error codes in the body: unknown pairs, and rejections unrelated to the request. */
function refusalOf({ error }: { readonly error: readonly string[] }) {
  const first = error.find((code) => !WARNING.test(code));
  if (first === undefined) return null;
  if (/Unknown asset pair|Invalid arguments/.test(first))
    return { outcome: 'not_found', detail: first.slice(0, 120) } as const;
  const outcome = first.includes('Rate limit') ? 'rate_limited' : 'error_reply';
  return { outcome, detail: first.slice(0, 120) } as const;
}

export const kraken = defineSource({
  name: 'kraken',
  ...EXCHANGE,
  title: 'Kraken spot',
  doc: 'https://docs.kraken.com/api/docs/rest-api/get-ticker-information',
  bases: { main: 'https://api.kraken.com' },
  budget: { perMinute: 40, burst: 6, concurrency: 2, shareSeconds: 30 },
  provides: { market: 18, own_markets: 3, peg: 3 },
  endpoints: exchangeEndpoints({
    id: 'kraken',
    nameOf: ({ base, quote }) => `${base}/${quote}`,
    refusal: refusalOf,
    tickers: {
      doc: '/0/public/Ticker?assetVersion=1: every ticker in one reply, about 400 kB for 1,546 markets (recorded 2026-07)',
      path: '/0/public/Ticker',
      query: NAMES,
      maxBytes: 4 * 1024 * 1024,
      reply: Tickers,
      rowsOf: ({ result }: Static<typeof Tickers>) =>
        Object.entries(result ?? {}).map(([pair, row]) => ({ ...fieldsOf(row), pair })),
      replyOf: (row) => ({ error: [], result: row === null ? {} : { [(row as Row).pair]: row } }),
    },
    ticker: {
      doc: '/0/public/Ticker?assetVersion=1&pair=, if the list could not be fetched',
      request: get('/0/public/Ticker', { pair: '{symbol}', ...NAMES }),
      reply: Ticker,
      rowOf: ({ result }: Static<typeof Ticker>, symbol) => {
        const [found] = Object.entries(result ?? {});
        return found === undefined ? null : { ...found[1], pair: symbol };
      },
    },
    read: ({ pair, c, v, p }: Row) => ({ symbol: pair, last: c?.[0], baseVolume: v?.[1], average: p?.[1] }),
    book: {
      doc: '/0/public/Depth?count=500: cost of moving the price by 2 %',
      request: get('/0/public/Depth', { pair: '{symbol}', count: BOOK_LEVELS, ...NAMES }),
      reply: Book,
      sidesOf: ({ result }: Static<typeof Book>) => Object.values(result ?? {})[0] ?? null,
      most: BOOK_LEVELS,
    },
    candles: {
      doc: '/0/public/OHLC?interval=1440: up to 720 days, [unix seconds, open, high, low, close, vwap, volume, count] (docs.kraken.com, get-ohlc-data)',
      request: get('/0/public/OHLC', { pair: '{symbol}', interval: DAY_MINUTES, ...NAMES }),
      reply: Candles,
      closesOf: ({ result }: Static<typeof Candles>) =>
        (Object.values(result ?? {}).find(Array.isArray) ?? []).map((row: unknown) =>
          Array.isArray(row) ? [row[0], row[4]] : [0, null],
        ),
    },
  }),
});
