import Type, { type Static } from 'typebox';
import { chainCalled, chainsOf } from '../chains/index.ts';
import type { ObservationDraft, TokenDraft } from '../domain/index.ts';
import { exchangeCalled, isListedExchange, marketNamed, marketScope, OF_ALL_CHAINS } from '../domain/index.ts';
import { registrableDomains, social } from './links.ts';
import { dated, observed } from './observations.ts';
import { byKey, chainNameIn, tokenOn } from './plans.ts';
import {
  amount,
  date,
  FlagOptional,
  fields,
  Loose,
  LooseOptional,
  Maybe,
  num,
  positive,
  Rows,
  TextOptional,
  text,
} from './read.ts';
import { distinctMarkets, type ListedMarket, learnMarkets } from './registry-markets.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params, rowsBy } from './source.ts';
import { handlesOf, listOf, named, part, partsOf, placed, sitesOf, sorted, wordsOf } from './token-records.ts';

/**
 * CoinPaprika v1, keyless: the top 2,000 assets, refreshed about every ten minutes.
 *
 * Lineage: family `paprika` (with DexPaprika). Terms: the free plan is for personal use without redistribution: raw data is never
 * passed on. Limits: 20,000 calls a month; 402 means that they are used up.
 * Quirks: without a key `percent_change_30d` and `percent_change_1y` are 0 for every asset since 2026; free tickers have no circulating
 * supply (market cap over price is a derived value and is not used); market_cap 0 and max_supply 0 mean unknown.
 */
const Ticker = Type.Object({
  ...fields(Type.String(), 'id', 'name', 'symbol'),
  ...fields(LooseOptional, 'rank', 'total_supply', 'max_supply'),
  first_data_at: TextOptional,
  last_updated: TextOptional,
  quotes: Type.Object({
    USD: Type.Object({
      price: Loose,
      ...fields(LooseOptional, 'volume_24h', 'market_cap', 'percent_change_1h', 'percent_change_24h'),
      ...fields(LooseOptional, 'percent_change_7d', 'percent_change_30d', 'percent_change_1y', 'ath_price'),
      ath_date: TextOptional,
    }),
  }),
});

function observeTicker(reply: Static<typeof Ticker>): readonly ObservationDraft[] {
  const usd = reply.quotes.USD;
  const at = dated(reply.last_updated);
  const scope = 'registry:coinpaprika';
  return [
    ...observed('price_usd', positive(usd.price), { meaning: 'volume-weighted over venues', ...at }),
    ...observed('volume_24h_usd', positive(usd.volume_24h), { meaning: 'rolling 24 h, all venues', ...at }),
    ...observed('market_cap_usd', positive(usd.market_cap), at),
    ...observed('price_change_1h_pct', num(usd.percent_change_1h), { meaning: 'rolling 1 h', ...at }),
    ...observed('price_change_24h_pct', num(usd.percent_change_24h), { meaning: 'rolling 24 h', ...at }),
    ...observed('price_change_7d_pct', num(usd.percent_change_7d), { meaning: 'rolling 7 d', ...at }),
    ...observed('price_change_30d_pct', monthOf(usd), { meaning: 'rolling 30 d', ...at }),
    ...observed('total_supply', positive(reply.total_supply), { meaning: OF_ALL_CHAINS, ...at }),
    ...observed('max_supply', positive(reply.max_supply), at),
    ...observed('ath_usd', positive(usd.ath_price), at),
    ...observed('ath_at', date(usd.ath_date)),
    ...observed('first_trade_at', date(reply.first_data_at), { meaning: 'first data of this index', reliability: 0.7 }),
    ...observed('registry_name', text(reply.name), { scope }),
    ...observed('registry_symbol', text(reply.symbol, 32)?.toUpperCase() ?? null, { scope }),
    ...observed('registry_rank', positive(reply.rank), { scope }),
  ];
}

/** The change over 30 days; null if the changes over 30 days and over a year are both 0 or missing, which means that neither was measured. */
function monthOf(usd: Static<typeof Ticker>['quotes']['USD']): number | null {
  const month = num(usd.percent_change_30d);
  return month === 0 && (num(usd.percent_change_1y) ?? 0) === 0 ? null : month;
}

/** Ticker rows: the figures of each token, without address or website. */
function tickerRecords(rows: readonly unknown[]): readonly TokenDraft[] {
  return partsOf(Ticker, rows).map(({ id, name, symbol, rank, quotes }) => ({
    ...named({ name, symbol, rank }),
    id,
    nativeOf: chainCalled('coinpaprika', id)?.name ?? null,
    priceUsd: positive(quotes.USD.price),
  }));
}

const Place = Type.Object({ platform: Type.Optional(Type.Unknown()), contract: Type.Optional(Type.Unknown()) });
const Coin = Type.Object({
  ...Place.properties,
  ...fields(Type.String(), 'id', 'name', 'symbol'),
  rank: Type.Optional(Type.Unknown()),
  contracts: Type.Optional(Type.Unknown()),
  links: Maybe(Type.Record(Type.String(), Type.Unknown())),
  links_extended: Type.Optional(Type.Unknown()),
  tags: Maybe(Type.Array(Type.Unknown())),
  started_at: TextOptional,
});

function observeCoin(reply: Static<typeof Coin>): readonly ObservationDraft[] {
  const scope = 'registry:coinpaprika';
  return [
    ...observed('registry_domains', [...registrableDomains(linksOf(reply, 'website'))], { scope }),
    ...observed('registry_socials', socialsOf(reply), { scope }),
    ...observed('categories', [...tagsOf(reply)]),
    ...observed('first_trade_at', date(reply.started_at), { meaning: 'start as registered', reliability: 0.6 }),
  ];
}

const Link = Type.Object({ url: Type.String(), type: Type.String() });

/** Links of one kind, from `links` and `links_extended`; some kinds, such as X, are only in the latter. */
function linksOf(coin: Static<typeof Coin>, name: string): readonly unknown[] {
  const value = coin.links?.[name];
  const extended = listOf(coin.links_extended, 100)
    .map((row) => part(Link, row))
    .filter((row) => row?.type === name)
    .map((row) => row?.url);
  return [...new Set([...listOf(value), ...extended])];
}

function socialsOf(coin: Static<typeof Coin>) {
  return [...linksOf(coin, 'twitter'), ...linksOf(coin, 'telegram')].flatMap((url) => social(url) ?? []);
}

function tagsOf(coin: Static<typeof Coin>): readonly string[] {
  return wordsOf(
    (coin.tags ?? []).map((tag) => (tag as { name?: unknown } | null)?.name ?? tag),
    30,
  );
}

function coinRecords(reply: Static<typeof Coin>): readonly TokenDraft[] {
  const id = text(reply.id, 120);
  if (id === null) return [];
  const places = [...listOf(reply.contracts).map((row) => part(Place, row)), reply];
  return [
    {
      ...named(reply),
      ...sitesOf(linksOf(reply, 'website')),
      id,
      socials: handlesOf(socialsOf(reply)),
      categories: tagsOf(reply),
      addresses: sorted(places.map((place) => placed(chainCalled('coinpaprika', place?.platform), place?.contract))),
      since: date(reply.started_at),
    },
  ];
}

const Hit = Type.Object({
  ...fields(Type.String(), 'id', 'name', 'symbol'),
  rank: LooseOptional,
});
const Search = Type.Object({
  currencies: Rows(Hit),
});

// Markets are validated one by one: an invalid market does not reject the others.
const Markets = Type.Array(Type.Unknown());
const MarketRow = Type.Object({
  ...fields(Type.String(), 'exchange_id', 'pair', 'base_currency_id'),
  category: TextOptional,
  outlier: FlagOptional,
  last_updated: TextOptional,
  quotes: Type.Object({ USD: Type.Object({ price: LooseOptional, volume_24h: LooseOptional }) }),
});
type MarketRow = Static<typeof MarketRow>;
const MOST_MARKETS = 60;
/** The asset's own spot markets on centralised exchanges, without duplicates: known exchanges first, then by descending volume. */
function ownMarkets(reply: Static<typeof Markets>, { id }: Params): readonly ListedMarket<MarketRow>[] {
  const volume = (row: MarketRow) => amount(row.quotes.USD.volume_24h) ?? 0;
  const own = reply
    .flatMap((row) => part(MarketRow, row) ?? [])
    .filter((row) => row.base_currency_id === id && !row.outlier && row.category?.toLowerCase() === 'spot')
    .sort((a, b) => volume(b) - volume(a));
  const isListed = ({ market }: ListedMarket<MarketRow>) => Number(isListedExchange(market.exchange));
  return distinctMarkets(own, (row) => {
    const exchange = exchangeCalled('coinpaprika', row.exchange_id);
    return exchange === null ? null : marketNamed(exchange, row.pair);
  }).toSorted((a, b) => isListed(b) - isListed(a));
}

function observeMarkets(reply: Static<typeof Markets>, params: Params): readonly ObservationDraft[] {
  return ownMarkets(reply, params)
    .slice(0, MOST_MARKETS)
    .flatMap(({ row, market }) => {
      const of = { scope: marketScope(market), ...dated(row.last_updated) };
      return [
        ...observed('venue_price_usd', positive(row.quotes.USD.price), 'last trade, converted', of),
        ...observed('venue_volume_24h_usd', amount(row.quotes.USD.volume_24h), 'rolling 24 h, converted', of),
      ];
    });
}

export const coinpaprika = defineSource({
  name: 'coinpaprika',
  title: 'CoinPaprika',
  doc: 'https://api.coinpaprika.com',
  family: 'paprika',
  tier: 'aggregator',
  reliability: 0.85,
  bases: { main: 'https://api.coinpaprika.com/v1' },
  key: {
    required: false,
    header: 'authorization',
    baseWithKey: 'https://api-pro.coinpaprika.com/v1',
    adds: 'requests of a paid plan',
    from: 'https://coinpaprika.com/api',
  },
  terms: {
    attribution: { text: 'Data by CoinPaprika', url: 'https://coinpaprika.com' },
    redistribute: false,
    keepBodyDays: 7,
    note: 'free plan: personal use, no redistribution',
  },
  budget: { perMinute: 10, burst: 6, concurrency: 3, shareSeconds: 600 },
  timeoutMs: 8_000,
  chains: chainsOf('coinpaprika'),
  registry: { curated: true, files: 'tokens', order: 3, namesAllPlaces: false, key: 'coinpaprikaId' },
  provides: { market: 6, pools: 8, supply: 3, project_links: 3 },
  endpoints: [
    endpoint({
      name: 'tickers',
      doc: '/tickers?quotes=USD: the ticker of every asset in one reply',
      maxBytes: 16 * 1024 * 1024,
      request: () => ({ path: '/tickers', query: { quotes: 'USD' } }),
      reply: Rows(Ticker),
      list: {
        // CoinPaprika's refresh interval; 20,000 calls a month allow 27 an hour.
        refreshSeconds: 600,
        ...rowsBy('id'),
        standsInFor: 'ticker',
      },
      finds: { by: 'list', of: 'largest', called: 'list of all tickers' },
      records: tickerRecords,
    }),
    endpoint({
      name: 'ticker',
      doc: '/tickers/{id}?quotes=USD, for an asset that the full list does not have',
      critical: true,
      plan: byKey('coinpaprikaId'),
      request: get('/tickers/{id}', { quotes: 'USD' }),
      reply: Ticker,
      about: { param: 'id', named: ({ id }) => id },
      observe: observeTicker,
    }),
    endpoint({
      name: 'coin',
      doc: '/coins/{id}: profile',
      plan: byKey('coinpaprikaId'),
      request: get('/coins/{id}'),
      reply: Coin,
      about: { param: 'id', named: ({ id }) => id },
      finds: { by: 'id', most: 2, called: 'profile' },
      records: coinRecords,
      observe: observeCoin,
    }),
    endpoint({
      name: 'markets',
      doc: '/coins/{id}/markets?quotes=USD: the second registry of the markets of an asset (docs.coinpaprika.com, read 2026-11-23)',
      plan: byKey('coinpaprikaId'),
      request: get('/coins/{id}/markets', { quotes: 'USD' }),
      reply: Markets,
      observe: observeMarkets,
      learn: (reply, params) => learnMarkets('coinpaprika', ownMarkets(reply, params), (row) => row.pair),
    }),
    endpoint({
      name: 'contract',
      doc: '/contracts/{platform}/{address}: ticker shape',
      plan: (facts) => (facts.keys.coinpaprikaId ? [] : tokenOn('coinpaprika')(facts)),
      request: (params) => ({
        path: `/contracts/${chainNameIn(params, 'coinpaprika')}/${encodeURIComponent(String(params.address))}`,
      }),
      reply: Ticker,
      observe: observeTicker,
    }),
    endpoint({
      name: 'search',
      doc: '/search?q=&c=currencies: candidates',
      role: 'identify',
      request: get('/search', { q: '{query}', c: 'currencies', limit: 20 }),
      reply: Search,
      finds: { by: 'name' },
      records: ({ currencies }) => partsOf(Hit, currencies.slice(0, 100)).map((row) => ({ ...named(row), id: row.id })),
    }),
  ],
});
