import type { Consensus, ConsensusStatus, Json } from '../domain/index.ts';
import { QUANTITIES, type QuantityId } from '../domain/index.ts';
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
