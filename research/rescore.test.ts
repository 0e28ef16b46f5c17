import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FACTOR_CODES } from '../src/domain/index.ts';
import { aucOf, aucOfTenths } from './discrimination.ts';
import { methodology } from './fixtures/made-data.ts';
import type { Panel } from './panel.ts';
import { type Change, published, rescore, rescorer } from './rescore.ts';

const FACTORS = FACTOR_CODES.length;
const FEATURES = [
  { id: 'a', factor: 0 },
  { id: 'b', factor: 0 },
  { id: 'c', factor: 2 },
];

/** Members with the given points of the three features; null where a member has none. */
function panelOfPoints(points: readonly (readonly (number | null)[])[]): Panel {
  const width = FEATURES.length;
  const flat = points.flat();
  return {
    members: points.length,
    features: FEATURES,
    confidence: Float64Array.from(flat, (value) => (value === null ? 0 : 0.7)),
    points: Float64Array.from(flat, (value) => value ?? 0),
    rest: new Float64Array(points.length * width).fill(Number.NaN),
    possible: new Float64Array(points.length * FACTORS).fill(20),
    featureWeights: new Float64Array(points.length * width).fill(8),
    factorWeights: Float64Array.from({ length: points.length * FACTORS }, (_, at) => 0.1 * (1 + (at % FACTORS))),
    cap: Float64Array.from(points, (_, row) => (row % 5 === 4 ? 40 : Number.POSITIVE_INFINITY)),
    rules: methodology.aggregation,
  };
}

const points = fc.array(
  fc.tuple(...FEATURES.map(() => fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null }))),
  { minLength: 1, maxLength: 10 },
);
const multiples = (count: number) => fc.array(fc.constantFrom(0.5, 1, 1.25), { minLength: count, maxLength: count });
const change: fc.Arbitrary<Change> = fc.record(
  {
    factorWeights: multiples(FACTORS),
    featureWeights: multiples(FEATURES.length),
    bends: multiples(FEATURES.length),
    prior: fc.constantFrom(30, 45),
    shrinkConstant: fc.constantFrom(0.2, 0.6),
    floor: fc.constantFrom(1, 5),
    power: fc.constantFrom(-1, 0, 0.5, Number.NEGATIVE_INFINITY),
    without: fc.constantFrom(new Set([1]), new Set([0, 1, 2])),
    caps: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('the scores of a change do not depend on the changes before it, to the last bit', () => {
  fc.assert(
    fc.property(
      points,
      fc.array(fc.record({ change, isBase: fc.boolean() }), { minLength: 2, maxLength: 12 }),
      (rows, changes) => {
        const panel = panelOfPoints(rows);
        const kept = rescorer(panel);
        for (const { change, isBase } of changes) assert.deepEqual(kept.scores(change, isBase), rescore(panel, change));
      },
    ),
    { numRuns: 300 },
  );
});

test('power means: arithmetic, geometric, harmonic and minimum; a factor without weight counts for nothing', () => {
  // One member: the first factor has 10, the third 40, and the others no weight.
  const whole = panelOfPoints([[10, 10, 40]]);
  const panel = (weights: readonly [number, number]): Panel => ({
    ...whole,
    confidence: new Float64Array(3).fill(1),
    possible: new Float64Array(FACTORS).fill(1),
    featureWeights: Float64Array.of(0.5, 0.5, 1),
    factorWeights: Float64Array.from(FACTOR_CODES, (_, factor) => [weights[0], 0, weights[1]][factor] ?? 0),
  });
  const scoreAt = (power: number, floor = 5, weights: readonly [number, number] = [1, 1]) =>
    rescore(panel(weights), { power, floor })[0] ?? 0;
  const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 1e-9, `${found}`);
  near(scoreAt(1), 25);
  near(scoreAt(0), 20);
  near(scoreAt(-1), 16);
  near(scoreAt(Number.NEGATIVE_INFINITY), 10);
  near(scoreAt(Number.NEGATIVE_INFINITY, 15), 15);
  near(scoreAt(Number.NEGATIVE_INFINITY, 5, [0, 1]), 40);
});

test('AUC of published steps is that of the published scores, to the last bit; null when one side is empty', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ score: fc.double({ min: 0, max: 100, noNaN: true }), failed: fc.boolean() }), {
        maxLength: 40,
      }),
      (rows) => {
        const scores = Float64Array.from(rows, ({ score }) => score);
        const failed = rows.map((row) => row.failed);
        assert.equal(aucOfTenths(scores, failed), aucOf(published(scores), failed));
      },
    ),
  );
});
