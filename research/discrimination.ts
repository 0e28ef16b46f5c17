import { quantile } from '../src/domain/index.ts';
import { pickBelow, type Random } from './random.ts';

/** Number of members with each distinct score, by outcome; lowest score first. Counts may be bootstrap weights. */
export interface Tally {
  readonly scores: readonly number[];
  readonly failed: Float64Array;
  readonly survived: Float64Array;
}

export interface Discrimination {
  /** Probability that a failed member scored below a surviving one; ties count half. 0-1. */
  readonly auc: number;
  /** 2 AUC - 1: Gini of the cumulative accuracy profile. */
  readonly accuracyRatio: number;
  /** Largest distance of the two cumulative distributions, 0-1. */
  readonly ks: number;
  /** Average precision with failure as the positive class, worst scores first; a random score has the base rate. */
  readonly prAuc: number;
}

/** One entry per member, in any order. `code[i]` is the index of member i's score in `tally.scores`. */
export function tallyOf(
  scores: readonly number[],
  failed: readonly boolean[],
): { readonly tally: Tally; readonly code: Int32Array } {
  const distinct = Float64Array.from(new Set(scores)).sort();
  const place = new Map([...distinct].map((score, index) => [score, index]));
  const code = Int32Array.from(scores, (score) => place.get(score) ?? 0);
  const tally = {
    scores: [...distinct],
    failed: new Float64Array(distinct.length),
    survived: new Float64Array(distinct.length),
  };
  for (const [index, at] of code.entries()) {
    const side = failed[index] ? tally.failed : tally.survived;
    side[at] = (side[at] ?? 0) + 1;
  }
  return { tally, code };
}

/** All four measures in one pass over the distinct scores. Null when one side is empty. */
export function discriminationOf({ failed, survived }: Pick<Tally, 'failed' | 'survived'>): Discrimination | null {
  const failures = sum(failed);
  const survivors = sum(survived);
  if (failures === 0 || survivors === 0) return null;
  let [below, survivorsBelow, pairs, ks, precision] = [0, 0, 0, 0, 0];
  for (let at = 0; at < failed.length; at += 1) {
    const bad = failed[at] ?? 0;
    const good = survived[at] ?? 0;
    pairs += good * (below + bad / 2);
    below += bad;
    survivorsBelow += good;
    if (below + survivorsBelow > 0) precision += (bad / failures) * (below / (below + survivorsBelow));
    ks = Math.max(ks, Math.abs(below / failures - survivorsBelow / survivors));
  }
  const auc = pairs / (failures * survivors);
  return { auc, accuracyRatio: 2 * auc - 1, ks, prAuc: precision };
}

/** AUC of a score from its rows; null when one side is empty. */
export function aucOf(scores: readonly number[], failed: readonly boolean[]): number | null {
  return discriminationOf(tallyOf(scores, failed).tally)?.auc ?? null;
}

/**
 * AUC of scores rounded to steps of 0.1, as they are published: `aucOf(published(scores))` without sorting. Null when one
 * side is empty.
 */
export function aucOfTenths(scores: Float64Array, failed: readonly boolean[]): number | null {
  const tenths = new Int32Array(scores.length);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < tenths.length; row += 1) {
    const tenth = Math.round((scores[row] ?? 0) * 10);
    tenths[row] = tenth;
    if (tenth < least) least = tenth;
    if (tenth > most) most = tenth;
  }
  if (tenths.length === 0) return null;
  const counts = { failed: new Float64Array(most - least + 1), survived: new Float64Array(most - least + 1) };
  for (let row = 0; row < tenths.length; row += 1) {
    const side = failed[row] ? counts.failed : counts.survived;
    const at = (tenths[row] ?? 0) - least;
    side[at] = (side[at] ?? 0) + 1;
  }
  return discriminationOf(counts)?.auc ?? null;
}

/**
 * Cumulative accuracy profile: of the worst `share` of all members, the share of all failures. From (0, 0) to (1, 1).
 */
export function capPoints(
  { failed, survived }: Pick<Tally, 'failed' | 'survived'>,
  most = 200,
): readonly (readonly [share: number, failures: number])[] {
  const failures = sum(failed);
  const all = failures + sum(survived);
  let [bad, members] = [0, 0];
  const points: (readonly [number, number])[] = [[0, 0]];
  for (let at = 0; at < failed.length; at += 1) {
    bad += failed[at] ?? 0;
    members += (failed[at] ?? 0) + (survived[at] ?? 0);
    points.push([members / all, bad / failures]);
  }
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)] ?? [1, 1]);
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}
export type Intervals = Readonly<Record<keyof Discrimination, Interval>>;

interface Members {
  readonly tally: Tally;
  /** Index of each member's score. */
  readonly code: Int32Array;
  readonly failed: readonly boolean[];
}

/**
 * Percentile intervals (Efron and Tibshirani 1993) by resampling members with replacement, failed and surviving ones
 * separately, so that each draw has the same number of both. 95 % by default. Null with fewer than two members on a
 * side.
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
 * The same with whole groups (creators) resampled: members of one creator are not independent. Draws with an empty side
 * are left out. Null with fewer than two groups.
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

/** The central part of a sample, by linear interpolation (Hyndman and Fan, type 7). */
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

/** Ranks from 1, lowest first; equal values share the mean of their ranks. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const sorted = new Float64Array(values).sort();
  // By the first place of each value.
  const rankAt = new Float64Array(sorted.length);
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && sorted[end] === sorted[start]) end += 1;
    rankAt[start] = (start + end + 1) / 2;
    start = end;
  }
  const ranks = new Float64Array(sorted.length);
  for (let index = 0; index < ranks.length; index += 1)
    ranks[index] = rankAt[firstPlace(sorted, values[index] ?? 0)] ?? 0;
  return ranks;
}

/** Number of values that are lower. */
function firstPlace(sorted: Float64Array, value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Spearman's rank correlation with ties; null when one side has only one value, or with fewer than two pairs. */
export function spearman(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  return correlationOfRanks(ranksOf(left), ranksOf(right));
}

/** The same of ranks. */
export function correlationOfRanks(a: Float64Array, b: Float64Array): number | null {
  const mean = (a.length + 1) / 2;
  let [both, first, second] = [0, 0, 0];
  for (let index = 0; index < a.length; index += 1) {
    const x = (a[index] ?? 0) - mean;
    const y = (b[index] ?? 0) - mean;
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return first === 0 || second === 0 ? null : both / Math.sqrt(first * second);
}
