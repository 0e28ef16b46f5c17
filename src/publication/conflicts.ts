import type { ConsensusSet, PublishedRating } from '../domain/index.ts';

const MOST_CONFLICTS = 20;

/** Values on which sources stand against each other, with who said how much of a difference. */
export function conflictsOf(consensus: ConsensusSet): PublishedRating['conflicts'] {
  return Object.values(consensus)
    .filter((row) => row.scope === 'asset' && (row.status === 'disputed' || row.voices.some(isOutvoted)))
    .map((row) => ({
      quantity: row.quantity,
      detail:
        row.status === 'disputed'
          ? `no agreement among ${names(row.voices)}`
          : `outvoted: ${names(row.voices.filter(isOutvoted))}`,
    }))
    .sort((a, b) => (a.quantity < b.quantity ? -1 : 1))
    .slice(0, MOST_CONFLICTS);
}

function isOutvoted(voice: ConsensusSet[string]['voices'][number]): boolean {
  return voice.reason === 'outlier' || voice.reason === 'unit_mismatch';
}

function names(voices: ConsensusSet[string]['voices']): string {
  return [...new Set(voices.map((voice) => voice.source))].sort().join(', ');
}
