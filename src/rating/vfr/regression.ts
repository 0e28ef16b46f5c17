import type { Category, PeerRow } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import type { Driver, Estimate } from './estimate.ts';
import { logsOf } from './panel.ts';
import { ridge } from './ridge.ts';

export interface Regression extends Estimate {
  /** Share of variance explained on peers left out. */
  readonly r2: number;
  readonly used: readonly Driver[];
  /** Elasticities, in the order of `used`. */
  readonly slopes: readonly number[];
}

/**
 * Estimator B of methodology 5: ridge regression of ln market value on the logs of all drivers the asset and enough peers of its
 * category have. Null when no driver has enough peers.
 */
export function byRegression(
  drivers: readonly Driver[],
  category: Category,
  peers: readonly PeerRow[],
  rules: Methodology['vfr'],
): Regression | null {
  const same = peers.filter((peer) => peer.category === category);
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

/** Peers that have every driver; the driver that fewest peers have goes first, until enough remain. */
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
