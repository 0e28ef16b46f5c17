import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapped, membersOf } from '../fixtures/made-data.ts';
import type { Member } from '../mapping.ts';
import { seededRandom } from '../random.ts';
import type { OutcomeSet } from './sets.ts';
import { fitsOf, knownAt, periodsOf, taughtBefore } from './years.ts';

const day = (text: string) => Date.parse(text);

function madeSet(
  file: string,
  count: number,
  of: (at: number) => Partial<Member>,
  change: Readonly<Record<string, unknown>> = {},
): OutcomeSet {
  const members = membersOf(count, of);
  return { name: file, mapping: mapped({ file, ...change }), members, columns: [], rows: [], all: [] };
}

test('a data set is split by years of observation, one of a single year by months, one without moments not at all', () => {
  const names = (moments: readonly (string | null)[]) =>
    periodsOf(
      madeSet('a.csv', moments.length, (at) => ({
        featureAt: moments[at] == null ? null : day(moments[at] as string),
      })),
    ).map(({ name, rows }) => [name, rows]);
  assert.deepEqual(names(['2021-05-01', '2020-02-01', '2021-01-01']), [
    ['2020', [1]],
    ['2021', [0, 2]],
  ]);
  assert.deepEqual(names(['2021-09-30', '2021-10-01']), [
    ['2021-09', [0]],
    ['2021-10', [1]],
  ]);
  assert.deepEqual(names(['2021-09-30', '2021-09-30']), [['2021', [0, 1]]]);
  assert.deepEqual(names([null, null]), [[null, [0, 1]]]);
});

test('an outcome whose column names a day was known on that day, whatever the row says', () => {
  const member = { outcomeAt: day('2021-01-01') } as Member;
  const outcome = { column: 'dead20241228', failed: ['1'], survived: ['0'] };
  assert.equal(
    knownAt(
      member,
      madeSet('a.csv', 1, () => ({}), { outcome }),
    ),
    day('2024-12-28'),
  );
  assert.equal(
    knownAt(
      member,
      madeSet('a.csv', 1, () => ({})),
    ),
    day('2021-01-01'),
  );
  assert.equal(
    knownAt(
      { ...member, outcomeAt: null },
      madeSet('a.csv', 1, () => ({})),
    ),
    Number.POSITIVE_INFINITY,
  );
});

test('training rows were decided before the period, are of the same file, and share no asset with it', () => {
  const random = seededRandom(5);
  const of = (year: number, groups: string) => (at: number) => {
    const failed = random() < 0.4;
    return {
      group: `${groups} ${at}`,
      failed,
      featureAt: day(`${year}-01-01`),
      outcomeAt: day(`${year + 1}-01-01`),
      quantities: { market_cap_usd: 10 ** (failed ? 4 + 2 * random() : 5 + 2 * random()) },
    };
  };
  const early = madeSet('lists.csv', 200, of(2018, 'asset'));
  const other = madeSet('pools.csv', 200, of(2018, 'pool'));
  const undecided = madeSet('lists.csv', 200, of(2019, 'late'));
  // Half of the assets of 2019 were listed in 2018 already.
  const later = madeSet('lists.csv', 200, (at) => ({
    ...of(2019, 'asset')(at),
    group: at < 100 ? `asset ${at}` : `new ${at}`,
  }));
  const [period] = periodsOf(later);
  assert.ok(period);
  const before = taughtBefore(period, [early, other, undecided, later]);
  assert.equal(before?.taught, 100, 'those of 2018 that are not in 2019 again');
  assert.deepEqual(before?.columns.names, ['market_cap_usd']);
  assert.equal(taughtBefore({ ...period, set: other }, [early, later]), null, 'another file teaches nothing');
  assert.equal(taughtBefore(periodsOf(early)[0] as typeof period, [early, later]), null, 'nothing was known by then');
  for (const scores of fitsOf(before)) {
    const [failed, survived] = [true, false].map((is) =>
      (scores ?? []).filter((_, at) => later.members[at]?.failed === is),
    ) as [number[], number[]];
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.equal(failed.length + survived.length, 200);
    assert.ok(mean(failed) < mean(survived) - 0.1);
  }
  assert.deepEqual(fitsOf(null), [null, null]);
});
