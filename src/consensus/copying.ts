import type { Methodology } from '../methodology/index.ts';
import type { WeighedObservation } from './weighed-observation.ts';

/**
 * Two lineage groups whose errors have a common origin, and the correlation of these errors (0-1): rows of
 * `consensus.copying`.
 */
export type Copying = NonNullable<Methodology['consensus']['copying']>[number];

/**
 * Reduces the weights of dependent observations: each is divided by one plus its correlations with the other lineage
 * groups that state the same. Four groups with one origin weigh as much as one, four independent ones as much as four.
 */
export function shareWeights(
  weighed: readonly WeighedObservation[],
  copying: readonly Copying[],
): readonly WeighedObservation[] {
  if (copying.length === 0) return weighed;
  const present = new Set(
    weighed.filter(({ rejected }) => rejected === null).map(({ observation }) => observation.family),
  );
  return weighed.map((entry) => {
    if (entry.rejected !== null) return entry;
    const own = entry.observation.family;
    const repeated = copying.reduce((sum, { families: [a, b], rho }) => {
      const other = a === own ? b : b === own ? a : null;
      return other !== null && present.has(other) ? sum + rho : sum;
    }, 1);
    return repeated === 1 ? entry : { ...entry, weight: entry.weight / repeated };
  });
}

/** The methodology with learned correlations of lineage groups, where they exceed the assumed ones. */
export function withCopying(methodology: Methodology, copying: readonly Copying[]): Methodology {
  if (copying.length === 0) return methodology;
  const { correlations } = methodology.consensus;
  const same = (one: Copying, other: Copying) =>
    [...one.families].sort().join('\n') === [...other.families].sort().join('\n');
  const larger = copying.filter((row) => !correlations.some((known) => same(known, row) && known.rho >= row.rho));
  const rest = correlations.filter((known) => !larger.some((row) => same(known, row)));
  return { ...methodology, consensus: { ...methodology.consensus, correlations: [...larger, ...rest] } };
}
