import { join } from 'node:path';
import { loadMethodology } from '../src/methodology/load.ts';
import {
  ALL,
  COUNTS,
  coveragePct,
  type LeftOut,
  monthsFrom,
  readHistory,
  type Specification,
  sharePct,
  valuesOf,
} from './vfr-history.ts';

/**
 * Coverage of the 80 % interval of peers for the market value, each asset valued by the others only, and the other figures that
 * methodology 5 states of vfr. Reads the daily history (2018 to 2021) in `history/coinmetrics_2021` of ASSAY_REFERENCE_DATA.
 */
const rules = loadMethodology().vfr;
const history = readHistory(join(process.env.ASSAY_REFERENCE_DATA ?? '../shared/data', 'history', 'coinmetrics_2021'));
const months = monthsFrom('2018-02-01', '2021-07-01');
const ZONES = ['DEEP_DISCOUNT', 'DISCOUNT', 'FAIR', 'PREMIUM', 'EXTREME_PREMIUM'];

const SPECIFICATIONS: Readonly<Record<string, Specification>> = {
  'by category: active addresses, holders, transfer value': { isPooled: false, quantities: ALL, isSmoothed: true },
  'one category: active addresses, holders, transfer value': { isPooled: true, quantities: ALL, isSmoothed: true },
  'by category: active addresses, holders': { isPooled: false, quantities: COUNTS, isSmoothed: true },
  'one category: active addresses, holders': { isPooled: true, quantities: COUNTS, isSmoothed: true },
};
for (const [specification, wanted] of Object.entries(SPECIFICATIONS))
  console.log(JSON.stringify({ specification, ...measure(wanted) }, null, 1));

function measure(wanted: Specification) {
  const found = months.map((day) => valuesOf(history, day, wanted, rules));
  const values = found.flatMap((month) => month.values);
  const fits = found.flatMap((month) => month.regressions);
  const uncut = { ...rules, sdMaximum: Number.POSITIVE_INFINITY, minimumR2: Number.NEGATIVE_INFINITY };
  const all = months.flatMap((day) => valuesOf(history, day, wanted, uncut).values);
  return {
    assets: history.length,
    months: months.length,
    values: values.length,
    no_value: counts(found.flatMap((month) => month.reasons)),
    coverage_pct: coveragePct(values, rules.intervalZ),
    coverage_pct_before_nulls: coveragePct(all, rules.intervalZ),
    coverage_pct_by_category: grouped(values, (row) => row.category),
    coverage_pct_by_year: grouped(values, (row) => row.day.slice(0, 4)),
    sd: spread(values.map((row) => row.sd)),
    within_25_pct: sharePct(values, ({ ln }) => Math.abs(ln) <= Math.log(1.25)),
    within_2x: sharePct(values, ({ ln }) => Math.abs(ln) <= Math.log(2)),
    zones_pct: Object.fromEntries(ZONES.map((zone) => [zone, sharePct(values, (row) => row.zone === zone)])),
    regressions: fits.length,
    r2_left_out: spread(fits.map((fit) => fit.r2)),
    regression_sd: spread(fits.map((fit) => fit.sd)),
    elasticities: Object.fromEntries(
      wanted.quantities.map((quantity, index) => [quantity, spread(fits.map((fit) => fit.slopes[index] ?? 0))]),
    ),
    day_to_day_change: { smoothed: dayToDay(wanted), unsmoothed: dayToDay({ ...wanted, isSmoothed: false }) },
  };
}

/** Median |d ln vfr| from the first of a month to the second. */
function dayToDay(wanted: Specification): number {
  const changes = months.flatMap((day) => {
    const next = new Map(valuesOf(history, `${day.slice(0, 8)}02`, wanted, rules).values.map((row) => [row.name, row]));
    return valuesOf(history, day, wanted, rules).values.flatMap((row) => {
      const after = next.get(row.name);
      return after ? [Math.abs(after.ln - row.ln)] : [];
    });
  });
  return spread(changes).median;
}

function grouped(values: readonly LeftOut[], groupOf: (row: LeftOut) => string): Readonly<Record<string, string>> {
  const groups = Object.entries(Object.groupBy(values, groupOf)).sort(([a], [b]) => a.localeCompare(b));
  return Object.fromEntries(
    groups.map(([name, rows = []]) => [name, `${coveragePct(rows, rules.intervalZ)} of ${rows.length}`]),
  );
}

function counts(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(words, (word) => word)).map(([word, rows = []]) => [word, rows.length]),
  );
}

function spread(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) => Math.round(1_000 * (sorted[Math.round(part * (sorted.length - 1))] ?? 0)) / 1_000;
  return { p10: at(0.1), median: at(0.5), p90: at(0.9) };
}
