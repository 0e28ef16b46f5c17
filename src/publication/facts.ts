import type { ConsensusSet, QuantityId } from '../domain/index.ts';

/** A number that is known with at least this confidence, or null. */
export function numberOf(consensus: ConsensusSet, quantity: QuantityId, least = 0): number | null {
  const row = consensus[quantity];
  return row && typeof row.value === 'number' && Number.isFinite(row.value) && row.confidence >= least
    ? row.value
    : null;
}

/** A word (a state) that is known with at least this confidence, or null. */
export function wordOf(consensus: ConsensusSet, quantity: QuantityId, least = 0): string | null {
  const row = consensus[quantity];
  return row && typeof row.value === 'string' && row.confidence >= least ? row.value : null;
}
