import { aucOf } from '../discrimination.ts';
import type { Member } from '../mapping.ts';
import { foldKindOf, foldsOf, meanOf } from '../nested/folds.ts';
import type { Random } from '../random.ts';

/** A member's mapped numbers as columns for a regression, which finds their directions itself. */
export interface Columns {
  readonly names: readonly string[];
  /** Member by column, raw; null if the file states nothing. Dates are days before the time of the features. */
  readonly values: readonly (readonly (number | null)[])[];
}

/** Every mapped number of the members. Each state or text becomes a separate column, 1 for members that have it. */
export function columnsOf(members: readonly Member[]): Columns {
  const cells = members.map((member) => Object.entries({ ...member.quantities, ...member.features }));
  const read = members.map(
    (member, at) => new Map((cells[at] ?? []).flatMap(([id, value]) => numbersOf(id, value, member))),
  );
  const names = [...new Set(read.flatMap((row) => [...row.keys()]))].filter(
    (name) => new Set(read.map((row) => row.get(name) ?? null)).size > 1,
  );
  return { names, values: read.map((row) => names.map((name) => row.get(name) ?? (name.includes('=') ? 0 : null))) };
}

function numbersOf(
  id: string,
  value: number | string | boolean,
  member: Member,
): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[id, value]];
  if (typeof value === 'boolean') return [[id, value ? 1 : 0]];
  const time = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || member.featureAt === null) return [[`${id}=${value}`, 1]];
  return [[`days since ${id}`, (member.featureAt - time) / 86_400_000]];
}

/** Strengths of the ridge penalty that inner folds choose from. */
const PENALTIES = [0.3, 3, 30];
const FOLDS = 5;

/**
 * Probability of failure of each member by a logistic regression fitted on the other folds; its penalty is chosen by
 * inner folds. With `knots` of 0 it is linear in (the logarithm of) each column; otherwise each column gets a piecewise
 * linear function with this number of knots at its quantiles.
 */
export function nestedLogistic(
  members: readonly Member[],
  columns: Columns,
  knots: number,
  random: Random,
): Float64Array {
  return nestedChances(members, PENALTIES.length, random, (train, held) =>
    PENALTIES.map((penalty) => fitted(train, held, members, columns, knots, penalty)),
  );
}

/**
 * Probability of failure of each member by a model fitted on the other folds, with the setting that is best on inner
 * folds. `fit` returns the probabilities of the held-out members, once for each setting.
 */
export function nestedChances(
  members: readonly Member[],
  settings: number,
  random: Random,
  fit: (train: readonly number[], held: readonly number[]) => readonly Float64Array[],
): Float64Array {
  const kind = foldKindOf(members);
  // Folds by time would require predictions for another year than that of the training data. A rating also predicts
  // other years, but learns nothing here.
  const by = kind === 'time' ? 'member' : kind;
  const fold = foldsOf(members, by, FOLDS, random);
  const found = new Float64Array(members.length);
  const all = members.map((_, at) => at);
  for (let own = 0; own < FOLDS; own += 1) {
    const train = all.filter((at) => fold[at] !== own);
    const held = all.filter((at) => fold[at] === own);
    const inner = foldsOf(
      train.map((at) => members[at] as Member),
      by,
      FOLDS,
      random,
    );
    const parts = Array.from({ length: FOLDS }, (_, part) => {
      const out = train.filter((_, place) => inner[place] === part);
      const chances = fit(
        train.filter((_, place) => inner[place] !== part),
        out,
      );
      const failed = out.map((at) => members[at]?.failed ?? false);
      return chances.map((row) =>
        aucOf(
          [...row].map((chance) => -chance),
          failed,
        ),
      );
    });
    const worth = Array.from({ length: settings }, (_, setting) => meanOf(parts.map((row) => row[setting] ?? null)));
    const best = worth.reduce<number>((at, value, place) => ((value ?? 0) > (worth[at] ?? 0) ? place : at), 0);
    const chances = fit(train, held)[best];
    for (const [place, at] of held.entries()) found[at] = chances?.[place] ?? 0;
  }
  return found;
}

/** Probabilities of failure of some members by a regression on others. */
export function fitted(
  train: readonly number[],
  held: readonly number[],
  members: readonly Member[],
  columns: Columns,
  knots: number,
  penalty: number,
): Float64Array {
  const design = designOf(train, columns, knots);
  const rows = train.map(design);
  const weights = logistic(
    rows,
    train.map((at) => (members[at]?.failed ? 1 : 0)),
    penalty,
  );
  return Float64Array.from(held, (at) => chanceOf(design(at), weights));
}

/**
 * Preprocessing of a member: logarithms where a column spans orders of magnitude, standardisation, knots, a column for
 * each kind of missing value.
 */
function designOf(train: readonly number[], { names, values }: Columns, knots: number): (at: number) => Float64Array {
  const shapes = names.map((_, column) => {
    const known = train.flatMap((at) => values[at]?.[column] ?? []).sort((a, b) => a - b);
    const [least, middle, most] = [known[0] ?? 0, known[Math.floor(known.length / 2)] ?? 0, known.at(-1) ?? 0];
    const isWide = least >= 0 && most > 50 * Math.max(middle, 1e-9) && most > 1;
    const scaled = known.map((value) => (isWide ? Math.log1p(value) : value));
    const mean = scaled.reduce((sum, value) => sum + value, 0) / Math.max(1, scaled.length);
    const deviation = Math.sqrt(
      scaled.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, scaled.length),
    );
    const spread = deviation > 0 ? deviation : 1;
    const bends = Array.from({ length: knots }, (_, at) => {
      const value = scaled[Math.floor(((at + 1) * scaled.length) / (knots + 1))] ?? 0;
      return (value - mean) / spread;
    });
    return { isWide, mean, spread, bends };
  });
  return (at) => {
    const row: number[] = [1];
    for (const [column, { isWide, mean, spread, bends }] of shapes.entries()) {
      const value = values[at]?.[column] ?? null;
      const own = value === null ? 0 : ((isWide ? Math.log1p(Math.max(0, value)) : value) - mean) / spread;
      row.push(value === null ? 1 : 0, own, ...bends.map((bend) => (value === null ? 0 : Math.max(0, own - bend))));
    }
    return Float64Array.from(row);
  };
}

function chanceOf(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < row.length; at += 1) sum += (row[at] ?? 0) * (weights[at] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

const STEPS = 30;

/** Weights of a ridge logistic regression by Newton's method; the first column, the constant, is not penalised. */
export function logistic(rows: readonly Float64Array[], outcomes: readonly number[], penalty: number): Float64Array {
  const width = rows[0]?.length ?? 0;
  let weights = new Float64Array(width);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = new Float64Array(width);
    const curve = Array.from({ length: width }, () => new Float64Array(width));
    for (let at = 1; at < width; at += 1) {
      slope[at] = -penalty * (weights[at] ?? 0);
      (curve[at] as Float64Array)[at] = penalty;
    }
    (curve[0] as Float64Array)[0] = 1e-9;
    for (const [at, row] of rows.entries()) {
      const chance = chanceOf(row, weights);
      const weight = Math.max(1e-9, chance * (1 - chance));
      const miss = (outcomes[at] ?? 0) - chance;
      for (let i = 0; i < width; i += 1) {
        const own = row[i] ?? 0;
        if (own === 0) continue;
        slope[i] = (slope[i] ?? 0) + own * miss;
        const line = curve[i] as Float64Array;
        for (let j = 0; j <= i; j += 1) line[j] = (line[j] ?? 0) + own * weight * (row[j] ?? 0);
      }
    }
    const move = solved(curve, slope);
    weights = weights.map((weight, at) => weight + (move[at] ?? 0));
    if (move.every((part) => Math.abs(part) < 1e-8)) break;
  }
  return weights;
}

/** Solution of a symmetric positive definite system from its lower triangle (Cholesky). */
function solved(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const width = right.length;
  const root = lower.map((row) => Float64Array.from(row));
  const at = (i: number, j: number) => root[i]?.[j] ?? 0;
  for (let i = 0; i < width; i += 1)
    for (let j = 0; j <= i; j += 1) {
      let sum = at(i, j);
      for (let k = 0; k < j; k += 1) sum -= at(i, k) * at(j, k);
      (root[i] as Float64Array)[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(j, j);
    }
  const found = Float64Array.from(right);
  for (let i = 0; i < width; i += 1) {
    for (let k = 0; k < i; k += 1) found[i] = (found[i] ?? 0) - at(i, k) * (found[k] ?? 0);
    found[i] = (found[i] ?? 0) / at(i, i);
  }
  for (let i = width - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < width; k += 1) found[i] = (found[i] ?? 0) - at(k, i) * (found[k] ?? 0);
    found[i] = (found[i] ?? 0) / at(i, i);
  }
  return found;
}
