import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { exchangeCalled, isDollar, type Market, marketOf, marketScope, tellersOf } from '../../domain/index.ts';
import { amount, date, Loose, positive, TextOptional } from '../read.ts';
import type { Params } from '../source.ts';
import { of, Usd } from './observed.ts';

export const Tickers = Type.Object({
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
const ASKED: ReadonlySet<string> = new Set(tellersOf('own_markets'));

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

export function observeTickers(reply: TickersReply, params: Params): readonly ObservationDraft[] {
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
export function learnTickers(reply: TickersReply, params: Params): Record<string, Json> {
  const pairs = ownMarkets(reply, params)
    .filter(({ market }) => ASKED.has(market.exchange) && isDollar(market.quote))
    .sort((a, b) => (amount(b.row.converted_volume?.usd) ?? 0) - (amount(a.row.converted_volume?.usd) ?? 0))
    .map(({ row, market }) => ({
      venue: market.exchange,
      symbol: `${row.base}${market.exchange === 'binance' ? '' : '-'}${row.target}`,
    }));
  return pairs.length > 0 ? { 'coingecko.cexPairs': pairs } : {};
}
