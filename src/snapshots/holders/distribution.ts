import type { HistogramRecord, HolderTier } from '../../contract/index.ts';
import { percentOf, type SortedBalances } from '../../metrics/index.ts';
import { type BalanceTable, balanceNear } from './balance-table.ts';

const USD = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
const USD_NAMES = ['<1', '1-10', '10-100', '100-1k', '1k-10k', '10k-100k', '100k-1M', '>1M'] as const;
/** Percent of supply. */
const SUPPLY = [1e-4, 1e-3, 1e-2, 0.1, 1, 5] as const;
const SUPPLY_NAMES = ['<0.0001%', '0.0001-0.001%', '0.001-0.01%', '0.01-0.1%', '0.1-1%', '1-5%', '>5%'] as const;

/** Holders and their share of supply by value (methodology 8); a balance on a border belongs to the tier above it. */
export function tiersByUsd(sorted: SortedBalances, denominator: bigint, unitsPerUsd: number): readonly HolderTier[] {
  return tiersOf(
    sorted,
    denominator,
    USD.map((usd) => usd * unitsPerUsd),
    USD_NAMES,
  );
}

/** The same by share of supply. */
export function tiersBySupply(sorted: SortedBalances, denominator: bigint): readonly HolderTier[] {
  const supply = Number(denominator);
  return tiersOf(
    sorted,
    denominator,
    SUPPLY.map((percent) => (percent / 100) * supply),
    SUPPLY_NAMES,
  );
}

function tiersOf(
  { large, small }: SortedBalances,
  denominator: bigint,
  borders: readonly number[],
  names: readonly string[],
): readonly HolderTier[] {
  const counts = names.map(() => 0);
  const sums = names.map(() => 0n);
  let tier = 0;
  let part = 0;
  const flush = () => {
    sums[tier] = (sums[tier] ?? 0n) + BigInt(part);
    part = 0;
  };
  for (const balance of small) {
    while (tier < borders.length && balance >= (borders[tier] ?? 0)) {
      flush();
      tier += 1;
    }
    if (part + balance > Number.MAX_SAFE_INTEGER) flush();
    part += balance;
    counts[tier] = (counts[tier] ?? 0) + 1;
  }
  flush();
  for (const balance of large) {
    const near = Number(balance);
    let at = borders.findIndex((border) => near < border);
    if (at === -1) at = borders.length;
    counts[at] = (counts[at] ?? 0) + 1;
    sums[at] = (sums[at] ?? 0n) + balance;
  }
  return names.map((name, index) => ({
    tier: name,
    holders: counts[index] ?? 0,
    share_pct: percentOf(sums[index] ?? 0n, denominator),
  }));
}

/** Bucket i holds balances in [1.01^i, 1.01^(i+1)): its middle is at most 0.5 % away from any of them. */
const BASE = 1.01;
const LN_BASE = Math.log(BASE);

/** Balances of a table by size: small, and mergeable with the histogram of another shard or day. */
export function histogramOf(table: BalanceTable): HistogramRecord {
  const counts: number[] = [];
  const sums: number[] = [];
  for (const chunk of table.chunks) {
    for (let index = 0; index < chunk.count; index += 1) {
      const balance = balanceNear(chunk, index, table.form.words);
      const bucket = Math.floor(Math.log(balance) / LN_BASE);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sums[bucket] = (sums[bucket] ?? 0) + balance;
    }
  }
  const buckets: (readonly [number, number, number])[] = [];
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    const count = counts[bucket];
    if (count !== undefined) buckets.push([bucket, count, sums[bucket] ?? 0]);
  }
  return { base: BASE, buckets };
}
