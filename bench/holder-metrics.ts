import { concentrationOf } from '../src/metrics/index.ts';
import type { BalanceChunk, BalanceTable } from '../src/snapshots/holders/balance-table.ts';
import { SOLANA_KEYS, sortBalances, topHolders } from '../src/snapshots/holders/balance-table.ts';
import { histogramOf, tiersBySupply } from '../src/snapshots/holders/distribution.ts';
import { histogramMetrics, mergeHistograms } from '../src/snapshots/holders/fixtures/histograms.ts';

/** Every metric of ten million balances (Pareto 1.2), exact, compared with the limit: sorting the same doubles and one pass over them. */
const HOLDERS = Number(process.env.ASSAY_BENCH_HOLDERS ?? 10_000_000);
const SHARDS = 16;
const BLOCK = 1 << 16;

const shards = Array.from({ length: SHARDS }, (_, shard) => shardOf(shard));
const table: BalanceTable = {
  count: HOLDERS,
  form: SOLANA_KEYS,
  chunks: shards.flatMap((shard) => shard.chunks),
};
const before = process.memoryUsage.rss() / 1e6;
const [limit] = timed(() => {
  const doubles = new Float64Array(HOLDERS);
  let at = 0;
  for (const chunk of table.chunks)
    for (let index = 0; index < chunk.count; index += 1)
      doubles[at++] = (chunk.balances[2 * index + 1] ?? 0) * 4_294_967_296 + (chunk.balances[2 * index] ?? 0);
  doubles.sort();
  let sum = 0;
  for (const value of doubles) sum += value;
  return sum;
});
const [exact, found] = timed(() => {
  const sorted = sortBalances(table);
  const view = concentrationOf({ sorted, denominator: sorted.total, unitsPerUsd: 1_000 });
  return { view, tiers: tiersBySupply(sorted, sorted.total), top: topHolders(table, 100) };
});
const peak = process.memoryUsage.rss() / 1e6;
const [perShard, histograms] = timed(() => shards.map((shard) => histogramOf(shard)));
const [merged, rough] = timed(() => histogramMetrics(mergeHistograms(histograms)));
const { gini, nakamoto_50, hhi } = found.view;
console.log(
  JSON.stringify(
    {
      holders: HOLDERS,
      exact_seconds: exact,
      limit_seconds: limit,
      of_limit: round(limit / exact),
      histograms_of_16_shards_seconds: perShard,
      merged_from_shards_seconds: merged,
      gini: { exact: gini, merged: rough.gini },
      nakamoto_50: { exact: nakamoto_50, merged: rough.nakamoto_50 },
      hhi: { exact: hhi, merged: rough.hhi },
      table_mb: Math.round(before),
      peak_mb: Math.round(peak),
    },
    null,
    1,
  ),
);

function shardOf(shard: number): BalanceTable {
  const chunks: BalanceChunk[] = [];
  let state = 0x9e3779b9 ^ (shard + 1);
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 4_294_967_296;
  };
  const count = Math.floor(HOLDERS / SHARDS) + (shard < HOLDERS % SHARDS ? 1 : 0);
  for (let start = 0; start < count; start += BLOCK) {
    const size = Math.min(BLOCK, count - start);
    const keys = new Uint8Array(size * 32);
    const balances = new Uint32Array(size * 2);
    const view = new DataView(keys.buffer);
    for (let index = 0; index < size; index += 1) {
      const balance = Math.min(1e18, Math.floor(1e6 * random() ** (-1 / 1.2)));
      balances[2 * index] = balance % 4_294_967_296;
      balances[2 * index + 1] = Math.floor(balance / 4_294_967_296);
      view.setUint32(index * 32, start + index);
      view.setUint32(index * 32 + 4, shard);
    }
    chunks.push({ count: size, keys, balances });
  }
  return { count, form: SOLANA_KEYS, chunks };
}

function timed<Value>(work: () => Value): readonly [number, Value] {
  const startedAt = performance.now();
  const value = work();
  return [round((performance.now() - startedAt) / 1000), value];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
