import type { Methodology } from '../../src/methodology/index.ts';

/** From this correlation on, families are taken to draw on each other. */
const DRAWS_ON = 0.4;

/** Name of the cluster of each family: families joined by strong correlations, directly or through others, share one. */
export function clustersOf(families: readonly string[], methodology: Methodology): ReadonlyMap<string, string> {
  const cluster = new Map(families.map((family) => [family, family]));
  const ties = methodology.consensus.correlations.filter(({ rho }) => rho >= DRAWS_ON);
  for (const { families: pair } of ties) {
    const [left, right] = pair.map((family) => cluster.get(family));
    if (left === undefined || right === undefined || left === right) continue;
    for (const [family, name] of cluster) if (name === right) cluster.set(family, left);
  }
  return cluster;
}
