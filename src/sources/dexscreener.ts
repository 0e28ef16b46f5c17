import Type, { type Static } from 'typebox';
import { CHAINS, type Chain, chainCalled, chainsOf, isTradedPair } from '../chains/index.ts';
import type { Json, ObservationDraft, TokenDraft } from '../domain/index.ts';
import { poolScope } from '../domain/index.ts';
import { registrableDomains, social } from './links.ts';
import { lateShare, observed } from './observations.ts';
import { chainNameIn, largestPools, tokenOn } from './plans.ts';
import { amount, date, fields, Loose, Maybe, Nullable, num, positive, Rows, TextOptional, text } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params } from './source.ts';
import { atLeastZero, byPlace, domainsOf, hostsOf, listOf, named, partsOf, placed } from './token-records.ts';

/**
 * DexScreener: its own index of DEX pools, keyless.
 *
 * Lineage: reads pools itself; family `dexscreener`. Terms: revocable licence, DexScreener keeps all rights, portions of the
 * API may not be redistributed (dated 2023-08-18 in code notes): raw data is never passed on. Limits: 300 a minute for pairs;
 * we make 60. Quirks, each seen in a recording: the requested token may be the quote, while price, fdv and changes are those
 * of the base; `liquidity` is absent on bonding curves; `marketCap` equals `fdv` when supply is unverified; an unknown token
 * gives `[]` or `pairs: null` with status 200; `info.websites` are paid placements and prove nothing.
 */

const Token = Type.Object({ address: Type.String(), name: TextOptional, symbol: TextOptional });
const Buckets = Maybe(Type.Record(Type.String(), Type.Unknown()));
const Pair = Type.Object({
  ...fields(Type.String(), 'chainId', 'dexId', 'pairAddress'),
  baseToken: Token,
  quoteToken: Type.Object({ address: TextOptional, name: TextOptional, symbol: TextOptional }),
  priceNative: Type.Optional(Loose),
  priceUsd: Type.Optional(Loose),
  ...fields(Buckets, 'txns', 'volume', 'priceChange'),
  liquidity: Maybe(Type.Object({ usd: Type.Optional(Loose), base: Type.Optional(Loose), quote: Type.Optional(Loose) })),
  ...fields(Type.Optional(Loose), 'fdv', 'marketCap', 'pairCreatedAt'),
  info: Maybe(
    Type.Object({
      websites: Maybe(Type.Array(Type.Unknown())),
      socials: Maybe(Type.Array(Type.Unknown())),
    }),
  ),
});
type PairReply = Static<typeof Pair>;
const Pairs = Type.Union([Rows(Pair), Type.Object({ pairs: Nullable(Rows(Pair)) })]);

/** Valid pairs of a reply in any of its three envelopes. */
export function pairsOf(reply: Static<typeof Pairs>): readonly PairReply[] {
  return partsOf(Pair, 'pairs' in reply ? (reply.pairs ?? []) : reply);
}

function same(chain: Chain | undefined, a: string, b: unknown): boolean {
  return chain?.kind === 'evm' ? a.toLowerCase() === String(b).toLowerCase() : a === b;
}

interface Pool {
  readonly drafts: readonly ObservationDraft[];
  /** False: the pool's figures are easy to fake, so none of them counts. */
  readonly trusted: boolean;
  /** Null where the pair does not state it: a bonding curve has no `liquidity`, which does not mean that it holds nothing. */
  readonly liquidityUsd: number | null;
  readonly volumeUsd: number | null;
  readonly buys: number | null;
  readonly sells: number | null;
  /** Sales of the last six hours; null where the pool states none. */
  readonly lateSells: number | null;
  readonly priceUsd: number | null;
  readonly pair: PairReply;
  readonly base: boolean;
}

function readPool(pair: PairReply, chain: Chain | undefined, address: unknown): Pool | null {
  const base = same(chain, pair.baseToken.address, address);
  if (pair.chainId !== chain?.names.dexscreener || (!base && !same(chain, pair.quoteToken.address ?? '', address)))
    return null;
  const priceBase = positive(pair.priceUsd);
  const native = positive(pair.priceNative);
  // The quote token's price is the base token's price in dollars divided by its price in the quote token.
  const priceUsd = base ? priceBase : priceBase !== null && native !== null ? priceBase / native : null;
  const counter = base ? pair.quoteToken : pair.baseToken;
  // Liquidity in an obscure counter token is easy to fake.
  const trusted = isTradedPair(chain.name, String(address), [counter.address, String(address)]);
  const liquidityUsd = trusted ? amount(pair.liquidity?.usd) : null;
  const volumeUsd = amount(pair.volume?.h24);
  const [buys = null, sells = null] = sidesOf(pair.txns?.h24, base);
  const [, lateSells = null] = sidesOf(pair.txns?.h6, base);
  const scope = poolScope(pair.pairAddress);
  const drafts = [
    ...observed('pool_dex', text(pair.dexId, 80) ?? 'unknown', { scope }),
    ...observed('pool_pair', counter.address ? counter.address.slice(0, 80) : null, { scope }),
    ...observed('pool_liquidity_usd', liquidityUsd, 'both sides of the pool', { scope }),
    ...observed('pool_quote_reserve_usd', trusted ? counterUsd(pair, base) : null, 'the counter token’s side', {
      scope,
    }),
    ...observed(
      'pool_price_usd',
      trusted ? priceUsd : null,
      base ? 'price of the base token' : 'from the base token’s price and the pool’s ratio',
      { scope },
    ),
    ...observed('pool_volume_24h_usd', trusted ? volumeUsd : null, 'rolling 24 h', { scope }),
    ...observed('pool_created_at', date(pair.pairCreatedAt), { scope }),
  ];
  return {
    drafts,
    trusted,
    liquidityUsd,
    volumeUsd,
    buys,
    sells,
    lateSells,
    priceUsd: trusted ? priceUsd : null,
    pair,
    base,
  };
}

/**
 * Value of the counter token's side: its amount at the price that the pair states for it. Recorded: both sides add up to
 * `liquidity.usd` in all 80 pairs with liquidity, and in concentrated pools one side often holds most of it.
 */
function counterUsd({ liquidity, priceUsd, priceNative }: PairReply, base: boolean): number | null {
  const [usd, native] = [positive(priceUsd), positive(priceNative)];
  const held = amount(base ? liquidity?.quote : liquidity?.base);
  const each = base ? (usd !== null && native !== null ? usd / native : null) : usd;
  return held !== null && each !== null ? held * each : null;
}

/** Purchases and sales of the token in one window; a purchase of the base token is a sale of its counter token. */
function sidesOf(window: unknown, base: boolean): readonly (number | null)[] {
  const { buys, sells } = (window ?? {}) as { readonly buys?: unknown; readonly sells?: unknown };
  const sides = [num(buys), num(sells)];
  return base ? sides : sides.reverse();
}

function observe(reply: Static<typeof Pairs>, params: Params): readonly ObservationDraft[] {
  const chain = CHAINS.find((row) => row.name === params.chain);
  const pools = pairsOf(reply)
    .map((pair) => readPool(pair, chain, params.address))
    .filter((pool) => pool !== null);
  if (pools.length === 0) return [];
  const counted = pools.filter((pool) => pool.trusted);
  const note = `sum over ${counted.length} pairs listed with a trusted counter token (at most 30 are listed)`;
  const main = [...pools]
    .filter((pool) => pool.priceUsd !== null)
    .sort(
      (a, b) => (b.liquidityUsd ?? 0) - (a.liquidityUsd ?? 0) || (a.pair.pairAddress < b.pair.pairAddress ? -1 : 1),
    )[0];
  return [
    ...pools.flatMap((pool) => pool.drafts),
    ...observed(
      'liquidity_dex_usd',
      totalIfStated(counted, (pool) => pool.liquidityUsd),
      `both sides, ${note}`,
    ),
    ...observed(
      'volume_24h_dex_usd',
      totalIfStated(counted, (pool) => pool.volumeUsd),
      `rolling 24 h, DEX only, ${note}`,
    ),
    ...observed(
      'trades_24h',
      totalIfStated(counted, ({ buys, sells }) =>
        buys === null && sells === null ? null : (buys ?? 0) + (sells ?? 0),
      ),
      `swaps, ${note}`,
    ),
    ...observed(
      'buys_24h',
      totalIfStated(counted, (pool) => pool.buys),
      `purchases, ${note}`,
    ),
    ...observed(
      'sells_24h',
      totalIfStated(counted, (pool) => pool.sells),
      `sales, ${note}`,
    ),
    ...observed(
      'sells_6h_share',
      lateShare(counted.map(({ sells: day, lateSells: late }) => ({ day, late }))),
      `late sales over the day’s, ${note}`,
    ),
    ...observed('price_usd', main?.priceUsd, 'price in the deepest pool with a trusted counter token'),
    ...(main?.base ? baseDrafts(main.pair) : []),
  ];
}

/** Sum over all pools that state the value; null when none does. */
function totalIfStated(pools: readonly Pool[], of: (pool: Pool) => number | null): number | null {
  const stated = pools.map(of).filter((value) => value !== null);
  return stated.length === 0 ? null : stated.reduce((sum, value) => sum + value, 0);
}

/**
 * Figures of a pair that belong to its base token. If market capitalisation and `fdv` are equal, the provider only knows the supply on
 * this chain, so neither describes the asset. An `fdv` below the capitalisation counts only this chain's supply (WBTC on Base: 5 million
 * compared with 10.7 billion).
 */
function baseDrafts(pair: PairReply): readonly ObservationDraft[] {
  const fdv = positive(pair.fdv);
  const cap = positive(pair.marketCap);
  const isVerified = cap !== null && fdv !== null && Math.abs(cap / fdv - 1) > 0.001;
  return [
    ...observed('price_change_24h_pct', num(pair.priceChange?.h24), 'rolling 24 h, deepest pool'),
    ...observed('price_change_1h_pct', num(pair.priceChange?.h1), 'rolling 1 h, deepest pool'),
    ...observed('fdv_usd', isVerified && fdv > cap ? fdv : null),
    ...observed('market_cap_usd', isVerified ? cap : null, { reliability: 0.5 }),
  ];
}

function learnPools(reply: Static<typeof Pairs>, params: Params): Readonly<Record<string, Json>> {
  const chain = CHAINS.find((row) => row.name === params.chain);
  return largestPools(
    'dexscreener',
    pairsOf(reply)
      .map((pair) => readPool(pair, chain, params.address))
      .filter((pool) => pool !== null)
      .map(({ pair, liquidityUsd }) => ({ address: pair.pairAddress, liquidityUsd })),
  );
}

const MOST_PAIRS = 60;

/**
 * Tokens in a search reply, one record per token, with the total liquidity of its pairs. Their websites come from paid or
 * self-declared profiles: they help to find a token and prove nothing.
 */
function searchRecords(reply: Static<typeof Pairs>): readonly TokenDraft[] {
  return byPlace(
    pairsOf(reply)
      .slice(0, MOST_PAIRS)
      .map((pair) => {
        const chain = chainCalled('dexscreener', pair.chainId);
        const place = placed(chain, pair.baseToken.address);
        const { name, symbol } = pair.baseToken;
        const sites = listOf(pair.info?.websites, 10).map((site) => (site as { url?: unknown } | null)?.url);
        return place === null
          ? null
          : {
              ...named({ name, symbol, since: pair.pairCreatedAt }),
              addresses: [place],
              domains: domainsOf(sites),
              hosts: hostsOf(sites),
              liquidityUsd: atLeastZero(pair.liquidity?.usd),
            };
      }),
  );
}

export const dexscreener = defineSource({
  name: 'dexscreener',
  title: 'DexScreener',
  doc: 'https://docs.dexscreener.com/api/reference',
  family: 'dexscreener',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://api.dexscreener.com' },
  terms: {
    attribution: { text: 'Pair data by DexScreener', url: 'https://dexscreener.com' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'commercial use allowed; the API or portions of it may not be passed on',
  },
  budget: { perMinute: 60, burst: 20, concurrency: 6, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: chainsOf('dexscreener'),
  registry: { curated: false, files: 'tokens', order: 6, namesAllPlaces: false, key: null },
  provides: { market: 8, quote_prices: 4, pools: 1, holdings: 8, market_figures: 3, pool_reserves: 1 },
  endpoints: [
    endpoint({
      name: 'token_pairs',
      doc: 'All pairs of a token, bare array; fields as in a recording of late 2025',
      critical: true,
      plan: tokenOn('dexscreener'),
      request: (params) => ({
        path: `/token-pairs/v1/${chainNameIn(params, 'dexscreener')}/${encodeURIComponent(String(params.address))}`,
      }),
      reply: Pairs,
      classify: (reply) => ({ outcome: pairsOf(reply).length === 0 ? 'empty' : 'ok' }),
      observe,
      learn: learnPools,
    }),
    endpoint({
      name: 'search',
      doc: 'Pairs by name or symbol; returns impostors with equal symbols, so it only gives candidates',
      role: 'identify',
      request: get('/latest/dex/search', { q: '{query}' }),
      reply: Pairs,
      classify: (reply) => ({ outcome: pairsOf(reply).length === 0 ? 'empty' : 'ok' }),
      finds: { by: 'text', orAddress: true, unlistedOnly: false },
      records: searchRecords,
      observe: (reply, params) => {
        const chain = CHAINS.find((row) => row.name === params.chain);
        const pair = pairsOf(reply).find(
          (row) => row.chainId === chain?.names.dexscreener && same(chain, row.baseToken.address, params.address),
        );
        if (!pair) return [];
        const sites = (pair.info?.websites ?? []).map((row) => (row as { url?: unknown } | null)?.url);
        const socials = (pair.info?.socials ?? [])
          .map((row) => social((row as { url?: unknown } | null)?.url))
          .filter((row) => row !== null);
        return [
          {
            quantity: 'registry_domains',
            scope: 'registry:dexscreener',
            value: registrableDomains(sites),
            tier: 'self_reported',
            meaning: 'paid or self-set profile',
            reliability: 0.3,
          },
          {
            quantity: 'registry_socials',
            scope: 'registry:dexscreener',
            value: socials.map((row) => ({ ...row })),
            tier: 'self_reported',
            reliability: 0.3,
          },
        ];
      },
    }),
  ],
});
