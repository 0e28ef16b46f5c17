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

/** One spelling per pool: hex addresses in lower case, base58 as it is. */
export function poolKey(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}

/** Middle of what sources say, the mean of the two middle ones; null when none says anything. */
export function middleOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value) && value >= 0);
  known.sort((a, b) => a - b);
  const half = known.length >> 1;
  const upper = known[half];
  if (upper === undefined) return null;
  return known.length % 2 === 1 ? upper : (upper + (known[half - 1] as number)) / 2;
}

/** The earliest of several RFC 3339 dates. */
export function earliest(dates: readonly (string | null)[]): string | null {
  const known = dates.filter((date): date is string => date !== null && !Number.isNaN(Date.parse(date)));
  return known.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}
