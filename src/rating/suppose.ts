import type { ConsensusSet, Json } from '../domain/index.ts';
import type { FeatureReading } from './context.ts';
import type { AssumedFeature, RatingInput } from './input.ts';

/** Returns the input with the quantities of the assumed features replaced. */
export function withAssumptions(input: RatingInput): RatingInput {
  const changed: Record<string, ConsensusSet[keyof ConsensusSet]> = {};
  for (const { quantity, raw } of input.supposed?.features ?? []) {
    const row = quantity === null ? undefined : input.consensus[quantity as keyof ConsensusSet];
    if (row === undefined || quantity === null) continue;
    const value: Json = raw;
    const end = typeof raw === 'number' ? raw : null;
    changed[quantity] = {
      ...row,
      value,
      low: end,
      high: end,
      voices: row.voices.map((voice) => (voice.accepted ? { ...voice, value } : voice)),
    };
  }
  return Object.keys(changed).length === 0 ? input : { ...input, consensus: { ...input.consensus, ...changed } };
}

/**
 * Returns the reading of a feature under the assumption. A feature with an assumed quantity was already read from that
 * quantity, with all its limits, and stays unchanged.
 */
export function assumedReading(reading: FeatureReading, supposed: AssumedFeature | undefined): FeatureReading {
  if (supposed === undefined || supposed.quantity !== null) return reading;
  const { raw, confidence } = supposed;
  const parts = reading.parts ?? { independence: confidence, agreement: 1, freshness: 1 };
  return { ...reading, status: 'observed', raw, confidence, parts, method: 'supposed' };
}
