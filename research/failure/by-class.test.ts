import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodology } from '../fixtures/made-data.ts';
import { seededRandom } from '../random.ts';
import { classesApart } from './by-class.ts';
import { type Cohort, readPlan } from './cohorts.ts';

const PLAN = readPlan();

/** A cohort of a year in which members fail as a score of 20 to 60 says, and memecoins `times` as often. */
function made(name: string, seed: number, times: number): Cohort {
  const random = seededRandom(seed);
  const members = Array.from({ length: 1_000 }, (_, at) => {
    const score = 20 + 40 * random();
    const kind: 'memecoin' | 'default' = at % 3 === 0 ? 'memecoin' : 'default';
    const hazard = 0.3 * Math.exp((40 - score) / 15) * (kind === 'memecoin' ? times : 1);
    return { score, class: kind, band: 'CCC', failed: random() < -Math.expm1(-hazard), failedAfter: null };
  });
  const plan = { mapping: name, origin: name, observed: '2024-01-01', days: 365, bridge: 1 };
  return { name, plan, days: 365, weight: 1, members };
}

test('probabilities fitted on earlier cohorts are tested on each class of a later one, and those of one half on the other half', () => {
  const cohorts = new Map(
    [made('one', 1, 1), made('two', 2, 1), made('same', 3, 1), made('other', 4, 0.1)].map((own) => [own.name, own]),
  );
  const listed = PLAN.groups.find(({ id }) => id === 'listed');
  assert.ok(listed);
  const plan = {
    ...PLAN,
    groups: [{ ...listed, cohorts: ['one', 'two'] }],
    byClass: [
      { group: 'listed', fit: ['one', 'two'], on: 'same' },
      { group: 'listed', fit: ['one', 'two'], on: 'other' },
      { group: 'listed', fit: [], on: 'other' },
      { group: 'listed', fit: ['absent'], on: 'other' },
    ],
  };
  const rows = classesApart(plan, cohorts, methodology);
  assert.deepEqual(
    rows.map((row) => [row.fitted, row.on, row.class]),
    ['same', 'other']
      .flatMap((on) => [null, 'default', 'memecoin'].map((of) => ['one, two', on, of]))
      .concat([null, 'default', 'memecoin'].map((of) => ['the other half of other', 'other', of])),
  );
  const [same, , sameMeme, , plain, meme] = rows;
  assert.ok(same && sameMeme && plain && meme);
  for (const row of [same, sameMeme, plain])
    assert.ok(row.skill[2] < 0 && row.accuracy.ece < 0.08, JSON.stringify(row));
  // The class that fails a tenth as often is promised too much, and only there it shows.
  assert.ok(meme.skill[1] > 0 && meme.accuracy.ece > 0.15 && meme.accuracy.expected > 3 * meme.accuracy.failures);
  for (const { skill } of rows) assert.ok(skill[1] <= skill[0] && skill[0] <= skill[2]);
});
