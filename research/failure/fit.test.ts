import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapped, methodology } from '../fixtures/made-data.ts';
import { seededRandom } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import { accuracyOf } from './calibration.ts';
import { wholeScore } from './cohorts.ts';
import {
  type CohortMembers,
  chanceOf,
  type FitRules,
  fitCurve,
  logitOf,
  prudentHazard,
  randomEffects,
  rebased,
  studentQuantile,
} from './fit.ts';

const RULES: FitRules = { confidence: 0.8, lent: null, isByCohort: false, prior: 40, scaleError: 0 };
const MEMBER = {
  id: 'one',
  group: null,
  class: 'default' as const,
  failed: false,
  featureAt: null,
  outcomeAt: null,
  features: {},
};
const random = seededRandom(3);
/** Members whose yearly hazard at a score of 40 is `hazard` and falls with the logit of the score by `slope`. */
function cohort(name: string, days: number, hazard: number, slope: number, size = 1_500): CohortMembers {
  const members = Array.from({ length: size }, () => {
    const score = 20 + 40 * random();
    const own = hazard * Math.exp(slope * (logitOf(score) - logitOf(40)));
    return { score: Math.round(score * 10) / 10, failed: random() < -Math.expm1((-own * days) / 365) };
  });
  return { name, days, members, weight: 1 };
}

test('cohorts that were followed for different times give the hazard and the slope they were made with', () => {
  const curve = fitCurve([cohort('short', 90, 0.08, -2), cohort('long', 1_000, 0.08, -2)], RULES);
  assert.ok(Math.abs(curve.slope + 2) < 0.4, String(curve.slope));
  const { value, low, high } = chanceOf(curve, 40, 365);
  assert.ok(Math.abs(value - (1 - Math.exp(-0.08))) < 0.02, String(value));
  assert.ok(low < value && value < high);
  assert.ok(chanceOf(curve, 50, 365).value < value && value < chanceOf(curve, 30, 365).value);
});

test('cohorts of other base rates widen the interval, and those of one do not', () => {
  const alike = fitCurve(
    [0, 1, 2].map((at) => cohort(`a${at}`, 365, 0.2, -1)),
    RULES,
  );
  const unlike = fitCurve(
    [0.05, 0.2, 0.8].map((hazard) => cohort(`u${hazard}`, 365, hazard, -1)),
    RULES,
  );
  assert.ok(alike.spread < 0.15, String(alike.spread));
  assert.ok(unlike.spread > 1, String(unlike.spread));
  const width = (curve: typeof alike) => chanceOf(curve, 40, 365).high - chanceOf(curve, 40, 365).low;
  assert.ok(width(unlike) > 4 * width(alike));
});

test('a score that fails no less often than others has a flat curve: a better one never fails more', () => {
  const curve = fitCurve([cohort('wrong way', 365, 0.3, 1)], RULES);
  assert.ok(curve.slope <= 0 && curve.slope > -1e-6);
});

test('a single cohort borrows the spread of others, and without failures it still has a middle', () => {
  const none: CohortMembers = {
    ...cohort('none', 365, 0.001, 0, 200),
    members: Array.from({ length: 200 }, () => ({ score: 50, failed: false })),
  };
  const curve = fitCurve([none], { ...RULES, lent: { spread: 0.7, cohorts: 4 } });
  assert.deepEqual([curve.spread, curve.spreadIsBorrowed], [0.7, true]);
  const { value, high } = chanceOf(curve, 50, 365);
  assert.ok(value > 0 && value < 0.01 && high < 0.2, `${value} ${high}`);
});

test('the error of the scale is 0 at the prior and grows with the distance from it', () => {
  const cohorts = [cohort('one', 365, 0.1, -2), cohort('two', 365, 0.1, -2)];
  const [sure, unsure] = [fitCurve(cohorts, RULES), fitCurve(cohorts, { ...RULES, scaleError: 0.3 })];
  assert.ok(Math.abs(chanceOf(sure, 40, 365).high - chanceOf(unsure, 40, 365).high) < 1e-12);
  assert.ok(chanceOf(unsure, 25, 365).high > chanceOf(sure, 25, 365).high);
});

test('a slope of other cohorts and the cohort’s own base rate predict a cohort that fails four times as often', () => {
  const curve = fitCurve([cohort('one', 365, 0.1, -2), cohort('two', 365, 0.1, -2)], RULES);
  const other = cohort('other', 365, 0.4, -2);
  const own = rebased(curve, other, false);
  const error = (at: typeof curve) => Math.abs(chanceOf(at, 40, 365).value - -Math.expm1(-0.4));
  assert.ok(error(curve) > 0.15 && error(own) < 0.03, `${error(curve)} ${error(own)}`);
  assert.deepEqual([own.slope, own.spread], [curve.slope, 0]);
});

test('three cohorts leave one degree of freedom to foretell a fourth', () => {
  const width = (count: number) =>
    fitCurve(
      Array.from({ length: count }, (_, at) => cohort(`c${at}`, 365, 0.2, -1, 300)),
      RULES,
    ).width;
  assert.ok(Math.abs(width(3) - 3.078) < 0.001 && Math.abs(width(4) - 1.886) < 0.001);
});

test('the most prudent end counts every member that scores no better', () => {
  const members = [
    ...Array.from({ length: 50 }, () => ({ score: 70, failed: false })),
    ...Array.from({ length: 50 }, (_, at) => ({ score: 40, failed: at < 4 })),
  ];
  const cohorts = [{ name: 'few', days: 365, members, weight: 1 }];
  const [best, worse] = [prudentHazard(cohorts, 70, 0.8), prudentHazard(cohorts, 40, 0.8)];
  // Without the others, none of 50 would have given 0.032.
  assert.ok(best > 0.05 && best < 0.09, String(best));
  assert.ok(worse > best);
});

test('quantiles of Student’s t are those of the tables', () => {
  for (const [probability, degrees, wanted] of [
    [0.9, 1, 3.078],
    [0.9, 2, 1.886],
    [0.95, 3, 2.353],
    [0.9, 4, 1.533],
    [0.975, 10, 2.228],
  ] as const)
    assert.ok(Math.abs(studentQuantile(probability, degrees) - wanted) < 0.001, `${probability} ${degrees}`);
});

test('effects that agree have no spread, and the mean leans to the surer one', () => {
  const found = randomEffects([
    { value: 1, variance: 0.01 },
    { value: 1.1, variance: 1 },
  ]);
  assert.equal(found.spread, 0);
  assert.ok(Math.abs(found.value - 1.001) < 1e-3);
});

test('correct probabilities have the Brier score of their spread and no calibration error', () => {
  const promised = (value: number) => ({ value, low: value - 0.05, high: value + 0.05 });
  const rows = [0.1, 0.9].flatMap((value) =>
    Array.from({ length: 100 }, (_, at) => ({ promised: promised(value), failed: at % 10 < value * 10 })),
  );
  const found = accuracyOf(rows);
  assert.deepEqual([found.members, found.failures, found.expected, found.brierOfBaseRate], [200, 100, 100, 0.25]);
  assert.ok(Math.abs(found.brier - 0.09) < 1e-9 && found.ece < 1e-9);
  assert.ok(accuracyOf(rows.map((row) => ({ ...row, promised: promised(1 - row.promised.value) }))).ece > 0.7);
});

test('a missing value counts in a whole score as it counts in a rating; a value never looked up counts nothing', () => {
  const silent = mapped({
    quantities: { market_cap_usd: { column: 'a' }, volume_24h_usd: { column: 'b' } },
    features: {},
    searched: ['fu_size', 'mq_vol'],
  });
  const member = { ...MEMBER, quantities: { volume_24h_usd: 1e6 } };
  const score = (mapping: typeof silent) =>
    wholeScore(scoreMember(member, mapping, methodology), 0.5, mapping.confidence, methodology);
  // That nothing is owed to holders follows from nobody having said so: no column tells it.
  assert.equal(scoreMember(member, silent, methodology).known.find(({ id }) => id === 'fu_claim')?.isStated, false);
  const asked = score(silent);
  const notAsked = score({ ...silent, searched: [] });
  assert.ok(asked < notAsked - 5, `${asked} ${notAsked}`);
  const stated = wholeScore(
    scoreMember({ ...member, quantities: { ...member.quantities, market_cap_usd: 1e4 } }, silent, methodology),
    0.5,
    silent.confidence,
    methodology,
  );
  // The least of the value function is no points, and so is a size that no list states.
  assert.ok(Math.abs(asked - stated) < 1e-9, `${asked} ${stated}`);
});
