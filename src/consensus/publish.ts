import type { Consensus, ConsensusStatus } from '../domain/consensus.ts';
import type { Json } from '../domain/json.ts';
import { QUANTITIES, type QuantityId } from '../domain/quantities.ts';
import { stable, type Voice } from './voice.ts';

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
  readonly voices: readonly Voice[];
  readonly confidenceCap: number;
}

/** Puts a consensus into its published form: c = c_ind x c_agr x sqrt(c_fresh) x c_id, voices in a stable order. */
export function publish(draft: Draft): Consensus {
  const { independence, agreement, freshness, identity } = draft.parts;
  const counted = draft.voices.filter((voice) => voice.rejected === null);
  const observed = counted.map((voice) => voice.observation.observedAt).sort();
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
    families: new Set(counted.map((voice) => voice.observation.family)).size,
    effectiveFamilies: draft.effective,
    dispersion: draft.dispersion,
    observedAt: observed.at(-1) ?? null,
    voices: [...draft.voices]
      .sort((a, b) => stable(a.observation, b.observation))
      .map((voice) => ({
        source: voice.observation.source,
        endpoint: voice.observation.endpoint,
        family: voice.observation.family,
        tier: voice.observation.tier,
        value: voice.observation.value,
        meaning: voice.observation.meaning,
        observedAt: voice.observation.observedAt,
        weight: voice.weight,
        z: voice.z,
        unitPower: voice.unitPower,
        accepted: voice.rejected === null,
        reason: voice.rejected,
        responseId: voice.observation.responseId,
        ...(voice.observation.carried ? { carried: true as const } : {}),
      })),
    failedIdentities: [],
  };
}
