import { FACTOR_CODES } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { featureWeights, toScore } from '../src/methodology/index.ts';
import { shrinkOf } from '../src/rating/index.ts';
import type { ScoredMember } from './score-member.ts';

/**
 * Points and confidences of all members in flat arrays, so that thousands of changed methodologies can be tried. To
 * ensure that it computes the same as the rating, `panelError` compares every member with the rating code, and a report
 * with an error above 1e-9 is refused.
 */
export interface Panel {
  readonly members: number;
  /** Features that at least one member has, or that were searched without a result. */
  readonly features: readonly { readonly id: string; readonly factor: number }[];
  /** Member by feature: confidence (0: unknown) and points. */
  readonly confidence: Float64Array;
  readonly points: Float64Array;
  /** Member by feature: the value that replaces its unknown part, if that is not the prior; otherwise NaN. */
  readonly rest: Float64Array;
  /** Member by factor: total weight of the features that apply. */
  readonly possible: Float64Array;
  /** Member by feature and by factor: the weights of the member's class. */
  readonly featureWeights: Float64Array;
  readonly factorWeights: Float64Array;
  /** Lowest cap of each member; infinite without one. */
  readonly cap: Float64Array;
  readonly rules: Methodology['aggregation'];
}

/** Changes of the methodology; absent members stay unchanged. */
export interface Change {
  /** Multiples of the factor weights, in the order of FACTOR_CODES. */
  readonly factorWeights?: ArrayLike<number>;
  /** Multiples of the feature weights inside their factors, in the panel's order. */
  readonly featureWeights?: ArrayLike<number>;
  /** Exponents e of value functions: p becomes 100 (p / 100)^e. 1 changes nothing, above 1 is stricter. */
  readonly bends?: ArrayLike<number>;
  readonly prior?: number;
  readonly shrinkConstant?: number;
  readonly floor?: number;
  /** Exponent of the power mean between factors: 1 arithmetic, 0 geometric, -Infinity the minimum. */
  readonly power?: number;
  /** Features that are removed, by index. */
  readonly without?: ReadonlySet<number>;
  readonly caps?: boolean;
}

const FACTORS = FACTOR_CODES.length;
const ORDER = new Map<string, number>(FACTOR_CODES.map((code, index) => [code, index]));

/** Prepares members for `rescore`. */
export function panelOf(scored: readonly ScoredMember[], methodology: Methodology): Panel {
  const features = methodology.features
    .flatMap(
      ({ id }) =>
        scored.flatMap(({ known, silent }) => [...known, ...silent].find((own) => own.id === id) ?? [])[0] ?? [],
    )
    .map(({ id, factor }) => ({ id, factor: ORDER.get(factor) ?? 0 }));
  const place = new Map(features.map((feature, index) => [feature.id, index]));
  const width = features.length;
  const panel = {
    members: scored.length,
    features,
    confidence: new Float64Array(scored.length * width),
    points: new Float64Array(scored.length * width),
    rest: new Float64Array(scored.length * width).fill(Number.NaN),
    possible: new Float64Array(scored.length * FACTORS),
    featureWeights: new Float64Array(scored.length * width),
    factorWeights: new Float64Array(scored.length * FACTORS),
    cap: new Float64Array(scored.length).fill(Number.POSITIVE_INFINITY),
    rules: methodology.aggregation,
  };
  const classes = new Map(scored.map((member) => [member.class, featureWeights(member.class, methodology)]));
  for (const [row, member] of scored.entries()) {
    const own = classes.get(member.class);
    for (const [at, { id }] of features.entries()) panel.featureWeights[row * width + at] = own?.get(id) ?? 0;
    // A class may have no weight for a factor, so factors are matched by code and not by index.
    for (const { code, weight, possible } of member.factors) {
      const at = row * FACTORS + (ORDER.get(code) ?? 0);
      panel.factorWeights[at] = weight;
      panel.possible[at] = possible;
    }
    for (const known of member.known) {
      const at = row * width + (place.get(known.id) ?? 0);
      panel.confidence[at] = known.confidence;
      panel.points[at] = known.points;
      if (known.rest !== panel.rules.prior) panel.rest[at] = known.rest;
    }
    for (const { id, points } of member.silent)
      if (points !== panel.rules.prior) panel.rest[row * width + (place.get(id) ?? 0)] = points;
    for (const { cap } of member.caps) panel.cap[row] = Math.min(panel.cap[row] ?? cap, cap);
  }
  return panel;
}

/** Largest distance between the panel's score and the rating code's, before caps. */
export function panelError(panel: Panel, scored: readonly ScoredMember[]): number {
  const found = rescore(panel, { caps: false });
  return scored.reduce((worst, member, row) => Math.max(worst, Math.abs(member.uncapped - (found[row] ?? 0))), 0);
}

/** Scores under a changed methodology, unrounded (methodology 3.1). */
export function rescore(panel: Panel, change: Change = {}): Float64Array {
  const { rules } = panel;
  const floor = change.floor ?? rules.floor;
  const prior = change.prior ?? rules.prior;
  const k0 = change.shrinkConstant ?? rules.shrinkConstant;
  const width = panel.features.length;
  const scores = new Float64Array(panel.members);
  const [moved, factors, extra, weights] = [0, 0, 0, 0].map(() => new Float64Array(FACTORS)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let row = 0; row < panel.members; row += 1) {
    moved.fill(0);
    extra.fill(0);
    for (let at = 0; at < width; at += 1) {
      const weight = panel.featureWeights[row * width + at] ?? 0;
      const multiple = change.featureWeights?.[at] ?? 1;
      const confidence = panel.confidence[row * width + at] ?? 0;
      const factor = panel.features[at]?.factor ?? 0;
      extra[factor] = (extra[factor] ?? 0) + weight * (multiple - 1);
      const own = panel.rest[row * width + at] ?? Number.NaN;
      const rest = Number.isNaN(own) ? prior : own;
      if ((confidence === 0 && rest === prior) || change.without?.has(at)) continue;
      const points = panel.points[row * width + at] ?? 0;
      const bend = change.bends?.[at] ?? 1;
      const shown = bend === 1 ? points : 100 * (points / 100) ** bend;
      const part = confidence === 0 ? 0 : shrinkOf(confidence, k0) * (shown - rest);
      moved[factor] = (moved[factor] ?? 0) + weight * multiple * (rest - prior + part);
    }
    for (let factor = 0; factor < FACTORS; factor += 1) {
      weights[factor] = (panel.factorWeights[row * FACTORS + factor] ?? 0) * (change.factorWeights?.[factor] ?? 1);
      const possible = (panel.possible[row * FACTORS + factor] ?? 0) + (extra[factor] ?? 0);
      factors[factor] = possible <= 0 ? prior : prior + (moved[factor] ?? 0) / possible;
    }
    const score = powerMean(factors, weights, change.power ?? 0, floor);
    scores[row] = change.caps === false ? score : Math.min(score, panel.cap[row] ?? score);
  }
  return scores;
}

/** Published scores, in steps of 0.1. */
export function published(scores: Float64Array): readonly number[] {
  return Array.from(scores, toScore);
}

/**
 * Weighted power mean of values that are at least `floor`: geometric at 0, the minimum of the weighted values at
 * -Infinity.
 */
export function powerMean(values: ArrayLike<number>, weights: ArrayLike<number>, power: number, floor: number): number {
  let [sum, total, least] = [0, 0, Number.POSITIVE_INFINITY];
  for (let index = 0; index < values.length; index += 1) {
    const weight = weights[index] ?? 0;
    if (weight <= 0) continue;
    const value = Math.max(values[index] ?? 0, floor);
    total += weight;
    least = Math.min(least, value);
    sum += weight * (power === 0 ? Math.log(value) : value ** power);
  }
  if (power === Number.NEGATIVE_INFINITY) return least;
  return power === 0 ? Math.exp(sum / total) : (sum / total) ** (1 / power);
}
