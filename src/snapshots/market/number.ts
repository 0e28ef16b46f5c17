import type { Consensus, ConsensusSet, Provenance, QuantityId } from '../../domain/index.ts';
import { type Known, numberAt } from '../../metrics/index.ts';

/** A number with where it comes from. */
export interface Sourced {
  readonly value: number;
  readonly provenance: Provenance;
}

/** The agreed number of a quantity; null when nobody said anything that counts. */
export function agreed(set: ConsensusSet, quantity: QuantityId, scope = 'asset'): Sourced | null {
  return sourced(numberAt(set, quantity, scope));
}

/** A known number with where it comes from. */
export function sourced(known: Known<number> | null): Sourced | null {
  return known && { value: known.value, provenance: provenanceOf(known.consensus) };
}

/** Names of the sources whose observations counted, sorted. */
export function sourcesOf(consensus: Consensus): readonly string[] {
  return [...new Set(consensus.voices.filter((voice) => voice.accepted).map((voice) => voice.source))].sort();
}

/** Same number in another unit. */
export function scaled(number: Sourced | null, factor: number): Sourced | null {
  if (number === null) return null;
  const { interval, outvoted, ...rest } = number.provenance;
  return {
    value: number.value * factor,
    provenance: {
      ...rest,
      interval: interval === null ? null : [interval[0] * factor, interval[1] * factor],
      outvoted: outvoted.map((voice) => ({ ...voice, value: voice.value === null ? null : voice.value * factor })),
    },
  };
}

/** A number worked out from others: as well known as the least known of them. Null when one is missing or it is not finite. */
export function derived(
  parts: readonly (Sourced | null)[],
  work: (...values: number[]) => number | null,
): Sourced | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) return null;
  const value = work(...known.map((part) => part.value));
  if (value === null || !Number.isFinite(value)) return null;
  return {
    value,
    provenance: {
      sources: [...new Set(known.flatMap((part) => part.provenance.sources))].sort(),
      outvoted: [],
      confidence: Math.min(...known.map((part) => part.provenance.confidence)),
      interval: null,
      method: 'derived',
    },
  };
}

function provenanceOf(consensus: Consensus): Provenance {
  return {
    sources: sourcesOf(consensus),
    outvoted: consensus.voices.flatMap((voice) =>
      voice.reason !== null && typeof voice.value === 'number'
        ? [{ source: voice.source, value: voice.value, reason: voice.reason }]
        : [],
    ),
    confidence: consensus.confidence,
    interval: consensus.low === null || consensus.high === null ? null : [consensus.low, consensus.high],
    method: 'consensus',
  };
}
