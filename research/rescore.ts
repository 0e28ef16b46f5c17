import { FACTOR_CODES } from '../src/domain/index.ts';
import { toScore } from '../src/methodology/index.ts';
import { shrinkOf } from '../src/rating/index.ts';
import type { Panel } from './panel.ts';
import type { ScoredMember } from './score-member.ts';

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

/** Computes the scores of a panel under one changed methodology after another. */
export interface Rescorer {
  /**
   * Scores under a changed methodology, unrounded (methodology 3.1). Only what differs from the last change with
   * `isBase` is computed again: changes that differ from it in one parameter cost a part of a whole computation.
   */
  scores(change: Change, isBase?: boolean): Float64Array;
}

const FACTORS = FACTOR_CODES.length;

/** Values of all members that depend on the numbers in `key` only. Equal ids have equal values. */
interface Column {
  key: readonly number[];
  id: number;
  readonly values: Float64Array;
}

/** The column of the last base, and of the last other change that needed another one. */
interface Kept {
  readonly base: Column;
  readonly other: Column;
}

/** Keeps columns between the changes of a panel. */
export function rescorer(panel: Panel): Rescorer {
  const { members, rules } = panel;
  const width = panel.features.length;
  let newest = 0;
  const column = (): Column => ({ key: [], id: 0, values: new Float64Array(members) });
  const kept = (count: number) => Array.from({ length: count }, (): Kept => ({ base: column(), other: column() }));
  const [bent, factors, terms] = [kept(width), kept(FACTORS), kept(FACTORS)];
  const [moved, extra] = [new Float64Array(members), new Float64Array(members)];
  const featuresOf = Array.from({ length: FACTORS }, (_, factor) =>
    panel.features.flatMap((feature, at) => (feature.factor === factor ? [at] : [])),
  );

  const columnOf = (
    own: Kept | undefined,
    key: readonly number[],
    isBase: boolean,
    fill: (values: Float64Array) => void,
  ): Column => {
    if (own === undefined) throw new Error('no such column');
    if (own.base.id > 0 && sameNumbers(own.base.key, key)) return own.base;
    const chosen = isBase ? own.base : own.other;
    if (chosen.id > 0 && sameNumbers(chosen.key, key)) return chosen;
    fill(chosen.values);
    newest += 1;
    chosen.key = key;
    chosen.id = newest;
    return chosen;
  };

  const bentPoints = (at: number, bend: number, isBase: boolean) =>
    columnOf(bent[at], [bend], isBase, (values) => {
      let [last, shown] = [Number.NaN, 0];
      for (let row = 0; row < members; row += 1) {
        const points = panel.points[row * width + at] ?? 0;
        if (points !== last) [last, shown] = [points, bend === 1 ? points : 100 * (points / 100) ** bend];
        values[row] = shown;
      }
    });

  const factorValues = (factor: number, change: Change, isBase: boolean) => {
    const prior = change.prior ?? rules.prior;
    const k0 = change.shrinkConstant ?? rules.shrinkConstant;
    const used = (featuresOf[factor] ?? []).map((at) => ({
      at,
      multiple: change.featureWeights?.[at] ?? 1,
      shown: bentPoints(at, change.bends?.[at] ?? 1, isBase),
      isRemoved: change.without?.has(at) ?? false,
    }));
    const key = [prior, k0, ...used.flatMap((row) => [row.multiple, row.shown.id, Number(row.isRemoved)])];
    return columnOf(factors[factor], key, isBase, (values) => {
      moved.fill(0);
      extra.fill(0);
      for (const { at, multiple, shown, isRemoved } of used)
        for (let row = 0, place = at; row < members; row += 1, place += width) {
          const weight = panel.featureWeights[place] ?? 0;
          extra[row] = (extra[row] ?? 0) + weight * (multiple - 1);
          const confidence = panel.confidence[place] ?? 0;
          const own = panel.rest[place] ?? Number.NaN;
          const rest = Number.isNaN(own) ? prior : own;
          if (isRemoved || (confidence === 0 && rest === prior)) continue;
          const part = confidence === 0 ? 0 : shrinkOf(confidence, k0) * ((shown.values[row] ?? 0) - rest);
          moved[row] = (moved[row] ?? 0) + weight * multiple * (rest - prior + part);
        }
      for (let row = 0; row < members; row += 1) {
        const possible = (panel.possible[row * FACTORS + factor] ?? 0) + (extra[row] ?? 0);
        values[row] = possible <= 0 ? prior : prior + (moved[row] ?? 0) / possible;
      }
    });
  };

  const factorTerms = (factor: number, change: Change, power: number, isBase: boolean) => {
    const floor = change.floor ?? rules.floor;
    const own = factorValues(factor, change, isBase);
    return columnOf(terms[factor], [own.id, power, floor], isBase, (values) => {
      // Members without a value of the factor all have the prior, one after another.
      let [last, term] = [Number.NaN, 0];
      for (let row = 0; row < members; row += 1) {
        const value = own.values[row] ?? 0;
        if (value !== last) [last, term] = [value, termOf(value, power, floor)];
        values[row] = term;
      }
    });
  };

  return {
    scores(change, isBase = false) {
      const power = change.power ?? 0;
      const [sums, totals, least] = [0, 0, Number.POSITIVE_INFINITY].map((start) =>
        new Float64Array(members).fill(start),
      ) as [Float64Array, Float64Array, Float64Array];
      for (let factor = 0; factor < FACTORS; factor += 1) {
        const own = factorTerms(factor, change, power, isBase).values;
        const multiple = change.factorWeights?.[factor] ?? 1;
        for (let row = 0, place = factor; row < members; row += 1, place += FACTORS) {
          const weight = (panel.factorWeights[place] ?? 0) * multiple;
          if (weight <= 0) continue;
          const term = own[row] ?? 0;
          totals[row] = (totals[row] ?? 0) + weight;
          sums[row] = (sums[row] ?? 0) + weight * term;
          if (term < (least[row] ?? 0)) least[row] = term;
        }
      }
      // The scores replace the sums.
      for (let row = 0; row < members; row += 1) {
        const score = meanOf(sums[row] ?? 0, totals[row] ?? 0, least[row] ?? 0, power);
        sums[row] = change.caps === false ? score : Math.min(score, panel.cap[row] ?? score);
      }
      return sums;
    },
  };
}

function sameNumbers(left: readonly number[], right: readonly number[]): boolean {
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
}

/** Scores of a panel under one changed methodology. */
export function rescore(panel: Panel, change: Change = {}): Float64Array {
  return rescorer(panel).scores(change);
}

/** Largest distance between the panel's score and the rating code's, before caps. */
export function panelError(panel: Panel, scored: readonly ScoredMember[]): number {
  const found = rescore(panel, { caps: false });
  return scored.reduce((worst, member, row) => Math.max(worst, Math.abs(member.uncapped - (found[row] ?? 0))), 0);
}

/** Published scores, in steps of 0.1. */
export function published(scores: Float64Array): readonly number[] {
  return Array.from(scores, toScore);
}

/** Term of a value, at least `floor`, in the sum of a power mean. At -Infinity the value itself. */
function termOf(value: number, power: number, floor: number): number {
  const raised = Math.max(value, floor);
  if (power === Number.NEGATIVE_INFINITY) return raised;
  return power === 0 ? Math.log(raised) : raised ** power;
}

/** Weighted power mean from the sums of its terms and weights: geometric at 0, the least term at -Infinity. */
function meanOf(sum: number, total: number, least: number, power: number): number {
  if (power === Number.NEGATIVE_INFINITY) return least;
  return power === 0 ? Math.exp(sum / total) : (sum / total) ** (1 / power);
}
