import { median } from '../../domain/index.ts';
import type { ToldPool } from '../../metrics/index.ts';

/** What one indexer says of one pool. Numbers it does not tell are null; `tokens` are [base, quote] as it names them. */
export interface IndexedPool {
  readonly source: string;
  readonly dex: string;
  readonly protocol: string | null;
  readonly address: string;
  readonly tokens: readonly { readonly address: string; readonly symbol: string | null }[];
  /** Of the asset. */
  readonly priceUsd: number | null;
  readonly tvlUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly fees24hUsd: number | null;
  readonly feeRatePct: number | null;
  /** RFC 3339. */
  readonly createdAt: string | null;
}

/** What the sources agree on for one pool; numbers that nobody tells are null. */
export interface AgreedPool {
  readonly liquidityUsd: number | null;
  readonly priceUsd: number | null;
  readonly volume24hUsd: number | null;
  /** Independent families behind the liquidity. */
  readonly families: number;
  /** What its depth is computed from; null without liquidity. */
  readonly told: ToldPool | null;
}

/** One spelling per pool: hex addresses in lower case, base58 as it is. */
export function poolKey(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}

/** Median of what sources say; null when none says anything. */
export function middleOf(values: readonly (number | null)[]): number | null {
  return median(values.filter((value): value is number => value !== null && Number.isFinite(value) && value >= 0));
}

/** The earliest of several RFC 3339 dates. */
export function earliest(dates: readonly (string | null)[]): string | null {
  const known = dates.filter((date): date is string => date !== null && !Number.isNaN(Date.parse(date)));
  return known.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}
