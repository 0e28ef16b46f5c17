import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { amount, date, githubRepo, Loose, num, positive, registrableDomains, TextOptional, text } from '../read.ts';
import { addressesOf, dated, of, Platforms, Usd } from './observed.ts';

const Failure = Type.Object({
  error: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Object({ error_code: Type.Optional(Loose), error_message: TextOptional })),
});
const Coin = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  asset_platform_id: TextOptional,
  platforms: Platforms,
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
export const Detail = Type.Union([Coin, Failure]);
export const DETAIL = {
  localization: false,
  tickers: false,
  market_data: true,
  community_data: false,
  developer_data: false,
};

export function isCoin(reply: Static<typeof Detail>): reply is CoinReply {
  return 'id' in reply && typeof reply.id === 'string';
}

export function classify(reply: Static<typeof Detail>) {
  if (isCoin(reply)) return { outcome: 'ok' as const };
  const code = num(reply.status?.error_code);
  const message = `${typeof reply.error === 'string' ? reply.error : ''}${reply.status?.error_message ?? ''}`;
  if (code === 429 || /rate limit|throttle/i.test(message))
    return { outcome: 'rate_limited' as const, detail: 'the reply says the rate limit is reached' };
  if (/not found/i.test(message)) return { outcome: 'not_found' as const };
  return { outcome: 'error_reply' as const, detail: text(message, 160) ?? 'an error inside the reply' };
}

export function observeCoin(reply: Static<typeof Detail>): readonly ObservationDraft[] {
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

export function learnCoin(reply: Static<typeof Detail>): Record<string, Json> {
  if (!isCoin(reply)) return {};
  const repos = list(githubUrls(reply))
    .map(githubRepo)
    .filter((repo) => repo !== null);
  return { 'coingecko.githubRepos': repos.slice(0, 5), 'coingecko.id': reply.id };
}

/** Repositories as the coin's page lists them. */
export function githubUrls(coin: CoinReply): unknown {
  return (coin.links?.repos_url as { github?: unknown } | null | undefined)?.github;
}

export function socialsOf(coin: CoinReply): readonly { kind: string; handle: string }[] {
  const x = text(coin.links?.twitter_screen_name, 40)?.toLowerCase();
  const telegram = text(coin.links?.telegram_channel_identifier, 64)?.toLowerCase();
  return [...(x ? [{ kind: 'x', handle: x }] : []), ...(telegram ? [{ kind: 'telegram', handle: telegram }] : [])];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
