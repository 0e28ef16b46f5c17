import type { PublicationRules } from '../methodology/index.ts';

/** The smoothed score after one more score, `days` later: half of a fall is in after one half-life, of a rise after the other. */
export function smooth(before: number | null, score: number, days: number, rules: PublicationRules): number {
  if (before === null) return score;
  const { halfLifeDownDays, halfLifeUpDays } = rules.smoothing;
  const halfLife = score < before ? halfLifeDownDays : halfLifeUpDays;
  return before + (score - before) * (1 - 2 ** (-days / halfLife));
}
