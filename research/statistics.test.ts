import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Band } from '../src/domain/rating.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { accuracyRatio, countScore, emptyBins, jeffreysInterval } from '../src/publication/accuracy.ts';
import { bandTable, calibrationOf, normalBelow } from './calibration.ts';
import {
  aucOf,
  capPoints,
  clusterIntervals,
  discriminationOf,
  percentileInterval,
  ranksOf,
  spearman,
  stratifiedIntervals,
  tallyOf,
} from './discrimination.ts';
import { latinHypercube, pickBelow, sampleOf, seededRandom, sobolIndices } from './random.ts';
import { populationStabilityIndex, stabilityOf } from './stability.ts';

const methodology = loadMethodology();
const near = (found: number | null | undefined, expected: number, within = 1e-9) =>
  assert.ok(Math.abs((found ?? Number.NaN) - expected) <= within, `${found} is not within ${within} of ${expected}`);

const members = fc
  .array(fc.record({ score: fc.integer({ min: 0, max: 30 }).map((tenth) => tenth / 10), failed: fc.boolean() }), {
    minLength: 2,
    maxLength: 60,
  })
  .filter((rows) => rows.some((row) => row.failed) && rows.some((row) => !row.failed))
  .map((rows) => ({ scores: rows.map((row) => row.score), failed: rows.map((row) => row.failed) }));

test('AUC is the share of pairs in which the failed one scored lower, ties half: counted pair by pair', () => {
  fc.assert(
    fc.property(members, ({ scores, failed }) => {
      let [won, pairs] = [0, 0];
      for (const [i, bad] of scores.entries())
        for (const [j, good] of scores.entries())
          if (failed[i] && !failed[j]) {
            pairs += 1;
            won += bad < good ? 1 : bad === good ? 0.5 : 0;
          }
      near(aucOf(scores, failed), won / pairs);
    }),
  );
});

test('accuracy ratio, KS and average precision agree with their definitions, and with the track record', () => {
  fc.assert(
    fc.property(members, ({ scores, failed }) => {
      const found = discriminationOf(tallyOf(scores, failed).tally);
      const bins = emptyBins();
      for (const [index, score] of scores.entries()) countScore(bins, score, failed[index] ?? false);
      near(found?.accuracyRatio, accuracyRatio(bins) ?? Number.NaN);
      const share = (side: boolean, limit: number) => {
        const own = scores.filter((_, index) => failed[index] === side);
        return own.filter((score) => score <= limit).length / own.length;
      };
      near(found?.ks, Math.max(...scores.map((limit) => Math.abs(share(true, limit) - share(false, limit)))));
      const failures = failed.filter(Boolean).length;
      const precision = [...new Set(scores)].reduce((sum, limit) => {
        const caught = failed.filter((bad, index) => bad && (scores[index] ?? 0) <= limit).length;
        const here = failed.filter((bad, index) => bad && scores[index] === limit).length;
        return sum + (here / failures) * (caught / scores.filter((score) => score <= limit).length);
      }, 0);
      near(found?.prAuc, precision);
    }),
  );
});

test('the area of the accuracy profile is the accuracy ratio', () => {
  fc.assert(
    fc.property(members, ({ scores, failed }) => {
      const { tally } = tallyOf(scores, failed);
      const points = capPoints(tally);
      let area = 0;
      for (let at = 1; at < points.length; at += 1) {
        const [[x0, y0], [x1, y1]] = [points[at - 1] ?? [0, 0], points[at] ?? [0, 0]];
        assert.ok(x1 >= x0 && y1 >= y0);
        area += ((y0 + y1) / 2) * (x1 - x0);
      }
      assert.deepEqual(points.at(-1), [1, 1]);
      const base = failed.filter(Boolean).length / failed.length;
      near((area - 0.5) / ((1 - base) / 2), discriminationOf(tally)?.accuracyRatio ?? Number.NaN);
    }),
  );
});

test('what ranks alike measures alike: only the order of scores counts, and turning it round mirrors the AUC', () => {
  fc.assert(
    fc.property(members, ({ scores, failed }) => {
      const auc = aucOf(scores, failed) ?? Number.NaN;
      near(
        aucOf(
          scores.map((score) => Math.exp(score)),
          failed,
        ),
        auc,
      );
      near(
        aucOf(
          scores.map((score) => -score),
          failed,
        ),
        1 - auc,
      );
    }),
  );
  assert.equal(aucOf([1, 2], [true, true]), null);
});

test('bootstrap intervals cover what they should: a normal score with a known AUC', () => {
  // Two normals one standard deviation apart: AUC = Phi(1 / sqrt 2) = .7602.
  const random = seededRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let covered = 0;
  const rounds = 100;
  for (let round = 0; round < rounds; round += 1) {
    const failed = Array.from({ length: 160 }, (_, index) => index % 2 === 0);
    const scores = failed.map((bad) => normal() + (bad ? 0 : 1));
    const { tally, code } = tallyOf(scores, failed);
    const found = stratifiedIntervals({ tally, code, failed }, 200, random);
    if (found && found.auc.low <= 0.7602 && found.auc.high >= 0.7602) covered += 1;
  }
  assert.ok(covered >= 88 && covered <= 100, `${covered} of ${rounds} intervals cover the truth`);
});

test('members of one creator are one witness: their interval is wider than if they were many', () => {
  const random = seededRandom(3);
  const failed: boolean[] = [];
  const scores: number[] = [];
  const groups: string[] = [];
  for (let creator = 0; creator < 30; creator += 1) {
    const [bad, score] = [creator % 2 === 0, random() + (creator % 2 === 0 ? 0 : 0.3)];
    for (let copy = 0; copy < 10; copy += 1) {
      failed.push(bad);
      scores.push(score);
      groups.push(`creator ${creator}`);
    }
  }
  const drawn = { ...tallyOf(scores, failed), failed };
  const width = (found: ReturnType<typeof stratifiedIntervals>) => (found ? found.auc.high - found.auc.low : 0);
  assert.ok(width(clusterIntervals(drawn, groups, 400, random)) > 2 * width(stratifiedIntervals(drawn, 400, random)));
});

test('percentiles are interpolated as R and NumPy do', () => {
  assert.deepEqual(percentileInterval([4, 1, 3, 2], 0.5), { low: 1.75, high: 3.25 });
  assert.deepEqual(percentileInterval([5], 0.9), { low: 5, high: 5 });
});

test('ranks and Spearman agree with counting and with Pearson on ranks', () => {
  assert.deepEqual([...ranksOf([10, 20, 10, 30])], [1.5, 3, 1.5, 4]);
  // Without ties: 1 - 6 sum d^2 / (n (n^2 - 1)).
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }), (values) => {
      const squares = values.reduce((sum, value, index) => sum + (value - index) ** 2, 0);
      near(spearman(values, [0, 1, 2, 3, 4, 5, 6, 7]), 1 - (6 * squares) / (8 * 63));
    }),
  );
  assert.equal(spearman([1, 1, 1], [1, 2, 3]), null);
});

test('Sobol indices of the Ishigami function are those of the literature', () => {
  // a = 7, b = .1: S = .3139, .4424, 0; ST = .5576, .4424, .2437 (Saltelli et al., Global Sensitivity Analysis, 2008).
  const angle = (uniform: number | undefined) => (2 * (uniform ?? 0) - 1) * Math.PI;
  const ishigami = ([x, y, z]: Float64Array) =>
    Math.sin(angle(x)) + 7 * Math.sin(angle(y)) ** 2 + 0.1 * angle(z) ** 4 * Math.sin(angle(x));
  const found = sobolIndices(ishigami, 3, 20_000, seededRandom(11));
  for (const [index, expected] of [0.3139, 0.4424, 0].entries()) near(found.first[index], expected, 0.03);
  for (const [index, expected] of [0.5576, 0.4424, 0.2437].entries()) near(found.total[index], expected, 0.03);
  near(found.variance, 13.845, 0.3);
  assert.equal(found.evaluations, 100_000);
});

test('Sobol indices of a sum are each term’s share of the variance; a constant has index 0', () => {
  const found = sobolIndices(([x, y]) => 3 * (x ?? 0) + (y ?? 0) + 1_000, 2, 5_000, seededRandom(5));
  for (const [index, expected] of [0.9, 0.1].entries()) {
    near(found.first[index], expected, 0.03);
    near(found.total[index], expected, 0.03);
  }
  assert.deepEqual(sobolIndices(() => 4, 2, 16, seededRandom(5)).total, [0, 0]);
});

test('a Latin hypercube has one draw in each part of each column', () => {
  const matrix = latinHypercube(50, 3, seededRandom(1));
  for (const column of [0, 1, 2])
    assert.deepEqual(
      matrix.map((row) => Math.floor((row[column] ?? 0) * 50)).sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index),
    );
});

test('Jeffreys intervals leave 2.5 % of the Beta distribution on either side, by direct integration', () => {
  // t = sin^2: the integrand has no poles then, and Simpson's rule is exact to ten digits.
  const mass = (to: number, a: number, b: number) => {
    const [end, steps] = [Math.asin(Math.sqrt(to)), 2_000];
    const value = (angle: number) => Math.sin(angle) ** (2 * a - 1) * Math.cos(angle) ** (2 * b - 1);
    let sum = value(0) + value(end);
    for (let step = 1; step < steps; step += 1) sum += (step % 2 === 0 ? 2 : 4) * value((step * end) / steps);
    return sum * (end / steps / 3);
  };
  for (const [failures, trials] of [
    [1, 10],
    [5, 10],
    [3, 30],
    [90, 200],
  ] as const) {
    const [low, high] = jeffreysInterval(failures, trials, 0.95) ?? [Number.NaN, Number.NaN];
    const [a, b] = [failures + 0.5, trials - failures + 0.5];
    near(mass(low, a, b) / mass(1, a, b), 0.025, 1e-8);
    near(mass(high, a, b) / mass(1, a, b), 0.975, 1e-8);
  }
  assert.equal(jeffreysInterval(0, 10, 0.95)?.[0], 0);
});

test('bands: an inversion is reported with its p-value; one within its error is not counted', () => {
  const table = (rows: readonly (readonly [Band, number, number])[]) => {
    const bands = rows.flatMap(([band, count]) => new Array<Band>(count).fill(band));
    const failed = rows.flatMap(([, count, failures]) => Array.from({ length: count }, (_, index) => index < failures));
    return bandTable(bands, failed, methodology);
  };
  assert.equal(
    table([
      ['A', 100, 1],
      ['BB', 100, 10],
      ['C', 50, 40],
    ]).verdict,
    'monotone',
  );
  const inverted = table([
    ['BBB', 100, 38],
    ['BB', 100, 90],
    ['B', 100, 40],
    ['CC', 100, 95],
  ]);
  assert.equal(inverted.verdict, 'not_monotone');
  assert.deepEqual(
    inverted.inversions.map((row) => [row.better, row.worse]),
    [['BB', 'B']],
  );
  assert.ok((inverted.inversions[0]?.pValue ?? 1) < 1e-6);
  const close = table([
    ['A', 50, 6],
    ['BBB', 50, 5],
  ]);
  assert.equal(close.verdict, 'within_error');
  assert.deepEqual(close.indistinct, [['A', 'BBB']]);
  assert.equal(table([['A', 50, 6]]).verdict, 'one_band');
  near(normalBelow(1.959964), 0.975, 1e-6);
  near(normalBelow(-1.644854), 0.05, 1e-6);
});

test('calibration: ten parts by score that never split a tie, and a Brier score of the ladder by hand', () => {
  fc.assert(
    fc.property(members, ({ scores, failed }) => {
      const { groups, resolution, uncertainty } = calibrationOf(scores, failed, bandTable([], [], methodology));
      assert.equal(
        groups.reduce((sum, group) => sum + group.members, 0),
        scores.length,
      );
      assert.ok(groups.every((group, index) => index === 0 || group.meanScore > (groups[index - 1]?.meanScore ?? 0)));
      assert.ok(resolution <= uncertainty + 1e-12);
    }),
  );
  const table = bandTable(['A', 'A', 'C', 'C'], [false, false, true, false], methodology);
  const found = calibrationOf([80, 80, 10, 10], [false, false, true, false], table);
  near(found.ladder?.brier, (2 * 0.02 ** 2 + 0.2 ** 2 + 0.8 ** 2) / 4);
  near(found.ladder?.expected, (2 * 0.02 + 2 * 0.8) / 4);
});

test('PSI is 0 for a sample of the same distribution, symmetric, and large after a shift of all values', () => {
  const random = seededRandom(2);
  const sample = Array.from({ length: 5_000 }, () => 50 + 10 * random());
  assert.equal(populationStabilityIndex(sample, sample), 0);
  near(
    populationStabilityIndex(
      sample,
      Array.from({ length: 5_000 }, () => 50 + 10 * random()),
    ),
    0,
    0.02,
  );
  assert.ok(
    (populationStabilityIndex(
      sample,
      sample.map((score) => score + 5),
    ) ?? 0) > 0.25,
  );
  assert.equal(populationStabilityIndex([1, 2], sample), null);
});

test('transitions count where assets went after the horizon, and changes that were taken back', () => {
  const day = 86_400_000;
  const moments = (['A', 'A', 'BBB', 'A', 'CC'] as const).flatMap((band, index) => [
    { id: 'one', at: index * day, score: 80 - index, band },
    { id: 'two', at: index * day, score: 50 - index, band: 'BB' as const },
    { id: 'three', at: index * day, score: 20 + index, band: 'CC' as const },
  ]);
  const found = stabilityOf(moments, [1, 30]);
  assert.deepEqual(
    found?.transitions.map((row) => row.horizonDays),
    [1],
  );
  const [matrix] = found?.transitions ?? [];
  assert.equal(matrix?.pairs, 12);
  assert.deepEqual(matrix?.bands, ['A', 'BBB', 'BB', 'CC']);
  assert.deepEqual(matrix?.counts[0], [1, 1, 0, 1]);
  near(matrix?.shares[0]?.[0], 1 / 3);
  near(matrix?.changedByMoreThanTwo, 1 / 12);
  assert.deepEqual(found?.reversals, { changes: 3, takenBack: 1 });
  assert.equal(stabilityOf(moments.slice(0, 3), [1]), null);
});

test('the same seed draws the same numbers; they are uniform; samples keep their order', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
  const random = seededRandom(9);
  const counts = new Array<number>(10).fill(0);
  for (let index = 0; index < 100_000; index += 1) {
    const at = pickBelow(10, random);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  assert.ok(chiSquare < 27.9, `chi-square ${chiSquare} on 9 degrees`);
  const sample = sampleOf([1, 2, 3, 4, 5, 6, 7, 8, 9], 4, random);
  assert.equal(sample.length, 4);
  assert.deepEqual(sample, [...sample].sort());
});
