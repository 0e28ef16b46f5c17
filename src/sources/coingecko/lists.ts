import Type, { type Static } from 'typebox';
import type { TokenDraft } from '../../domain/index.ts';
import { coinOf } from '../../registers/index.ts';
import { byKey } from '../plans.ts';
import { fields, fieldsOf, LooseOptional, positive, Rows, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import { type Endpoint, endpoint, fact, rowsBy } from '../source.ts';
import { COPY_NAME, named, part, partsOf, sorted } from '../token-records.ts';
import {
  addressDrafts,
  addressesOf,
  COPY_ID,
  chainNameOf,
  figureDrafts,
  nameDrafts,
  nativeOf,
  Platforms,
  placesOf,
  RANKS,
  rankDrafts,
  rankOf,
} from './coin.ts';

const ListRow = Type.Object({
  ...fields(Type.String(), 'id', 'symbol', 'name'),
  platforms: Platforms,
});

const MarketRow = Type.Object({
  ...fields(Type.String(), 'id', 'symbol', 'name'),
  ...RANKS,
  ...fields(LooseOptional, 'current_price', 'market_cap', 'fully_diluted_valuation'),
  ...fields(LooseOptional, 'total_volume', 'price_change_percentage_24h', 'price_change_percentage_1h_in_currency'),
  ...fields(LooseOptional, 'price_change_percentage_7d_in_currency', 'price_change_percentage_30d_in_currency'),
  ...fields(LooseOptional, 'circulating_supply', 'total_supply', 'max_supply', 'ath'),
  ath_date: TextOptional,
  last_updated: TextOptional,
});

/** The first platform of a row is the coin's home chain on its CoinGecko page. */
function listRecords(rows: readonly unknown[]): readonly TokenDraft[] {
  return partsOf(ListRow, rows).map((row) => {
    const words = named({ name: row.name, symbol: row.symbol });
    return {
      ...words,
      id: row.id,
      addresses: sorted(placesOf(row.platforms)),
      home: chainNameOf(Object.keys(row.platforms ?? {})[0]),
      nativeOf: nativeOf(row.id),
      coin: coinOf(row.id),
      copy: COPY_ID.test(row.id) || COPY_NAME.test(words.name ?? ''),
    };
  });
}

function marketRecords(rows: readonly unknown[]): readonly TokenDraft[] {
  return partsOf(MarketRow, rows).map((row) => ({
    ...named({ name: row.name, symbol: row.symbol, rank: rankOf(row) }),
    id: row.id,
    priceUsd: positive(row.current_price),
  }));
}

/** A row of the market list has the market and supply fields of `coin`, but no profile or categories. */
function observeMarket(row: Static<typeof MarketRow>) {
  const figures = figureDrafts({
    price: row.current_price,
    marketCap: row.market_cap,
    fdv: row.fully_diluted_valuation,
    volume: row.total_volume,
    changes: {
      hour: row.price_change_percentage_1h_in_currency,
      day: row.price_change_percentage_24h,
      week: row.price_change_percentage_7d_in_currency,
      month: row.price_change_percentage_30d_in_currency,
    },
    circulating: row.circulating_supply,
    total: row.total_supply,
    totalReliability: 0.6,
    max: row.max_supply,
    ath: row.ath,
    athAt: row.ath_date,
    updatedAt: row.last_updated,
  });
  return [...figures, ...rankDrafts(rankOf(row), row.last_updated)];
}

/** Pages of 250 coins by market capitalisation. More pages would spend a budget of five requests a minute on coins that are rarely requested. */
const MARKET_PAGES = [1, 2, 3, 4];
const FULLER_ENDPOINTS = ['coin', 'contract'];

/** The valid rows of one coin. */
function rowsWith<Schema extends typeof ListRow | typeof MarketRow>(
  schema: Schema,
  rows: readonly unknown[],
  id: unknown,
): readonly Static<Schema>[] {
  const own = rows.filter((row) => fieldsOf(row).id === id);
  return partsOf(schema, own);
}

/** Lists of all coins, which replace requests about one (docs/decisions/0028-lists-and-budgets.md). */
export const lists: readonly Endpoint[] = [
  endpoint({
    name: 'coins_list',
    doc: '/coins/list?include_platform=true: id, name, symbol and addresses of every coin; several megabytes, changes slowly',
    maxBytes: 24 * 1024 * 1024,
    plan: byKey('coingeckoId'),
    request: () => ({ path: '/coins/list', query: { include_platform: true } }),
    reply: Rows(ListRow),
    list: {
      ...rowsBy('id'),
      refreshSeconds: 6 * 3_600,
      keysOf: (row) => {
        const { id, platforms } = part(ListRow, row) ?? {};
        return id === undefined
          ? []
          : [id, ...addressesOf(platforms).map(({ chain, address }) => `${chain}:${address}`)];
      },
      insteadOf: FULLER_ENDPOINTS,
    },
    finds: { by: 'list', of: 'all', called: 'list of all coins' },
    records: listRecords,
    observe: (reply, params) =>
      rowsWith(ListRow, reply, params.id).flatMap((row) => [...nameDrafts(row), ...addressDrafts(row)]),
  }),
  endpoint({
    name: 'markets',
    doc: '/coins/markets: price, volume, capitalisation and supply of 250 coins a page; fields checked against the OpenAPI description',
    maxBytes: 4 * 1024 * 1024,
    plan: byKey('coingeckoId'),
    request: (params) => ({
      path: '/coins/markets',
      query: {
        vs_currency: 'usd',
        order: 'market_cap_desc',
        per_page: 250,
        page: Number(params.page ?? 1),
        price_change_percentage: '1h,7d,30d',
        // Wrapped and staked tokens are left out by default since 2026-02-04.
        include_rehypothecated: true,
      },
    }),
    reply: Rows(MarketRow),
    list: {
      ...rowsBy('id'),
      pages: MARKET_PAGES.map((page) => ({ page })),
      refreshSeconds: 600,
      insteadOf: FULLER_ENDPOINTS,
    },
    finds: { by: 'list', of: 'figures', called: 'list of markets' },
    records: marketRecords,
    observe: (reply, params) => rowsWith(MarketRow, reply, params.id).flatMap(observeMarket),
    learn: (reply, { id }) =>
      fact(
        'coingecko.market',
        rowsWith(MarketRow, reply, id).some((row) => positive(row.current_price) !== null) || null,
      ),
  }),
  endpoint({
    name: 'meme_markets',
    doc: '/coins/markets?category=meme-token: the 250 largest memecoins, shared by all jobs; the peers are taken from it',
    maxBytes: 4 * 1024 * 1024,
    request: get('/coins/markets', {
      vs_currency: 'usd',
      category: 'meme-token',
      order: 'market_cap_desc',
      per_page: 250,
      page: 1,
    }),
    reply: Rows(MarketRow),
    list: { ...rowsBy('id'), refreshSeconds: 6 * 3_600 },
  }),
];
