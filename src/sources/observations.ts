import type { Json, ObservationDraft } from '../domain/index.ts';
import { poolScope } from '../domain/index.ts';
import { date, num } from './read.ts';

type Change = Omit<ObservationDraft, 'quantity' | 'value'>;

/** One observation; [] where the source does not give the value. `meaning`: its text alone, or with the rest of the draft. */
export function observed(
  quantity: ObservationDraft['quantity'],
  value: Json | undefined,
  meaning: string | Change = {},
  change: Change = {},
): readonly ObservationDraft[] {
  if (value === null || value === undefined) return [];
  return [{ quantity, value, ...(typeof meaning === 'string' ? { meaning } : meaning), ...change }];
}

/** `observedAt` for the observations of a reply that is dated; {} for one that is not. */
export function dated(value: unknown): Pick<ObservationDraft, 'observedAt'> {
  const at = date(value);
  return at === null ? {} : { observedAt: at };
}

/** What an aggregator or a venue states of one pool; null where it does not. */
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

/** A pool of which nothing is known. */
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
export function poolObservations(pool: PoolFacts): readonly ObservationDraft[] {
  const scope = poolScope(pool.address);
  return [
    ...observed('pool_dex', pool.dex, { scope }),
    ...observed('pool_kind', pool.kind, { scope }),
    ...observed('pool_pair', pool.counter, { scope }),
    ...observed('pool_price_usd', pool.priceUsd, { scope }),
    ...observed('pool_liquidity_usd', pool.liquidityUsd, { scope, meaning: 'both sides of the pool' }),
    ...observed('pool_volume_24h_usd', pool.volumeUsd, { scope, meaning: 'rolling 24 h' }),
    ...observed('pool_quote_reserve_usd', pool.quoteReserveUsd, { scope, meaning: 'counter-token side' }),
    ...observed('pool_fee_rate', pool.feeRate, { scope }),
    ...observed('pool_created_at', pool.createdAt, { scope }),
    ...observed('pool_lp_burned_share', pool.burnedShare, { scope }),
    ...observed('pool_lp_locked_share', pool.lockedShare, { scope }),
  ];
}

/** Fee as a fraction below 1 from a number that counts `whole` for all; null for anything else. */
export function feeRate(value: unknown, whole: number): number | null {
  const read = num(value);
  return read !== null && read >= 0 && read < whole ? read / whole : null;
}

/** Kind of a pool by the names a DEX index gives it; null when they do not tell. */
export function poolKind(dex: string | null, labels: readonly string[] = []): PoolFacts['kind'] {
  const words = `${dex ?? ''} ${labels.join(' ')}`.toLowerCase();
  if (/clmm|concentrated|whirlpool|\borca\b|v3|v4|slipstream|\bcl\b/.test(words)) return 'concentrated';
  if (/dlmm|\bbins?\b|meteora$/.test(words)) return 'bins';
  if (/stable|curve\b/.test(words)) return 'stable';
  if (/v2|cpmm|raydium$|pumpswap|amm-v4|sushi/.test(words)) return 'constant_product';
  return null;
}
