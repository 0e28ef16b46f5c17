import Type, { type Static } from 'typebox';
import { fields, LooseOptional, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { currenciesByContract } from './currencies.ts';
import { EXCHANGE, exchangeEndpoints, SIDE } from './markets.ts';

/**
 * KuCoin spot, public market data, keyless.
 *
 * Lineage: family `cex`. Limits: weight 2,000 in 30 s by IP; all tickers weigh 15, a book of 100 levels 4, currencies 3 (gocryptotrader 2026-08,
 * ratelimit.go); the whole book requires a key. Quirks: an error is `code` other than "200000" with status 200; after a renaming `symbol` keeps
 * the old code, by which rows are found, and `symbolName` has the new one; the exchange's list of contracts shows which asset a code means.
 */
const Row = Type.Object({
  symbol: Type.String(),
  ...fields(LooseOptional, 'last', 'vol', 'volValue', 'averagePrice'),
});
const envelope = <Of extends Type.TSchema>(of: Of) =>
  Type.Object({
    code: Type.String(),
    msg: Type.Optional(Type.String()),
    data: Type.Optional(Type.Union([of, Type.Null()])),
  });
const Tickers = envelope(Type.Object({ ticker: Type.Array(Type.Unknown()) }));
const Ticker = envelope(Row);
const Side = Type.Union([SIDE, Type.Null()]);
const Book = envelope(Type.Object({ asks: Side, bids: Side }));
const Currencies = envelope(
  Type.Array(
    Type.Object({
      currency: Type.String(),
      chains: Type.Optional(
        Type.Union([Type.Null(), Type.Array(Type.Object({ chainId: TextOptional, contractAddress: TextOptional }))]),
      ),
    }),
  ),
);
const BOOK_LEVELS = 100;
const OK = '200000';
const TOO_MANY = '429000';
/** Chains as KuCoin names them in `chainId`. */
const CHAINS = {
  eth: 'ethereum',
  bsc: 'bsc',
  sol: 'solana',
  matic: 'polygon',
  arbitrum: 'arbitrum',
  optimism: 'optimism',
  avaxc: 'avalanche',
  base: 'base',
};

/** Error codes for invalid parameters and unknown pairs. */
const UNKNOWN_MARKET = /^(?:400\d{3}|900001|260000)$/;

function refusalOf({ code, msg }: { readonly code: string; readonly msg?: string }) {
  if (code === OK) return null;
  const outcome = UNKNOWN_MARKET.test(code) ? 'not_found' : code === TOO_MANY ? 'rate_limited' : 'error_reply';
  return { outcome, detail: `${code} ${msg ?? ''}`.slice(0, 120) } as const;
}

export const kucoin = defineSource({
  name: 'kucoin',
  ...EXCHANGE,
  title: 'KuCoin spot',
  doc: 'https://www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-tickers',
  bases: { main: 'https://api.kucoin.com' },
  budget: { perMinute: 120, burst: 8, concurrency: 3, shareSeconds: 30 },
  provides: { market: 21, own_markets: 6 },
  endpoints: [
    ...exchangeEndpoints({
      id: 'kucoin',
      nameOf: ({ base, quote }) => `${base}-${quote}`,
      refusal: refusalOf,
      tickers: {
        doc: '/api/v1/market/allTickers: every ticker in one reply',
        path: '/api/v1/market/allTickers',
        maxBytes: 4 * 1024 * 1024,
        reply: Tickers,
        rowsOf: ({ data }: Static<typeof Tickers>) => data?.ticker ?? [],
        replyOf: (row) => ({ code: OK, data: row }),
      },
      ticker: {
        doc: '/api/v1/market/stats?symbol=, if the list could not be fetched',
        request: get('/api/v1/market/stats', { symbol: '{symbol}' }),
        reply: Ticker,
        rowOf: ({ data }: Static<typeof Ticker>) => data,
      },
      read: ({ symbol, last, vol, volValue, averagePrice }: Static<typeof Row>) => ({
        symbol,
        last,
        quoteVolume: volValue,
        baseVolume: vol,
        average: averagePrice,
      }),
      book: {
        doc: '/api/v1/market/orderbook/level2_100: cost of moving the price by 2 %',
        request: get('/api/v1/market/orderbook/level2_100', { symbol: '{symbol}' }),
        reply: Book,
        sidesOf: ({ data }: Static<typeof Book>) =>
          data?.asks && data.bids ? { asks: data.asks, bids: data.bids } : null,
        most: BOOK_LEVELS,
      },
    }),
    currenciesByContract('kucoin', CHAINS, {
      doc: '/api/v3/currencies: every currency with its contracts, about 4 MB',
      path: '/api/v3/currencies',
      reply: Currencies,
      classify: refusalOf,
      rowsOf: ({ data }: Static<typeof Currencies>) =>
        (data ?? []).flatMap(({ currency, chains }) =>
          (chains ?? []).map(({ chainId, contractAddress }) => ({
            currency,
            chain: chainId,
            address: contractAddress,
          })),
        ),
    }),
  ],
});
