import Type, { type Static } from 'typebox';
import { fields, Loose, LooseOptional, num, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource } from '../source.ts';
import { currenciesByContract } from './currencies.ts';
import { EXCHANGE, exchangeEndpoints } from './markets.ts';

/**
 * Gate spot, API v4, keyless.
 *
 * Lineage: family `cex`. Limits: 200 in 10 s by IP and endpoint (api-evangelist/gate-io, 2026). Quirks: missing sides are empty
 * strings; leveraged tokens (`BTC3L`) are listed with ordinary ones and have `etf_leverage`; errors are `{label, message}` with status
 * 400; `base_volume` and `quote_volume` had the opposite meaning in the previous version of the API.
 */
const Row = Type.Object({
  currency_pair: Type.String(),
  ...fields(LooseOptional, 'last', 'quote_volume', 'etf_leverage'),
});
const Side = Type.Array(Type.Array(Loose));
const Failure = Type.Object({ label: Type.String(), message: TextOptional });
const Tickers = Type.Array(Type.Unknown());
const Ticker = Type.Union([Type.Array(Row), Failure]);
const Book = Type.Union([Type.Object({ asks: Side, bids: Side }), Failure]);
const Currencies = Type.Array(
  Type.Object({
    currency: Type.String(),
    delisted: Type.Optional(Type.Boolean()),
    chains: Type.Optional(
      Type.Union([Type.Null(), Type.Array(Type.Object({ name: TextOptional, addr: TextOptional }))]),
    ),
  }),
);
const BOOK_LEVELS = 1_000;
/** Chains as Gate names them. */
const CHAINS = {
  ETH: 'ethereum',
  BSC: 'bsc',
  SOL: 'solana',
  MATIC: 'polygon',
  ARBEVM: 'arbitrum',
  OPETH: 'optimism',
  AVAX_C: 'avalanche',
  BASEEVM: 'base',
};

/** A leverage of 0 and an empty text mean an ordinary market. */
function isLeveraged(leverage: unknown): boolean {
  return leverage !== undefined && leverage !== null && leverage !== '' && num(leverage) !== 0;
}

function refusalOf(reply: unknown) {
  const { label, message } = (reply ?? {}) as { readonly label?: string; readonly message?: string | null };
  if (label === undefined) return null;
  const outcome = label === 'TOO_MANY_REQUESTS' ? 'rate_limited' : 'not_found';
  return { outcome, detail: `${label} ${message ?? ''}`.slice(0, 120) } as const;
}

export const gateio = defineSource({
  name: 'gateio',
  ...EXCHANGE,
  title: 'Gate spot',
  doc: 'https://www.gate.com/docs/developers/apiv4/en/#spot',
  bases: { main: 'https://api.gateio.ws' },
  budget: { perMinute: 120, burst: 8, concurrency: 3, shareSeconds: 30 },
  provides: { market: 22, own_markets: 7 },
  endpoints: [
    ...exchangeEndpoints({
      id: 'gateio',
      nameOf: ({ base, quote }) => `${base}_${quote}`,
      refusal: refusalOf,
      tickers: {
        doc: '/api/v4/spot/tickers: every ticker in one reply',
        path: '/api/v4/spot/tickers',
        maxBytes: 4 * 1024 * 1024,
        reply: Tickers,
        replyOf: (row) => (row === null ? [] : [row]),
      },
      ticker: {
        doc: '/api/v4/spot/tickers?currency_pair=, if the list could not be fetched',
        request: get('/api/v4/spot/tickers', { currency_pair: '{symbol}' }),
        reply: Ticker,
        okStatuses: [400, 404],
        rowOf: (rows: readonly Static<typeof Row>[], symbol) => rows.find((row) => row.currency_pair === symbol),
      },
      read: ({ currency_pair, last, quote_volume, etf_leverage }: Static<typeof Row>) =>
        isLeveraged(etf_leverage) ? null : { symbol: currency_pair, last, quoteVolume: quote_volume },
      book: {
        doc: '/api/v4/spot/order_book?limit=1000: cost of moving the price by 2 %',
        request: get('/api/v4/spot/order_book', { currency_pair: '{symbol}', limit: BOOK_LEVELS }),
        reply: Book,
        most: BOOK_LEVELS,
      },
    }),
    currenciesByContract('gateio', CHAINS, {
      doc: '/api/v4/spot/currencies: every currency with its contracts, about 3 MB',
      path: '/api/v4/spot/currencies',
      reply: Currencies,
      rowsOf: (rows: Static<typeof Currencies>) =>
        rows.flatMap(({ currency, delisted, chains }) =>
          delisted === true ? [] : (chains ?? []).map(({ name, addr }) => ({ currency, chain: name, address: addr })),
        ),
    }),
  ],
});
