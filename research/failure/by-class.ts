import type { AssetClass } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { percentileInterval } from '../discrimination.ts';
import { pickBelow, seededRandom } from '../random.ts';
import { accuracyOf, rulesOf, widestSpread } from './calibration.ts';
import type { Cohort, Plan } from './cohorts.ts';
import { centreOf, chanceOf, fitCurve } from './fit.ts';

/** Accuracy of predictions for members of one class outside the training set. */
export interface ClassRow {
  readonly fitted: string;
  readonly on: string;
  /** Null: all classes of the cohort together. */
  readonly class: AssetClass | null;
  readonly accuracy: ReturnType<typeof accuracyOf>;
  /**
   * Brier score minus that of the class's base rate, with a 95 % interval (members resampled); below 0 the predictions
   * are better than the rate.
   */
  readonly skill: readonly [value: number, low: number, high: number];
}

const DRAWS = 1_000;

/**
 * Brier score and calibration error by class. If `fit` is not empty, it names earlier cohorts. If it is empty, each
 * half of the cohort (every second member) is predicted by the other half, which is out of sample but not out of time.
 */
export function classesApart(
  plan: Plan,
  cohorts: ReadonlyMap<string, Cohort>,
  methodology: Methodology,
): readonly ClassRow[] {
  const lent = widestSpread(plan, cohorts, methodology);
  return plan.byClass.flatMap(({ group: id, fit, on }) => {
    const group = plan.groups.find((one) => one.id === id);
    const cohort = cohorts.get(on);
    const others = fit.flatMap((name) => cohorts.get(name) ?? []);
    if (group === undefined || cohort === undefined || others.length < fit.length) return [];
    const rules = rulesOf(group, plan, methodology, lent);
    const promised = (taught: readonly Cohort[], members: Cohort['members']) => {
      const curve = fitCurve(taught, rules);
      const shift = rules.isByCohort ? curve.centre - centreOf(cohort) : 0;
      return members.map((member) => ({ ...member, promised: chanceOf(curve, member.score, cohort.days, shift) }));
    };
    const halves = [0, 1].map((side) => cohort.members.filter((_, at) => at % 2 === side));
    const rows =
      others.length > 0
        ? promised(others, cohort.members)
        : halves.flatMap((half, side) => promised([{ ...cohort, members: halves[1 - side] ?? [] }], half));
    const classes = [...new Set(rows.map((row) => row.class))].sort();
    const parts: readonly (AssetClass | null)[] = classes.length > 1 ? [null, ...classes] : [null];
    return parts.map((of) => {
      const own = rows.filter((row) => of === null || row.class === of);
      return {
        fitted: fit.length === 0 ? `the other half of ${on}` : fit.join(', '),
        on,
        class: of,
        accuracy: accuracyOf(own),
        skill: skillOf(own),
      };
    });
  });
}

function skillOf(rows: Parameters<typeof accuracyOf>[0]): ClassRow['skill'] {
  const random = seededRandom(1);
  const skill = (own: typeof rows) => {
    const rate = own.filter((row) => row.failed).length / own.length;
    const brier = own.reduce((sum, row) => sum + (Number(row.failed) - row.promised.value) ** 2, 0) / own.length;
    return brier - rate * (1 - rate);
  };
  const drawn = Array.from({ length: DRAWS }, () =>
    skill(rows.flatMap(() => rows[pickBelow(rows.length, random)] ?? [])),
  );
  const { low, high } = percentileInterval(drawn, 0.95);
  return [skill(rows), low, high];
}
