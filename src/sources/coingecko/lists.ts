import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { amount, date, num, positive, text } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { addressesOf, dated, of } from './observed.ts';
import { ListRow, listRecords, MarketRow, marketRecords } from './records.ts';

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

/** Lists of all coins, which stand in for questions about one (docs/decisions/0028-lists-and-budgets.md). */
export const lists: readonly Endpoint[] = [
  endpoint({
    name: 'coins_list',
    doc: '/coins/list?include_platform=true: id, name, symbol and addresses of every coin; several megabytes, changes slowly',
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
    finds: { by: 'list', of: 'all', called: 'list of all coins' },
    records: listRecords,
    observe: (reply, params) => reply.filter((row) => row.id === params.id).flatMap(observeListRow),
  }),
  endpoint({
    name: 'markets',
    doc: '/coins/markets: price, volume, capitalisation and supply of 250 coins a page; fields checked against the OpenAPI description',
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
    finds: { by: 'list', of: 'figures', called: 'list of markets' },
    records: marketRecords,
    observe: (reply, params) => reply.filter((row) => row.id === params.id).flatMap(observeMarket),
    learn: (reply, params): Record<string, Json> =>
      reply.some((row) => row.id === params.id && positive(row.current_price) !== null)
        ? { 'coingecko.market': true }
        : {},
  }),
];
