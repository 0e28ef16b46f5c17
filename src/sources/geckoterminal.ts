import Type, { type Static } from 'typebox';
import { CHAINS, type Chain, chainsOf, isTradedPair } from '../chains/index.ts';
import { DAY_MS, type Json, type ObservationDraft, poolScope, type TokenDraft } from '../domain/index.ts';
import { registrableDomains } from './links.ts';
import {
  dated,
  datedIfEnded,
  feeRate,
  isTraded,
  lateShare,
  observed,
  type PoolSales,
  poolKind,
  poolObservations,
} from './observations.ts';
import { chainNameIn, largestPools, tokenOn } from './plans.ts';
import { dailyCloses, lastingFall, volatilityDrafts } from './price-history.ts';
import {
  amount,
  date,
  fields,
  flag,
  Loose,
  LooseOptional,
  Maybe,
  num,
  positive,
  Rows,
  share,
  TextOptional,
  text,
} from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params, type ReplyMeta } from './source.ts';
import { atLeastZero, byPlace, listOf, named, part, partsOf, placed } from './token-records.ts';

/**
 * GeckoTerminal v2: CoinGecko's index of DEX pools, keyless, JSON:API with decimals as strings.
 *
 * Lineage: pool reads are its own (family `geckoterminal`); market capitalisation and coin ids are CoinGecko's (family
 * `coingecko`). Terms: attribution. Limits: 30 a minute documented, frequent 429 reported: we make 10, at most 6 at once.
 * Quirks: `market_cap_usd` is null unless verified and is never replaced by fdv; the requested token may be the quote of a
 * pool; some pools have a large reserve but only nine trades a day. Checked against the OpenAPI description and one recording.
 */
const Bag = Maybe(Type.Record(Type.String(), Type.Unknown()));
const Attributes = Type.Object({
  address: Type.String(),
  name: TextOptional,
  symbol: TextOptional,
  decimals: LooseOptional,
});
const Token = Type.Object({
  data: Type.Object({
    attributes: Type.Object({
      ...Attributes.properties,
      ...fields(LooseOptional, 'normalized_total_supply', 'price_usd', 'fdv_usd', 'total_reserve_in_usd'),
      volume_usd: Bag,
      market_cap_usd: LooseOptional,
    }),
  }),
});
const Info = Type.Object({
  data: Type.Object({
    attributes: Type.Object({
      ...Attributes.properties,
      websites: Maybe(Type.Array(Type.Unknown())),
      twitter_handle: TextOptional,
      telegram_handle: TextOptional,
      categories: Maybe(Type.Array(Type.Unknown())),
      holders: Maybe(Type.Object({ count: LooseOptional, distribution_percentage: Bag, last_updated: TextOptional })),
      mint_authority: TextOptional,
      freeze_authority: TextOptional,
      is_honeypot: Type.Optional(Type.Unknown()),
      developer_address: TextOptional,
      developer_holding_percentage: LooseOptional,
    }),
  }),
});
const Related = Type.Optional(Type.Object({ data: Maybe(Type.Object({ id: Type.String() })) }));
const PoolRow = Type.Object({
  attributes: Type.Object({
    address: Type.String(),
    name: TextOptional,
    pool_fee_percentage: LooseOptional,
    pool_created_at: TextOptional,
    ...fields(LooseOptional, 'base_token_price_usd', 'quote_token_price_usd'),
    ...fields(LooseOptional, 'reserve_in_usd', 'locked_liquidity_percentage'),
    ...fields(Bag, 'volume_usd', 'transactions', 'price_change_percentage'),
  }),
  relationships: Type.Optional(Type.Object({ base_token: Related, quote_token: Related, dex: Related })),
});
const Pools = Type.Object({ data: Rows(PoolRow), included: Type.Optional(Type.Unknown()) });
const Included = Type.Object({
  id: Type.String(),
  attributes: Type.Optional(
    Type.Object({ name: Type.Optional(Type.Unknown()), symbol: Type.Optional(Type.Unknown()) }),
  ),
});
const chainOf = (params: Params): Chain | undefined => CHAINS.find((row) => row.name === params.chain);

function observeToken(reply: Static<typeof Token>): readonly ObservationDraft[] {
  const row = reply.data.attributes;
  const cap = positive(row.market_cap_usd);
  const diluted = positive(row.fdv_usd);
  return [
    ...observed('price_usd', positive(row.price_usd), { meaning: 'DEX pools only' }),
    // This is price times the supply on this chain; if it is below the market cap, it is not the asset's fully diluted value.
    ...observed('fdv_usd', diluted !== null && (cap ?? 0) <= diluted ? diluted : null),
    ...observed('liquidity_one_sided_usd', positive(row.total_reserve_in_usd), {
      meaning: 'the side of this token in all pools that the source indexes',
    }),
    ...observed('volume_24h_dex_usd', amount(row.volume_usd?.h24), { meaning: 'rolling 24 h, DEX only' }),
    ...observed('market_cap_usd', cap, {
      family: 'coingecko',
      meaning: 'CoinGecko’s verified circulating supply',
    }),
    ...observed('total_supply', positive(row.normalized_total_supply), { meaning: 'on this chain' }),
    ...observed('decimals', num(row.decimals)),
  ];
}

function observeInfo(reply: Static<typeof Info>, params: Params): readonly ObservationDraft[] {
  const row = reply.data.attributes;
  // Only a mint of Solana has these two authorities. A contract without them may mint or freeze all the same.
  const hasAuthorities = chainOf(params)?.kind === 'solana';
  const stateOf = (told: unknown) => (hasAuthorities && told === 'no' ? 'none' : null);
  const scope = 'registry:geckoterminal';
  const socials = [
    ...(text(row.twitter_handle, 40)
      ? [{ kind: 'x', handle: String(text(row.twitter_handle, 40)).toLowerCase() }]
      : []),
    ...(text(row.telegram_handle, 64)
      ? [{ kind: 'telegram', handle: String(text(row.telegram_handle, 64)).toLowerCase() }]
      : []),
  ];
  const at = dated(row.holders?.last_updated);
  return [
    ...observed('holder_count', positive(row.holders?.count), { meaning: 'holders as the index counts them', ...at }),
    ...observed('top10_share', share(row.holders?.distribution_percentage?.top_10, 100), {
      meaning: 'unadjusted, pools among them',
      ...at,
    }),
    ...observed('mint_authority_state', stateOf(row.mint_authority)),
    ...observed('freeze_authority_state', stateOf(row.freeze_authority)),
    ...observed('honeypot', flag(row.is_honeypot)),
    ...observed('creator_address', text(row.developer_address, 80)),
    ...observed('creator_share', share(row.developer_holding_percentage, 100)),
    // Websites may be self-declared: they help to find a token and prove nothing.
    ...observed('registry_domains', [...registrableDomains(row.websites ?? [])], {
      scope,
      tier: 'self_reported',
      reliability: 0.4,
    }),
    ...observed('registry_socials', socials, { scope, tier: 'self_reported', reliability: 0.4 }),
    ...observed(
      'categories',
      (row.categories ?? []).map((word) => text(word, 60)).filter((word) => word !== null),
      { reliability: 0.6 },
    ),
  ];
}

/**
 * `/networks/{n}/tokens/multi/{addresses}`: up to 30 addresses (50 with a paid plan). Rows have the attributes of the single
 * reply, but name only the first pool; pools are not read from them. Unknown addresses are omitted without an error. Checked
 * against docs.coingecko.com, "Tokens Data by Token Addresses" (the same API with a key).
 */
const MOST_TOKENS = 30;

const about = {
  param: 'address',
  named: (reply: { readonly data: { readonly attributes: { readonly address?: string | null } } }) =>
    reply.data.attributes.address,
};

function tokenRow(reply: unknown, params: Params): unknown {
  const rows = (reply as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(rows)) return null;
  // Only EVM addresses are case-insensitive.
  const form = (address: string) => (chainOf(params)?.kind === 'evm' ? address.toLowerCase() : address);
  const wanted = form(String(params.address));
  const row = (rows as readonly unknown[]).find((one) => {
    const address = (one as { readonly attributes?: { readonly address?: unknown } } | null)?.attributes?.address;
    return typeof address === 'string' && form(address) === wanted;
  });
  return row === undefined ? null : { data: row };
}

/** Ids are `{network}_{address}`; network ids may contain `_`. */
function addressIn(id: string | undefined, chain: Chain | undefined): string {
  const prefix = `${chain?.names.geckoterminal ?? ''}_`;
  return id?.startsWith(prefix) ? id.slice(prefix.length) : '';
}

function observePools(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  const chain = chainOf(params);
  const wanted = String(params.address).toLowerCase();
  const drafts: ObservationDraft[] = [];
  let buyers = 0;
  let [buys, sells] = [0, 0];
  const sales: PoolSales[] = [];
  for (const { attributes: row, relationships } of partsOf(PoolRow, reply.data)) {
    const base = addressIn(relationships?.base_token?.data?.id, chain);
    const quote = addressIn(relationships?.quote_token?.data?.id, chain);
    const isBase = base.toLowerCase() === wanted;
    if (!isBase && quote.toLowerCase() !== wanted) continue;
    const dex = text(relationships?.dex?.data?.id, 80);
    const counter = text(isBase ? quote : base, 80);
    const pool = { chain: params.chain, asset: params.address, counter };
    drafts.push(
      ...poolObservations({
        ...pool,
        address: row.address,
        dex,
        kind: poolKind(dex),
        priceUsd: positive(isBase ? row.base_token_price_usd : row.quote_token_price_usd),
        liquidityUsd: amount(row.reserve_in_usd),
        volumeUsd: amount(row.volume_usd?.h24),
        feeRate: feeRate(row.pool_fee_percentage, 100),
        createdAt: date(row.pool_created_at),
        lockedShare: share(row.locked_liquidity_percentage, 100),
      }),
    );
    if (!isTraded(pool)) continue;
    const [day, late] = [row.transactions?.h24, row.transactions?.h6].map(
      (window) => (window ?? {}) as Readonly<Record<string, unknown>>,
    );
    buyers += (num(day?.buyers) ?? 0) + (num(day?.sellers) ?? 0);
    // A purchase of the base token is a sale of its counter token.
    const [bought, sold] = isBase ? (['buys', 'sells'] as const) : (['sells', 'buys'] as const);
    buys += num(day?.[bought]) ?? 0;
    sells += num(day?.[sold]) ?? 0;
    sales.push({ day: num(day?.[sold]), late: num(late?.[sold]) });
  }
  if (sales.length > 0) {
    drafts.push(
      ...observed('trades_24h', buys + sells, { meaning: 'swaps over the pools listed with a trusted counter token' }),
      // Pools without counted trades say nothing about purchases or sales.
      ...observed('buys_24h', buys + sells > 0 ? buys : null, {
        meaning: 'purchases over the pools listed with a trusted counter token',
      }),
      ...observed('sells_24h', buys + sells > 0 ? sells : null, {
        meaning: 'sales over the pools listed with a trusted counter token',
      }),
      ...observed('sells_6h_share', lateShare(sales), {
        meaning: 'late sales over the day’s, over the pools listed with a trusted counter token',
      }),
    );
    // Buyers and sellers are counted by pool and side, so one wallet may count several times.
    drafts.push(
      ...observed('traders_24h', buyers > 0 ? buyers : null, {
        meaning: 'buyers and sellers per pool, an upper bound of wallets',
        reliability: 0.6,
      }),
    );
  }
  return drafts;
}

/** If the deepest pool is younger than this, it may have been opened to hide the chart of an older pool. */
const YOUNG_POOL_DAYS = 30;

/** The oldest pool, if the deepest pool is young and was opened at least a day later. */
function olderPool(reply: Static<typeof Pools>, deepest: string, now: number): string | null {
  const pools = partsOf(PoolRow, reply.data).flatMap(({ attributes: row }) => {
    const at = Date.parse(date(row.pool_created_at) ?? '');
    return Number.isNaN(at) ? [] : [{ address: row.address, at }];
  });
  const top = pools.find((pool) => pool.address === deepest);
  const oldest = pools.reduce<(typeof pools)[number] | null>(
    (first, pool) => (first === null || pool.at < first.at ? pool : first),
    null,
  );
  if (top === undefined || oldest === null || now - top.at >= YOUNG_POOL_DAYS * DAY_MS) return null;
  return top.at - oldest.at >= DAY_MS ? oldest.address : null;
}

function learnPools(reply: Static<typeof Pools>, params: Params, meta: ReplyMeta): Record<string, Json> {
  const chain = chainOf(params);
  const rows = partsOf(PoolRow, reply.data).map(({ attributes: row, relationships }) => {
    const sides = [relationships?.base_token, relationships?.quote_token].map((side) =>
      addressIn(side?.data?.id, chain),
    );
    const counts = isTradedPair(String(params.chain), String(params.address), sides);
    return { address: row.address, usd: counts ? amount(row.reserve_in_usd) : null };
  });
  const best = rows.filter(({ usd }) => usd !== null).sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0))[0];
  const pools = rows.map(({ address, usd }) => ({ address, liquidityUsd: usd }));
  const top = best?.address ?? null;
  const older = top === null ? null : olderPool(reply, top, Date.parse(meta.fetchedAt));
  return {
    ...(top === null ? {} : { 'geckoterminal.topPool': top.slice(0, 100) }),
    ...(older === null ? {} : { 'geckoterminal.olderPool': older.slice(0, 100) }),
    ...largestPools('geckoterminal', pools),
  };
}

const CandleSide = Maybe(Type.Object({ address: TextOptional }));
const Candles = Type.Object({
  data: Type.Object({ attributes: Type.Object({ ohlcv_list: Type.Array(Type.Array(Loose)) }) }),
  meta: Maybe(Type.Object({ base: CandleSide, quote: CandleSide })),
});

/** False if the reply names the tokens of its pool and the requested token is not among them. */
function isOfPool({ meta }: Static<typeof Candles>, { address }: Params): boolean {
  const sides = [meta?.base?.address, meta?.quote?.address].filter((side) => typeof side === 'string');
  return sides.length === 0 || sides.some((side) => side.toLowerCase() === String(address).toLowerCase());
}
const token = tokenOn('geckoterminal');
const headers = { accept: 'application/json;version=20230302' };
const path = (params: Params, rest = '') =>
  `/networks/${chainNameIn(params, 'geckoterminal')}/tokens/${encodeURIComponent(String(params.address))}${rest}`;

/** Tokens in a reply of the pool search (JSON:API: tokens are in `included`, ids are `<network>_<address>`). */
function searchRecords(reply: Static<typeof Pools>): readonly TokenDraft[] {
  const tokens = new Map(
    listOf(reply.included, 100)
      .flatMap((row) => part(Included, row) ?? [])
      .map((row) => [row.id, row.attributes]),
  );
  return byPlace(
    partsOf(PoolRow, reply.data.slice(0, 40)).map(({ attributes, relationships }) => {
      const id = relationships?.base_token?.data?.id ?? '';
      const [chain] = CHAINS.filter(
        ({ names }) => names.geckoterminal !== null && id.startsWith(`${names.geckoterminal}_`),
      ).sort((a, b) => (b.names.geckoterminal ?? '').length - (a.names.geckoterminal ?? '').length);
      const place = chain ? placed(chain, addressIn(id, chain)) : null;
      const token = tokens.get(id);
      return place === null
        ? null
        : {
            ...named({ name: token?.name, symbol: token?.symbol, since: attributes.pool_created_at }),
            addresses: [place],
            liquidityUsd: atLeastZero(attributes.reserve_in_usd),
          };
    }),
  );
}

export const geckoterminal = defineSource({
  name: 'geckoterminal',
  title: 'GeckoTerminal',
  doc: 'https://apiguide.geckoterminal.com',
  family: 'geckoterminal',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://api.geckoterminal.com/api/v2' },
  terms: {
    attribution: { text: 'On-chain data provided by GeckoTerminal', url: 'https://www.geckoterminal.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'attribution under the CoinGecko brand guide',
  },
  budget: { perMinute: 10, burst: 6, concurrency: 4, shareSeconds: 120 },
  timeoutMs: 8_000,
  chains: chainsOf('geckoterminal'),
  registry: { curated: false, files: 'tokens', order: 5, namesAllPlaces: false, key: null },
  provides: { market: 4, quote_prices: 3, pools: 2, holdings: 7, names: 4, market_figures: 2, traders: 1, holders: 5 },
  endpoints: [
    endpoint({
      name: 'token',
      doc: '/networks/{n}/tokens/{address}; those that wait for their turn together: /networks/{n}/tokens/multi/{addresses}',
      critical: true,
      plan: token,
      request: (params) => ({ path: path(params), headers }),
      reply: Token,
      about,
      batch: {
        most: MOST_TOKENS,
        groupOf: (params) => chainOf(params)?.names.geckoterminal ?? null,
        path: (calls) =>
          path(
            { chain: calls[0]?.chain ?? null, address: 'multi' },
            `/${calls.map(({ address }) => encodeURIComponent(String(address))).join(',')}`,
          ),
        rowOf: tokenRow,
      },
      observe: observeToken,
    }),
    endpoint({
      name: 'token_pools',
      doc: '/networks/{n}/tokens/{address}/pools, first page of 20',
      critical: true,
      plan: token,
      request: (params) => ({
        path: path(params, '/pools'),
        query: { include: 'base_token,quote_token,dex', page: 1 },
        headers,
      }),
      reply: Pools,
      observe: observePools,
      learn: learnPools,
    }),
    endpoint({
      name: 'token_info',
      doc: '/networks/{n}/tokens/{address}/info: holders, authorities, profile',
      plan: token,
      request: (params) => ({ path: path(params, '/info'), headers }),
      reply: Info,
      about,
      observe: observeInfo,
    }),
    endpoint({
      name: 'ohlcv',
      doc: '/networks/{n}/pools/{pool}/ohlcv/day of the deepest pool; of the oldest too, where the deepest is young',
      plan: ({ chain, address, learned }) => {
        const { 'geckoterminal.topPool': pool, 'geckoterminal.olderPool': older } = learned;
        if (!chain || typeof pool !== 'string') return [];
        const deepest = { chain: chain.name, pool, address };
        return typeof older === 'string' ? [deepest, { ...deepest, pool: older, older: true }] : [deepest];
      },
      request: (params) => ({
        path: `/networks/${chainNameIn(params, 'geckoterminal')}/pools/${encodeURIComponent(String(params.pool))}/ohlcv/day`,
        // Without `token`, the candles are those of the pool's base token, which may be the other token.
        query: { aggregate: 1, limit: 366, currency: 'usd', token: String(params.address ?? 'base') },
        headers,
      }),
      reply: Candles,
      observe: (reply, params, { fetchedAt }) => {
        if (!isOfPool(reply, params)) return [];
        const rows = reply.data.attributes.ohlcv_list
          .map((row) => ({ at: num(row[0]) ?? 0, close: num(row[4]) ?? 0 }))
          .filter((row) => row.at > 0 && row.close > 0)
          .sort((a, b) => a.at - b.at);
        const first = rows[0];
        const closes = rows.map((row) => [row.at * 1000, row.close] as const);
        const scope = poolScope(String(params.pool));
        const fall = observed('pool_lasting_fall', lastingFall(dailyCloses(closes)), 'daily closes of the pool', {
          scope,
        });
        // The older pool only adds the history of the price; volatility is taken from the deepest pool.
        if (params.older === true) return fall;
        return [
          ...fall,
          ...volatilityDrafts(
            closes,
            'daily closes of the deepest pool',
            datedIfEnded(closes.at(-1)?.[0] ?? 0, fetchedAt),
          ),
          ...(first && rows.length < 90
            ? observed('first_trade_at', date(first.at), {
                reliability: 0.5,
                meaning: 'first candle of the deepest pool',
              })
            : []),
        ];
      },
    }),
    endpoint({
      name: 'search_pools',
      doc: '/search/pools?query=: candidates only',
      role: 'identify',
      request: get('/search/pools', { query: '{query}', include: 'base_token', page: 1 }, { headers }),
      reply: Pools,
      finds: { by: 'text', orAddress: false, unlistedOnly: true },
      records: searchRecords,
    }),
  ],
});
