import type { AssetClass, Factor, Feature } from '../../domain/index.ts';
import { factorWeights, type Methodology } from '../../methodology/index.ts';

export interface ScoredFactors {
  readonly factors: readonly Omit<Factor, 'rationale'>[];
  /** Weighted geometric mean of the factors, before caps; unrounded. */
  readonly uncapped: number;
  /** 80 % interval around it; unrounded. */
  readonly interval: readonly [number, number];
  /** P: the score of an asset about which nothing is known. */
  readonly prior: number;
}

/** One factor of a model, with its weight. */
export type ModelFactor = Pick<Factor, 'code' | 'name' | 'weight'>;

/**
 * The factors of the model for assets with a market, with the weights of the class. A factor without an applicable
 * feature gives its weight to the others.
 */
export function scoreFactors(features: readonly Feature[], of: AssetClass, methodology: Methodology): ScoredFactors {
  const applies = new Set(
    features.filter(({ status, weight }) => status !== 'not_applicable' && weight > 0).map(({ factor }) => factor),
  );
  const rows = factorWeights(of, methodology)
    .filter(({ code }) => applies.has(code))
    .map((row) => ({ ...row, name: nameOf(row.code, of, methodology) }));
  return scoreModel(features, rows, methodology.aggregation.prior, methodology);
}

/** Title of a factor. For the coin of a chain, TS has a different title. */
function nameOf(code: Factor['code'], of: AssetClass, { factors }: Methodology): string {
  if (code === 'TS' && of === 'native_l1') return 'Consensus security';
  return factors[code as keyof typeof factors].name;
}

/**
 * Computes the score from features and factors (methodology 3.1). Each feature shrinks, according to its confidence,
 * towards the points used when it is unknown (`rest`). Within a factor: weighted arithmetic mean over all applicable
 * features, known or not. Between factors: weighted geometric mean. `prior` is the score of an asset about which
 * nothing is known.
 */
export function scoreModel(
  features: readonly Feature[],
  rows: readonly ModelFactor[],
  prior: number,
  methodology: Methodology,
): ScoredFactors {
  const { floor, intervalZ } = methodology.aggregation;
  const scored = rows.map((row) =>
    scoreFactor(
      row,
      features.filter((feature) => feature.factor === row.code),
      prior,
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
  const { shrinkConstant } = methodology.aggregation;
  let [possible, weighed, share, shown, unknown] = [0, 0, 0, 0, 0];
  for (const feature of features) {
    const { status, weight, rest } = feature;
    if (status === 'not_applicable' || weight <= 0) continue;
    const confidence = feature.score === null ? 0 : feature.confidence;
    const shrink = shrinkOf(confidence, shrinkConstant);
    possible += weight;
    weighed += weight * confidence;
    share += weight * shrink;
    shown += weight * shrink * (feature.score ?? 0);
    unknown += weight * (1 - shrink) * rest;
  }
  const confidence = possible === 0 ? 0 : weighed / possible;
  const shrink = possible === 0 ? 0 : share / possible;
  const rawScore = share === 0 ? null : shown / share;
  const score = possible === 0 ? prior : (shown + unknown) / possible;
  return {
    code,
    name,
    weight,
    rawScore,
    confidence,
    shrink,
    prior: possible - share > 1e-12 ? unknown / (possible - share) : prior,
    score,
    points: 0,
    features,
  };
}

/** B(c): the weight of a value with this confidence; 0 at 0, 1 at 1. */
export function shrinkOf(confidence: number, shrinkConstant: number): number {
  return confidence <= 0 ? 0 : (confidence * (1 + shrinkConstant)) / (confidence + shrinkConstant);
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
