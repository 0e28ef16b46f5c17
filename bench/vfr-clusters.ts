import { join } from 'node:path';
import { percentileInterval } from '../research/discrimination.ts';
import { pickBelow, type Random, sampleOf, seededRandom } from '../research/random.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import {
  ALL,
  COUNTS,
  type History,
  type LeftOut,
  monthsFrom,
  readHistory,
  type Specification,
  valuesOf,
} from './vfr-history.ts';

/**
 * Coverage of the 80 % interval of vfr, and the widening that it needs (`vfr.clusterWidening`). Months of one asset count as one
 * and not as forty, because an error in an asset lasts for months: each asset counts once, by the share of its months within the interval
 * (two-layer conformal prediction: Dunn, Wasserman and Ramdas 2023), and intervals come from resampled assets.
 *
 * An installation has fewer peers than a whole history: the factor is fitted on panels of 24 assets, drawn at random, each valued by the
 * other 23, as the least of FACTORS that covers 80 % in the mean of the draws; it is measured on the assets that were not drawn, in panels
 * of them with eight others for the least number of peers. Reads `history/coinmetrics_2021` of ASSAY_REFERENCE_DATA.
 */
const rules = loadMethodology().vfr;
const history = readHistory(join(process.env.ASSAY_REFERENCE_DATA ?? '../shared/data', 'history', 'coinmetrics_2021'));
const months = monthsFrom('2018-02-01', '2021-07-01');
const quarters = months.filter((_, index) => index % 3 === 0);
const [PANELS, PANEL_SIZE, DRAWS, SEED] = [24, 24, 2_000, 1];
const FACTORS = Array.from({ length: 21 }, (_, step) => 1 + step / 20);
const SPECIFICATIONS: Readonly<Record<string, Specification>> = {
  'by category, three drivers': { isPooled: false, quantities: ALL, isSmoothed: true },
  'one category, three drivers': { isPooled: true, quantities: ALL, isSmoothed: true },
  'by category, counts only': { isPooled: false, quantities: COUNTS, isSmoothed: true },
  'one category, counts only': { isPooled: true, quantities: COUNTS, isSmoothed: true },
};

/** Distances from fair value in half widths of the unwidened interval, by asset: 1 is its end. */
type Errors = readonly (readonly number[])[];
type ErrorsByName = ReadonlyMap<string, readonly number[]>;

for (const [specification, wanted] of Object.entries(SPECIFICATIONS)) {
  const random = seededRandom(SEED);
  const whole = errorsIn(history, months, wanted);
  const panels = Array.from({ length: PANELS }, () => {
    const drawn = sampleOf(history, PANEL_SIZE, random);
    const apart = history.filter((asset) => !drawn.includes(asset));
    const helpers = sampleOf(drawn, rules.minimumPeers, random);
    const names = new Set(apart.map(({ name }) => name));
    return {
      fit: errorsIn(drawn, quarters, wanted),
      apart: errorsByName([...apart, ...helpers], quarters, wanted, names),
    };
  });
  const fitted = FACTORS.find(
    (factor) =>
      meanCoverage(
        panels.map(({ fit }) => fit),
        factor,
      ) >= rules.intervalShare,
  );
  const inForce = rules.clusterWidening;
  console.log(
    JSON.stringify({
      specification,
      factor_fitted: fitted ?? null,
      factor_in_force: inForce,
      whole_history: {
        assets: whole.length,
        values: whole.flat().length,
        ...both((factor) => ({
          of_assets: round(coverageOf(whole, factor)),
          of_assets_95: interval(whole, factor, random),
          of_values: round(share(whole.flat(), factor)),
        })),
      },
      panels_of_24: both((factor) =>
        round(
          meanCoverage(
            panels.map(({ fit }) => fit),
            factor,
          ),
        ),
      ),
      assets_apart: both((factor) => {
        const all = panels.map(({ apart }) => [...apart.values()]);
        const once = sharesOf(
          panels.map(({ apart }) => apart),
          factor,
        );
        return {
          assets: once.length,
          each_once: round(meanOf(once)),
          each_once_95: intervalOf(once, random),
          of_assets: round(meanCoverage(all, factor)),
          middle_90_of_draws: middle(all, factor),
          assets_in_a_draw: round(all.reduce((sum, errors) => sum + errors.length, 0) / all.length),
        };
      }),
    }),
  );

  function both<Found>(of: (factor: number) => Found) {
    return { without: of(1), widened: of(inForce) };
  }
}

function errorsIn(assets: readonly History[], days: readonly string[], wanted: Specification): Errors {
  return [...errorsByName(assets, days, wanted).values()];
}

function errorsByName(
  assets: readonly History[],
  days: readonly string[],
  wanted: Specification,
  only: ReadonlySet<string> | null = null,
): ErrorsByName {
  const values = days.flatMap((day) => valuesOf(assets, day, wanted, rules).values);
  const kept = values.filter(({ name }) => only === null || only.has(name));
  const rows = Map.groupBy(kept, (row) => row.name);
  return new Map([...rows].map(([name, own]) => [name, own.map(errorOf)]));
}

function errorOf({ ln, sd }: LeftOut): number {
  return Math.abs(ln) / (rules.intervalZ * sd);
}

function share(errors: readonly number[], factor: number): number {
  return errors.filter((error) => error <= factor).length / errors.length;
}

/** Mean over assets of the share of their months within the interval. */
function coverageOf(assets: Errors, factor: number): number {
  return assets.reduce((sum, errors) => sum + share(errors, factor), 0) / assets.length;
}

/** Over all assets of all draws, for a draw by category may have values of two assets alone. */
function meanCoverage(panels: readonly Errors[], factor: number): number {
  return coverageOf(panels.flat(), factor);
}

function middle(panels: readonly Errors[], factor: number): readonly [number, number] {
  const found = panels.filter((assets) => assets.length > 0).map((assets) => coverageOf(assets, factor));
  const { low, high } = percentileInterval(found, 0.9);
  return [round(low), round(high)];
}

/** For each asset the share of its months within the interval, mean over the draws that left it out: each asset counts once. */
function sharesOf(draws: readonly ErrorsByName[], factor: number): readonly number[] {
  const rows = Map.groupBy(
    draws.flatMap((own) => [...own]),
    ([name]) => name,
  );
  return [...rows.values()].map((own) => meanOf(own.map(([, errors]) => share(errors, factor))));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 95 % percentile interval of the coverage, assets resampled as a whole. */
function interval(assets: Errors, factor: number, random: Random): readonly [number, number] {
  return intervalOf(
    assets.map((errors) => share(errors, factor)),
    random,
  );
}

function intervalOf(shares: readonly number[], random: Random): readonly [number, number] {
  const draws = Array.from({ length: DRAWS }, () =>
    meanOf(shares.map(() => shares[pickBelow(shares.length, random)] ?? 0)),
  );
  const { low, high } = percentileInterval(draws, 0.95);
  return [round(low), round(high)];
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
