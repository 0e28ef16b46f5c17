import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapped, methodology } from '../fixtures/made-data.ts';
import { seededRandom } from '../random.ts';
import { lacking } from './lacking.ts';

const mapping = mapped({ features: { hd_count: { column: 'holders' } }, quantities: {} });

/** A set whose holders tell a little; `told` is what its column of places lost says of a member, null where it is empty. */
function madeSet(name: string, seed: number, told: (failed: boolean, random: () => number) => number | null) {
  const random = seededRandom(seed);
  const members = Array.from({ length: 400 }, (_, at) => {
    const failed = random() < 0.3;
    return {
      id: `${name} ${at}`,
      group: `asset ${at % 300}`,
      class: 'default' as const,
      failed,
      featureAt: null,
      outcomeAt: null,
      features: { hd_count: 10 ** (2 + (failed ? 1.5 : 2) * random()) },
      quantities: {},
    };
  });
  const rows = members.map(({ failed }, line) => ({
    file: 'made.csv',
    line,
    cells: [String(told(failed, random) ?? '')],
  }));
  return { name, mapping, members, columns: ['rk_chg30'], rows, all: rows };
}

const gainOf = (found: ReturnType<typeof lacking>, set: string, candidate: string) =>
  found.additions.find((row) => row.set === set && row.candidate === candidate)?.gain;

test('information beyond the rating gains on the held-out half; noise and gaps do not', () => {
  const sets = [
    madeSet('telling', 1, (failed, random) => random() + (failed ? 0.4 : 0)),
    madeSet('silent', 2, (_, random) => random()),
    // Only failed members lack it: a trace of how a file was made, and no fact of the day.
    madeSet('gaps', 3, (failed, random) => (failed && random() < 0.8 ? null : random())),
  ];
  const found = lacking(sets, methodology, 100, seededRandom(1));
  const telling = gainOf(found, 'telling', 'places lost in 30 days');
  assert.ok(telling && telling.auc > 0.05 && telling.interval.low > 0, JSON.stringify(telling));
  for (const [set, candidate] of [
    ['telling', 'noise'],
    ['silent', 'places lost in 30 days'],
    ['gaps', 'places lost in 30 days'],
  ] as const) {
    const gain = gainOf(found, set, candidate);
    assert.ok(
      gain && Math.abs(gain.auc) < 0.03 && gain.interval.low < 0.01,
      `${set}, ${candidate}: ${JSON.stringify(gain)}`,
    );
  }
  const [added] = found.additions;
  assert.equal(added?.forward, null, 'all members are of one moment');
  assert.ok(added?.weights.every((weight) => weight > 0));
});

test('a half chooses the form that no data set loses by, and its gain is measured on the other half', () => {
  const way = (sign: number) => (failed: boolean, random: () => number) => random() + (failed ? sign * 0.4 : 0);
  const agreed = lacking([madeSet('a', 4, way(1)), madeSet('b', 5, way(1))], methodology, 2, seededRandom(1));
  assert.deepEqual(
    agreed.choices.map(({ half, candidate }) => [half, candidate]),
    [
      [0, 'places lost in 30 days'],
      [1, 'places lost in 30 days'],
    ],
  );
  for (const { promised, got } of agreed.choices) assert.ok(promised > 0.02 && got.every(({ gain }) => gain > 0.02));
  const one = lacking(
    [madeSet('a', 4, way(1)), madeSet('c', 6, (_, random) => random())],
    methodology,
    2,
    seededRandom(1),
  );
  assert.ok(one.choices.every(({ promised }) => promised < 0.02));
});
