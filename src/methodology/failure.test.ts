import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Calibration, calibrationComplaints, loadCalibration } from './calibration.ts';
import { failureGroup, failureProbability } from './failure.ts';

const calibration = loadCalibration();
const group = (id: string) => {
  const found = calibration.groups.find((row) => row.id === id);
  assert.ok(found, id);
  return found;
};
const at = (id: string | null, score: number | null, band: 'B' | 'D' | 'NR' = 'B') =>
  failureProbability(id, { band, score }, calibration);
const asset = { class: 'default', stage: 'post_tge', rank: null, ageDays: null } as const;

test('a listed coin, a launch of this month and a pegged coin are held against outcomes of their own kind', () => {
  const idOf = (subject: Parameters<typeof failureGroup>[0]) => failureGroup(subject, calibration)?.id ?? null;
  assert.equal(idOf({ ...asset, rank: 900 }), 'listed');
  assert.equal(idOf({ ...asset, ageDays: 3 }), 'launched');
  assert.equal(idOf({ ...asset, class: 'stable_fiat' }), 'pegged');
});

test('a group without known outcomes has no probability and states so', () => {
  for (const subject of [
    { ...asset, class: 'lst_wrapped', rank: 20 },
    { ...asset, class: 'commodity' },
    { ...asset, rank: 2_500 },
    { ...asset, ageDays: 400 },
    { ...asset, stage: 'pre_tge', ageDays: 3 },
  ] as const)
    assert.equal(failureGroup(subject, calibration), null, JSON.stringify(subject));
  for (const row of at(null, 60))
    assert.deepEqual([row.value, row.interval, row.basis, row.group], [null, null, 'no_evidence', null]);
});

test('inside the curve the probability is in its interval, falls with the score, and is higher for a year than for a month', () => {
  for (const { id, points } of calibration.groups) {
    const [worst, best] = [points[0]?.score ?? 0, points.at(-1)?.score ?? 0];
    let before = [1, 1];
    for (let score = worst; score <= best; score += 0.3) {
      const rows = at(id, Math.min(best, score));
      for (const { value, interval } of rows)
        assert.ok(value !== null && interval && interval[0] <= value && value <= interval[1], `${id} at ${score}`);
      const [month = 0, year = 0] = rows.map((row) => row.value ?? 0);
      assert.ok(month <= year && month <= (before[0] ?? 1) && year <= (before[1] ?? 1), `${id} at ${score}`);
      before = [month, year];
    }
  }
});

test('beyond the scores that were followed there is a bound and no value', () => {
  const { points } = group('listed');
  const [above] = at('listed', (points.at(-1)?.score ?? 0) + 10);
  assert.deepEqual([above?.value, above?.basis], [null, 'upper_bound']);
  assert.deepEqual(above?.interval, [0, points.at(-1)?.d30.high]);
  const [below] = at('listed', (points[0]?.score ?? 0) - 5);
  assert.deepEqual([below?.value, below?.basis], [null, 'lower_bound']);
  assert.deepEqual(below?.interval, [points[0]?.d30.low, 1]);
});

test('between two points the value is between theirs', () => {
  const [first, second] = group('listed').points;
  assert.ok(first && second);
  const year = at('listed', (first.score + second.score) / 2)[1]?.value ?? 0;
  assert.ok(Math.abs(year - (first.d365.value + second.d365.value) / 2) < 1e-4);
});

test('what has defaulted or is not rated has no probability', () => {
  assert.deepEqual(
    at('listed', 4.9, 'D').map((row) => [row.value, row.basis]),
    [
      [null, 'defaulted'],
      [null, 'defaulted'],
    ],
  );
  assert.equal(at('listed', null, 'NR')[0]?.basis, 'not_rated');
});

test('a group with few failures states so, and its upper end is not below the rate of all that score no better', () => {
  const pegged = group('pegged');
  assert.equal(pegged.lowDefault, true);
  const best = pegged.points.at(-1);
  const [cohort] = pegged.cohorts;
  assert.ok(best && cohort);
  assert.equal(at('pegged', best.score)[1]?.basis, 'low_default');
  assert.ok(best.d365.high > 1 - (1 - cohort.failures / cohort.members) ** (365 / cohort.days));
});

test('a calibration whose value rises with the score or leaves its interval does not load', () => {
  const change = (of: (points: Calibration['groups'][number]['points'][number][]) => void) => {
    const copy = structuredClone({ ...calibration, json: undefined, hash: undefined }) as unknown as Calibration;
    const { json: _json, hash: _hash, ...content } = copy as Calibration & { json: unknown };
    of(content.groups[0]?.points as never);
    return calibrationComplaints(content).join();
  };
  assert.equal(
    change(() => undefined),
    '',
  );
  assert.match(
    change((points) => Object.assign(points[3]?.d365 ?? {}, { value: 1, high: 1 })),
    /rises with the score/,
  );
  assert.match(
    change((points) => Object.assign(points[0]?.d30 ?? {}, { high: 0 })),
    /outside its interval/,
  );
});

test('the bands’ ranges meet and cover everything from 0 to 1', () => {
  const ranges = calibration.targets.map(({ range }) => range);
  assert.deepEqual([ranges[0]?.[0], ranges.at(-1)?.[1]], [0, 1]);
  for (const [index, range] of ranges.slice(1).entries()) assert.equal(range[0], ranges[index]?.[1]);
});
