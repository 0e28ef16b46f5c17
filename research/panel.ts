import { FACTOR_CODES } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { featureWeights } from '../src/methodology/index.ts';
import type { ScoredMember } from './score-member.ts';

/**
 * Points and confidences of all members in flat arrays, so that thousands of changed methodologies can be tried (`rescorer`). To
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
