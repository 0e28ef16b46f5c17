import type { HistogramRecord } from '../../domain/index.ts';
import { type BalanceTable, balanceNear } from './balance-table.ts';

/** Bucket i holds balances in [1.01^i, 1.01^(i+1)): its middle is at most 0.5 % away from any of them. */
const BASE = 1.01;
const LN_BASE = Math.log(BASE);

export interface HistogramMetrics {
  readonly holder_count: number;
  readonly gini: number | null;
  readonly hhi: number | null;
  readonly entropy: number | null;
  readonly nakamoto_50: number | null;
  readonly nakamoto_33: number | null;
}

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

/** One histogram of several, whose owners must be different ones. The order does not matter. Throws when their bases differ. */
export function mergeHistograms(parts: readonly HistogramRecord[]): HistogramRecord {
  const merged = new Map<number, readonly [number, number, number]>();
  const base = parts[0]?.base ?? BASE;
  for (const part of parts) {
    if (part.base !== base) throw new RangeError(`histograms of different bases: ${base} and ${part.base}`);
    for (const [bucket, count, sum] of part.buckets) {
      const [, before = 0, total = 0] = merged.get(bucket) ?? [];
      merged.set(bucket, [bucket, before + count, total + sum]);
    }
  }
  return { base, buckets: [...merged.values()].sort(([a], [b]) => a - b) };
}

/** Metrics from buckets, each holder at its bucket's mean: within about half a percent of the exact ones. */
export function histogramMetrics(histogram: HistogramRecord): HistogramMetrics {
  let count = 0;
  let total = 0;
  let weighed = 0;
  let squares = 0;
  let logs = 0;
  for (const [, holders, sum] of histogram.buckets) {
    // Ranks count+1 .. count+holders, all with the mean balance.
    weighed += sum * (count + (holders + 1) / 2);
    count += holders;
    total += sum;
    const mean = sum / holders;
    squares += holders * mean * mean;
    logs += sum * Math.log(mean);
  }
  if (count === 0 || total === 0)
    return { holder_count: count, gini: null, hhi: null, entropy: null, nakamoto_50: null, nakamoto_33: null };
  return {
    holder_count: count,
    gini: count === 1 ? null : Math.min(1, Math.max(0, (2 * weighed) / (count * total) - (count + 1) / count)),
    hhi: (10_000 * squares) / (total * total),
    entropy: Math.max(0, Math.log(total) - logs / total),
    nakamoto_50: nakamotoOf(histogram, total / 2),
    nakamoto_33: nakamotoOf(histogram, total / 3),
  };
}

function nakamotoOf({ buckets }: HistogramRecord, limit: number): number {
  let holders = 0;
  let left = limit;
  for (let index = buckets.length - 1; index >= 0; index -= 1) {
    const [, count, sum] = buckets[index] ?? [0, 0, 0];
    if (sum > left) return holders + Math.min(count, Math.floor(left / (sum / count)) + 1);
    holders += count;
    left -= sum;
  }
  return holders;
}
