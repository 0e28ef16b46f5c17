import { type Consensus, type ConsensusStatus, type Json, QUANTITIES, type QuantityId } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { stable, type WeighedObservation } from './weighed-observation.ts';

export interface Draft {
  readonly quantity: QuantityId;
  readonly scope: string;
  readonly value: Json;
  readonly low: number | null;
  readonly high: number | null;
  readonly parts: {
    readonly independence: number;
    readonly agreement: number;
    readonly freshness: number;
    readonly identity: number;
  };
  readonly status: ConsensusStatus;
  readonly dispersion: number;
  readonly effective: number;
  readonly weighed: readonly WeighedObservation[];
  readonly confidenceCap: number;
}

/** Puts a consensus into its published form: c = c_ind x c_agr x sqrt(c_fresh) x c_id, observations in a stable order. */
export function publish(draft: Draft): Consensus {
  const { independence, agreement, freshness, identity } = draft.parts;
  const counted = draft.weighed.filter((entry) => entry.rejected === null);
  const observed = counted.map((entry) => entry.observation.observedAt).sort();
  return {
    quantity: draft.quantity,
    scope: draft.scope,
    unit: QUANTITIES[draft.quantity].unit,
    value: draft.value,
    low: draft.low,
    high: draft.high,
    confidence: Math.min(independence * agreement * Math.sqrt(freshness) * identity, draft.confidenceCap),
    parts: { independence, agreement, freshness, identity },
    status: draft.status,
    families: new Set(counted.map((entry) => entry.observation.family)).size,
    effectiveFamilies: draft.effective,
    dispersion: draft.dispersion,
    observedAt: observed.at(-1) ?? null,
    voices: [...draft.weighed]
      .sort((a, b) => stable(a.observation, b.observation))
      .map((entry) => ({
        source: entry.observation.source,
        endpoint: entry.observation.endpoint,
        family: entry.observation.family,
        tier: entry.observation.tier,
        value: entry.observation.value,
        meaning: entry.observation.meaning,
        observedAt: entry.observation.observedAt,
        weight: entry.weight,
        z: entry.z,
        unitPower: entry.unitPower,
        accepted: entry.rejected === null,
        reason: entry.rejected,
        responseId: entry.observation.responseId,
        ...(entry.observation.carried ? { carried: true as const } : {}),
      })),
    failedIdentities: [],
  };
}

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

/** Rows of kept registers: reviewed, each with the source it was taken from. One of them is as good as its reliability. */
export const REGISTER_FAMILY = 'register';

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
