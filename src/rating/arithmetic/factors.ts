import { type Category, FACTOR_CODES, type Factor, type FactorCode, type Feature } from '../../domain/rating.ts';
import type { Methodology } from '../../methodology/types.ts';

export interface ScoredFactors {
  readonly factors: readonly Omit<Factor, 'rationale'>[];
  /** Weighted geometric mean of the factors, before caps; unrounded. */
  readonly uncapped: number;
  /** 80 % interval around it; unrounded. */
  readonly interval: readonly [number, number];
  /** P: where an asset about which nothing is known stands. */
  readonly prior: number;
}

/** One factor of a model: its place and its weight. */
export type ModelFactor = Pick<Factor, 'code' | 'name' | 'weight'>;

/** The factors of the model for tokens, as a category weighs them. */
export function scoreFactors(
  features: readonly Feature[],
  category: Category,
  methodology: Methodology,
  priorOf: (factor: FactorCode) => number,
): ScoredFactors {
  const weights = methodology.categories[category].weights;
  const rows = FACTOR_CODES.map((code) => ({ code, name: methodology.factors[code].name, weight: weights[code] }));
  return scoreModel(features, rows, methodology.aggregation.prior, methodology, priorOf);
}

/**
 * Features to factors to score (methodology 3.1): confidence-weighted arithmetic mean inside a factor, shrinking towards
 * the prior by what is known, weighted geometric mean between factors. `priorOf` gives the value a factor shrinks to: the
 * general prior, or the last published factor where our own source failed.
 */
export function scoreModel(
  features: readonly Feature[],
  rows: readonly ModelFactor[],
  prior: number,
  methodology: Methodology,
  priorOf: (factor: FactorCode) => number,
): ScoredFactors {
  const { floor, intervalZ } = methodology.aggregation;
  const scored = rows.map((row) =>
    scoreFactor(
      row,
      features.filter((feature) => feature.factor === row.code),
      priorOf(row.code),
      methodology,
    ),
  );
  const total = scored.reduce((sum, factor) => sum + factor.weight, 0);
  const lnScore =
    scored.reduce((sum, factor) => sum + factor.weight * Math.log(Math.max(factor.score, floor)), 0) / total;
  const uncapped = Math.exp(lnScore);
  const variance = scored.reduce(
    (sum, factor) =>
      sum + ((factor.weight / total) * (sigmaOf(factor.confidence, methodology) / Math.max(factor.score, floor))) ** 2,
    0,
  );
  const width = intervalZ * Math.sqrt(variance);
  const mean = logarithmicMean(uncapped, prior);
  return {
    prior,
    uncapped,
    interval: [Math.max(floor, uncapped * Math.exp(-width)), Math.min(100, uncapped * Math.exp(width))],
    factors: scored.map((factor) => ({
      ...factor,
      points: (mean * factor.weight * Math.log(Math.max(factor.score, floor) / prior)) / total,
    })),
  };
}

function scoreFactor(
  { code, name, weight }: ModelFactor,
  features: readonly Feature[],
  prior: number,
  methodology: Methodology,
): Omit<Factor, 'rationale'> {
  const { shrinkConstant: k0 } = methodology.aggregation;
  const applicable = features.filter((feature) => feature.status !== 'not_applicable' && feature.weight > 0);
  const possible = applicable.reduce((sum, feature) => sum + feature.weight, 0);
  const known = applicable.filter((feature) => feature.score !== null && feature.confidence > 0);
  const weighed = known.reduce((sum, feature) => sum + feature.weight * feature.confidence, 0);
  const confidence = possible === 0 ? 0 : weighed / possible;
  const rawScore =
    weighed === 0
      ? null
      : known.reduce((sum, feature) => sum + feature.weight * feature.confidence * (feature.score ?? 0), 0) / weighed;
  const shrink = confidence === 0 ? 0 : (confidence * (1 + k0)) / (confidence + k0);
  const score = shrink * (rawScore ?? prior) + (1 - shrink) * prior;
  return {
    code,
    name,
    weight,
    rawScore,
    confidence,
    shrink,
    prior,
    score,
    points: 0,
    features,
  };
}

function sigmaOf(confidence: number, methodology: Methodology): number {
  const { sigmaUnknown, sigmaBase } = methodology.aggregation;
  return sigmaUnknown * (1 - confidence) + sigmaBase;
}

/** L(a, b) = (a - b) / ln(a / b), and a where both are equal: it makes the parts of a geometric mean add up exactly. */
export function logarithmicMean(a: number, b: number): number {
  return Math.abs(a - b) < 1e-9 ? a : (a - b) / Math.log(a / b);
}

/**
 * Rounds points to 0.1 so that they add up to `total` (a multiple of 0.1) to the last printed digit: largest remainders
 * first, ties by position.
 */
export function roundPoints(points: readonly number[], total: number): readonly number[] {
  const tenths = points.map((value) => value * 10);
  const floors = tenths.map(Math.floor);
  const missing = Math.round(total * 10) - floors.reduce((sum, value) => sum + value, 0);
  const order = tenths
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  const count = Math.max(1, order.length);
  const rounded = [...floors];
  for (let step = 0; step < Math.abs(missing); step += 1) {
    const target = missing > 0 ? order[step % count] : order[count - 1 - (step % count)];
    if (target) rounded[target.index] = (rounded[target.index] ?? 0) + Math.sign(missing);
  }
  return rounded.map((value) => value / 10);
}
