import { type AssetClass, BANDS } from '../../src/domain/index.ts';
import type { Calibration, CalibrationGroup, Methodology } from '../../src/methodology/index.ts';
import { jeffreysInterval } from '../../src/publication/index.ts';
import type { Cohort, GroupPlan, Plan } from './cohorts.ts';
import { type Curve, centreOf, chanceOf, type FitRules, fitCurve, prudentHazard, rebased } from './fit.ts';

const YEAR = 365;
const MONTH = 30;
const TENTHS = 10;

/** The calibration of every group, from its cohorts. Pure: the same cohorts give the same file. */
export function calibrationOf(
  plan: Plan,
  cohorts: ReadonlyMap<string, Cohort>,
  methodology: Methodology,
  date: string,
): Omit<Calibration, 'hash'> {
  const widest = widestSpread(plan, cohorts, methodology);
  return {
    schema: 'assay.calibration/1',
    date,
    methodology: methodology.version,
    confidence: plan.confidence,
    targets: targetsOf(methodology),
    groups: plan.groups.map((group) => groupOf(group, plan, cohorts, rulesOf(group, plan, methodology, widest))),
  };
}

/**
 * The widest spread between cohorts of any group, used for groups with a single cohort. Null if no group has several.
 */
export function widestSpread(
  plan: Plan,
  cohorts: ReadonlyMap<string, Cohort>,
  methodology: Methodology,
): FitRules['lent'] {
  return plan.groups
    .filter((group) => group.cohorts.length > 1)
    .map((group) => ({
      ...fitCurve(named(group.cohorts, cohorts), rulesOf(group, plan, methodology, null)),
      of: group.cohorts.length,
    }))
    .reduce<{ spread: number; cohorts: number } | null>(
      (most, { spread, of }) => (most !== null && most.spread >= spread ? most : { spread, cohorts: of }),
      null,
    );
}

/** How the curve of a group is fitted. */
export function rulesOf(group: GroupPlan, plan: Plan, methodology: Methodology, lent: FitRules['lent']): FitRules {
  const { confidence, scaleError } = plan;
  return { confidence, scaleError, lent, isByCohort: group.centredByCohort, prior: methodology.aggregation.prior };
}

/** The cohorts that were read; the file of an optional one may be missing. */
function named(names: readonly string[], cohorts: ReadonlyMap<string, Cohort>): readonly Cohort[] {
  return names.flatMap((name) => cohorts.get(name) ?? []);
}

/** Targets of the ladder; the boundaries between neighbours are their geometric means, and the ends are 0 and 1. */
function targetsOf(methodology: Methodology): Calibration['targets'] {
  const ladder = methodology.bands.flatMap(({ band, failureTarget }) =>
    failureTarget === null ? [] : [{ band, target: failureTarget }],
  );
  const edge = (better: number | undefined, worse: number | undefined, end: number) =>
    better === undefined || worse === undefined ? end : digits(Math.sqrt(better * worse));
  return ladder.map(({ band, target }, at) => ({
    band,
    range: [edge(ladder[at - 1]?.target, target, 0), edge(target, ladder[at + 1]?.target, 1)],
  }));
}

function groupOf(
  group: GroupPlan,
  plan: Plan,
  cohorts: ReadonlyMap<string, Cohort>,
  rules: FitRules,
): CalibrationGroup {
  const own = named(group.cohorts, cohorts);
  const curve = fitCurve(own, rules);
  const failures = failuresOf(own);
  const lowDefault = failures < plan.fewFailures;
  const { id, title, event, classes, maximumRank, maximumAgeDays, timing } = group;
  return {
    id,
    title,
    event,
    classes,
    ...(maximumRank === undefined ? {} : { maximumRank }),
    maximumAgeDays,
    timing,
    cohorts: own.map((cohort, at) => ({
      name: cohort.name,
      origin: cohort.plan.origin,
      observed: cohort.plan.observed,
      days: cohort.days,
      members: cohort.members.length,
      failures: failuresOf([cohort]),
      hazard: digits(curve.hazards[at] ?? 0),
    })),
    curve: {
      middle: digits(curve.middle),
      slope: digits(curve.slope),
      centre: digits(curve.centre),
      spread: digits(curve.spread),
      spreadIsBorrowed: curve.spreadIsBorrowed,
      middleSd: digits(curve.middleSd),
      slopeSd: digits(curve.slopeSd),
      scaleError: plan.scaleError,
    },
    lowDefault,
    points: pointsOf(own, curve, timing, lowDefault, plan),
    bands: bandsOf(own, plan.confidence),
    measured: group.splits.flatMap((split) =>
      split.on.some((name) => !cohorts.has(name))
        ? []
        : measuredOf(named(split.fit, cohorts), named(split.on, cohorts), rules),
    ),
  };
}

function failuresOf(cohorts: readonly Cohort[]): number {
  return cohorts.reduce((sum, cohort) => sum + cohort.members.filter((member) => member.failed).length, 0);
}

/**
 * The curve at whole scores, in the range with enough members. The ends of the interval fall with the score as the
 * value does.
 */
function pointsOf(
  cohorts: readonly Cohort[],
  curve: Curve,
  timing: CalibrationGroup['timing'],
  lowDefault: boolean,
  plan: Plan,
): CalibrationGroup['points'] {
  const scores = cohorts.flatMap((cohort) => cohort.members.map(({ score }) => score)).sort((a, b) => a - b);
  const worst = Math.floor(scores[Math.min(plan.leastBeyond, scores.length) - 1] ?? 0);
  const best = Math.max(worst + 1, Math.ceil(scores[Math.max(0, scores.length - plan.leastBeyond)] ?? 0));
  const share = timing === 'observed_times' ? earlyShare(cohorts) : null;
  let most = { d30: 0, d365: 0 };
  const rows: CalibrationGroup['points'][number][] = [];
  for (let score = best; score >= worst; score -= 1) {
    const prudent = lowDefault ? prudentHazard(cohorts, Math.max(score, scores[0] ?? 0), plan.confidence) : 0;
    const within = (days: number) => {
      const found = chanceOf(curve, score, days);
      return { ...found, high: Math.max(found.high, -Math.expm1((-prudent * days) / YEAR)) };
    };
    const year = within(YEAR);
    const month = share === null ? within(MONTH) : early(year, chanceOf(curve, score, MONTH).low, share);
    most = { d30: Math.max(most.d30, month.high), d365: Math.max(most.d365, year.high) };
    rows.unshift({ score, d30: rounded({ ...month, high: most.d30 }), d365: rounded({ ...year, high: most.d365 }) });
  }
  return rows;
}

/** Share of the dated failures of a year that occurred within 30 days. */
function earlyShare(cohorts: readonly Cohort[]): number {
  const times = cohorts.flatMap((cohort) =>
    cohort.members.flatMap(({ failed, failedAfter }) => (failed && failedAfter !== null ? [failedAfter] : [])),
  );
  return times.length === 0 ? MONTH / YEAR : times.filter((days) => days <= MONTH).length / times.length;
}

/**
 * Probability within 30 days. Launches fail early, and most files have no dates, so the interval ranges from a constant
 * rate over the year to all failures in the first month.
 */
function early(year: Estimate, evenLow: number, share: number): Estimate {
  const value = year.value * share;
  return { value, low: Math.min(value, evenLow), high: year.high };
}

interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

function bandsOf(cohorts: readonly Cohort[], confidence: number): CalibrationGroup['bands'] {
  return BANDS.flatMap((band) => {
    let [members, failures, weighted, weight, years] = [0, 0, 0, 0, 0];
    for (const cohort of cohorts)
      for (const member of cohort.members)
        if (member.band === band) {
          members += 1;
          weight += cohort.weight;
          years += (cohort.weight * cohort.days) / YEAR;
          failures += member.failed ? 1 : 0;
          weighted += member.failed ? cohort.weight : 0;
        }
    const interval = jeffreysInterval(weighted, weight, confidence);
    if (interval === null) return [];
    const yearly = (rate: number) => digits(rate >= 1 ? 1 : -Math.expm1((Math.log1p(-rate) * weight) / years));
    return [
      {
        band,
        members,
        failures,
        rate: yearly(weighted / weight),
        interval: [yearly(interval[0]), yearly(interval[1])] as const,
      },
    ];
  });
}

/**
 * Accuracy of a curve fitted on some cohorts for others: for all of them together, and by class if they have several.
 */
function measuredOf(fit: readonly Cohort[], on: readonly Cohort[], rules: FitRules): CalibrationGroup['measured'] {
  const curve = fitCurve(fit, rules);
  const rows = on.flatMap((cohort) => {
    const shift = rules.isByCohort ? curve.centre - centreOf(cohort) : 0;
    return cohort.members.map((member) => ({ ...member, promised: chanceOf(curve, member.score, cohort.days, shift) }));
  });
  const classes = [...new Set(rows.map((row) => row.class))].sort();
  const parts: readonly (AssetClass | null)[] = classes.length > 1 ? [null, ...classes] : [null];
  const words = (cohorts: readonly Cohort[]) => cohorts.map(({ name }) => name).join(', ');
  return parts.map((of) => ({
    fitted: words(fit),
    on: words(on),
    class: of,
    ...accuracyOf(rows.filter((row) => of === null || row.class === of)),
  }));
}

/**
 * Accuracy of the slope from other cohorts for a cohort with a known base rate: each half (every second member) is
 * predicted with the base rate of the other half. This separates an error of the slope from an error of the base rate;
 * a live rating does not know the base rate of future requests.
 */
export function withBaseRate(
  fit: readonly Cohort[],
  cohort: Cohort,
  isByCohort: boolean,
  rules: FitRules,
): ReturnType<typeof accuracyOf> {
  const curve = fitCurve(fit, rules);
  const shift = isByCohort ? curve.centre - centreOf(cohort) : 0;
  const half = (side: number) => ({ ...cohort, members: cohort.members.filter((_, at) => at % 2 === side) });
  return accuracyOf(
    [0, 1].flatMap((side) => {
      const own = rebased(curve, half(1 - side), isByCohort);
      return half(side).members.map((member) => ({
        ...member,
        promised: chanceOf(own, member.score, cohort.days, shift),
      }));
    }),
  );
}

/** {@link withBaseRate} for every cohort that a group is evaluated on. */
export function baseRatesKnown(
  plan: Plan,
  cohorts: ReadonlyMap<string, Cohort>,
  methodology: Methodology,
): readonly ({ readonly group: string; readonly on: string } & ReturnType<typeof accuracyOf>)[] {
  return plan.groups.flatMap((group) =>
    group.splits.flatMap(({ fit, on }) =>
      named(on, cohorts).map((cohort) => ({
        group: group.id,
        on: cohort.name,
        ...withBaseRate(named(fit, cohorts), cohort, group.centredByCohort, rulesOf(group, plan, methodology, null)),
      })),
    ),
  );
}

/** Brier score and expected calibration error of predictions. */
export function accuracyOf(
  rows: readonly { readonly promised: Estimate; readonly failed: boolean }[],
): Omit<CalibrationGroup['measured'][number], 'fitted' | 'on' | 'class'> {
  const failures = rows.filter((row) => row.failed).length;
  const rate = failures / rows.length;
  const sorted = rows.toSorted((a, b) => a.promised.value - b.promised.value);
  const groups = Array.from({ length: TENTHS }, (_, at) =>
    sorted.slice(Math.floor((at * rows.length) / TENTHS), Math.floor(((at + 1) * rows.length) / TENTHS)),
  ).filter((group) => group.length > 0);
  const judged = groups.map((group) => {
    const mean = (of: (row: (typeof group)[number]) => number) =>
      group.reduce((sum, row) => sum + of(row), 0) / group.length;
    const failed = mean((row) => Number(row.failed));
    const seen = jeffreysInterval(failed * group.length, group.length, 0.95) ?? [0, 1];
    const isWithin = seen[1] >= mean((row) => row.promised.low) && seen[0] <= mean((row) => row.promised.high);
    return { size: group.length, distance: Math.abs(failed - mean((row) => row.promised.value)), isWithin };
  });
  return {
    members: rows.length,
    failures,
    expected: digits(rows.reduce((sum, row) => sum + row.promised.value, 0)),
    brier: digits(rows.reduce((sum, row) => sum + (Number(row.failed) - row.promised.value) ** 2, 0) / rows.length),
    brierOfBaseRate: digits(rate * (1 - rate)),
    ece: digits(judged.reduce((sum, group) => sum + (group.size / rows.length) * group.distance, 0)),
    within: judged.filter((group) => group.isWithin).length / judged.length,
  };
}

function rounded({ value, low, high }: Estimate): Estimate {
  return { value: digits(value), low: digits(low), high: digits(high) };
}

/** Four significant digits. */
function digits(value: number): number {
  return Number(value.toPrecision(4));
}
