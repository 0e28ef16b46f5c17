import Type, { type Static } from 'typebox';
import { chainsOf } from '../../chains/index.ts';
import { exchangeCalled, type Json, marketOf, marketScope, type ObservationDraft } from '../../domain/index.ts';
import { dated, observed } from '../observations.ts';
import { brokenDays, lostDays } from '../peg-days.ts';
import { byKey, chainNameIn, tokenOn } from '../plans.ts';
import { dailyCloses, pegDrafts, staysAtOne, volatilityDrafts } from '../price-history.ts';
import { amount, FlagOptional, fields, LooseOptional, positive, Rows, TextOptional } from '../read.ts';
import { agreedRate } from '../redemption/terms.ts';
import { distinctMarkets, type ListedMarket, learnMarkets } from '../registry-markets.ts';
import { get } from '../requests.ts';
import { defineSource, endpoint, type Facts, fact, type Params } from '../source.ts';
import { named, partsOf } from '../token-records.ts';
import { classify, coinRecords, DETAIL, Detail, learnCoin, observeCoin, Usd } from './coin.ts';
import { lists } from './lists.ts';
import { filedPeg, rates } from './rates.ts';

const Series = Type.Array(Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.Null()])]));
const Chart = Type.Object({ prices: Series });

/** Volatility, and for a coin that stays at one dollar its deviation from the dollar. */
function observeChart({ prices }: Static<typeof Chart>): readonly ObservationDraft[] {
  const closes = dailyCloses(prices);
  return [
    ...volatilityDrafts(closes, 'daily closes', dated(closes.at(-1)?.[0])),
    ...brokenDays(prices),
    ...(staysAtOne(closes) ? pegDrafts(prices, 'one dollar') : []),
  ];
}

/** The currencies among possible pegs in which CoinGecko states prices; XAU and XAG are ounces. */
const CURRENCIES: ReadonlySet<string> = new Set(
  'usd eur gbp chf jpy cad aud sgd nzd hkd cny krw try brl mxn idr inr php thb zar uah ngn xau xag'.split(' '),
);

/**
 * Params of the chart in the currency that a coin is pegged to, as stated by a list of stablecoins or a kept register. If neither states a peg but the coin
 * stays at one dollar, the currency is the dollar.
 */
function pegCharts(facts: Facts): readonly Params[] {
  const currency = filedPeg(facts)?.toLowerCase() ?? (facts.learned['coingecko.atOneDollar'] && 'usd');
  return typeof currency === 'string' && CURRENCIES.has(currency)
    ? idOf(facts).map((params) => ({ ...params, currency }))
    : [];
}

/** Coins that CoinGecko accepts as a price currency, by the CoinGecko id of the underlying. */
const COINS: Readonly<Record<string, string>> = {
  bitcoin: 'btc',
  ethereum: 'eth',
  solana: 'sol',
  binancecoin: 'bnb',
};

/**
 * Params of the chart of a receipt token priced in its underlying coin. Only for receipts whose rate, as read at two nodes, is exactly one: if the rate
 * grows, its value a year ago is unknown, and so is the deviation from it.
 */
function receiptCharts(facts: Facts): readonly Params[] {
  const agreed = agreedRate(facts.learned);
  const coin = agreed?.rate === 1 ? COINS[agreed.coin] : undefined;
  return coin === undefined ? [] : idOf(facts).map((params) => ({ ...params, coin }));
}

const Ticker = Type.Object({
  base: Type.String(),
  target: Type.String(),
  market: Type.Object({ identifier: Type.String() }),
  converted_last: Usd,
  converted_volume: Usd,
  ...fields(LooseOptional, 'cost_to_move_up_usd', 'cost_to_move_down_usd', 'bid_ask_spread_percentage'),
  ...fields(FlagOptional, 'is_anomaly', 'is_stale'),
  ...fields(TextOptional, 'timestamp', 'coin_id', 'target_coin_id'),
});
type Ticker = Static<typeof Ticker>;
const Tickers = Type.Object({ tickers: Rows(Ticker) });
type TickersReply = Static<typeof Tickers>;
/** Rows of a page; a full page is the first of several. */
const PAGE = 100;
/**
 * The coin's own markets on centralised exchanges, without duplicates. Excluded: markets in which the coin is the quote
 * currency (most markets on a stablecoin's page), and pools, whose pairs are written with addresses and which other
 * sources read.
 */
function ownMarkets(reply: TickersReply, params: Params): readonly ListedMarket<Ticker>[] {
  const own = partsOf(Ticker, reply.tickers).filter(
    (row) => row.coin_id === params.id && !row.is_anomaly && !row.is_stale,
  );
  return distinctMarkets(own, (row) => {
    const exchange = exchangeCalled('coingecko', row.market.identifier);
    return exchange === null ? null : marketOf(exchange, row.base, row.target, row.target_coin_id ?? null);
  });
}

function observeTickers(reply: TickersReply, params: Params): readonly ObservationDraft[] {
  const markets = ownMarkets(reply, params);
  const volume = markets.reduce((sum, { row }) => sum + (amount(row.converted_volume?.usd) ?? 0), 0);
  const isWhole = reply.tickers.length < PAGE;
  return [
    ...markets.slice(0, PAGE).flatMap(({ row, market }) => {
      const of = { scope: marketScope(market), ...dated(row.timestamp) };
      return [
        ...observed('venue_price_usd', positive(row.converted_last?.usd), 'last trade, converted', of),
        ...observed('venue_volume_24h_usd', amount(row.converted_volume?.usd), 'rolling 24 h, converted', of),
        ...observed('venue_depth_up_2pct_usd', positive(row.cost_to_move_up_usd), 'order book', of),
        ...observed('venue_depth_down_2pct_usd', positive(row.cost_to_move_down_usd), 'order book', of),
        ...observed('venue_spread_pct', amount(row.bid_ask_spread_percentage), 'bid-ask', of),
      ];
    }),
    ...observed(
      'volume_24h_cex_usd',
      // The sum over the first of several pages is not the asset's volume.
      isWhole && markets.length > 0 ? volume : null,
      `sum over all ${markets.length} centralised markets listed`,
    ),
  ];
}

/** The coin's own markets, by descending volume, for requests to the exchanges. */
function learnTickers(reply: TickersReply, params: Params): Readonly<Record<string, Json>> {
  const volume = ({ row }: ListedMarket<Ticker>) => amount(row.converted_volume?.usd) ?? 0;
  const traded = ownMarkets(reply, params).toSorted((a, b) => volume(b) - volume(a));
  return learnMarkets('coingecko', traded, (row) => `${row.base}-${row.target}`);
}

const Hit = Type.Object({
  ...fields(Type.String(), 'id', 'name', 'symbol'),
  market_cap_rank: LooseOptional,
});
const Search = Type.Object({ coins: Rows(Hit) });
const MOST_HITS = 100;

function idOf({ keys, learned }: Facts): readonly Params[] {
  const id = keys.coingeckoId ?? learned['coingecko.id'];
  return typeof id === 'string' && id !== '' ? [{ id }] : [];
}

/**
 * CoinGecko v3, keyless or with a free demo key.
 *
 * Lineage: family `coingecko`, which also includes GeckoTerminal's market fields and DefiLlama's coin prices. Its volumes
 * include centralised and decentralised venues. Terms: attribution with a link near the data. Limits: keyless by IP, not published (5 to 15 a minute
 * seen); demo key 100 a minute according to docs.coingecko.com/docs/errors-and-rate-limits, about 30 a minute and 10,000 a month according to the
 * pricing page (copy of 2026-05-04; both read 2026-11-23): 30 are used.
 * A pegged coin needs one more request, for its hourly chart.
 * Quirks: homepage lists are padded with ""; market_cap 0 means unverified supply; error bodies come in two forms with
 * any status; a symbol has several ids, including bridged copies. Fields checked against the OpenAPI description and
 * recordings of 2021 and 2024.
 */
export const coingecko = defineSource({
  name: 'coingecko',
  title: 'CoinGecko',
  doc: 'https://docs.coingecko.com/reference/introduction',
  family: 'coingecko',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://api.coingecko.com/api/v3' },
  key: {
    required: false,
    header: 'x-cg-demo-api-key',
    perMinute: 30,
    perMonth: 10_000,
    adds: 'requests: 30 a minute instead of 5, 10,000 a month',
    from: 'https://www.coingecko.com/en/api/pricing',
  },
  terms: {
    attribution: { text: 'Data provided by CoinGecko', url: 'https://www.coingecko.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'API terms of 2025-09-05: attribution with link; the demo plan carries no commercial licence',
  },
  budget: { perMinute: 5, burst: 5, concurrency: 5, shareSeconds: 300 },
  timeoutMs: 10_000,
  chains: chainsOf('coingecko'),
  registry: { curated: true, files: 'tokens', order: 1, namesAllPlaces: true, key: 'coingeckoId' },
  provides: {
    market: 3,
    quote_prices: 2,
    pools: 7,
    holdings: 6,
    names: 3,
    market_figures: 1,
    peg: 1,
    venues: 1,
    supply: 1,
    project_links: 1,
    repository_links: 2,
    audit_links: 3,
  },
  endpoints: [
    ...lists,
    ...rates,
    endpoint({
      name: 'coin',
      doc: '/coins/{id}: identity, market and supply in one reply',
      // If the market list has price and supply, this reply only adds the profile.
      critical: ({ learned }) => learned['coingecko.market'] !== true,
      plan: byKey('coingeckoId'),
      request: get('/coins/{id}', DETAIL),
      reply: Detail,
      about: { param: 'id', named: (reply) => ('id' in reply ? reply.id : null) },
      classify,
      finds: { by: 'id', most: 3, called: 'coin' },
      records: coinRecords,
      observe: observeCoin,
      learn: learnCoin,
    }),
    endpoint({
      name: 'contract',
      doc: '/coins/{platform}/contract/{address}: as coin; 404 when not listed',
      critical: true,
      plan: (facts) => (facts.keys.coingeckoId ? [] : tokenOn('coingecko')(facts)),
      request: (params: Params) => ({
        path: `/coins/${chainNameIn(params, 'coingecko')}/contract/${encodeURIComponent(String(params.address))}`,
      }),
      reply: Detail,
      classify,
      finds: { by: 'address' },
      records: coinRecords,
      observe: observeCoin,
      learn: learnCoin,
    }),
    endpoint({
      name: 'market_chart',
      doc: '/coins/{id}/market_chart?days=365: daily points',
      plan: idOf,
      request: get('/coins/{id}/market_chart', { vs_currency: 'usd', days: 365 }),
      reply: Chart,
      observe: observeChart,
      learn: ({ prices }) => fact('coingecko.atOneDollar', staysAtOne(dailyCloses(prices)) || null),
    }),
    endpoint({
      name: 'peg_chart',
      doc: '/coins/{id}/market_chart?days=90: hourly points of a pegged coin, in the currency it is pegged to',
      plan: pegCharts,
      request: get('/coins/{id}/market_chart', { vs_currency: '{currency}', days: 90 }),
      reply: Chart,
      observe: ({ prices }, params) => {
        const isDollars = params.currency === 'usd';
        const currency = String(params.currency).toUpperCase();
        const strayed = pegDrafts(prices, `one unit of ${currency}`).filter(
          // The chart in dollars covers a longer period.
          ({ quantity }) => !(isDollars && quantity === 'depeg_aged_sum'),
        );
        return isDollars ? strayed : [...strayed, ...brokenDays(prices, `currency:${currency}`)];
      },
    }),
    endpoint({
      name: 'receipt_chart',
      doc: '/coins/{id}/market_chart?days=365: daily points of a staked or wrapped token, in the coin that it is redeemed for one to one',
      plan: receiptCharts,
      request: (params) => ({
        path: `/coins/${encodeURIComponent(String(params.id))}/market_chart`,
        query: { vs_currency: String(params.coin), days: 365 },
      }),
      reply: Chart,
      observe: ({ prices }, { coin }) => [
        ...pegDrafts(prices, `one ${String(coin).toUpperCase()}`).filter(
          ({ quantity }) => quantity === 'depeg_aged_sum',
        ),
        ...lostDays(prices),
      ],
    }),
    endpoint({
      name: 'tickers',
      doc: '/coins/{id}/tickers?depth=true: markets with the cost of moving the price by 2 %',
      plan: idOf,
      request: get('/coins/{id}/tickers', { depth: true }),
      reply: Tickers,
      observe: observeTickers,
      learn: learnTickers,
    }),
    endpoint({
      name: 'search',
      doc: '/search?query=: candidates by name or symbol',
      role: 'identify',
      request: get('/search', { query: '{query}' }),
      reply: Search,
      finds: { by: 'name' },
      records: ({ coins }) =>
        partsOf(Hit, coins.slice(0, MOST_HITS)).map(({ id, name, symbol, market_cap_rank: rank }) => ({
          id,
          ...named({ name, symbol, rank }),
        })),
    }),
  ],
});
