import type { Member } from '../mapping.ts';
import type { Random } from '../random.ts';
import { type Columns, nestedChances } from './baselines.ts';

/** A tree of at most two levels: a split at the root and one on each side. */
interface Question {
  readonly column: number;
  /** Members in bins up to this one are below the split. */
  readonly upTo: number;
  /** True if members without the number are below the split. */
  readonly missingBelow: boolean;
}
interface Tree {
  readonly root: Question;
  readonly sides: readonly [Side, Side];
}
interface Side {
  readonly question: Question | null;
  /** Added to the logit below and above the split; without a split only the first is used. */
  readonly steps: readonly [number, number];
}
/** Sums of first and second derivatives of the loss over some members. */
interface Sums {
  readonly slope: number;
  readonly curve: number;
}

/** Learning rate. */
const RATE = 0.1;
const MOST_BINS = 32;
/** Bin of a member with a missing value. */
const MISSING = MOST_BINS;
const PENALTY = 1;
/** Least curvature of a side: about four times as many members at even odds. */
const LEAST = 2;
export const STAGES = [10, 25, 50, 100, 200];
const MOST_TREES = Math.max(...STAGES);

/**
 * Probability of failure of each member by gradient boosted trees of two splits (Friedman 2001; second derivatives as
 * Chen and Guestrin 2016), fitted on the other folds; the number of trees is chosen by inner folds.
 */
export function nestedBoosting(members: readonly Member[], columns: Columns, random: Random): Float64Array {
  return nestedChances(members, STAGES.length, random, (train, held) => boosted(train, held, members, columns));
}

/** Probabilities of some members by trees fitted on others, after each stage. */
export function boosted(
  train: readonly number[],
  held: readonly number[],
  members: readonly Member[],
  columns: Columns,
): readonly Float64Array[] {
  const binOf = binsOf(train, columns);
  const outcomes = train.map((at) => (members[at]?.failed ? 1 : 0));
  const { start, trees } = fitTrees(train.map(binOf), outcomes, columns.names.length);
  const bins = held.map(binOf);
  const logits = new Float64Array(held.length).fill(start);
  const found: Float64Array[] = [];
  for (let count = 0; count <= MOST_TREES; count += 1) {
    if (STAGES.includes(count)) found.push(logits.map(chanceOf));
    const tree = trees[count];
    if (tree !== undefined) for (const [at, row] of bins.entries()) logits[at] = (logits[at] ?? 0) + stepOf(tree, row);
  }
  return found;
}

/** Binning of a member by quantiles of the training members. */
function binsOf(train: readonly number[], { names, values }: Columns): (at: number) => Uint8Array {
  const edges = names.map((_, column) => {
    const known = train.flatMap((at) => values[at]?.[column] ?? []).sort((a, b) => a - b);
    const cuts = Array.from(
      { length: MOST_BINS - 1 },
      (_, at) => known[Math.floor(((at + 1) * known.length) / MOST_BINS)] ?? 0,
    );
    return [...new Set(cuts)];
  });
  return (at) =>
    Uint8Array.from(names, (_, column) => {
      const value = values[at]?.[column] ?? null;
      const above = value === null ? -1 : (edges[column] ?? []).findIndex((edge) => value < edge);
      return value === null ? MISSING : above < 0 ? (edges[column] ?? []).length : above;
    });
}

/** Fits trees one after the other to reduce the logistic loss, starting from the logit of the base rate. */
export function fitTrees(
  rows: readonly Uint8Array[],
  outcomes: readonly number[],
  width: number,
): { readonly start: number; readonly trees: readonly Tree[] } {
  const failed = outcomes.reduce((sum, outcome) => sum + outcome, 0);
  const start = Math.log((failed + 0.5) / (rows.length - failed + 0.5));
  const logits = new Float64Array(rows.length).fill(start);
  const all = rows.map((_, at) => at);
  const trees: Tree[] = [];
  while (trees.length < MOST_TREES) {
    const chances = logits.map(chanceOf);
    const sums = {
      slope: chances.map((chance, at) => (outcomes[at] ?? 0) - chance),
      curve: chances.map((p) => p * (1 - p)),
    };
    const root = bestSplit(all, rows, sums, width);
    if (root === null) break;
    const parts = [all.filter((at) => isBelow(root, rows[at])), all.filter((at) => !isBelow(root, rows[at]))] as const;
    const sideOf = (own: readonly number[]): Side => {
      const question = bestSplit(own, rows, sums, width);
      if (question === null) return { question, steps: [stepFrom(sumOf(own, sums)), 0] };
      const below = own.filter((at) => isBelow(question, rows[at]));
      const above = own.filter((at) => !isBelow(question, rows[at]));
      return { question, steps: [stepFrom(sumOf(below, sums)), stepFrom(sumOf(above, sums))] };
    };
    const tree: Tree = { root, sides: [sideOf(parts[0]), sideOf(parts[1])] };
    for (const [at, row] of rows.entries()) logits[at] = (logits[at] ?? 0) + stepOf(tree, row);
    trees.push(tree);
  }
  return { start, trees };
}

/** The split that reduces the loss of some members most; null if none does. */
function bestSplit(
  own: readonly number[],
  rows: readonly Uint8Array[],
  sums: { readonly slope: Float64Array; readonly curve: Float64Array },
  width: number,
): Question | null {
  const whole = sumOf(own, sums);
  let best: { readonly question: Question; readonly gain: number } | null = null;
  for (let column = 0; column < width; column += 1) {
    const slopes = new Float64Array(MOST_BINS + 1);
    const curves = new Float64Array(MOST_BINS + 1);
    for (const at of own) {
      const bin = rows[at]?.[column] ?? MISSING;
      slopes[bin] = (slopes[bin] ?? 0) + (sums.slope[at] ?? 0);
      curves[bin] = (curves[bin] ?? 0) + (sums.curve[at] ?? 0);
    }
    const gap = { slope: slopes[MISSING] ?? 0, curve: curves[MISSING] ?? 0 };
    let below = { slope: 0, curve: 0 };
    for (let upTo = 0; upTo < MOST_BINS; upTo += 1) {
      below = { slope: below.slope + (slopes[upTo] ?? 0), curve: below.curve + (curves[upTo] ?? 0) };
      for (const missingBelow of gap.curve > 0 ? [false, true] : [false]) {
        const left = missingBelow ? added(below, gap, 1) : below;
        const right = added(whole, left, -1);
        if (left.curve < LEAST || right.curve < LEAST) continue;
        const gain = worthOf(left) + worthOf(right) - worthOf(whole);
        if (gain > (best?.gain ?? 1e-9)) best = { question: { column, upTo, missingBelow }, gain };
      }
    }
  }
  return best?.question ?? null;
}

function isBelow({ column, upTo, missingBelow }: Question, row: Uint8Array | undefined): boolean {
  const bin = row?.[column] ?? MISSING;
  return bin === MISSING ? missingBelow : bin <= upTo;
}

/** The contribution of a tree to a member's logit. */
function stepOf({ root, sides }: Tree, row: Uint8Array): number {
  const { question, steps } = sides[isBelow(root, row) ? 0 : 1];
  return steps[question === null || isBelow(question, row) ? 0 : 1];
}

function sumOf(own: readonly number[], sums: { readonly slope: Float64Array; readonly curve: Float64Array }): Sums {
  let [slope, curve] = [0, 0];
  for (const at of own) {
    slope += sums.slope[at] ?? 0;
    curve += sums.curve[at] ?? 0;
  }
  return { slope, curve };
}

function added(one: Sums, other: Sums, sign: number): Sums {
  return { slope: one.slope + sign * other.slope, curve: one.curve + sign * other.curve };
}

function worthOf({ slope, curve }: Sums): number {
  return slope ** 2 / (curve + PENALTY);
}

function stepFrom({ slope, curve }: Sums): number {
  return (RATE * slope) / (curve + PENALTY);
}

function chanceOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
