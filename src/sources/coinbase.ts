import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { marketNamed, marketScope } from '../domain/index.ts';
import { identifiedPairs, observeBook } from './exchange-book.ts';
import { dated, observed } from './observations.ts';
import { amount, LooseOptional, positive, TextOptional } from './read.ts';
import { defineSource, endpoint, type Params } from './source.ts';

/**
 * Coinbase Exchange, public market data, keyless.
 *
 * Lineage: family `cex`; true dollar quotes. Requested only for products that a registry's tickers tie to the asset.
 * Limits: 10 a second. Quirks: numbers are strings; errors are `{message}`.
 */
const Ticker = Type.Object({ price: LooseOptional, volume: LooseOptional, time: TextOptional, message: TextOptional });
const Book = Type.Object({
  bids: Type.Array(Type.Array(Type.Unknown())),
  asks: Type.Array(Type.Array(Type.Unknown())),
});
/** Replies of 2019 hold the best 50 levels of a side; those of today, by the documentation, the whole book. */
const BOOK_LEVELS = 50;

/** Scope of the market asked about; null for a name that is none. */
function scopeOf(params: Params): string | null {
  const market = marketNamed('coinbase', String(params.symbol));
  return market && marketScope(market);
}
const dollars = (symbol: string) => symbol.endsWith('-USD');

function observeTicker(reply: Static<typeof Ticker>, params: Params): readonly ObservationDraft[] {
  const price = positive(reply.price);
  const volume = amount(reply.volume);
  const at = dated(reply.time);
  const scope = scopeOf(params);
  if (scope === null) return [];
  return [
    ...observed('price_usd', price, { meaning: 'last trade against the dollar', ...at }),
    ...observed('venue_price_usd', price, { scope, ...at }),
    ...observed('venue_volume_24h_usd', price !== null && volume !== null ? price * volume : null, {
      scope,
      meaning: 'rolling 24 h, at the last price',
      ...at,
    }),
  ];
}

export const coinbase = defineSource({
  name: 'coinbase',
  title: 'Coinbase Exchange',
  doc: 'https://docs.cdp.coinbase.com/exchange/reference',
  family: 'cex',
  tier: 'venue',
  reliability: 0.97,
  bases: { main: 'https://api.exchange.coinbase.com' },
  terms: {
    redistribute: false,
    keepBodyDays: 30,
    note: 'redistribution restricted; used inside consensus only',
  },
  budget: { perMinute: 120, burst: 6, concurrency: 3, shareSeconds: 30 },
  timeoutMs: 5_000,
  tells: { market: 14, own_markets: 2 },
  endpoints: [
    endpoint({
      name: 'ticker',
      doc: '/products/{product}/ticker',
      plan: (facts) =>
        identifiedPairs(facts, 'coinbase')
          .filter(dollars)
          .map((symbol) => ({ symbol })),
      request: (params) => ({ path: `/products/${encodeURIComponent(String(params.symbol))}/ticker` }),
      reply: Ticker,
      classify: (reply) => ({ outcome: reply.price === undefined ? 'not_found' : 'ok' }),
      observe: observeTicker,
    }),
    endpoint({
      name: 'book',
      doc: '/products/{product}/book?level=2: cost of moving the price by 2 %',
      plan: (facts) =>
        identifiedPairs(facts, 'coinbase')
          .filter(dollars)
          .map((symbol) => ({ symbol })),
      request: (params) => ({
        path: `/products/${encodeURIComponent(String(params.symbol))}/book`,
        query: { level: 2 },
      }),
      reply: Book,
      observe: (reply, params) => observeBook(reply, scopeOf(params), BOOK_LEVELS),
    }),
  ],
});
