import { median, type PeerRow, robustSd } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import type { Driver, Estimate } from './drivers.ts';
import { isOfKind, type Kind, logsOf } from './panel.ts';
import { mediansWithout, ridge, shrunk, spanOf } from './robust.ts';

/**
 * Estimator A of methodology 5: the driver times the median multiple of the class, shrunk towards that of all peers by
 * a pseudo-count. Null when fewer than the minimum number of peers of the class have the driver.
 */
export function byMultiple(
  driver: Driver,
  kind: Kind,
  peers: readonly PeerRow[],
  rules: Methodology['vfr'],
): Estimate | null {
  const rows = peers.flatMap((peer) => {
    const logs = logsOf(peer, driver.quantity, rules);
    return logs === null ? [] : [{ peer, multiple: logs.value - logs.driver }];
  });
  const same = rows.filter(({ peer }) => isOfKind(peer, kind));
  if (same.length < rules.minimumPeers) return null;
  const all = rows.map(({ multiple }) => multiple);
  const own = same.map(({ multiple }) => multiple);
  const centre = shrunk(median(own) ?? 0, own.length, median(all) ?? 0, rules.pseudoCount);
  const ownWithout = mediansWithout(own);
  const allWithout = mediansWithout(all);
  const leftOut = rows
    .map(({ peer, multiple }, index) => ({ peer, multiple, all: allWithout[index] ?? 0 }))
    .filter(({ peer }) => isOfKind(peer, kind))
    .map(({ peer, multiple, all: wider }, index): [string, number] => [
      peer.assetId,
      multiple - shrunk(ownWithout[index] ?? 0, own.length - 1, wider, rules.pseudoCount),
    ]);
  return {
    estimator: 'multiple',
    driver,
    lnFair: Math.log(driver.value) + centre,
    // Multiples have heavier tails than the median distance shows. The median distance alone would give the worst
    // drivers too much weight.
    sd: Math.max(
      rules.sdFloor,
      robustSd(own, centre) ?? 0,
      spanOf(
        leftOut.map(([, error]) => error),
        rules,
      ),
    ),
    // The confidence threshold applies to the reading; a weak driver only gets less weight.
    confidence: driver.confidence * (driver.isWeak ? rules.weak.share : 1),
    peers: own.length,
    leftOut: new Map(leftOut),
  };
}

export interface Regression extends Estimate {
  /** Share of the variance explained on left-out peers. */
  readonly r2: number;
  readonly used: readonly Driver[];
  /** Elasticities, in the order of `used`. */
  readonly slopes: readonly number[];
}

/**
 * Estimator B of methodology 5: ridge regression of ln market value on the logs of all drivers that the asset and
 * enough peers of its class have. Null when no driver has enough peers.
 */
export function byRegression(
  drivers: readonly Driver[],
  kind: Kind,
  peers: readonly PeerRow[],
  rules: Methodology['vfr'],
): Regression | null {
  const same = peers.filter((peer) => isOfKind(peer, kind));
  const { used, rows } = completeRows(
    drivers.filter((driver) => !driver.isWeak),
    same,
    rules,
  );
  if (used.length === 0) return null;
  const fit = ridge(
    rows.map((row) => row.drivers),
    rows.map((row) => row.value),
    { lambda: rules.ridgeLambda, deviations: rules.winsorDeviations },
  );
  return {
    estimator: 'regression',
    driver: null,
    lnFair: fit.predict(used.map((driver) => Math.log(driver.value))),
    sd: Math.max(rules.sdFloor, fit.sd),
    confidence: Math.min(...used.map((driver) => driver.confidence)),
    peers: rows.length,
    leftOut: new Map(rows.map(({ assetId }, index) => [assetId, fit.leftOut[index] ?? 0])),
    r2: fit.r2,
    used,
    slopes: fit.slopes,
  };
}

/** Peers that have every driver. Drops the driver that the fewest peers have until enough peers remain. */
function completeRows(drivers: readonly Driver[], peers: readonly PeerRow[], rules: Methodology['vfr']) {
  let used = [...drivers];
  while (used.length > 0) {
    const rows = peers.flatMap((peer) => {
      const logs = used.map((driver) => logsOf(peer, driver.quantity, rules));
      const [first] = logs;
      return first && logs.every((row) => row !== null)
        ? [{ assetId: peer.assetId, value: first.value, drivers: logs.map((row) => row?.driver ?? 0) }]
        : [];
    });
    if (rows.length >= rules.minimumPeers) return { used, rows };
    const counts = used.map((driver) => peers.filter((peer) => logsOf(peer, driver.quantity, rules) !== null).length);
    const rarest = counts.lastIndexOf(Math.min(...counts));
    used = used.filter((_, index) => index !== rarest);
  }
  return { used, rows: [] };
}

export interface Combined {
  readonly lnFair: number;
  readonly sd: number;
  /** In the order of the estimates; they add up to 1. */
  readonly weights: readonly number[];
}

/**
 * Mean of the estimates, weighted by confidence over variance. Its standard deviation takes their correlation into
 * account (methodology 5) and is never less than the error of the same mean on the peers, each left out: multiples have
 * heavier tails than medians show, and the errors of drivers are more correlated than any fixed value. (Conformal: Vovk
 * 2005; Barber 2021, "jackknife+".) `lnValue` is the ln of the market value; the asset's own error is included.
 */
export function combine(estimates: readonly Estimate[], lnValue: number, rules: Methodology['vfr']): Combined {
  const precisions = estimates.map((estimate) => estimate.confidence / estimate.sd ** 2);
  const all = precisions.reduce((sum, precision) => sum + precision, 0);
  const weights = precisions.map((precision) => precision / all);
  const modelled = Math.sqrt((1 + rules.driverCorrelation * (estimates.length - 1)) / all);
  const lnFair = estimates.reduce((sum, estimate, index) => sum + (weights[index] ?? 0) * estimate.lnFair, 0);
  // Includes the asset's own error, so that the check of the spread does not depend on which asset is valued. A limit
  // on the other assets' spread alone would let outliers pass and reject the assets beside them.
  const errors = [...errorsOnPeers(estimates, weights, rules), lnValue - lnFair];
  return { lnFair, sd: Math.max(modelled, spanOf(errors, rules)), weights };
}

/**
 * Error of the weighted mean on each peer: on the peers that have every driver or, when these are too few, on all peers
 * by the drivers that they have.
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
