import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { agree } from '../../src/consensus/agree.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { AS_OF } from '../../src/rating/fixtures/asset.ts';
import { seededRandom } from '../random.ts';
import { calibrateTrust, fitIsotonic, readCurve, restateHeldOut } from './calibrate.ts';
import { evidenceBy } from './fixtures/evidence.ts';
import { type Claim, ERROR_KINDS, type ErrorKind, isRight, reliabilityOf, truthsOf } from './reliability.ts';
import { clustersOf, injectErrors } from './replay.ts';

const methodology = loadMethodology();
const FAMILIES = ['coingecko', 'cmc', 'paprika', 'goplus'];

const evidence = evidenceBy(FAMILIES);
const inject = (kind: ErrorKind, amount: number, seed = 1) =>
  injectErrors(evidence, { kind, amount }, methodology, seededRandom(seed)).observations;
const claim = (stated: number, right: boolean, asset = 'a'): Claim => ({ stated, right, asset });

test('no errors change nothing, and the same seed makes the same errors', () => {
  for (const kind of ERROR_KINDS) {
    assert.ok(isDeepStrictEqual(inject(kind, 0), evidence.observations), kind);
    assert.ok(isDeepStrictEqual(inject(kind, 0.4, 7), inject(kind, 0.4, 7)), kind);
    assert.ok(!isDeepStrictEqual(inject(kind, 0.4, 7), inject(kind, 0.4, 9)), kind);
  }
});

test('a false lineage group is wrong in every observation, a correct one in none', () => {
  const changed = new Map<string, Set<boolean>>();
  for (const [index, row] of inject('lie', 0.5, 3).entries()) {
    const before = evidence.observations[index];
    if (typeof row.value !== 'boolean') continue;
    changed.set(row.family, (changed.get(row.family) ?? new Set()).add(row.value !== before?.value));
  }
  assert.ok([...changed.values()].every((seen) => seen.size === 1));
  assert.ok(
    [...changed.values()].some((seen) => seen.has(true)) && [...changed.values()].some((seen) => seen.has(false)),
  );
});

test('families that draw on each other are wrong together and with the same number', () => {
  const clusters = clustersOf(FAMILIES, methodology);
  assert.equal(clusters.get('coingecko'), clusters.get('paprika'));
  assert.notEqual(clusters.get('coingecko'), clusters.get('goplus'));
  const wrong = inject('collusion', 0.5, 5).filter((row) => row.scope === 'asset');
  const prices = new Map(wrong.filter((row) => row.quantity === 'price_usd').map((row) => [row.family, row.value]));
  assert.equal(prices.get('coingecko'), prices.get('cmc'));
});

test('observations with injected errors are still valid observations', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ERROR_KINDS),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(),
      (kind, amount, seed) => {
        for (const row of inject(kind, amount, seed)) {
          if (typeof row.value === 'number') assert.ok(Number.isFinite(row.value), `${row.quantity} ${row.value}`);
          assert.ok(Date.parse(row.observedAt) <= Date.parse(AS_OF));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('right is within three noise floors, and a state to the letter', () => {
  const clean = agree(evidence.observations, methodology, AS_OF);
  const truths = truthsOf(clean, { price_usd: 11 });
  assert.equal(truths.price_usd, 11, 'what is known stands above what was said');
  assert.equal('top_holders' in truths, false);
  const price = clean.price_usd;
  const mint = clean.mint_authority_state;
  assert.ok(price && mint);
  assert.equal(isRight(price, 10.9, false, methodology), true);
  assert.equal(isRight(price, 11, false, methodology), false);
  assert.equal(isRight(price, 10.2, true, methodology), false, 'a liquid price has a narrower tolerance');
  assert.equal(isRight(mint, 'none', false, methodology), true);
  assert.equal(isRight(mint, 'eoa', false, methodology), false);
});

test('the calibration error is the mean distance over the bins', () => {
  const claims = [claim(0.95, true), claim(0.95, false), claim(0.25, false), claim(0.25, false)];
  const found = reliabilityOf(claims);
  assert.ok(Math.abs(found.ece - (0.5 * 0.45 + 0.5 * 0.25)) < 1e-12);
  assert.ok(Math.abs(found.brier - (0.05 ** 2 + 0.95 ** 2 + 2 * 0.25 ** 2) / 4) < 1e-12);
  assert.equal(found.bins.length, 2);
  assert.equal(reliabilityOf([claim(1, true), claim(0, false)]).ece, 0);
});

const claims = fc.array(
  fc.record({
    stated: fc.double({ min: 0, max: 1, noNaN: true }),
    right: fc.boolean(),
    asset: fc.constantFrom('a', 'b', 'c', 'd'),
  }),
  { minLength: 1, maxLength: 60 },
);

test('a fitted curve rises, stays in [0, 1] and reproduces the share that was right', () => {
  fc.assert(
    fc.property(claims, (rows) => {
      const curve = fitIsotonic(rows);
      for (const [index, step] of curve.entries()) {
        assert.ok(step.right >= 0 && step.right <= 1);
        assert.ok(index === 0 || step.right > (curve[index - 1]?.right ?? 0));
      }
      const restated = rows.map((row) => readCurve(curve, row.stated));
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      assert.ok(Math.abs(sum(restated) - sum(rows.map((row) => Number(row.right)))) < 1e-9);
    }),
  );
});

test('the curve that the methodology publishes rises from 0 on and never promises certainty', () => {
  const { steps } = methodology.consensus.calibration;
  assert.equal(steps[0]?.[0], 0);
  for (const [index, [from, right]] of steps.entries()) {
    const [before, least] = steps[index - 1] ?? [-1, 0];
    assert.ok(from > before && right > least && right < 1, `step ${from}`);
  }
});

test('an asset never helps to restate itself', () => {
  const rows = [...Array.from({ length: 50 }, () => claim(0.5, true, 'a')), claim(0.5, false, 'b')];
  const restated = restateHeldOut(rows, 2);
  assert.ok(restated.filter((row) => row.asset === 'a').every((row) => row.stated === 0 && row.before === 0.5));
  assert.ok(restated.filter((row) => row.asset === 'b').every((row) => row.stated === 1));
});

test('a larger share of wrong observations means less correct, lower trust and a larger error of the score', () => {
  const assets = ['a', 'b', 'c', 'd'].map((asset) => ({ asset, evidence, known: {} }));
  const settings = { seed: 1, amounts: [0.1, 0.5], repeats: 4, folds: 4 };
  const found = calibrateTrust(assets, settings, methodology);
  const [few, many] = found.values.byAmount;
  assert.ok(few && many && few.rightShare > many.rightShare && few.meanStated > many.meanStated);
  assert.ok((found.score.rankCorrelation ?? 0) < -0.2, `trust against error: ${found.score.rankCorrelation}`);
  assert.ok(found.values.restated.ece <= 0.05, `held out: ${found.values.restated.ece}`);
  assert.ok(found.values.stated.brier > found.values.restated.brier);
  assert.equal(found.replays, 4 * 4 * 2 * ERROR_KINDS.length);
});
