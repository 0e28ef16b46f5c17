import Type, { type Static } from 'typebox';
import { CHAINS, chainCalled } from '../../chains/index.ts';
import { type Json, type ObservationDraft, OF_ALL_CHAINS, type TokenDraft } from '../../domain/index.ts';
import { coinOf } from '../../registers/index.ts';
import { githubRepo, registrableDomains } from '../links.ts';
import { dated, observed } from '../observations.ts';
import { placeOn } from '../plans.ts';
import {
  amount,
  date,
  FlagOptional,
  fields,
  fieldsOf,
  LooseOptional,
  Maybe,
  num,
  positive,
  TextOptional,
  text,
} from '../read.ts';
import { COPY_NAME, handlesOf, listOf, named, placed, reposOf, sitesOf, sorted, wordsOf } from '../token-records.ts';

/** An amount by currency. */
export const Usd = Maybe(Type.Record(Type.String(), Type.Unknown()));
/** Addresses by CoinGecko's platform id. */
export const Platforms = Maybe(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])));
type PlatformMap = Static<typeof Platforms> | undefined;

/** A wrapped or staked token has only the second one since 2026-02-04 (status.coingecko.com, notice 338751). */
export const RANKS = fields(LooseOptional, 'market_cap_rank', 'market_cap_rank_with_rehypothecated');

/** The rank by market capitalisation; that among all tokens for one that CoinGecko does not rank among the others. */
export function rankOf(row: { readonly [name in keyof typeof RANKS]?: unknown }): unknown {
  return row.market_cap_rank ?? row.market_cap_rank_with_rehypothecated;
}

const Failure = Type.Object({
  error: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Object({ error_code: LooseOptional, error_message: TextOptional })),
});
const Coin = Type.Object({
  ...fields(Type.String(), 'id', 'symbol', 'name'),
  asset_platform_id: TextOptional,
  platforms: Platforms,
  categories: Maybe(Type.Array(Type.Union([Type.String(), Type.Null()]))),
  public_notice: TextOptional,
  genesis_date: TextOptional,
  ...RANKS,
  links: Maybe(Type.Record(Type.String(), Type.Unknown())),
  market_data: Maybe(
    Type.Object({
      ...fields(Usd, 'current_price', 'ath', 'ath_date', 'market_cap'),
      ...fields(Usd, 'fully_diluted_valuation', 'total_volume', 'price_change_percentage_1h_in_currency'),
      ...fields(Usd, 'price_change_percentage_24h_in_currency', 'price_change_percentage_7d_in_currency'),
      price_change_percentage_30d_in_currency: Usd,
      ...fields(LooseOptional, 'price_change_percentage_24h', 'price_change_percentage_7d'),
      ...fields(LooseOptional, 'price_change_percentage_30d', 'total_supply', 'max_supply'),
      max_supply_infinite: FlagOptional,
      circulating_supply: LooseOptional,
      last_updated: TextOptional,
    }),
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

function isCoin(reply: Static<typeof Detail>): reply is CoinReply {
  return 'id' in reply && typeof reply.id === 'string';
}

export function classify(reply: Static<typeof Detail>) {
  if (isCoin(reply)) return { outcome: 'ok' as const };
  const code = num(reply.status?.error_code);
  const message = `${typeof reply.error === 'string' ? reply.error : ''}${reply.status?.error_message ?? ''}`;
  if (code === 429 || /rate limit|throttle/i.test(message))
    return { outcome: 'rate_limited' as const, detail: 'the reply states that the rate limit is reached' };
  if (/not found/i.test(message)) return { outcome: 'not_found' as const };
  return { outcome: 'error_reply' as const, detail: text(message, 160) ?? 'an error inside the reply' };
}

/** The figures that `coin` and a row of the market list have in common. */
export interface Figures {
  readonly price: unknown;
  readonly marketCap: unknown;
  readonly fdv: unknown;
  readonly volume: unknown;
  readonly changes: { readonly hour: unknown; readonly day: unknown; readonly week: unknown; readonly month: unknown };
  readonly circulating: unknown;
  readonly total: unknown;
  /** Reliability of the total supply if it differs from the source's default. */
  readonly totalReliability: number | null;
  readonly max: unknown;
  readonly isUnlimited?: boolean | null | undefined;
  readonly ath: unknown;
  readonly athAt: unknown;
  readonly updatedAt: unknown;
}

/** Observations of market and supply. */
export function figureDrafts(row: Figures): readonly ObservationDraft[] {
  const at = dated(row.updatedAt);
  const volume = 'rolling 24 h, centralised and decentralised venues';
  const total = row.totalReliability === null ? at : { ...at, reliability: row.totalReliability };
  return [
    ...observed('price_usd', positive(row.price), 'volume-weighted over venues', at),
    ...observed('market_cap_usd', positive(row.marketCap), 'price times verified circulating supply', at),
    ...observed('fdv_usd', positive(row.fdv), 'price times maximum, else total supply', at),
    ...observed('volume_24h_usd', amount(row.volume), volume, at),
    ...observed('price_change_1h_pct', num(row.changes.hour), 'rolling 1 h', at),
    ...observed('price_change_24h_pct', num(row.changes.day), 'rolling 24 h', at),
    ...observed('price_change_7d_pct', num(row.changes.week), 'rolling 7 d', at),
    ...observed('price_change_30d_pct', num(row.changes.month), 'rolling 30 d', at),
    ...observed('circulating_supply', positive(row.circulating), 'often submitted by the team', at),
    ...observed('total_supply', positive(row.total), OF_ALL_CHAINS, total),
    ...observed('max_supply', positive(row.max), 'as registered', at),
    ...observed('max_supply_unlimited', row.isUnlimited === true ? true : null),
    ...observed('ath_usd', positive(row.ath), 'highest price that CoinGecko states', at),
    ...observed('ath_at', date(row.athAt)),
  ];
}

const SCOPE = 'registry:coingecko';

/** Name and symbol as the registry has them. */
export function nameDrafts(coin: { readonly name: string; readonly symbol: string }): readonly ObservationDraft[] {
  return [
    ...observed('registry_name', text(coin.name) ?? '', { scope: SCOPE }),
    ...observed('registry_symbol', text(coin.symbol, 32)?.toUpperCase() ?? '', { scope: SCOPE }),
  ];
}

/** Addresses as the registry has them, and on how many chains, covered here or not. */
export function addressDrafts({ platforms }: { readonly platforms?: PlatformMap }): readonly ObservationDraft[] {
  const listed = Object.values(platforms ?? {}).filter((address) => typeof address === 'string' && address !== '');
  return [
    ...observed('registry_addresses', [...addressesOf(platforms)], { scope: SCOPE }),
    ...observed('listed_chains', positive(listed.length), 'chains with an address', { scope: SCOPE }),
  ];
}

/** The rank by market capitalisation. */
export function rankDrafts(rank: unknown, updatedAt: unknown): readonly ObservationDraft[] {
  return observed('registry_rank', positive(rank), 'by market capitalisation', { ...dated(updatedAt), scope: SCOPE });
}

/** A change in dollars; null if no currency has one: the coin is younger than the period, and the number is 0. */
function measured(change: unknown, byCurrency: Static<typeof Usd> | undefined): unknown {
  return byCurrency && Object.keys(byCurrency).length === 0 ? null : change;
}

export function observeCoin(reply: Static<typeof Detail>): readonly ObservationDraft[] {
  if (!isCoin(reply)) return [];
  const market = reply.market_data;
  const scope = SCOPE;
  return [
    ...figureDrafts({
      price: market?.current_price?.usd,
      marketCap: market?.market_cap?.usd,
      fdv: market?.fully_diluted_valuation?.usd,
      volume: market?.total_volume?.usd,
      changes: {
        hour: market?.price_change_percentage_1h_in_currency?.usd,
        day: measured(market?.price_change_percentage_24h, market?.price_change_percentage_24h_in_currency),
        week: measured(market?.price_change_percentage_7d, market?.price_change_percentage_7d_in_currency),
        month: measured(market?.price_change_percentage_30d, market?.price_change_percentage_30d_in_currency),
      },
      circulating: market?.circulating_supply,
      total: market?.total_supply,
      totalReliability: addressesOf(reply.platforms).length > 1 ? 0.6 : null,
      max: market?.max_supply,
      isUnlimited: market?.max_supply_infinite,
      ath: market?.ath?.usd,
      athAt: market?.ath_date?.usd,
      updatedAt: market?.last_updated,
    }),
    // The launch date of a chain, not the date of the first trade of its coin; for a token, some date of its project.
    ...observed(
      'token_created_at',
      reply.asset_platform_id || addressesOf(reply.platforms).length > 0 ? null : date(reply.genesis_date),
      'genesis_date of the chain',
      { reliability: 0.6 },
    ),
    ...nameDrafts(reply),
    ...observed('registry_domains', [...registrableDomains(listOf(reply.links?.homepage))], { scope }),
    ...observed('registry_socials', [...socialsOf(reply)], { scope }),
    ...addressDrafts(reply),
    ...rankDrafts(rankOf(reply), market?.last_updated),
    ...observed('categories', [...wordsOf(reply.categories ?? [], Number.POSITIVE_INFINITY)]),
    ...observed('public_notice', reply.public_notice ? (text(reply.public_notice, 400) ?? '') : null, { scope }),
  ];
}

export function learnCoin(reply: Static<typeof Detail>): Record<string, Json> {
  if (!isCoin(reply)) return {};
  const repos = githubUrls(reply)
    .map(githubRepo)
    .filter((repo) => repo !== null);
  return { 'coingecko.githubRepos': repos.slice(0, 5), 'coingecko.id': reply.id };
}

/** Repositories as the coin's page lists them. */
function githubUrls(coin: CoinReply): readonly unknown[] {
  return listOf(fieldsOf(coin.links?.repos_url).github);
}

function socialsOf(coin: CoinReply): readonly { kind: string; handle: string }[] {
  const x = text(coin.links?.twitter_screen_name, 40)?.toLowerCase();
  const telegram = text(coin.links?.telegram_channel_identifier, 64)?.toLowerCase();
  return [...(x ? [{ kind: 'x', handle: x }] : []), ...(telegram ? [{ kind: 'telegram', handle: telegram }] : [])];
}

/** Addresses of the coin on supported chains. */
export function addressesOf(platforms: PlatformMap): readonly { chain: string; address: string }[] {
  return Object.entries(platforms ?? {})
    .map(([platform, address]) => placeOn('coingecko', platform, address))
    .filter((place) => place !== null)
    .sort((a, b) => (a.chain < b.chain ? -1 : 1));
}

// Words that CoinGecko uses for copies of another token, in categories and ids.
const COPY_CATEGORY = /bridged|wrapped/i;
export const COPY_ID = /(^|-)(bridged|wrapped|wormhole|axelar|multichain|anyswap|layerzero-bridged)(-|$)/;
const MOST_PLATFORMS = 60;

/** `/coins/{id}` and `/coins/{platform}/contract/{address}`. */
export function coinRecords(reply: Static<typeof Detail>): readonly TokenDraft[] {
  const id = isCoin(reply) ? text(reply.id, 120) : null;
  if (!isCoin(reply) || id === null) return [];
  const words = named({ name: reply.name, symbol: reply.symbol, rank: rankOf(reply) });
  const categories = reply.categories ?? [];
  return [
    {
      ...words,
      ...sitesOf(reply.links?.homepage),
      id,
      socials: handlesOf(socialsOf(reply)),
      categories: wordsOf(categories),
      addresses: sorted(placesOf(reply.platforms)),
      home: chainNameOf(reply.asset_platform_id),
      nativeOf: nativeOf(id),
      coin: coinOf(id),
      copy:
        categories.slice(0, 50).some((word) => word !== null && COPY_CATEGORY.test(word)) ||
        COPY_ID.test(id) ||
        COPY_NAME.test(words.name ?? ''),
      repos: reposOf(githubUrls(reply)),
      since: date(reply.genesis_date),
    },
  ];
}

export function placesOf(platforms: PlatformMap) {
  return Object.entries(platforms ?? {})
    .slice(0, MOST_PLATFORMS)
    .map(([platform, address]) => placed(chainCalled('coingecko', platform), address));
}

export function chainNameOf(platform: string | null | undefined): string | null {
  return chainCalled('coingecko', platform)?.name ?? null;
}

export function nativeOf(id: string): string | null {
  return CHAINS.find((row) => row.native.coingeckoId === id)?.name ?? null;
}
