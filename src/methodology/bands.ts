import type { Band } from '../domain/index.ts';
import type { Methodology } from './types.ts';

/** Scores are published in steps of 0.1. */
export function toScore(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The band of a score (0-100, in steps of 0.1). D is only ever given by an event; a score below C's cut-off is C. */
export function bandOf(score: number, methodology: Methodology): Band {
  const rounded = toScore(score);
  const found = methodology.bands.find((row) => row.band !== 'D' && rounded >= row.from);
  return found?.band ?? 'C';
}
