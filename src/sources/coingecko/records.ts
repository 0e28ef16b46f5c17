import Type, { type Static } from 'typebox';
import { CHAINS, chainCalled } from '../../chains/index.ts';
import type { TokenDraft } from '../../domain/index.ts';
import { date, Loose, positive, TextOptional, text } from '../read.ts';
import { COPY_NAME, handlesOf, listOf, named, placed, reposOf, sitesOf, sorted, wordsOf } from '../token-records.ts';
import { type Detail, githubUrls, isCoin, socialsOf } from './coin.ts';
import { Platforms } from './observed.ts';

export const ListRow = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  platforms: Platforms,
});

export const MarketRow = Type.Object({
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

/** `/search`. */
export const Search = Type.Object({
  coins: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      symbol: Type.String(),
      market_cap_rank: Type.Optional(Loose),
    }),
  ),
});

// Words that CoinGecko uses for copies of another token, in categories and ids.
const COPY_CATEGORY = /bridged|wrapped/i;
const COPY_ID = /(^|-)(bridged|wrapped|wormhole|axelar|multichain|anyswap|layerzero-bridged)(-|$)/;
const MOST_PLATFORMS = 60;
const MOST_HITS = 100;

/** `/coins/{id}` and `/coins/{platform}/contract/{address}`. */
export function coinRecords(reply: Static<typeof Detail>): readonly TokenDraft[] {
  const id = isCoin(reply) ? text(reply.id, 120) : null;
  if (!isCoin(reply) || id === null) return [];
  const words = named({ name: reply.name, symbol: reply.symbol, rank: reply.market_cap_rank });
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
      copy:
        categories.slice(0, 50).some((word) => word !== null && COPY_CATEGORY.test(word)) ||
        COPY_ID.test(id) ||
        COPY_NAME.test(words.name ?? ''),
      repos: reposOf(listOf(githubUrls(reply))),
      since: date(reply.genesis_date),
    },
  ];
}

/** `/search`. */
export function searchRecords(reply: Static<typeof Search>): readonly TokenDraft[] {
  return reply.coins
    .slice(0, MOST_HITS)
    .map(({ id, name, symbol, market_cap_rank: rank }) => ({ id, ...named({ name, symbol, rank }) }));
}

/** `/coins/list`: the first platform of a row is the one that the coin's own page calls its home. */
export function listRecords(rows: readonly Static<typeof ListRow>[]): readonly TokenDraft[] {
  return rows.map((row) => {
    const words = named({ name: row.name, symbol: row.symbol });
    return {
      ...words,
      id: row.id,
      addresses: sorted(placesOf(row.platforms)),
      home: chainNameOf(Object.keys(row.platforms ?? {})[0]),
      nativeOf: nativeOf(row.id),
      copy: COPY_ID.test(row.id) || COPY_NAME.test(words.name ?? ''),
    };
  });
}

/** `/coins/markets`. */
export function marketRecords(rows: readonly Static<typeof MarketRow>[]): readonly TokenDraft[] {
  return rows.map(({ id, name, symbol, market_cap_rank: rank, current_price: price }) => ({
    ...named({ name, symbol, rank }),
    id,
    priceUsd: positive(price),
  }));
}

function placesOf(platforms: Readonly<Record<string, string | null>> | null | undefined) {
  return Object.entries(platforms ?? {})
    .slice(0, MOST_PLATFORMS)
    .map(([platform, address]) => placed(chainCalled('coingecko', platform), address));
}

function chainNameOf(platform: string | null | undefined): string | null {
  return chainCalled('coingecko', platform)?.name ?? null;
}

function nativeOf(id: string): string | null {
  return CHAINS.find((row) => row.native.coingeckoId === id)?.name ?? null;
}
