import type { CapApplied } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import { bandOf, toScore } from '../../methodology/index.ts';

/** A cap that applies, and why. */
export interface CapCandidate {
  readonly code: string;
  readonly flag: string | null;
  readonly detail: string;
}

/** Final score = the lower of the uncapped score and the lowest cap. The cap that decides is marked; ties by code. */
export function applyCaps(
  uncapped: number,
  candidates: readonly CapCandidate[],
  methodology: Methodology,
): { readonly score: number; readonly caps: readonly CapApplied[] } {
  const rows = candidates
    .map((candidate) => {
      const cap = methodology.caps.find((row) => row.code === candidate.code)?.cap;
      if (cap === undefined) throw new Error(`the methodology has no cap ${candidate.code}`);
      return { ...candidate, cap };
    })
    .sort((a, b) => a.cap - b.cap || (a.code < b.code ? -1 : 1));
  const score = toScore(uncapped);
  const lowest = rows[0];
  const binds = lowest !== undefined && lowest.cap < score;
  return {
    score: binds ? lowest.cap : score,
    caps: rows.map((row) => ({ ...row, band: bandOf(row.cap, methodology), binding: binds && row === lowest })),
  };
}
