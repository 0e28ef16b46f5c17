import { isTradedPair } from '../chains/index.ts';
import type { Json, ObservationDraft } from '../domain/index.ts';
import { DAY_MS, poolScope } from '../domain/index.ts';
import { date, num, text } from './read.ts';

type Change = Omit<ObservationDraft, 'quantity' | 'value'>;

/** One observation; [] if the source does not give the value. The last argument is the meaning, or further fields of the draft. */
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

/** A series by days whose newest value is older has ended. */
const ENDED_AFTER_DAYS = 3;

/**
 * `observedAt` for figures that are computed from a series by days: the time of its newest value (unix ms) if the series has ended, so
 * that they count as old; {} for one that still goes on.
 */
export function datedIfEnded(newest: number, fetchedAt: string): Pick<ObservationDraft, 'observedAt'> {
  return newest > 0 && Date.parse(fetchedAt) - newest > ENDED_AFTER_DAYS * DAY_MS ? dated(newest) : {};
}

/** Sales of a token in one pool, over 24 hours and over the last six of them; null where the source states none. */
export interface PoolSales {
  readonly day: number | null;
  readonly late: number | null;
}

/**
 * Share of the day's sales over all pools that took place in the last six hours, 0-1. Null without sales, and where a
 * pool with sales does not state those of the six hours: both sums must cover the same pools.
 */
export function lateShare(pools: readonly PoolSales[]): number | null {
  let [day, late] = [0, 0];
  for (const pool of pools) {
    if (pool.day === null || pool.day <= 0) continue;
    if (pool.late === null) return null;
    day += pool.day;
    late += pool.late;
  }
  return day === 0 ? null : Math.min(1, Math.max(0, late) / day);
}

/** What an aggregator or a venue states about one pool; null or missing if it does not state the value. */
export interface PoolFacts {
  /** Our name of the chain, and the address of the token that was requested. */
  readonly chain: unknown;
  readonly asset: unknown;
  readonly address: string;
  readonly dex?: string | null;
  readonly kind?: 'constant_product' | 'concentrated' | 'bins' | 'stable' | 'curve' | null;
  readonly counter?: string | null;
  readonly priceUsd?: number | null;
  readonly liquidityUsd?: number | null;
  readonly volumeUsd?: number | null;
  readonly quoteReserveUsd?: number | null;
  readonly feeRate?: number | null;
  readonly createdAt?: string | null;
  readonly burnedShare?: number | null;
  readonly lockedShare?: number | null;
}

/** False: the figures of the pool in dollars are easy to fake, so none of them counts. */
export function isTraded({ chain, asset, counter }: Pick<PoolFacts, 'chain' | 'asset' | 'counter'>): boolean {
  return isTradedPair(String(chain), String(asset), [counter, String(asset)]);
}

/** Observations of one pool in its scope; its figures in dollars only against a token whose value is hard to fake. */
export function poolObservations(given: PoolFacts): readonly ObservationDraft[] {
  const pool = isTraded(given)
    ? given
    : { ...given, priceUsd: null, liquidityUsd: null, volumeUsd: null, quoteReserveUsd: null };
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

/** Fee as a fraction below 1, from a number in which `whole` means 100 %; null for anything else. */
export function feeRate(value: unknown, whole: number): number | null {
  const read = num(value);
  return read !== null && read >= 0 && read < whole ? read / whole : null;
}

/**
 * Exchanges whose pools a version number in the name does not describe: Balancer's are weighted or stable, Velodrome has volatile and
 * stable pools under one name, and the others have formulas of their own.
 */
const OTHER_FORMULAS = /balancer|beethoven|velodrome(?!.*slipstream)|aerodrome(?!.*slipstream)|maverick|dodo/;
/** Trader Joe, now LFJ: pools of bins from its second version on. */
const LIQUIDITY_BOOK = /liquidity[ _-]?book|\b(?:trader[ _-]?joe|joe|lfj)[ _-]?v?2/;

/** Kind of a pool by the exchange name in a DEX index; null if the name does not show it. */
export function poolKind(dex: string | null): NonNullable<PoolFacts['kind']> | null {
  const words = (dex ?? '').toLowerCase();
  if (OTHER_FORMULAS.test(words)) return null;
  if (LIQUIDITY_BOOK.test(words)) return 'bins';
  if (/clmm|damm|concentrated|whirlpool|\borca\b|v3|v4|slipstream|\bcl\b/.test(words)) return 'concentrated';
  if (/dlmm|\bbins?\b/.test(words)) return 'bins';
  if (/stable|curve\b/.test(words)) return 'stable';
  if (/v2|cpmm|pumpswap|amm-v4|sushi/.test(words)) return 'constant_product';
  return null;
}

/** Name, symbol and image URL, as the token's creator wrote them on chain. */
export function metadataDrafts(
  source: string,
  found: { readonly name?: unknown; readonly symbol?: unknown; readonly uri?: unknown } | null | undefined,
): readonly ObservationDraft[] {
  const outside = { scope: `registry:${source}`, meaning: 'on-chain metadata, outside text' };
  return [
    ...observed('registry_name', text(found?.name, 100), outside),
    ...observed('registry_symbol', text(found?.symbol, 40), outside),
    ...observed('metadata_uri', text(found?.uri, 500), outside),
  ];
}

/** The row of a large holder, with its share and what the source states about it; null: not stated. */
export function holderRow(
  owner: string,
  sharePct: number,
  known: {
    readonly kind: string | null;
    readonly label: string | null;
    readonly isContract: boolean | null;
    readonly isLocked?: boolean | null;
  },
) {
  return { owner, sharePct, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)) };
}
