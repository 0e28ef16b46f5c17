import type { Category, PeerRow } from '../../domain/index.ts';
import { median, robustSd } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import type { Driver, Estimate } from './estimate.ts';
import { logsOf } from './panel.ts';
import { mediansWithout, shrunk, spanOf } from './robust.ts';

/**
 * Estimator A of methodology 5: the driver times the median multiple of the category, pulled towards that of all peers by a
 * pseudo-count. Null below the least number of peers of the category that have the driver.
 */
export function byMultiple(
  driver: Driver,
  category: Category,
  peers: readonly PeerRow[],
  rules: Methodology['vfr'],
): Estimate | null {
  const rows = peers.flatMap((peer) => {
    const logs = logsOf(peer, driver.quantity, rules);
    return logs === null ? [] : [{ peer, multiple: logs.value - logs.driver }];
  });
  const same = rows.filter(({ peer }) => peer.category === category);
  if (same.length < rules.minimumPeers) return null;
  const all = rows.map(({ multiple }) => multiple);
  const own = same.map(({ multiple }) => multiple);
  const centre = shrunk(median(own) ?? 0, own.length, median(all) ?? 0, rules.pseudoCount);
  const ownWithout = mediansWithout(own);
  const allWithout = mediansWithout(all);
  const leftOut = rows
    .map(({ peer, multiple }, index) => ({ peer, multiple, all: allWithout[index] ?? 0 }))
    .filter(({ peer }) => peer.category === category)
    .map(({ peer, multiple, all: wider }, index): [string, number] => [
      peer.assetId,
      multiple - shrunk(ownWithout[index] ?? 0, own.length - 1, wider, rules.pseudoCount),
    ]);
  return {
    estimator: 'multiple',
    driver,
    lnFair: Math.log(driver.value) + centre,
    // Multiples have heavier tails than their median distance shows: it alone would give the worst drivers too much weight.
    sd: Math.max(
      rules.sdFloor,
      robustSd(own, centre) ?? 0,
      spanOf(
        leftOut.map(([, error]) => error),
        rules,
      ),
    ),
    // The bar of confidence is for the reading; being weak is a matter of weight.
    confidence: driver.confidence * (driver.isWeak ? rules.weak.share : 1),
    peers: own.length,
    leftOut: new Map(leftOut),
  };
}
