import type { RejectionReason } from '../domain/index.ts';
import { type Observation, TIER_ORDER } from '../domain/index.ts';
import type { QuantityClass } from '../methodology/index.ts';

/** An observation on its way through consensus; `rejected` names the step that rejected it, null while it is accepted. */
export interface WeighedObservation {
  readonly observation: Observation;
  /** 2^(-age / half-life), 0-1. */
  readonly freshness: number;
  readonly weight: number;
  /** Value on the transformed scale; null for votes and facts. */
  readonly y: number | null;
  readonly z: number | null;
  readonly unitPower: number | null;
  readonly rejected: RejectionReason | null;
}

/** Weighs an observation: reliability x freshness x binding; those that are too old or too loosely bound are rejected. */
export function weighObservation(
  observation: Observation,
  parameters: QuantityClass,
  asOf: number,
  minimumBinding: number,
): WeighedObservation {
  const observedAt = Date.parse(observation.observedAt);
  if (Number.isNaN(observedAt))
    return { observation, freshness: 0, weight: 0, y: null, z: null, unitPower: null, rejected: 'malformed_value' };
  const ageSeconds = Math.max(0, (asOf - observedAt) / 1000);
  const freshness = 2 ** (-ageSeconds / parameters.halfLifeSeconds) * carriedFreshness(observation, asOf);
  const weight = observation.reliability * freshness * observation.binding;
  const rejected =
    ageSeconds > parameters.maxAgeSeconds ? 'too_old' : observation.binding < minimumBinding ? 'weak_binding' : null;
  return { observation, freshness, weight, y: null, z: null, unitPower: null, rejected };
}

/** What is left of the freshness of a carried page of the rated party; confidence is the root of freshness, so it takes two half-lives. */
function carriedFreshness({ carried, fetchedAt }: Observation, asOf: number): number {
  const halfLife = carried?.confidenceHalfLifeSeconds;
  if (halfLife === undefined) return 1;
  return 2 ** ((-2 * Math.max(0, (asOf - Date.parse(fetchedAt)) / 1000)) / halfLife);
}

/** Order in which the members of one lineage group are preferred: weight, then nearness to the thing, then a stable name. */
export function preferred(a: WeighedObservation, b: WeighedObservation): number {
  if (a.weight !== b.weight) return b.weight - a.weight;
  const tier = TIER_ORDER.indexOf(a.observation.tier) - TIER_ORDER.indexOf(b.observation.tier);
  return tier !== 0 ? tier : stable(a.observation, b.observation);
}

/** An order that does not depend on the order of the input. */
export function stable(a: Observation, b: Observation): number {
  return (
    order(a.source, b.source) ||
    order(a.endpoint, b.endpoint) ||
    order(a.responseId, b.responseId) ||
    order(a.observedAt, b.observedAt) ||
    // The value is serialised only where everything else is equal.
    (a.value === b.value ? 0 : order(JSON.stringify(a.value), JSON.stringify(b.value)))
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Keeps the preferred observation of each lineage group; the others are marked as rejected and stay in the list. */
export function onePerLineageGroup(weighed: readonly WeighedObservation[]): readonly WeighedObservation[] {
  const chosen = new Map<string, WeighedObservation>();
  for (const entry of [...weighed].sort(preferred)) {
    if (entry.rejected === null && !chosen.has(entry.observation.family)) chosen.set(entry.observation.family, entry);
  }
  return weighed.map((entry) =>
    entry.rejected !== null || chosen.get(entry.observation.family) === entry
      ? entry
      : { ...entry, rejected: 'same_family' as const },
  );
}
