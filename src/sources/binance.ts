import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { isDollar, marketNamed, marketScope } from '../domain/index.ts';
import { identifiedPairs, observeBook } from './exchange-book.ts';
import { dated, observed } from './observations.ts';
import { dailyCloses, volatilityDrafts } from './price-history.ts';
import { amount, Loose, LooseOptional, num, positive, TextOptional } from './read.ts';
import { defineSource, endpoint, type Params, rowsBy } from './source.ts';

/**
 * Binance spot, public market data host, keyless.
 *
 * Lineage: family `cex`: an input of the aggregators' averages, so agreement with them is partly mechanical. Requested only
 * for pairs that a registry's tickers tie to the asset. Limits: 6,000 weight a minute; we use 3,055 at most (one list of all tickers
 * at 80, 119 books at 25; daily candles weigh 2). Quirks: all numbers are strings; the quote is a dollar token, not the dollar; errors are `{code, msg}` with 400.
 */
const Ticker = Type.Object({
  symbol: TextOptional,
  lastPrice: LooseOptional,
  quoteVolume: LooseOptional,
  closeTime: LooseOptional,
  priceChangePercent: LooseOptional,
  code: LooseOptional,
});
const Book = Type.Object({ bids: Type.Array(Type.Array(Loose)), asks: Type.Array(Type.Array(Loose)) });
/** Most levels of a side that a reply has. */
const BOOK_LEVELS = 500;

/** Scope of the market asked about; null for one that is not quoted in dollars, whose amounts would be no dollars. */
function scopeOf(params: Params): string | null {
  const market = marketNamed('binance', String(params.symbol));
  return market && isDollar(market.quote) ? marketScope(market) : null;
}

function observeTicker(reply: Static<typeof Ticker>, params: Params): readonly ObservationDraft[] {
  const at = dated(num(reply.closeTime));
  const scope = scopeOf(params);
  if (scope === null) return [];
  return [
    ...observed('price_usd', positive(reply.lastPrice), { meaning: 'last trade against a dollar token', ...at }),
    ...observed('venue_price_usd', positive(reply.lastPrice), { scope, ...at }),
    ...observed('venue_volume_24h_usd', amount(reply.quoteVolume), { scope, meaning: 'rolling 24 h', ...at }),
  ];
}

export const binance = defineSource({
  name: 'binance',
  title: 'Binance spot',
  doc: 'https://developers.binance.com/docs/binance-spot-api-docs',
  family: 'cex',
  tier: 'venue',
  reliability: 0.97,
  bases: { main: 'https://data-api.binance.vision' },
  terms: {
    redistribute: false,
    keepBodyDays: 30,
    note: 'market-data terms not read; used inside consensus only',
  },
  budget: { perMinute: 120, burst: 10, concurrency: 4, shareSeconds: 30 },
  timeoutMs: 5_000,
  tells: { market: 13, quote_prices: 5, own_markets: 1 },
  endpoints: [
    endpoint({
      name: 'tickers',
      doc: '/api/v3/ticker/24hr?type=MINI: every ticker in one reply, weight 80, about 1 MB for 3,500 markets',
      maxBytes: 4 * 1024 * 1024,
      request: () => ({ path: '/api/v3/ticker/24hr', query: { type: 'MINI' } }),
      // A row is checked when it is read, as the reply of `ticker`: one bad row costs one request and not the list.
      reply: Type.Array(Type.Unknown()),
      list: {
        // A fifth of the half-life of a price.
        refreshSeconds: 60,
        ...rowsBy('symbol'),
        standsInFor: 'ticker',
      },
    }),
    endpoint({
      name: 'ticker',
      doc: '/api/v3/ticker/24hr?symbol=, for what the list of all has not',
      plan: (facts) => identifiedPairs(facts, 'binance').map((symbol) => ({ symbol })),
      request: (params) => ({ path: '/api/v3/ticker/24hr', query: { symbol: String(params.symbol) } }),
      reply: Ticker,
      okStatuses: [400, 404],
      classify: (reply) => (reply.code === undefined ? { outcome: 'ok' } : { outcome: 'not_found' }),
      observe: observeTicker,
    }),
    endpoint({
      name: 'candles',
      doc: '/api/v3/klines?interval=1d&limit=366: [open time, open, high, low, close, ...] by day, weight 2; one pair of each asset',
      plan: (facts) =>
        identifiedPairs(facts, 'binance')
          .filter((symbol) => scopeOf({ symbol }) !== null)
          .slice(0, 1)
          .map((symbol) => ({ symbol })),
      request: (params) => ({
        path: '/api/v3/klines',
        query: { symbol: String(params.symbol), interval: '1d', limit: 366 },
      }),
      reply: Type.Array(Type.Array(Loose, { minItems: 5 })),
      observe: (rows) =>
        volatilityDrafts(
          dailyCloses(rows.map((row) => [num(row[0]) ?? 0, num(row[4])])),
          'daily closes against a dollar token',
          // Registries and pools state the month.
        ).filter(({ quantity }) => quantity !== 'volatility_30d'),
    }),
    endpoint({
      name: 'depth',
      doc: '/api/v3/depth?limit=500: cost of moving the price by 2 %',
      plan: (facts) => identifiedPairs(facts, 'binance').map((symbol) => ({ symbol })),
      request: (params) => ({ path: '/api/v3/depth', query: { symbol: String(params.symbol), limit: BOOK_LEVELS } }),
      reply: Book,
      observe: (reply, params) => observeBook(reply, scopeOf(params), BOOK_LEVELS),
    }),
  ],
});
