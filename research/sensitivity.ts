import { FACTOR_CODES, median } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { bandOf } from '../src/methodology/index.ts';
import { aucOfTenths, correlationOfRanks, percentileInterval, ranksOf } from './discrimination.ts';
import type { Panel } from './panel.ts';
import type { Random } from './random.ts';
import { latinHypercube, sobolIndices } from './random.ts';
import { type Change, rescorer } from './rescore.ts';

/** One parameter of the methodology that is a matter of judgement, with its range. */
interface Doubt {
  readonly name: string;
  readonly kind: 'factor_weight' | 'feature_weight' | 'value_function' | 'rule';
  /** Sets the parameter from a number in [0, 1). */
  readonly apply: (draft: Draft, uniform: number) => void;
}
interface Draft {
  factorWeights: number[];
  featureWeights: number[];
  bends: number[];
  prior: number;
  shrinkConstant: number;
  power: number;
}

export interface Sensitivity {
  readonly members: number;
  readonly draws: number;
  /** AUC over all draws; null without outcomes. */
  readonly auc: {
    readonly reference: number;
    readonly median: number;
    readonly low: number;
    readonly high: number;
  } | null;
  /**
   * Mean over members of |rank - reference rank|, as a share of all members: the median draw, and 90 % of the draws.
   */
  readonly rankShift: { readonly median: number; readonly low: number; readonly high: number };
  readonly rankCorrelation: { readonly median: number; readonly low: number };
  /** Share of members whose band changes by at most one, the median draw. */
  readonly withinOneBand: number;
  readonly indices: readonly {
    readonly name: string;
    readonly kind: Doubt['kind'];
    /** Sobol indices of the mean rank shift. */
    readonly first: number;
    readonly total: number;
    /** Total index of the AUC; null without outcomes. */
    readonly totalOnAuc: number | null;
    /** AUC (or rank shift) at the low and high end of this parameter, with the others unchanged. */
    readonly atLow: number;
    readonly atHigh: number;
  }[];
  readonly evaluations: number;
}

export interface SensitivityPlan {
  readonly draws: number;
  readonly base: number;
  readonly random: Random;
  readonly onProgress: (done: number) => void;
}

/**
 * Sensitivity of the ranking to judgement (OECD/JRC practice; Saisana, Saltelli and Tarantola 2005): factor weights x
 * U(.5, 1.5), feature weights x U(.5, 1.5), value functions bent by 2^U(-1, 1), prior U(30, 50), shrinking constant x
 * U(.5, 2), power of the mean U(-.5, 1). Caps stay: they are rules, not judgement of degree.
 */
export function sensitivityOf(
  panel: Panel,
  failed: readonly boolean[] | null,
  methodology: Methodology,
  plan: SensitivityPlan,
): Sensitivity {
  const doubts = doubtsOf(panel);
  const trial = rescorer(panel);
  const reference = trial.scores({}, true);
  const referenceRanks = ranksOf(reference);
  const referenceBands = bandRanks(reference, methodology);
  const shiftOf = (ranks: Float64Array) => {
    let sum = 0;
    for (let row = 0; row < ranks.length; row += 1) sum += Math.abs((ranks[row] ?? 0) - (referenceRanks[row] ?? 0));
    return sum / panel.members ** 2;
  };
  const aucFor = (scores: Float64Array) => (failed === null ? null : aucOfTenths(scores, failed));
  const scoresAt = (input: ArrayLike<number>, isBase = false) => trial.scores(changeAt(panel, doubts, input), isBase);

  const draws = latinHypercube(plan.draws, doubts.length, plan.random).map((input, index) => {
    const scores = scoresAt(input);
    const ranks = ranksOf(scores);
    const bands = bandRanks(scores, methodology);
    if (index % 50 === 0) plan.onProgress((0.2 * index) / plan.draws);
    return {
      auc: aucFor(scores),
      shift: shiftOf(ranks),
      correlation: correlationOfRanks(ranks, referenceRanks) ?? 1,
      near: bands.filter((band, member) => Math.abs(band - (referenceBands[member] ?? 0)) <= 1).length / panel.members,
    };
  });
  // The same draws are used for both outputs: the model stores the AUC of each call beside the shift it returns.
  const aucs: number[] = [];
  const onShift = sobolIndices(
    (input, place) => {
      // The draws of A are the base: each of the others with its row has one number of B.
      const scores = scoresAt(input, place < plan.base);
      aucs[place] = aucFor(scores) ?? 0;
      return shiftOf(ranksOf(scores));
    },
    doubts.length,
    plan.base,
    plan.random,
    (done) => plan.onProgress(0.2 + 0.8 * done),
  );
  const totals = failed === null ? null : totalIndices(aucs, doubts.length, plan.base);
  const middle = neutral(doubts.length);
  const one = (at: number, value: number) => {
    const scores = scoresAt(middle.map((own, index) => (index === at ? value : own)));
    return aucFor(scores) ?? shiftOf(ranksOf(scores));
  };
  const aucRange =
    failed === null
      ? null
      : percentileInterval(
          draws.map((row) => row.auc ?? 0),
          0.9,
        );
  const shifts = draws.map((row) => row.shift);
  const correlations = draws.map((row) => row.correlation);
  return {
    members: panel.members,
    draws: plan.draws,
    auc: aucRange && {
      reference: aucFor(reference) ?? 0,
      median: median(draws.map((row) => row.auc ?? 0)) ?? Number.NaN,
      ...aucRange,
    },
    rankShift: { median: median(shifts) ?? Number.NaN, ...percentileInterval(shifts, 0.9) },
    rankCorrelation: { median: median(correlations) ?? Number.NaN, low: percentileInterval(correlations, 0.9).low },
    withinOneBand: median(draws.map((row) => row.near)) ?? Number.NaN,
    indices: doubts.map(({ name, kind }, index) => ({
      name,
      kind,
      first: onShift.first[index] ?? 0,
      total: onShift.total[index] ?? 0,
      totalOnAuc: totals === null ? null : (totals[index] ?? 0),
      atLow: one(index, 0),
      atHigh: one(index, 1),
    })),
    evaluations: plan.draws + onShift.evaluations,
  };
}

/** The varied parameters; each has its published value at 1/2. */
function doubtsOf(panel: Panel): readonly Doubt[] {
  const touched = new Set(panel.features.map((feature) => feature.factor));
  const factors = FACTOR_CODES.flatMap((code, index): Doubt[] =>
    touched.has(index) && panel.factorWeights.some((weight, at) => at % FACTOR_CODES.length === index && weight > 0)
      ? [
          {
            name: `weight of ${code}`,
            kind: 'factor_weight',
            apply: (draft, uniform) => {
              draft.factorWeights[index] = 0.5 + uniform;
            },
          },
        ]
      : [],
  );
  const features = panel.features.flatMap(({ id }, index): Doubt[] => [
    {
      name: `weight of ${id}`,
      kind: 'feature_weight',
      apply: (draft, uniform) => {
        draft.featureWeights[index] = 0.5 + uniform;
      },
    },
    {
      name: `anchors of ${id}`,
      kind: 'value_function',
      apply: (draft, uniform) => {
        draft.bends[index] = 2 ** (2 * uniform - 1);
      },
    },
  ]);
  return [
    ...factors,
    ...features,
    {
      name: 'prior',
      kind: 'rule',
      apply: (draft, uniform) => {
        draft.prior += 20 * uniform - 10;
      },
    },
    {
      name: 'shrinking constant',
      kind: 'rule',
      apply: (draft, uniform) => {
        draft.shrinkConstant *= 2 ** (2 * uniform - 1);
      },
    },
    {
      name: 'power of the mean',
      kind: 'rule',
      apply: (draft, uniform) => {
        draft.power = uniform < 0.5 ? uniform - 0.5 : 2 * uniform - 1;
      },
    },
  ];
}

function neutral(count: number): readonly number[] {
  return new Array<number>(count).fill(0.5);
}

function changeAt(panel: Panel, doubts: readonly Doubt[], input: ArrayLike<number>): Change {
  const draft: Draft = {
    factorWeights: new Array<number>(FACTOR_CODES.length).fill(1),
    featureWeights: new Array<number>(panel.features.length).fill(1),
    bends: new Array<number>(panel.features.length).fill(1),
    prior: panel.rules.prior,
    shrinkConstant: panel.rules.shrinkConstant,
    power: 0,
  };
  for (const [index, doubt] of doubts.entries()) doubt.apply(draft, input[index] ?? 0.5);
  return draft;
}

/** Jansen's total indices from outputs by the places of `sobolIndices`: A, B, then A with each column of B. */
function totalIndices(outputs: readonly number[], inputs: number, base: number): readonly number[] {
  const both = outputs.slice(0, 2 * base);
  const mean = both.reduce((sum, value) => sum + value, 0) / both.length;
  const variance = both.reduce((sum, value) => sum + (value - mean) ** 2, 0) / both.length;
  return Array.from({ length: inputs }, (_, input) => {
    let sum = 0;
    for (let row = 0; row < base; row += 1)
      sum += ((outputs[row] ?? 0) - (outputs[(2 + input) * base + row] ?? 0)) ** 2;
    return variance === 0 ? 0 : sum / (2 * base) / variance;
  });
}

function bandRanks(scores: Float64Array, methodology: Methodology): readonly number[] {
  const order = new Map(methodology.bands.map((row, index) => [row.band, index]));
  return Array.from(scores, (score) => order.get(bandOf(score, methodology)) ?? 0);
}
