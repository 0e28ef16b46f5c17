import type { Methodology } from '../methodology/index.ts';

/** Correlation assumed between the errors of two lineage groups, 0-1. */
export function correlation(a: string, b: string, parameters: Methodology['consensus']): number {
  if (a === b) return 1;
  if (a.startsWith('chain:') || b.startsWith('chain:')) return parameters.chainCorrelation;
  const row = parameters.correlations.find(
    ({ families }) => (families[0] === a && families[1] === b) || (families[0] === b && families[1] === a),
  );
  return row?.rho ?? parameters.defaultCorrelation;
}

/** Kish's effective number of independent observations: (sum w)^2 / sum w_g w_h rho_gh. */
export function effectiveNumber(
  weighed: readonly { readonly family: string; readonly weight: number }[],
  parameters: Methodology['consensus'],
): number {
  const total = weighed.reduce((sum, entry) => sum + entry.weight, 0);
  let denominator = 0;
  for (const a of weighed)
    for (const b of weighed) denominator += a.weight * b.weight * correlation(a.family, b.family, parameters);
  return denominator === 0 ? 0 : total ** 2 / denominator;
}

/** c_ind = 1 - e^n: each independent lineage group is assumed wrong with probability e (`errorChance`). Chain reads have a higher floor. */
export function independence(
  effective: number,
  families: readonly string[],
  authoritative: boolean,
  parameters: Methodology['consensus'],
): number {
  const general = 1 - parameters.errorChance ** effective;
  const operators = families.filter((family) => family.startsWith('chain:')).length;
  if (!authoritative || operators === 0) return general;
  const chain = operators > 1 ? parameters.chainIndependence.twoOperators : parameters.chainIndependence.oneOperator;
  return Math.max(general, chain);
}
