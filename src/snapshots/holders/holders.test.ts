import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { loadMethodology } from '../../methodology/load.ts';
import { bookOf, concentrationOf, type LabelBook, without } from '../../metrics/index.ts';
import { EVM_KEYS, sortBalances, tableFromEntries, textKeys, topHolders, totalOf } from './balance-table.ts';
import { histogramOf, tiersBySupply, tiersByUsd } from './distribution.ts';
import { histogramMetrics, mergeHistograms } from './fixtures/histograms.ts';
import { buildHoldersSnapshot, type HoldersInput } from './snapshot.ts';

const DATA = process.env.ASSAY_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data');
const tableOf = (balances: readonly bigint[]) =>
  tableFromEntries(
    textKeys(),
    balances.map((balance, index) => [`h${String(index).padStart(6, '0')}`, balance]),
  );
const metricsOf = (balances: readonly bigint[], denominator?: bigint) => {
  const sorted = sortBalances(tableOf(balances));
  return concentrationOf({ sorted, denominator: denominator ?? sorted.total, unitsPerUsd: null });
};
const near = (a: number | null, b: number, tolerance = 1e-9) => {
  assert.ok(a !== null && Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
};
const U64 = (1n << 64n) - 1n;
const balance = fc.oneof(
  fc.bigInt({ min: 1n, max: 1000n }),
  fc.bigInt({ min: 1n, max: U64 }),
  fc.bigInt({ min: (1n << 53n) - 3n, max: (1n << 53n) + 3n }),
  fc.bigInt({ min: 1n, max: (1n << 250n) - 1n }),
);
const balances = fc.array(balance, { minLength: 1, maxLength: 60 });

test('the UNI distribution of 2020 gives the golden numbers', {
  skip: !existsSync(DATA) && 'no reference data',
}, () => {
  const text = gunzipSync(readFileSync(join(DATA, 'holders/uni_airdrop_2020.csv.gz'))).toString('utf8');
  const rows = [...text.matchAll(/^(0x[0-9a-fA-F]{40}),(\d+)/gm)].map(
    (match) => [match[1] ?? '', BigInt(match[2] ?? 0)] as const,
  );
  const table = tableFromEntries(EVM_KEYS, rows);
  const sorted = sortBalances(table);
  const found = concentrationOf({ sorted, denominator: sorted.total, unitsPerUsd: null });
  assert.equal(found.holder_count, 252_803);
  const printed = (value: number | null, digits: number) => value?.toFixed(digits);
  assert.deepEqual(
    [
      printed((found.top_1_pct ?? 0) / 100, 6),
      printed((found.top_10_pct ?? 0) / 100, 6),
      printed((found.top_100_pct ?? 0) / 100, 6),
      printed(found.gini, 6),
      printed(found.hhi, 6),
      printed(found.effective_holders, 2),
      printed(found.entropy, 6),
      printed(found.entropy_holders, 1),
      found.nakamoto_50,
      found.nakamoto_33,
    ],
    ['0.014023', '0.071042', '0.200569', '0.324907', '8.595055', '1163.46', '10.972428', '58245.9', 65_304, 4_398],
  );
  const rough = histogramMetrics(histogramOf(table));
  near(rough.gini, found.gini ?? 0, 0.005);
  near(rough.hhi, found.hhi ?? 0, 0.01);
  near(rough.nakamoto_50, found.nakamoto_50 ?? 0, 0.01);
});

test('every sum, top and coefficient equals that of plain bigints, for any sizes', () => {
  fc.assert(
    fc.property(balances, (list) => {
      const descending = [...list].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
      const total = list.reduce((sum, one) => sum + one, 0n);
      const found = metricsOf(list);
      assert.equal(totalOf(tableOf(list)), total);
      const nakamoto = (parts: bigint) => {
        let sum = 0n;
        for (const [index, one] of descending.entries()) {
          sum += one;
          if (sum * parts > total) return index + 1;
        }
        return null;
      };
      assert.deepEqual([found.nakamoto_50, found.nakamoto_33], [nakamoto(2n), nakamoto(3n)]);
      const top = (count: number) => descending.slice(0, count).reduce((sum, one) => sum + one, 0n);
      near(found.top_5_pct, Number((top(5) * 10n ** 12n) / total) / 1e10, 1e-9);
      const shares = list.map((one) => Number(one) / Number(total));
      near(found.hhi, 1e4 * shares.reduce((sum, share) => sum + share * share, 0), 1e-9);
      near(found.entropy, -shares.reduce((sum, share) => sum + share * Math.log(share), 0), 1e-9);
      for (const value of [found.gini ?? 0, found.entropy_normalised ?? 0]) assert.ok(value >= 0 && value <= 1 + 1e-12);
      assert.ok((found.hhi ?? 0) <= 10_000 + 1e-6 && (found.hhi ?? 0) >= 10_000 / list.length - 1e-6);
    }),
  );
});

test('half is not more than half: the coefficient is strict, to the base unit', () => {
  assert.equal(metricsOf([5n, 3n, 2n]).nakamoto_50, 2);
  assert.equal(metricsOf([6n, 3n, 2n]).nakamoto_50, 1);
  const big = 1n << 62n;
  assert.equal(metricsOf([big, big]).nakamoto_50, 2);
  assert.equal(metricsOf([big + 1n, big]).nakamoto_50, 1);
});

test('scale and order change no share; joining two owners concentrates; giving from poor to rich raises Gini', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { minLength: 3, maxLength: 40 }), (list) => {
      const plain = metricsOf(list);
      const scaled = metricsOf([...list].reverse().map((one) => one * 1_000_003n));
      for (const name of ['top_1_pct', 'top_20_pct', 'gini', 'hhi', 'entropy'] as const)
        near(scaled[name], plain[name] ?? 0, 1e-9);
      const [first = 0n, second = 0n, ...rest] = list;
      assert.ok((metricsOf([first + second, ...rest]).hhi ?? 0) > (plain.hhi ?? 0));
      const ascending = [...list].sort((a, b) => (a < b ? -1 : 1));
      const poor = ascending[0] ?? 0n;
      const rich = ascending.at(-1) ?? 0n;
      if (poor > 1n) {
        const moved = [poor - 1n, ...ascending.slice(1, -1), rich + 1n];
        assert.ok((metricsOf(moved).gini ?? 0) >= (plain.gini ?? 0));
      }
    }),
  );
});

test('one holder has no inequality, fewer than k make the whole, nothing is null and not zero', () => {
  const one = metricsOf([7n]);
  assert.deepEqual(
    [one.gini, one.entropy_normalised, one.hhi, one.top_100_pct, one.entropy],
    [null, null, 10_000, 100, 0],
  );
  assert.deepEqual(one.notes, ['n_lt_k', 'one_holder']);
  const none = metricsOf([]);
  assert.deepEqual([none.holder_count, none.hhi, none.top_1_pct], [0, null, null]);
  assert.equal(metricsOf([3n], 0n).hhi, null);
});

test('taking owners out leaves the others exactly, also among equals', () => {
  fc.assert(
    fc.property(balances, fc.array(fc.nat(), { maxLength: 10 }), (list, picks) => {
      const gone = new Set(picks.map((pick) => pick % list.length));
      const left = list.filter((_, index) => !gone.has(index));
      const reduced = without(
        sortBalances(tableOf(list)),
        [...gone].map((index) => list[index] ?? 0n),
      );
      const expected = sortBalances(tableOf(left));
      assert.deepEqual([reduced.count, reduced.total, reduced.large], [expected.count, expected.total, expected.large]);
      assert.deepEqual(reduced.small, expected.small);
    }),
  );
});

test('the largest balances come in order, equal ones by address, as a plain sort gives them', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 5n }), { minLength: 1, maxLength: 400 }), (list) => {
      const rows = list.map((one, index) => ({ address: `h${String(index).padStart(6, '0')}`, balance: one }));
      const expected = rows
        .sort((a, b) => Number(b.balance - a.balance) || (a.address < b.address ? -1 : 1))
        .slice(0, 7);
      assert.deepEqual(topHolders(tableOf(list), 7), expected);
    }),
  );
});

test('tiers count everybody once, and a balance on a border belongs above it', () => {
  fc.assert(
    fc.property(balances, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (list, units) => {
      const sorted = sortBalances(tableOf(list));
      for (const tiers of [tiersBySupply(sorted, sorted.total), tiersByUsd(sorted, sorted.total, units)]) {
        assert.equal(
          tiers.reduce((sum, tier) => sum + tier.holders, 0),
          list.length,
        );
        near(
          tiers.reduce((sum, tier) => sum + tier.share_pct, 0),
          100,
          1e-9,
        );
      }
    }),
  );
  const sorted = sortBalances(tableOf([100n, 99n]));
  assert.deepEqual(
    tiersByUsd(sorted, 199n, 10)
      .filter((tier) => tier.holders > 0)
      .map((tier) => tier.tier),
    ['1-10', '10-100'],
  );
});

test('histograms merge in any order and grouping, and are within their half percent', () => {
  const shard = fc.array(fc.bigInt({ min: 1n, max: U64 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(shard, shard, shard, (a, b, c) => {
      const [x, y, z] = [a, b, c].map((list) => histogramOf(tableOf(list)));
      if (!x || !y || !z) return;
      const left = mergeHistograms([mergeHistograms([x, y]), z]);
      const right = mergeHistograms([z, mergeHistograms([y, x])]);
      assert.deepEqual(
        left.buckets.map(([bucket, count]) => [bucket, count]),
        right.buckets.map(([bucket, count]) => [bucket, count]),
      );
      const whole = metricsOf([...a, ...b, ...c]);
      const merged = histogramMetrics(left);
      assert.equal(merged.holder_count, whole.holder_count);
      near(merged.hhi, whole.hhi ?? 0, 0.011);
      near(merged.entropy, whole.entropy ?? 0, 0.011);
      assert.ok(Math.abs((merged.gini ?? 0) - (whole.gini ?? 0)) < 0.011);
    }),
  );
});

const asset = { id: 'x', chain: 'ethereum', address: '0x', symbol: 'X', name: 'X', category: null, website: null };
function snapshotOf(list: readonly (readonly [string, bigint])[], more: Partial<HoldersInput> = {}) {
  const table = tableFromEntries(textKeys(), list);
  return buildHoldersSnapshot({
    asset,
    asOf: '2026-11-20T00:00:00.000Z',
    method: 'full_scan',
    table,
    holderCount: null,
    supply: totalOf(table),
    decimals: 0,
    priceUsd: null,
    labels: bookOf([]),
    rules: loadMethodology().holders,
    alsoLook: [],
    previous: null,
    scan: { accounts: null, height: null, bytes: null, milliseconds: null },
    sources: ['chain'],
    attributions: [],
    warnings: [],
    ...more,
  });
}
const label = (kind: 'burn' | 'pool' | 'issuer', confidence = 1) => ({ kind, name: kind, source: 'test', confidence });
const labels: LabelBook = bookOf([
  ['burned', label('burn')],
  ['amm', label('pool')],
  ['team', label('issuer')],
  ['rumour', label('pool', 0.4)],
]);
const HELD = [
  ['burned', 400n],
  ['amm', 300n],
  ['team', 200n],
  ['rumour', 60n],
  ['a', 40n],
] as const;

test('burned tokens leave the supply, pools leave the list only, the team leaves neither, and a rumour changes nothing', () => {
  const found = snapshotOf(HELD, { labels });
  assert.deepEqual([found.raw.top_1_pct, found.raw.holder_count], [40, 5]);
  assert.equal(found.supply.adjusted_raw, '600');
  assert.equal(found.adjusted.holder_count, 3);
  near(found.adjusted.top_1_pct, 100 / 3);
  near(found.adjusted.hhi, 1e4 * ((200 / 600) ** 2 + (60 / 600) ** 2 + (40 / 600) ** 2));
  assert.equal(found.adjusted.nakamoto_50, null);
  assert.deepEqual(
    found.set_aside.map((row) => [row.kind, row.share_pct]),
    [
      ['burn', 40],
      ['pool', 30],
    ],
  );
  assert.deepEqual(
    found.top_holders.map((row) => row.set_aside),
    ['burn', 'pool', null, null, null],
  );
  near(found.unlabelled_top20_share_pct, 4);
});

test('a burn address outside the largest is still found where one looks for it', () => {
  const crowd = Array.from({ length: 1_200 }, (_, index) => [`z${index}`, 10n] as const);
  const found = snapshotOf([...crowd, ['burned', 1n]], { labels, alsoLook: ['burned'] });
  assert.equal(found.supply.burned_raw, '1');
});

test('balances that miss the supply by more than a thousandth are incomplete, and more than the supply is impossible', () => {
  assert.equal(snapshotOf(HELD, { supply: 1_000n }).status, 'complete');
  const missing = snapshotOf(HELD, { supply: 1_100n });
  assert.deepEqual([missing.status, missing.supply.coverage], ['incomplete_enumeration', 1000 / 1100]);
  assert.ok(snapshotOf(HELD, { supply: 900n }).warnings.some((warning) => warning.includes('more than the supply')));
});

test('withheld transfer fees are not missing holders, unless they are too much to leave out of the picture', () => {
  const few = snapshotOf(HELD, { supply: 1_015n, withheld: 15n });
  assert.deepEqual([few.status, few.supply.coverage], ['complete', 1_000 / 1_015]);
  assert.match(few.warnings.join(), /^1\.48 % of the supply are withheld transfer fees/);
  const missing = snapshotOf(HELD, { supply: 1_100n, withheld: 15n });
  assert.equal(missing.status, 'incomplete_enumeration');
  assert.match(missing.warnings.join(), /some holders are missing/);
  const most = snapshotOf(HELD, { supply: 10_000n, withheld: 9_000n });
  assert.equal(most.status, 'incomplete_enumeration');
  assert.match(most.warnings.join(), /^90\.00 % of the supply/);
  assert.equal(snapshotOf(HELD, { supply: 1_000n, withheld: 9n }).status, 'incomplete_enumeration');
  assert.equal(snapshotOf(HELD, { supply: 1_015n, withheld: 15n, method: 'indexer' }).status, 'incomplete_enumeration');
});

test('no supply, absurd decimals and a partial list give nulls where nothing is known', () => {
  const empty = snapshotOf([], { supply: 0n });
  assert.deepEqual([empty.status, empty.raw.hhi, empty.holder_count], ['zero_supply', null, 0]);
  const tiny = snapshotOf(HELD, { decimals: 255, priceUsd: 1 });
  assert.equal(tiny.tiers_usd?.[0]?.holders, 5);
  assert.ok(JSON.parse(JSON.stringify(tiny)).top_holders[0].amount > 0);
  const listed = snapshotOf(HELD, { method: 'top20_only', supply: 5_000n, holderCount: 77 });
  assert.deepEqual(
    [
      listed.status,
      listed.holder_count,
      listed.raw.top_5_pct,
      listed.raw.top_20_pct,
      listed.raw.gini,
      listed.histogram,
    ],
    ['top20_only', 77, 20, null, null, null],
  );
});

test('a change is given only against a snapshot of the same method', () => {
  const before = snapshotOf(HELD);
  const after = snapshotOf([...HELD, ['b', 100n]], { previous: before });
  assert.deepEqual([after.change?.since, after.change?.holder_count], [before.as_of, 1]);
  assert.equal(snapshotOf(HELD, { previous: { ...before, method: 'indexer' } }).change, null);
});
