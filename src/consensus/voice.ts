import type { RejectionReason } from '../domain/consensus.ts';
import { type Observation, TIER_ORDER } from '../domain/observation.ts';
import type { QuantityClass } from '../methodology/types.ts';

/** One observation on its way through the steps; `rejected` says at which step it fell out. */
export interface Voice {
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

/** Weighs an observation: reliability x freshness x binding; too old or too loosely bound ones do not vote. */
export function toVoice(
  observation: Observation,
  parameters: QuantityClass,
  asOf: number,
  minimumBinding: number,
): Voice {
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

/** Order in which one family's members are preferred: weight, then nearness to the thing, then a stable name. */
export function preferred(a: Voice, b: Voice): number {
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
    // Written out only where all else is the same.
    (a.value === b.value ? 0 : order(JSON.stringify(a.value), JSON.stringify(b.value)))
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Lets each family speak once, with its preferred member; the others are kept and marked. */
export function collapseFamilies(voices: readonly Voice[]): readonly Voice[] {
  const speakers = new Map<string, Voice>();
  for (const voice of [...voices].sort(preferred)) {
    if (voice.rejected === null && !speakers.has(voice.observation.family))
      speakers.set(voice.observation.family, voice);
  }
  return voices.map((voice) =>
    voice.rejected !== null || speakers.get(voice.observation.family) === voice
      ? voice
      : { ...voice, rejected: 'same_family' as const },
  );
}
