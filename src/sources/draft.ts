import type { Json, ObservationDraft } from '../domain/index.ts';
import { poolScope } from '../domain/index.ts';

/** One observation, or nothing where the source does not know the value. */
export function said(
  quantity: ObservationDraft['quantity'],
  value: Json,
  change: Omit<ObservationDraft, 'quantity' | 'value'> = {},
): readonly ObservationDraft[] {
  return value === null ? [] : [{ quantity, value, ...change }];
}

/** What an aggregator or a venue says of one pool; null where it does not say. */
export interface PoolFacts {
  readonly address: string;
  readonly dex: string | null;
  readonly kind: 'constant_product' | 'concentrated' | 'bins' | 'stable' | 'curve' | null;
  readonly counter: string | null;
  readonly priceUsd: number | null;
  readonly liquidityUsd: number | null;
  readonly volumeUsd: number | null;
  readonly quoteReserveUsd: number | null;
  readonly feeRate: number | null;
  readonly createdAt: string | null;
  readonly burnedShare: number | null;
  readonly lockedShare: number | null;
}

/** A pool about which nothing is said yet. */
export const NO_POOL_FACTS: Omit<PoolFacts, 'address'> = {
  dex: null,
  kind: null,
  counter: null,
  priceUsd: null,
  liquidityUsd: null,
  volumeUsd: null,
  quoteReserveUsd: null,
  feeRate: null,
  createdAt: null,
  burnedShare: null,
  lockedShare: null,
};

/** Observations of one pool in its scope. */
export function sayPool(pool: PoolFacts): readonly ObservationDraft[] {
  const scope = poolScope(pool.address);
  return [
    ...said('pool_dex', pool.dex, { scope }),
    ...said('pool_kind', pool.kind, { scope }),
    ...said('pool_pair', pool.counter, { scope }),
    ...said('pool_price_usd', pool.priceUsd, { scope }),
    ...said('pool_liquidity_usd', pool.liquidityUsd, { scope, meaning: 'both sides of the pool' }),
    ...said('pool_volume_24h_usd', pool.volumeUsd, { scope, meaning: 'rolling 24 h' }),
    ...said('pool_quote_reserve_usd', pool.quoteReserveUsd, { scope, meaning: 'counter-token side' }),
    ...said('pool_fee_rate', pool.feeRate, { scope }),
    ...said('pool_created_at', pool.createdAt, { scope }),
    ...said('pool_lp_burned_share', pool.burnedShare, { scope }),
    ...said('pool_lp_locked_share', pool.lockedShare, { scope }),
  ];
}

/** Kind of a pool by the words a DEX index uses for it; null when they do not tell. */
export function poolKind(dex: string | null, labels: readonly string[] = []): PoolFacts['kind'] {
  const words = `${dex ?? ''} ${labels.join(' ')}`.toLowerCase();
  if (/clmm|concentrated|whirlpool|\borca\b|v3|v4|slipstream|\bcl\b/.test(words)) return 'concentrated';
  if (/dlmm|\bbins?\b|meteora$/.test(words)) return 'bins';
  if (/stable|curve\b/.test(words)) return 'stable';
  if (/v2|cpmm|raydium$|pumpswap|amm-v4|sushi/.test(words)) return 'constant_product';
  return null;
}
