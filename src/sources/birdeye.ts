import Type, { type Static } from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { observed } from './observations.ts';
import { chainNameIn, tokenOn } from './plans.ts';
import { amount, fields, LooseOptional, Maybe, num, positive, TextOptional } from './read.ts';
import { defineSource, endpoint } from './source.ts';

/**
 * Birdeye: off without a key.
 *
 * Lineage: family `birdeye`, its own index. Limits: free plan 1 request a second and 30,000 compute units a month. Quirks: older
 * rows have `mc` instead of `marketCap`, computed from the supply on this chain if they give no circulating supply (USDC: 2.2 of 28 billion);
 * `liquidity` is not read, because it counts stake pools and lending as markets (SOL: 16 to 23 billion, USDC: 30); endpoints outside the free
 * plan return 401 or 403. Fields are from the documentation; no recorded reply was available.
 */
const Overview = Type.Object({
  success: Type.Boolean(),
  message: TextOptional,
  data: Maybe(
    Type.Object({
      address: TextOptional,
      ...fields(LooseOptional, 'price', 'v24hUSD', 'marketCap', 'mc', 'fdv', 'totalSupply'),
      ...fields(LooseOptional, 'circulatingSupply', 'holder', 'uniqueWallet24h', 'trade24h', 'priceChange24hPercent'),
    }),
  ),
});

function observe(reply: Static<typeof Overview>): readonly ObservationDraft[] {
  const { data } = reply;
  return [
    ...observed('price_usd', positive(data?.price), { meaning: 'DEX pools only' }),
    ...observed('volume_24h_dex_usd', amount(data?.v24hUSD), { meaning: 'rolling 24 h, DEX only' }),
    ...observed('market_cap_usd', positive(data?.marketCap ?? (data?.circulatingSupply == null ? null : data.mc))),
    ...observed('fdv_usd', positive(data?.fdv)),
    ...observed('total_supply', positive(data?.totalSupply)),
    ...observed('circulating_supply', positive(data?.circulatingSupply)),
    ...observed('holder_count', positive(data?.holder)),
    ...observed('traders_24h', positive(data?.uniqueWallet24h), { meaning: 'distinct wallets' }),
    ...observed('trades_24h', positive(data?.trade24h)),
    ...observed('price_change_24h_pct', num(data?.priceChange24hPercent), { meaning: 'rolling 24 h' }),
  ];
}

export const birdeye = defineSource({
  name: 'birdeye',
  title: 'Birdeye',
  doc: 'https://docs.birdeye.so',
  family: 'birdeye',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://public-api.birdeye.so' },
  key: {
    required: true,
    header: 'X-API-KEY',
    adds: 'an index of Solana markets of its own lineage',
    from: 'https://bds.birdeye.so',
  },
  disabledReason: 'needs a key: the operator’s plan governs its use',
  terms: {
    attribution: { text: 'Data by Birdeye', url: 'https://birdeye.so' },
    redistribute: false,
    keepBodyDays: 7,
    note: 'the operator’s own plan governs its use',
  },
  budget: { perMinute: 54, burst: 1, concurrency: 1, shareSeconds: 300 },
  timeoutMs: 8_000,
  chains: chainsOf('birdeye'),
  provides: { market: 16 },
  endpoints: [
    endpoint({
      name: 'token_overview',
      doc: '/defi/token_overview?address= with the header x-chain',
      plan: tokenOn('birdeye'),
      request: (params) => ({
        path: '/defi/token_overview',
        query: { address: String(params.address) },
        headers: { 'x-chain': chainNameIn(params, 'birdeye') },
      }),
      reply: Overview,
      about: { param: 'address', named: ({ data }) => data?.address },
      classify: (reply) =>
        reply.success
          ? { outcome: reply.data ? 'ok' : 'empty' }
          : { outcome: 'error_reply', detail: reply.message ?? 'success is false' },
      observe,
    }),
  ],
});
