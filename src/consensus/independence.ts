import type { Methodology } from '../methodology/types.ts';

/** Correlation assumed between two families' errors, 0-1. */
export function correlation(a: string, b: string, parameters: Methodology['consensus']): number {
  if (a === b) return 1;
  if (a.startsWith('chain:') || b.startsWith('chain:')) return parameters.chainCorrelation;
  const row = parameters.correlations.find(
    ({ families }) => (families[0] === a && families[1] === b) || (families[0] === b && families[1] === a),
  );
  return row?.rho ?? parameters.defaultCorrelation;
}

/** Kish's effective number of independent voices: (sum w)^2 / sum w_g w_h rho_gh. */
export function effectiveNumber(
  voices: readonly { readonly family: string; readonly weight: number }[],
  parameters: Methodology['consensus'],
): number {
  const total = voices.reduce((sum, voice) => sum + voice.weight, 0);
  let denominator = 0;
  for (const a of voices)
    for (const b of voices) denominator += a.weight * b.weight * correlation(a.family, b.family, parameters);
  return denominator === 0 ? 0 : total ** 2 / denominator;
}

/** c_ind = 1 - 0.5^n: each independent witness is wrong with probability one half a priori. Chain reads stand above that. */
export function independence(
  effective: number,
  families: readonly string[],
  authoritative: boolean,
  parameters: Methodology['consensus'],
): number {
  const general = 1 - 0.5 ** effective;
  const operators = families.filter((family) => family.startsWith('chain:')).length;
  if (!authoritative || operators === 0) return general;
  const chain = operators > 1 ? parameters.chainIndependence.twoOperators : parameters.chainIndependence.oneOperator;
  return Math.max(general, chain);
}
