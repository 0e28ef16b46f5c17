import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Observation } from '../../src/domain/observation.ts';
import type { Rating } from '../../src/domain/rating.ts';
import { buildReport } from '../../src/jobs/pipeline.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { AS_OF } from '../../src/rating/fixtures/asset.ts';
import { evidenceBy } from './fixtures/evidence.ts';
import { falsify } from './replay.ts';

/** What losing, ageing and falsifying evidence may do to a whole rating (methodology 2.4). */
const methodology = loadMethodology();
const INDEPENDENT = ['cex', 'goplus', 'defillama', 'blockscout', 'github'];
const evidence = evidenceBy(INDEPENDENT);
const rated = (observations: readonly Observation[]): Rating =>
  buildReport({ ...evidence, observations }, methodology).rating;
const before = rated(evidence.observations);
const family = fc.constantFrom(...INDEPENDENT);
const few = { numRuns: 40 };

test('losing a source that agrees never raises trust; losing all, one by one, ends without a rating', () => {
  let [rest, last] = [evidence.observations, before.trust.score];
  for (const lost of INDEPENDENT) {
    rest = rest.filter((row) => row.family !== lost);
    const { trust } = rated(rest);
    assert.ok(trust.score <= last, `${last} to ${trust.score} without ${lost}`);
    last = trust.score;
  }
  assert.equal(rated(rest).band, 'NR');
});

/** What a class is decided from: without it the asset is rated as something else, of which more or less may be known. */
const OF_CLASS = new Set(['categories', 'peg_target_usd', 'peg_mechanism', 'register_row', 'l2_stage']);

test('any part of the evidence lost: coverage does not rise', () => {
  const kept = evidence.observations.filter((row) => !OF_CLASS.has(row.quantity));
  const keys = [...new Set(kept.map((row) => `${row.quantity}@${row.scope}`))];
  fc.assert(
    fc.property(fc.subarray(keys, { minLength: 1 }), (lost) => {
      const gone = new Set(lost);
      const { trust } = rated(evidence.observations.filter((row) => !gone.has(`${row.quantity}@${row.scope}`)));
      assert.ok(trust.components.coverage <= before.trust.components.coverage + 1e-9);
    }),
    few,
  );
});

test('older evidence lowers trust', () => {
  fc.assert(
    fc.property(fc.integer({ min: 600, max: 40_000 }), (seconds) => {
      const aged = evidence.observations.map((row) => ({
        ...row,
        observedAt: new Date(Date.parse(AS_OF) - 1000 * seconds).toISOString(),
      }));
      assert.ok(rated(aged).trust.score < before.trust.score);
    }),
    few,
  );
});

test('one false lineage group against four that agree never improves the rating and moves it by at most a band', () => {
  fc.assert(
    fc.property(
      family,
      fc.constantFrom('factor' as const, 'unit' as const),
      fc.tuple(
        ...([0, 1, 2].map(() => fc.double({ min: 0, max: 0.999, noNaN: true })) as [
          fc.Arbitrary<number>,
          fc.Arbitrary<number>,
          fc.Arbitrary<number>,
        ]),
      ),
      (liar, kind, draws) => {
        const lied = evidence.observations.map((row) =>
          row.family === liar && typeof row.value !== 'object'
            ? falsify(row, { kind, amount: 1, draws }, methodology, Date.parse(AS_OF))
            : row,
        );
        const { trust, uncappedScore } = rated(lied);
        const moved = (uncappedScore ?? 0) - (before.uncappedScore ?? 0);
        assert.ok(moved < 1 && moved > -8, `moved by ${moved}`);
        assert.ok(trust.score < before.trust.score);
      },
    ),
    few,
  );
});

test('repeated statements of one lineage group change nothing in the rating', () => {
  fc.assert(
    fc.property(family, fc.integer({ min: 1, max: 3 }), (echoed, times) => {
      const echoes = Array.from({ length: times }, (_, index) =>
        evidence.observations
          .filter((row) => row.family === echoed)
          .map((row) => ({ ...row, source: `${row.source}-mirror-${index}`, responseId: `mirror-${index}` })),
      ).flat();
      const after = rated([...evidence.observations, ...echoes]);
      assert.equal(after.trust.score, before.trust.score);
      assert.equal(after.score, before.score);
    }),
    few,
  );
});

test('the order of replies changes nothing', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...evidence.observations], { minLength: evidence.observations.length }),
      (rows) => {
        const after = rated(rows);
        assert.deepEqual([after.score, after.trust, after.interval], [before.score, before.trust, before.interval]);
      },
    ),
    few,
  );
});
