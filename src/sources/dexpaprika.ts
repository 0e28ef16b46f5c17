import Type, { type Static } from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { registrableDomains } from './links.ts';
import { dated, observed, poolKind, poolObservations } from './observations.ts';
import { chainNameIn, tokenOn } from './plans.ts';
import { amount, date, fields, LooseOptional, Maybe, num, positive, Rows, TextOptional, text } from './read.ts';
import { defineSource, endpoint, type Params } from './source.ts';
import { partsOf } from './token-records.ts';

/**
 * DexPaprika: CoinPaprika's index of DEX pools, keyless.
 *
 * Lineage: family `paprika`. Terms: commercial use requires a visible link. Limits: 15 a minute; without a key 10,000 credits in 30 days by IP
 * since 2026-09-23, with a free key 100,000 since 2026-09-15, which does not raise the 15 a minute (the provider's client, dexpaprika-mcp, changelog
 * 2.5.0 to 2.6.1). The key is the whole value of the header: a key after a scheme is ignored, and the request counts as keyless. Quirks:
 * `/tokens/{a}/pools` was removed (410) and replaced by the pool search; the unit of `fee` is not verified, so it is not read; `total_supply` is in
 * base units in some replies; some tokens have no symbol.
 */
const Day = Maybe(
  Type.Object({
    ...fields(LooseOptional, 'volume_usd', 'txns', 'last_price_usd_change'),
  }),
);
const Token = Type.Object({
  id: Type.String(),
  decimals: LooseOptional,
  total_supply: LooseOptional,
  website: TextOptional,
  added_at: TextOptional,
  price_stats: Maybe(Type.Object({ ath: LooseOptional, ath_date: TextOptional })),
  summary: Maybe(
    Type.Object({
      ...fields(LooseOptional, 'price_usd', 'fdv', 'liquidity_usd', 'pools'),
      '1h': Day,
      '24h': Day,
    }),
  ),
  last_updated: TextOptional,
});

function observeToken(reply: Static<typeof Token>): readonly ObservationDraft[] {
  const { summary } = reply;
  const at = dated(reply.last_updated);
  const day = summary?.['24h'];
  return [
    ...observed('price_usd', positive(summary?.price_usd), { meaning: 'DEX pools only', ...at }),
    ...observed('fdv_usd', positive(summary?.fdv), at),
    ...observed('liquidity_dex_usd', positive(summary?.liquidity_usd), {
      meaning: 'both sides of all pools that the source indexes',
      ...at,
    }),
    ...observed('volume_24h_dex_usd', amount(day?.volume_usd), { meaning: 'rolling 24 h, DEX only', ...at }),
    ...observed('trades_24h', positive(day?.txns), { meaning: 'swaps over all pools', ...at }),
    ...observed('price_change_1h_pct', num(summary?.['1h']?.last_price_usd_change), { meaning: 'rolling 1 h', ...at }),
    ...observed('price_change_24h_pct', num(day?.last_price_usd_change), { meaning: 'rolling 24 h', ...at }),
    ...observed('total_supply', supplyOf(reply), { meaning: 'on this chain', ...at }),
    ...observed('decimals', num(reply.decimals)),
    ...observed('ath_usd', positive(reply.price_stats?.ath), at),
    ...observed('ath_at', date(reply.price_stats?.ath_date)),
    ...observed('listed_at', date(reply.added_at)),
    ...observed('registry_domains', [...registrableDomains([reply.website])], {
      scope: 'registry:dexpaprika',
      tier: 'self_reported',
      reliability: 0.4,
    }),
  ];
}

/** Maximum relative difference between price times supply and the fully diluted value. */
const FDV_TOLERANCE = 0.1;

/**
 * Total supply in whole tokens. Some replies give it in base units; the unit is the one for which price times supply matches the
 * fully diluted value. Null when neither unit matches, or when these values are missing and the token has decimals.
 */
function supplyOf({ total_supply, decimals, summary }: Static<typeof Token>): number | null {
  const stated = positive(total_supply);
  const digits = num(decimals);
  const price = positive(summary?.price_usd);
  const diluted = positive(summary?.fdv);
  if (stated === null) return null;
  if (price === null || diluted === null) return digits === 0 ? stated : null;
  const fits = (supply: number) => Math.abs((supply * price) / diluted - 1) <= FDV_TOLERANCE;
  const scaled = digits === null ? null : stated / 10 ** digits;
  return fits(stated) ? stated : scaled !== null && fits(scaled) ? scaled : null;
}

const Pool = Type.Object({
  id: Type.String(),
  ...fields(TextOptional, 'dex_id', 'dex_name', 'created_at'),
  ...fields(LooseOptional, 'price_usd', 'volume_usd_24h', 'liquidity_usd'),
  tokens: Maybe(Type.Array(Type.Object({ id: Type.String() }))),
});
const Pools = Type.Object({ results: Rows(Pool) });

function observePools(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  const wanted = String(params.address).toLowerCase();
  return partsOf(Pool, reply.results).flatMap((row) => {
    // A search may return pools of other tokens. Some rows of a pool name only one of its tokens.
    if ((row.tokens?.length ?? 0) > 1 && !row.tokens?.some((token) => token.id.toLowerCase() === wanted)) return [];
    const counter = row.tokens?.find((token) => token.id.toLowerCase() !== wanted)?.id ?? null;
    const first = row.tokens?.[0]?.id.toLowerCase() === wanted;
    const dex = text(row.dex_name ?? row.dex_id, 80);
    // The price is that of the first token of the pair, which may not be the requested token.
    return poolObservations({
      chain: params.chain,
      asset: params.address,
      address: row.id,
      dex,
      kind: poolKind(dex),
      counter,
      priceUsd: first ? positive(row.price_usd) : null,
      liquidityUsd: positive(row.liquidity_usd),
      volumeUsd: amount(row.volume_usd_24h),
      createdAt: date(row.created_at),
    });
  });
}

const network = (params: Params) => chainNameIn(params, 'dexpaprika');
const token = tokenOn('dexpaprika');

export const dexpaprika = defineSource({
  name: 'dexpaprika',
  title: 'DexPaprika',
  doc: 'https://docs.dexpaprika.com',
  family: 'paprika',
  tier: 'aggregator',
  reliability: 0.85,
  bases: { main: 'https://api.dexpaprika.com' },
  key: {
    required: false,
    header: 'authorization',
    perMonth: 100_000,
    adds: 'requests: 100,000 credits in 30 days instead of 10,000',
    from: 'https://docs.dexpaprika.com',
  },
  terms: {
    attribution: { text: 'DEX data by DexPaprika', url: 'https://dexpaprika.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'commercial use requires a visible followed link',
  },
  budget: { perMinute: 12, burst: 3, concurrency: 3, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: chainsOf('dexpaprika'),
  provides: { market: 7, pools: 3, holdings: 9, names: 5, market_figures: 5 },
  endpoints: [
    endpoint({
      name: 'token',
      doc: '/networks/{n}/tokens/{address}',
      critical: true,
      plan: token,
      request: (params) => ({
        path: `/networks/${network(params)}/tokens/${encodeURIComponent(String(params.address))}`,
      }),
      reply: Token,
      about: { param: 'address', named: ({ id }) => id },
      observe: observeToken,
    }),
    endpoint({
      name: 'pools',
      doc: '/networks/{n}/pools/search?token_address=',
      plan: token,
      request: (params) => ({
        path: `/networks/${network(params)}/pools/search`,
        query: { token_address: String(params.address), limit: 30, order_by: 'volume_usd_24h', sort: 'desc' },
      }),
      reply: Pools,
      classify: (reply) => ({ outcome: reply.results.length === 0 ? 'empty' : 'ok' }),
      observe: observePools,
    }),
  ],
});
