import type { Consensus } from '../domain/index.ts';
import type { RatingInput } from './types.ts';

/** The same input in one order, so that who answered first never reaches a rating, not even the order of a sentence. */
export function inOrder(input: RatingInput): RatingInput {
  const rows = Object.entries(input.consensus)
    .sort(([a], [b]) => compare(a, b))
    .map(([key, row]): [string, Consensus] => [key, { ...row, voices: [...row.voices].sort(byVoice) }]);
  return {
    ...input,
    consensus: Object.fromEntries(rows),
    sources: sortedBy(input.sources, (row) => row.name),
    peers: sortedBy(input.peers, (row) => `${row.assetId} ${row.asOf}`),
    identification: {
      ...input.identification,
      contradictions: sortedBy(input.identification.contradictions, (row) => `${row.kind} ${row.detail}`),
    },
  };
}

type Voice = Consensus['voices'][number];

function byVoice(a: Voice, b: Voice): number {
  return (
    compare(a.source, b.source) ||
    compare(a.endpoint, b.endpoint) ||
    compare(a.responseId, b.responseId) ||
    // Written out only where all else is the same.
    (a.value === b.value ? 0 : compare(JSON.stringify(a.value), JSON.stringify(b.value)))
  );
}

function sortedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ row }) => row);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
