import { quantile } from '../src/domain/index.ts';
import { type Discrimination, discriminationOf, type Tally } from './discrimination.ts';
import { pickBelow, type Random } from './random.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}
export type Intervals = Readonly<Record<keyof Discrimination, Interval>>;

interface Members {
  readonly tally: Tally;
  /** Place of each member's score. */
  readonly code: Int32Array;
  readonly failed: readonly boolean[];
}

/**
 * Percentile intervals (Efron and Tibshirani 1993) of members drawn again with replacement, failed and surviving ones apart, so
 * that each draw has the same number of both. 95 % by default. Null with fewer than two members on a side.
 */
export function stratifiedIntervals(
  members: Members,
  draws: number,
  random: Random,
  confidence = 0.95,
): Intervals | null {
  const sides = [true, false].map((side) => members.code.filter((_, index) => members.failed[index] === side));
  if (sides.some((side) => side.length < 2)) return null;
  return intervalsOf(members.tally, draws, confidence, (failed, survived) => {
    for (const [index, side] of sides.entries()) {
      const counts = index === 0 ? failed : survived;
      for (let drawn = 0; drawn < side.length; drawn += 1) {
        const at = side[pickBelow(side.length, random)] ?? 0;
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
  });
}

/**
 * The same with whole groups (creators) drawn: members of one creator are no independent witnesses. Draws in which one side is
 * empty are left out. Null with fewer than two groups.
 */
export function clusterIntervals(
  members: Members,
  groups: readonly string[],
  draws: number,
  random: Random,
  confidence = 0.95,
): Intervals | null {
  const clusters = [...Map.groupBy(members.code.keys(), (index) => groups[index] ?? '').values()];
  if (clusters.length < 2) return null;
  return intervalsOf(members.tally, draws, confidence, (failed, survived) => {
    for (let drawn = 0; drawn < clusters.length; drawn += 1)
      for (const index of clusters[pickBelow(clusters.length, random)] ?? []) {
        const at = members.code[index] ?? 0;
        const counts = members.failed[index] ? failed : survived;
        counts[at] = (counts[at] ?? 0) + 1;
      }
  });
}

/** The part of a sample between its tails, by linear interpolation (Hyndman and Fan, type 7). */
export function percentileInterval(values: readonly number[], confidence: number): Interval {
  const at = (probability: number) => quantile(values, probability) ?? Number.NaN;
  return { low: at((1 - confidence) / 2), high: at((1 + confidence) / 2) };
}

function intervalsOf(
  tally: Tally,
  draws: number,
  confidence: number,
  draw: (failed: Float64Array, survived: Float64Array) => void,
): Intervals | null {
  const failed = new Float64Array(tally.scores.length);
  const survived = new Float64Array(tally.scores.length);
  const found: Discrimination[] = [];
  for (let round = 0; round < draws; round += 1) {
    failed.fill(0);
    survived.fill(0);
    draw(failed, survived);
    const measured = discriminationOf({ failed, survived });
    if (measured) found.push(measured);
  }
  if (found.length < 2) return null;
  const of = (name: keyof Discrimination) =>
    percentileInterval(
      found.map((row) => row[name]),
      confidence,
    );
  return { auc: of('auc'), accuracyRatio: of('accuracyRatio'), ks: of('ks'), prAuc: of('prAuc') };
}
