import Type, { type Static } from 'typebox';
import { CHAINS } from '../domain/chains.ts';
import type { Json } from '../domain/json.ts';
import type { ObservationDraft } from '../domain/observation.ts';
import { dailyVolatility } from '../domain/statistics.ts';
import { isDollar, type Market, marketOf, marketScope } from '../domain/venue-scopes.ts';
import { exchangeCalled } from '../domain/venues.ts';
import { amount, date, githubRepo, Loose, num, positive, registrableDomains, TextOptional, text } from './read.ts';
import { endpoint, type Params, type Source } from './source.ts';

/**
 * CoinGecko v3, keyless or with a free demo key.
 *
 * Lineage: family `coingecko`, which also holds GeckoTerminal's market fields and DefiLlama's coin prices. Its volumes
 * hold centralised and decentralised venues. Terms: attribution with a link near the data. Limits: keyless 5 a minute
 * (documents disagree between 5 and 15), demo key 25 a minute.
 * Quirks: homepage lists are padded with ""; market_cap 0 means unverified supply; error bodies come in two shapes with
 * any status; several ids per symbol, bridged copies among them. Fields checked against the OpenAPI description and
 * recordings of 2021 and 2024.
 */
const Usd = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]));
const Failure = Type.Object({
  error: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Object({ error_code: Type.Optional(Loose), error_message: TextOptional })),
});
const Coin = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  asset_platform_id: TextOptional,
  platforms: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])), Type.Null()]),
  ),
  categories: Type.Optional(Type.Union([Type.Array(Type.Union([Type.String(), Type.Null()])), Type.Null()])),
  public_notice: TextOptional,
  genesis_date: TextOptional,
  market_cap_rank: Type.Optional(Loose),
  links: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  market_data: Type.Optional(
    Type.Union([
      Type.Object({
        current_price: Usd,
        ath: Usd,
        ath_date: Usd,
        market_cap: Usd,
        fully_diluted_valuation: Usd,
        total_volume: Usd,
        price_change_percentage_1h_in_currency: Usd,
        price_change_percentage_24h: Type.Optional(Loose),
        price_change_percentage_7d: Type.Optional(Loose),
        price_change_percentage_30d: Type.Optional(Loose),
        total_supply: Type.Optional(Loose),
        max_supply: Type.Optional(Loose),
        max_supply_infinite: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
        circulating_supply: Type.Optional(Loose),
        last_updated: TextOptional,
      }),
      Type.Null(),
    ]),
  ),
});
type CoinReply = Static<typeof Coin>;
const Detail = Type.Union([Coin, Failure]);
const DETAIL = { localization: false, tickers: false, market_data: true, community_data: false, developer_data: false };

function isCoin(reply: Static<typeof Detail>): reply is CoinReply {
  return 'id' in reply && typeof reply.id === 'string';
}

function classify(reply: Static<typeof Detail>) {
  if (isCoin(reply)) return { outcome: 'ok' as const };
  const code = num(reply.status?.error_code);
  const message = `${typeof reply.error === 'string' ? reply.error : ''}${reply.status?.error_message ?? ''}`;
  if (code === 429 || /rate limit|throttle/i.test(message))
    return { outcome: 'rate_limited' as const, detail: 'the reply says the rate limit is reached' };
  if (/not found/i.test(message)) return { outcome: 'not_found' as const };
  return { outcome: 'error_reply' as const, detail: text(message, 160) ?? 'an error inside the reply' };
}

/** Addresses of the coin on chains of ours. */
function addressesOf(coin: Pick<CoinReply, 'platforms'>): readonly { chain: string; address: string }[] {
  return Object.entries(coin.platforms ?? {})
    .flatMap(([platform, address]) => {
      const chain = CHAINS.find((row) => row.coingeckoPlatform === platform);
      return chain && address
        ? [{ chain: chain.name, address: chain.kind === 'evm' ? address.toLowerCase() : address }]
        : [];
    })
    .sort((a, b) => (a.chain < b.chain ? -1 : 1));
}

function observeCoin(reply: Static<typeof Detail>): readonly ObservationDraft[] {
  if (!isCoin(reply)) return [];
  const market = reply.market_data;
  const at = date(market?.last_updated) ?? undefined;
  const usd = (field: Readonly<Record<string, unknown>> | null | undefined) => positive(field?.usd);
  const scope = 'registry:coingecko';
  const drafts: (ObservationDraft | null)[] = [
    of('price_usd', usd(market?.current_price), 'volume-weighted over venues', at),
    of('market_cap_usd', usd(market?.market_cap), 'price times verified circulating supply', at),
    of('fdv_usd', usd(market?.fully_diluted_valuation), 'price times maximum, else total supply', at),
    of('volume_24h_usd', amount(market?.total_volume?.usd), 'rolling 24 h, centralised and decentralised venues', at),
    of('price_change_1h_pct', num(market?.price_change_percentage_1h_in_currency?.usd), 'rolling 1 h', at),
    of('price_change_24h_pct', num(market?.price_change_percentage_24h), 'rolling 24 h', at),
    of('price_change_7d_pct', num(market?.price_change_percentage_7d), 'rolling 7 d', at),
    of('price_change_30d_pct', num(market?.price_change_percentage_30d), 'rolling 30 d', at),
    of('circulating_supply', positive(market?.circulating_supply), 'often submitted by the team', at),
    of(
      'total_supply',
      positive(market?.total_supply),
      'all chains',
      at,
      addressesOf(reply).length > 1 ? 0.6 : undefined,
    ),
    of('max_supply', positive(market?.max_supply), 'as registered', at),
    market?.max_supply_infinite === true ? { quantity: 'max_supply_unlimited', value: true } : null,
    of('ath_usd', usd(market?.ath), 'highest price known here', at),
    dated('ath_at', date(market?.ath_date?.usd)),
    dated('first_trade_at', date(reply.genesis_date)),
    { quantity: 'registry_name', scope, value: text(reply.name) ?? '' },
    { quantity: 'registry_symbol', scope, value: text(reply.symbol, 32)?.toUpperCase() ?? '' },
    { quantity: 'registry_domains', scope, value: [...registrableDomains(list(reply.links?.homepage))] },
    { quantity: 'registry_socials', scope, value: socialsOf(reply).map((row) => ({ ...row })) },
    { quantity: 'registry_addresses', scope, value: addressesOf(reply).map((row) => ({ ...row })) },
    of('registry_rank', positive(reply.market_cap_rank), 'by market capitalisation', at, undefined, scope),
    {
      quantity: 'categories',
      value: (reply.categories ?? []).map((word) => text(word, 60)).filter((word) => word !== null),
    },
    reply.public_notice ? { quantity: 'public_notice', scope, value: text(reply.public_notice, 400) ?? '' } : null,
  ];
  return drafts.filter((draft) => draft !== null);
}

function learnCoin(reply: Static<typeof Detail>): Record<string, Json> {
  if (!isCoin(reply)) return {};
  const repos = list((reply.links?.repos_url as { github?: unknown } | undefined)?.github)
    .map(githubRepo)
    .filter((repo) => repo !== null);
  return { 'coingecko.githubRepos': repos.slice(0, 5), 'coingecko.id': reply.id };
}

function socialsOf(coin: CoinReply): readonly { kind: string; handle: string }[] {
  const x = text(coin.links?.twitter_screen_name, 40)?.toLowerCase();
  const telegram = text(coin.links?.telegram_channel_identifier, 64)?.toLowerCase();
  return [...(x ? [{ kind: 'x', handle: x }] : []), ...(telegram ? [{ kind: 'telegram', handle: telegram }] : [])];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function of(
  quantity: ObservationDraft['quantity'],
  value: number | null,
  meaning: string,
  observedAt?: string,
  reliability?: number,
  scope?: string,
): ObservationDraft | null {
  return value === null
    ? null
    : {
        quantity,
        value,
        meaning,
        ...(observedAt ? { observedAt } : {}),
        ...(reliability ? { reliability } : {}),
        ...(scope ? { scope } : {}),
      };
}

function dated(quantity: ObservationDraft['quantity'], value: string | null): ObservationDraft | null {
  return value === null ? null : { quantity, value };
}

const Series = Type.Array(Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.Null()])]));
const Chart = Type.Object({ prices: Series });

function observeChart(reply: Static<typeof Chart>): readonly ObservationDraft[] {
  const daily = new Map<number, number>();
  for (const [at, price] of reply.prices)
    if (price !== null && price > 0) daily.set(Math.floor(at / 86_400_000), price);
  const closes = [...daily].sort(([a], [b]) => a - b).map(([, price]) => price);
  const last = reply.prices.at(-1)?.[0];
  const observedAt = date(last) ?? undefined;
  const drafts: ObservationDraft[] = [];
  const volatility = dailyVolatility(closes.slice(-31));
  if (volatility !== null)
    drafts.push({
      quantity: 'volatility_30d',
      value: volatility,
      meaning: 'daily closes of the last 30 days',
      ...(observedAt ? { observedAt } : {}),
    });
  // Only what has stayed near a dollar can have left it.
  if (closes.length >= 30 && closes.every((price) => price > 0.5 && price < 1.5)) {
    drafts.push({
      quantity: 'peg_deviation_90d_max',
      value: Math.max(...closes.slice(-90).map((price) => Math.abs(price - 1))),
      meaning: 'largest distance of a daily close from one dollar',
      ...(observedAt ? { observedAt } : {}),
    });
    const day = reply.prices
      .filter(([at]) => last !== undefined && last - at <= 86_400_000)
      .map(([, price]) => price)
      .filter((price) => price !== null);
    if (day.length > 0)
      drafts.push({
        quantity: 'peg_deviation_24h_held',
        value: Math.min(...day.map((price) => Math.abs(price - 1))),
        meaning: 'distance from one dollar held through 24 h',
        ...(observedAt ? { observedAt } : {}),
      });
  }
  return drafts;
}

const Tickers = Type.Object({
  tickers: Type.Array(
    Type.Object({
      base: Type.String(),
      target: Type.String(),
      market: Type.Object({ name: Type.String(), identifier: Type.String() }),
      converted_last: Usd,
      converted_volume: Usd,
      cost_to_move_up_usd: Type.Optional(Loose),
      cost_to_move_down_usd: Type.Optional(Loose),
      bid_ask_spread_percentage: Type.Optional(Loose),
      is_anomaly: Type.Optional(Type.Boolean()),
      is_stale: Type.Optional(Type.Boolean()),
      timestamp: TextOptional,
      coin_id: TextOptional,
      target_coin_id: TextOptional,
    }),
  ),
});
type TickersReply = Static<typeof Tickers>;
type Ticker = TickersReply['tickers'][number];
const MOST_TICKERS = 30;
/** Exchanges whose own interface is asked too. */
const ASKED: ReadonlySet<string> = new Set(['binance', 'coinbase']);

/**
 * The coin's own markets on centralised exchanges, each once. Left out: markets in which the coin is what others are
 * priced in (a stablecoin's page is full of them), and pools, whose pair is written with addresses and which are read
 * elsewhere.
 */
function ownMarkets(reply: TickersReply, params: Params): readonly { readonly row: Ticker; readonly market: Market }[] {
  const found = new Map<string, { readonly row: Ticker; readonly market: Market }>();
  for (const row of reply.tickers) {
    if (row.coin_id !== params.id || row.is_anomaly === true || row.is_stale === true) continue;
    const exchange = exchangeCalled('coingecko', row.market.identifier);
    const market = exchange === null ? null : marketOf(exchange, row.base, row.target, row.target_coin_id ?? null);
    const scope = market && marketScope(market);
    if (market && scope && !found.has(scope)) found.set(scope, { row, market });
  }
  return [...found.values()];
}

function observeTickers(reply: TickersReply, params: Params): readonly ObservationDraft[] {
  const markets = ownMarkets(reply, params).slice(0, MOST_TICKERS);
  const drafts: (ObservationDraft | null)[] = markets.flatMap(({ row, market }) => {
    const scope = marketScope(market);
    const at = date(row.timestamp) ?? undefined;
    return [
      of('venue_price_usd', positive(row.converted_last?.usd), 'last trade, converted', at, undefined, scope),
      of('venue_volume_24h_usd', amount(row.converted_volume?.usd), 'rolling 24 h, converted', at, undefined, scope),
      of('venue_depth_up_2pct_usd', positive(row.cost_to_move_up_usd), 'order book', at, undefined, scope),
      of('venue_depth_down_2pct_usd', positive(row.cost_to_move_down_usd), 'order book', at, undefined, scope),
      of('venue_spread_pct', amount(row.bid_ask_spread_percentage), 'bid-ask', at, undefined, scope),
    ];
  });
  const volume = markets.reduce((sum, { row }) => sum + (amount(row.converted_volume?.usd) ?? 0), 0);
  if (markets.length > 0)
    drafts.push(of('volume_24h_cex_usd', volume, `sum over ${markets.length} centralised markets listed`));
  return drafts.filter((draft) => draft !== null);
}

/** What the exchanges themselves are asked about: the coin's own markets against a dollar, by their symbols, most traded first. */
function learnTickers(reply: TickersReply, params: Params): Record<string, Json> {
  const pairs = ownMarkets(reply, params)
    .filter(({ market }) => ASKED.has(market.exchange) && isDollar(market.quote))
    .sort((a, b) => (amount(b.row.converted_volume?.usd) ?? 0) - (amount(a.row.converted_volume?.usd) ?? 0))
    .map(({ row, market }) => ({
      venue: market.exchange,
      symbol: `${row.base}${market.exchange === 'binance' ? '' : '-'}${row.target}`,
    }));
  return pairs.length > 0 ? { 'coingecko.cexPairs': pairs } : {};
}

const ListRow = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  platforms: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])), Type.Null()]),
  ),
});

function listedPlaces(row: unknown): readonly string[] {
  return addressesOf(row as Static<typeof ListRow>).map(({ chain, address }) => `${chain}:${address}`);
}

function observeListRow(row: Static<typeof ListRow>): readonly ObservationDraft[] {
  const scope = 'registry:coingecko';
  return [
    { quantity: 'registry_name', scope, value: text(row.name) ?? '' },
    { quantity: 'registry_symbol', scope, value: text(row.symbol, 32)?.toUpperCase() ?? '' },
    { quantity: 'registry_addresses', scope, value: addressesOf(row).map((place) => ({ ...place })) },
  ];
}

const MarketRow = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  current_price: Type.Optional(Loose),
  market_cap: Type.Optional(Loose),
  market_cap_rank: Type.Optional(Loose),
  fully_diluted_valuation: Type.Optional(Loose),
  total_volume: Type.Optional(Loose),
  price_change_percentage_24h: Type.Optional(Loose),
  price_change_percentage_1h_in_currency: Type.Optional(Loose),
  price_change_percentage_7d_in_currency: Type.Optional(Loose),
  price_change_percentage_30d_in_currency: Type.Optional(Loose),
  circulating_supply: Type.Optional(Loose),
  total_supply: Type.Optional(Loose),
  max_supply: Type.Optional(Loose),
  ath: Type.Optional(Loose),
  ath_date: TextOptional,
  last_updated: TextOptional,
});

/** A row of the market list says what `coin` says of market and supply; of profile and categories it says nothing. */
function observeMarket(row: Static<typeof MarketRow>): readonly ObservationDraft[] {
  const at = date(row.last_updated) ?? undefined;
  const scope = 'registry:coingecko';
  const drafts = [
    of('price_usd', positive(row.current_price), 'volume-weighted over venues', at),
    of('market_cap_usd', positive(row.market_cap), 'price times verified circulating supply', at),
    of('fdv_usd', positive(row.fully_diluted_valuation), 'price times maximum, else total supply', at),
    of('volume_24h_usd', amount(row.total_volume), 'rolling 24 h, centralised and decentralised venues', at),
    of('price_change_1h_pct', num(row.price_change_percentage_1h_in_currency), 'rolling 1 h', at),
    of('price_change_24h_pct', num(row.price_change_percentage_24h), 'rolling 24 h', at),
    of('price_change_7d_pct', num(row.price_change_percentage_7d_in_currency), 'rolling 7 d', at),
    of('price_change_30d_pct', num(row.price_change_percentage_30d_in_currency), 'rolling 30 d', at),
    of('circulating_supply', positive(row.circulating_supply), 'often submitted by the team', at),
    of('total_supply', positive(row.total_supply), 'all chains', at, 0.6),
    of('max_supply', positive(row.max_supply), 'as registered', at),
    of('ath_usd', positive(row.ath), 'highest price known here', at),
    dated('ath_at', date(row.ath_date)),
    of('registry_rank', positive(row.market_cap_rank), 'by market capitalisation', at, undefined, scope),
  ];
  return drafts.filter((draft) => draft !== null);
}

/** Pages of 250 by market capitalisation. More of them would spend a budget of five calls a minute on coins nobody asks for. */
const MARKET_PAGES = [1, 2, 3, 4];
const ANSWERS_WITH_MORE = ['coin', 'contract'];

const idOf = (facts: {
  readonly keys: { readonly coingeckoId: string | null };
  readonly learned: Readonly<Record<string, Json>>;
}) => {
  const known = facts.keys.coingeckoId ?? facts.learned['coingecko.id'];
  return typeof known === 'string' ? known : null;
};

export const coingecko: Source = {
  name: 'coingecko',
  title: 'CoinGecko',
  doc: 'https://docs.coingecko.com/reference/introduction',
  family: 'coingecko',
  tier: 'aggregator',
  reliability: 0.9,
  trust: 'operator',
  bases: { main: 'https://api.coingecko.com/api/v3' },
  key: { required: false, header: 'x-cg-demo-api-key' },
  enabledByDefault: true,
  disabledReason: null,
  terms: {
    attribution: { text: 'Data provided by CoinGecko', url: 'https://www.coingecko.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'API terms of 2025-09-05: attribution with link; the demo plan carries no commercial licence',
  },
  budget: { perMinute: 5, burst: 5, concurrency: 5, shareSeconds: 300 },
  timeoutMs: 10_000,
  chains: ['*'],
  endpoints: [
    endpoint({
      name: 'coins_list',
      doc: '/coins/list?include_platform=true: id, name, symbol and addresses of every coin; several megabytes, changes slowly',
      role: 'bulk',
      critical: false,
      maxBytes: 24 * 1024 * 1024,
      plan: ({ keys }) => (keys.coingeckoId ? [{ id: keys.coingeckoId }] : []),
      request: () => ({ path: '/coins/list', query: { include_platform: true } }),
      reply: Type.Array(ListRow),
      list: {
        refreshSeconds: 6 * 3_600,
        keysOf: (row) => [String((row as { id?: unknown }).id), ...listedPlaces(row)],
        keyOf: ({ id }) => (typeof id === 'string' ? id : null),
        insteadOf: ANSWERS_WITH_MORE,
      },
      observe: (reply, params) => reply.filter((row) => row.id === params.id).flatMap(observeListRow),
    }),
    endpoint({
      name: 'markets',
      doc: '/coins/markets: price, volume, capitalisation and supply of 250 coins a page; fields checked against the OpenAPI description',
      role: 'bulk',
      critical: false,
      maxBytes: 4 * 1024 * 1024,
      plan: ({ keys }) => (keys.coingeckoId ? [{ id: keys.coingeckoId }] : []),
      request: (params) => ({
        path: '/coins/markets',
        query: {
          vs_currency: 'usd',
          order: 'market_cap_desc',
          per_page: 250,
          page: Number(params.page ?? 1),
          price_change_percentage: '1h,7d,30d',
        },
      }),
      reply: Type.Array(MarketRow),
      list: {
        pages: MARKET_PAGES.map((page) => ({ page })),
        refreshSeconds: 600,
        keysOf: (row) => [String((row as { id?: unknown }).id)],
        keyOf: ({ id }) => (typeof id === 'string' ? id : null),
        insteadOf: ANSWERS_WITH_MORE,
      },
      observe: (reply, params) => reply.filter((row) => row.id === params.id).flatMap(observeMarket),
      learn: (reply, params): Record<string, Json> =>
        reply.some((row) => row.id === params.id && positive(row.current_price) !== null)
          ? { 'coingecko.market': true }
          : {},
    }),
    endpoint({
      name: 'coin',
      doc: '/coins/{id}: identity, market and supply in one',
      role: 'observe',
      // Where the list has price and supply, this adds the profile.
      critical: ({ learned }) => learned['coingecko.market'] !== true,
      plan: ({ keys }) => (keys.coingeckoId ? [{ id: keys.coingeckoId }] : []),
      request: (params) => ({ path: `/coins/${encodeURIComponent(String(params.id))}`, query: DETAIL }),
      reply: Detail,
      classify,
      observe: observeCoin,
      learn: learnCoin,
    }),
    endpoint({
      name: 'contract',
      doc: '/coins/{platform}/contract/{address}: as coin; 404 when not listed',
      role: 'observe',
      critical: true,
      plan: ({ chain, address, keys }) =>
        chain && address && address !== 'native' && !keys.coingeckoId ? [{ chain: chain.name, address }] : [],
      request: (params: Params) => ({
        path: `/coins/${CHAINS.find((row) => row.name === params.chain)?.coingeckoPlatform ?? ''}/contract/${encodeURIComponent(String(params.address))}`,
      }),
      reply: Detail,
      classify,
      observe: observeCoin,
      learn: learnCoin,
    }),
    endpoint({
      name: 'market_chart',
      doc: '/coins/{id}/market_chart?days=90: hourly points, closes per day are taken',
      role: 'observe',
      critical: false,
      plan: (facts) => (idOf(facts) ? [{ id: idOf(facts) }] : []),
      request: (params) => ({
        path: `/coins/${encodeURIComponent(String(params.id))}/market_chart`,
        query: { vs_currency: 'usd', days: 90 },
      }),
      reply: Chart,
      observe: observeChart,
    }),
    endpoint({
      name: 'tickers',
      doc: '/coins/{id}/tickers?depth=true: markets with the cost of moving the price by 2 %',
      role: 'observe',
      critical: false,
      plan: (facts) => (idOf(facts) ? [{ id: idOf(facts) }] : []),
      request: (params) => ({
        path: `/coins/${encodeURIComponent(String(params.id))}/tickers`,
        query: { depth: true },
      }),
      reply: Tickers,
      observe: observeTickers,
      learn: learnTickers,
    }),
    endpoint({
      name: 'search',
      doc: '/search?query=: candidates by name or symbol',
      role: 'identify',
      critical: false,
      plan: () => [],
      request: (params) => ({ path: '/search', query: { query: String(params.query) } }),
      reply: Type.Object({
        coins: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            symbol: Type.String(),
            market_cap_rank: Type.Optional(Loose),
          }),
        ),
      }),
      observe: () => [],
    }),
  ],
};
