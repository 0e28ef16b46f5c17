import type { Methodology } from '../../methodology/index.ts';
import type { Estimate } from './estimate.ts';
import { spanOf } from './robust.ts';

export interface Combined {
  readonly lnFair: number;
  readonly sd: number;
  /** In the order of the estimates; they add up to 1. */
  readonly weights: readonly number[];
}

/**
 * Mean of the estimates by confidence over variance; its standard deviation with their correlation (methodology 5), but never
 * less than what the same mean is off by on the peers themselves, each left out: multiples have heavier tails than medians
 * show, and drivers err together more than any fixed correlation says. (Conformal: Vovk 2005; Barber 2021, "jackknife+".)
 * `lnValue` is ln of what the market pays: the asset is one of those the method may be wrong about.
 */
export function combine(estimates: readonly Estimate[], lnValue: number, rules: Methodology['vfr']): Combined {
  const precisions = estimates.map((estimate) => estimate.confidence / estimate.sd ** 2);
  const all = precisions.reduce((sum, precision) => sum + precision, 0);
  const weights = precisions.map((precision) => precision / all);
  const modelled = Math.sqrt((1 + rules.driverCorrelation * (estimates.length - 1)) / all);
  const lnFair = estimates.reduce((sum, estimate, index) => sum + (weights[index] ?? 0) * estimate.lnFair, 0);
  // Its own error is counted in, so that whether the spread allows a value does not depend on which of them is valued: a
  // bar on the spread of the others alone would let outliers pass and stop those beside them.
  const errors = [...errorsOnPeers(estimates, weights, rules), lnValue - lnFair];
  return { lnFair, sd: Math.max(modelled, spanOf(errors, rules)), weights };
}

/**
 * What the weighted mean is off by on each peer: those that have every driver, or, when they are too few, all, by the
 * drivers they have.
 */
function errorsOnPeers(
  estimates: readonly Estimate[],
  weights: readonly number[],
  rules: Methodology['vfr'],
): readonly number[] {
  const names = [...new Set(estimates.flatMap(({ leftOut }) => [...leftOut.keys()]))];
  const complete = names.filter((name) => estimates.every(({ leftOut }) => leftOut.has(name)));
  return (complete.length >= rules.minimumPeers ? complete : names).map((name) => {
    const known = estimates.map(({ leftOut }, index) => ({ error: leftOut.get(name), weight: weights[index] ?? 0 }));
    const weight = known.reduce((sum, row) => sum + (row.error === undefined ? 0 : row.weight), 0);
    return known.reduce((sum, row) => sum + row.weight * (row.error ?? 0), 0) / weight;
  });
}
