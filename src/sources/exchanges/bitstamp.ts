import Type, { type Static } from 'typebox';
import { fields, LooseOptional, TextOptional } from '../read.ts';
import { defineSource, type Params } from '../source.ts';
import { EXCHANGE, exchangeEndpoints, SIDE } from './markets.ts';

/**
 * Bitstamp spot, public market data, keyless.
 *
 * Lineage: family `cex`. Limits: 400 a second and 10,000 in 10 minutes (api-evangelist, 2026-05). Quirks: all numbers are strings; a single ticker does
 * not name its pair; there is no volume in the quote currency, so volume times `vwap` is used; books are complete, with up to 6,000 levels.
 */
const Ticker = Type.Object({
  pair: TextOptional,
  ...fields(LooseOptional, 'last', 'volume', 'vwap', 'timestamp'),
});
const Book = Type.Object({ bids: SIDE, asks: SIDE });

/** `BTC/USD` of the list as `btcusd` of the paths and of earlier evidence, which does not show where the quote begins (`grtusd`). */
const nameOf = (pair: string) => pair.replace('/', '').toLowerCase();
const at = (path: string) => (params: Params) => ({
  path: `${path}${encodeURIComponent(nameOf(String(params.symbol)))}/`,
});

export const bitstamp = defineSource({
  name: 'bitstamp',
  ...EXCHANGE,
  title: 'Bitstamp spot',
  doc: 'https://www.bitstamp.net/api/#tag/Tickers',
  bases: { main: 'https://www.bitstamp.net' },
  budget: { perMinute: 120, burst: 8, concurrency: 3, shareSeconds: 30 },
  provides: { market: 23, own_markets: 8 },
  endpoints: exchangeEndpoints({
    id: 'bitstamp',
    nameOf: ({ base, quote }) => `${base}/${quote}`,
    tickers: {
      doc: '/api/v2/ticker/: every ticker in one reply',
      path: '/api/v2/ticker/',
      maxBytes: 1024 * 1024,
      reply: Type.Array(Type.Unknown()),
      replyOf: (row) => row ?? {},
    },
    ticker: {
      doc: '/api/v2/ticker/{pair}/, if the list could not be fetched',
      request: at('/api/v2/ticker/'),
      reply: Ticker,
    },
    read: ({ pair, last, volume, vwap, timestamp }: Static<typeof Ticker>, symbol) => ({
      symbol: typeof pair !== 'string' ? symbol : symbol === nameOf(pair) ? symbol : pair,
      last,
      baseVolume: volume,
      average: vwap,
      at: timestamp,
    }),
    book: {
      doc: '/api/v2/order_book/{pair}/: cost of moving the price by 2 %',
      request: at('/api/v2/order_book/'),
      reply: Book,
      most: Number.POSITIVE_INFINITY,
    },
  }),
});
