import Type, { type TSchema } from 'typebox';
import type { Market, ObservationDraft, RequestOutcome } from '../../domain/index.ts';
import { isDollar, marketNamed, marketScope } from '../../domain/index.ts';
import { dated, datedIfEnded, observed } from '../observations.ts';
import { brokenDays } from '../peg-days.ts';
import { dailyCloses, pegDrafts, staysAtOne, volatilityDrafts } from '../price-history.ts';
import { amount, fieldsOf, listIn, namesOf, num, positive } from '../read.ts';
import { get } from '../requests.ts';
import { type Endpoint, endpoint, type Facts, type Params } from '../source.ts';

/** Settings shared by all exchange files. Prices of all exchanges enter the averages of aggregators, so they form one lineage group. */
export const EXCHANGE = {
  family: 'cex',
  tier: 'venue',
  reliability: 0.97,
  timeoutMs: 5_000,
  terms: {
    redistribute: false,
    keepBodyDays: 30,
    note: 'market-data terms not read; used inside consensus only',
  },
} as const;

/** One row of a list of tickers, with the values as the exchange writes them. Amounts are in the market's quote currency unless stated. */
export interface TickerReading {
  /** The exchange's own name of the market. */
  readonly symbol: string;
  readonly last: unknown;
  /** Volume of 24 h. */
  readonly quoteVolume?: unknown;
  /** Volume of 24 h in the base asset, used without `quoteVolume`; priced at `average`. */
  readonly baseVolume?: unknown;
  /** Volume-weighted average price of 24 h; default: the last price. */
  readonly average?: unknown;
  /** RFC 3339, or unix time in seconds or milliseconds. */
  readonly at?: unknown;
}

/** One side of an order book: levels that start with price and size. */
export const SIDE = Type.Array(Type.Array(Type.Unknown()));

/** A request about one market; its name at the exchange is the parameter `symbol`. */
interface OfMarket {
  readonly doc: string;
  readonly request: ReturnType<typeof get>;
  readonly reply: TSchema;
}

interface Refusal {
  readonly outcome: RequestOutcome;
  readonly detail?: string;
}

/** How one exchange is read. Every function is pure. */
export interface ExchangeTerms {
  /** Id in the table of exchanges, which is the source's name. */
  readonly id: string;
  /** The exchange's own name of a market. */
  nameOf(market: Pick<Market, 'base' | 'quote'>): string;
  /** An error inside a reply with status 200; null if there is none. */
  refusal?(reply: never): Refusal | null;
  /** The tickers of all markets in one reply. Absent: each ticker is requested. */
  readonly tickers?: {
    readonly doc: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly maxBytes: number;
    readonly reply: TSchema;
    rowsOf?(reply: never): readonly unknown[];
    /** Converts a row to a reply of `ticker`; `null`: a complete list does not have the market. Default: the row itself, and a missing market is requested. */
    replyOf?(row: unknown): unknown;
  };
  /** The ticker of one market, used when the list is not available. */
  readonly ticker: OfMarket & {
    /** The row of the market in the reply. Default: the reply itself. */
    rowOf?(reply: never, symbol: string): unknown;
    readonly okStatuses?: readonly number[];
  };
  /** Null for a row that is not a market. */
  read(row: never, symbol: string): TickerReading | null;
  readonly book: OfMarket & {
    /** Name of the endpoint; default `book`. */
    readonly name?: string;
    sidesOf?(reply: never): Book | null;
    /** Number of levels on a side at which the exchange truncates a book. */
    readonly most: number;
    /** Number of markets of an asset whose book is requested, by descending volume; default 1. */
    readonly markets?: number;
  };
  /** Daily candles of one market. Absent: no candles are requested. */
  readonly candles?: OfMarket & {
    /** Start of each day, in unix seconds or milliseconds, and its last price; in any order. */
    closesOf(reply: never): readonly (readonly [at: unknown, close: unknown])[];
  };
}

/** A fifth of the half-life of a price. */
const REFRESH_SECONDS = 60;
/** Markets of one asset that are read at one exchange. */
const MOST_MARKETS = 2;

/** The endpoints of an exchange: the list of all tickers if it has one, a single ticker, order books, and candles. */
export function exchangeEndpoints(terms: ExchangeTerms): readonly Endpoint[] {
  const { id, tickers, ticker, book } = terms;
  const refusal = (reply: unknown) => terms.refusal?.(reply as never) ?? null;
  const classify = (reply: unknown) => refusal(reply) ?? { outcome: 'ok' as const };
  const read = (row: unknown, symbol: string) => readRow(terms, row, symbol);
  const rowOf = (reply: unknown, symbol: string) => (ticker.rowOf ? ticker.rowOf(reply as never, symbol) : reply);
  const single = endpoint({
    name: 'ticker',
    doc: ticker.doc,
    plan: (facts) => marketsAt(facts, terms).slice(0, MOST_MARKETS),
    request: ticker.request,
    reply: ticker.reply,
    ...(ticker.okStatuses ? { okStatuses: ticker.okStatuses } : {}),
    classify: (reply, _meta, params) => {
      const refused = refusal(reply);
      if (refused !== null) return refused;
      const reading = read(rowOf(reply, String(params.symbol)), String(params.symbol));
      if (reading !== null) return { outcome: 'ok' };
      // If a complete list does not have the market, that is a valid reply and nothing else is requested.
      return tickers?.replyOf ? { outcome: 'ok', detail: 'no such market' } : { outcome: 'not_found' };
    },
    observe: (reply, params) =>
      observeTicker(id, read(rowOf(reply, String(params.symbol)), String(params.symbol)), params),
  });
  const list = tickers
    ? [
        endpoint({
          name: 'tickers',
          doc: tickers.doc,
          maxBytes: tickers.maxBytes,
          request: get(tickers.path, tickers.query),
          reply: tickers.reply,
          classify,
          list: {
            refreshSeconds: REFRESH_SECONDS,
            ...(tickers.rowsOf ? { rowsOf: (reply: unknown) => tickers.rowsOf?.(reply as never) ?? [] } : {}),
            keysOf: (row) => {
              const reading = read(row, '');
              return reading === null ? [] : [reading.symbol];
            },
            keyOf: (params) => (typeof params.symbol === 'string' ? params.symbol : null),
            standsInFor: 'ticker',
            ...(tickers.replyOf ? { replyOf: tickers.replyOf } : {}),
          },
        }),
      ]
    : [];
  const depth = endpoint({
    name: book.name ?? 'book',
    doc: book.doc,
    plan: (facts) => marketsAt(facts, terms).slice(0, book.markets ?? 1),
    request: book.request,
    reply: book.reply,
    classify,
    observe: (reply, params) => {
      const sides = book.sidesOf ? book.sidesOf(reply as never) : (reply as Book);
      return sides === null ? [] : observeBook(sides, id, params, book.most);
    },
  });
  return [...list, single, depth, ...candleEndpoints(terms, classify)];
}

/** Threshold between unix seconds and milliseconds, valid for dates from 1973 to 5138. */
const SECONDS_BELOW = 1e11;

/** Daily prices of an asset on its most traded dollar market, which are independent of the registries' charts. */
function candleEndpoints(terms: ExchangeTerms, classify: NonNullable<Endpoint['classify']>): readonly Endpoint[] {
  const { candles, id } = terms;
  if (candles === undefined) return [];
  return [
    endpoint({
      name: 'candles',
      doc: candles.doc,
      plan: (facts) =>
        marketsAt(facts, terms)
          .filter(({ usdPer }) => usdPer === undefined)
          .slice(0, 1),
      request: candles.request,
      reply: candles.reply,
      classify,
      observe: (reply, params, { fetchedAt }) => {
        const market = marketNamed(id, String(params.symbol));
        const points = candles.closesOf(reply as never).map(([at, close]): readonly [number, number | null] => {
          const began = num(at) ?? 0;
          return [began < SECONDS_BELOW ? began * 1_000 : began, num(close)];
        });
        return market === null ? [] : chartDrafts(points, market.quote, fetchedAt);
      },
    }),
  ];
}

/** Observations from daily closes of a market: volatility over a year (registries and pools give that of a month), and the deviation of a coin from a dollar. */
function chartDrafts(
  points: readonly (readonly [number, number | null])[],
  quote: string,
  fetchedAt: string,
): readonly ObservationDraft[] {
  const closes = dailyCloses(points);
  const ended = datedIfEnded(closes.at(-1)?.[0] ?? 0, fetchedAt);
  const [of, isDollar] = quote === 'USD' ? ['the dollar', true] : ['a dollar token', false];
  return [
    ...volatilityDrafts(closes, `daily closes against ${of}`, ended).filter(
      ({ quantity }) => quantity !== 'volatility_30d',
    ),
    ...brokenDays(closes),
    // A dollar token deviates itself, so only true dollar quotes are used. The charts of exchanges are too short for departures of earlier years.
    ...(isDollar && staysAtOne(closes)
      ? pegDrafts(closes, 'one dollar').filter(({ quantity }) => quantity === 'peg_deviation_90d_max')
      : []),
  ];
}

/** Leveraged tokens, for example `BTC3L` and `ETH5S`. Their markets belong to the other asset by name only. */
const LEVERAGED = /[2-5][LS]$/;

function readRow(terms: ExchangeTerms, row: unknown, symbol: string): TickerReading | null {
  if (row === null || row === undefined) return null;
  const reading = terms.read(row as never, symbol);
  const market = reading && marketNamed(terms.id, reading.symbol);
  // The row must be that of the requested market; '' matches any market.
  const isTicker = reading?.last !== undefined && reading.last !== null && (symbol === '' || reading.symbol === symbol);
  return isTicker && market && !LEVERAGED.test(market.base) ? reading : null;
}

/** US dollars for one unit of the requested market's quote currency; null if unknown. */
function rateOf(market: Market, params: Params): number | null {
  return isDollar(market.quote) ? 1 : positive(params.usdPer);
}

function observeTicker(id: string, reading: TickerReading | null, params: Params): readonly ObservationDraft[] {
  const market = marketNamed(id, String(params.symbol));
  const rate = market && rateOf(market, params);
  if (reading === null || market === null || rate === null) return [];
  const last = positive(reading.last);
  const quoted = amount(reading.quoteVolume);
  const based = amount(reading.baseVolume);
  const average = positive(reading.average) ?? last;
  const volume = quoted ?? (based === 0 ? 0 : based !== null && average !== null ? based * average : null);
  const of = { scope: marketScope(market), ...dated(reading.at) };
  const dollars = (value: number | null) => (value === null ? null : value * rate);
  const converted = isDollar(market.quote) ? '' : `, ${market.quote} at the daily reference rate`;
  return [
    // Without trades in 24 h, the last trade may be months old.
    ...observed('price_usd', isDollar(market.quote) && volume !== 0 ? last : null, {
      meaning: market.quote === 'USD' ? 'last trade against the dollar' : 'last trade against a dollar token',
      ...dated(reading.at),
    }),
    ...observed('venue_price_usd', dollars(last), {
      ...(converted ? { meaning: `last trade${converted}` } : {}),
      ...of,
    }),
    ...observed('venue_volume_24h_usd', dollars(volume), {
      meaning: `rolling 24 h${quoted === null && positive(reading.average) === null ? ', at the last price' : ''}${converted}`,
      ...of,
    }),
  ];
}

interface Book {
  readonly bids: readonly unknown[];
  readonly asks: readonly unknown[];
}

const RANGE = 0.02;

/**
 * Amount needed to move the price of a market by 2 %, from its order book; [] for an unreadable book. If the exchange truncates a
 * side (at `most` levels) before 2 %, the amount is a lower bound and is observed as another quantity.
 */
function observeBook(book: Book, id: string, params: Params, most: number): readonly ObservationDraft[] {
  const market = marketNamed(id, String(params.symbol));
  const rate = market && rateOf(market, params);
  const bids = levels(book.bids);
  const asks = levels(book.asks);
  const best = { bid: Math.max(...bids.map((row) => row.price)), ask: Math.min(...asks.map((row) => row.price)) };
  if (market === null || rate === null || bids.length === 0 || asks.length === 0 || best.bid >= best.ask) return [];
  const middle = (best.bid + best.ask) / 2;
  const scope = marketScope(market);
  return [
    { side: asks, whole: 'venue_depth_up_2pct_usd', part: 'venue_depth_up_2pct_min_usd' } as const,
    { side: bids, whole: 'venue_depth_down_2pct_usd', part: 'venue_depth_down_2pct_min_usd' } as const,
  ].flatMap(({ side, whole, part }) => {
    const inside = side.filter((row) => Math.abs(row.price / middle - 1) <= RANGE);
    const isCut = side.length === most && inside.length === side.length;
    const value = inside.reduce((total, row) => total + row.price * row.size, 0) * rate;
    return observed(isCut ? part : whole, value, { scope });
  });
}

interface Level {
  readonly price: number;
  readonly size: number;
}

function levels(rows: readonly unknown[]): readonly Level[] {
  return rows.flatMap((row) => {
    const [price, size] = Array.isArray(row) ? [num(row[0]), num(row[1])] : [null, null];
    return price !== null && size !== null && price > 0 && size >= 0 ? [{ price, size }] : [];
  });
}

/** Suffix of the facts under which sources name the asset's markets, found by its registry id or contract, never by its symbol alone. */
const PAIRS = '.cexPairs';
/** US dollars by currency, from the daily reference rates. */
const RATES = 'ecb.usdPer';

/**
 * Params of the asset's markets on one exchange: dollar markets first, then markets whose quote currency has a known rate, each in the
 * order of the sources. A symbol does not identify an asset: a market counts only if a registry's row ties it to the asset's id, or the
 * exchange's own list of currencies ties it to the asset's contract.
 */
export function marketsAt(facts: Facts, terms: ExchangeTerms): readonly Params[] {
  const learned = namesOf(facts.learned)
    .filter((key) => key.endsWith(PAIRS))
    .sort()
    .flatMap((key) => listIn(facts.learned[key]));
  const named = [...facts.keys.cexPairs, ...learned].map(fieldsOf);
  const rates = fieldsOf(facts.learned[RATES]);
  const found = new Map<string, { readonly market: Market; readonly usdPer: number | null }>();
  for (const { venue, symbol } of named) {
    const market = venue === terms.id && typeof symbol === 'string' ? marketNamed(terms.id, symbol) : null;
    const usdPer = market && (isDollar(market.quote) ? null : positive(rates[market.quote]));
    if (market === null || LEVERAGED.test(market.base) || (usdPer === null && !isDollar(market.quote))) continue;
    found.set(marketScope(market), { market, usdPer });
  }
  return [...found.values()]
    .sort((a, b) => Number(b.usdPer === null) - Number(a.usdPer === null))
    .map(({ market, usdPer }) => ({ symbol: terms.nameOf(market), ...(usdPer === null ? {} : { usdPer }) }));
}
