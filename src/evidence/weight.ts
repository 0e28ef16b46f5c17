import type { Observation } from '../domain/index.ts';

/** The observation with what its source's reliability is multiplied with; as it is when that is all of it. */
export function weighted(observation: Observation, weight: number): Observation {
  return weight === 1
    ? observation
    : { ...observation, reliability: observation.reliability * weight, sourceWeight: weight };
}
