import Type, { type Static } from 'typebox';
import { Loose, LooseOptional, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { EXCHANGE, exchangeEndpoints, SIDE } from './markets.ts';

/**
 * Coinbase Exchange, public market data, keyless.
 *
 * Lineage: family `cex`; true dollar quotes. Requested only for products that are tied to the asset.
 * Limits: 10 a second. Quirks: numbers are strings; errors are `{message}`; the documented list of all products has no prices.
 */
const Ticker = Type.Object({ price: LooseOptional, volume: LooseOptional, time: TextOptional, message: TextOptional });
const Book = Type.Object({ bids: SIDE, asks: SIDE });
/** Replies recorded in 2019 have the best 50 levels of a side; current replies, according to the documentation, have the whole book. */
const BOOK_LEVELS = 50;

/** Maps the `message` of an error. */
function refusalOf({ message }: { readonly message?: string | null }) {
  if (typeof message !== 'string') return null;
  if (/not ?found/i.test(message)) return { outcome: 'not_found', detail: message.slice(0, 120) } as const;
  const outcome = /rate limit|slow/i.test(message) ? 'rate_limited' : 'error_reply';
  return { outcome, detail: message.slice(0, 120) } as const;
}

export const coinbase = defineSource({
  name: 'coinbase',
  ...EXCHANGE,
  title: 'Coinbase Exchange',
  doc: 'https://docs.cdp.coinbase.com/exchange/reference',
  bases: { main: 'https://api.exchange.coinbase.com' },
  terms: { ...EXCHANGE.terms, note: 'redistribution restricted; used inside consensus only' },
  budget: { perMinute: 120, burst: 6, concurrency: 3, shareSeconds: 30 },
  provides: { market: 14, own_markets: 2, peg: 2 },
  endpoints: exchangeEndpoints({
    id: 'coinbase',
    nameOf: ({ base, quote }) => `${base}-${quote}`,
    refusal: refusalOf,
    ticker: {
      doc: '/products/{product}/ticker',
      request: get('/products/{symbol}/ticker'),
      reply: Ticker,
    },
    read: ({ price, volume, time }: Static<typeof Ticker>, symbol) => ({
      symbol,
      last: price,
      baseVolume: volume,
      at: time,
    }),
    book: {
      doc: '/products/{product}/book?level=2: cost of moving the price by 2 %',
      request: get('/products/{symbol}/book', { level: 2 }),
      reply: Book,
      most: BOOK_LEVELS,
      markets: 2,
    },
    candles: {
      doc: '/products/{product}/candles?granularity=86400: the newest 300 days at most, [unix seconds, low, high, open, close, volume], newest first; days without a trade are left out (docs.cdp.coinbase.com, get-product-candles)',
      request: get('/products/{symbol}/candles', { granularity: 86_400 }),
      reply: Type.Array(Type.Array(Loose, { minItems: 5 })),
      closesOf: (rows: readonly (readonly unknown[])[]) => rows.map(([at, , , , close]) => [at, close]),
    },
  }),
});
