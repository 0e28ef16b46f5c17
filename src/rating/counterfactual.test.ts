import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Consensus, ConsensusSet } from '../domain/consensus.ts';
import { CLASSES, type Rating } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import { counterfactualOf, type FeatureChange } from './counterfactual.ts';
import { type Change, consensusOf, onChain, soundProtocol } from './fixtures/asset.ts';
import { assetOf, valueAt } from './fixtures/class-assets.ts';
import { FLAG_CASES } from './fixtures/flag-cases.ts';
import type { RatingInput } from './input.ts';
import { rate, scoreOf } from './rate.ts';

const methodology = loadMethodology();
const CATALOGUE: readonly Change[] = [{}, ...FLAG_CASES.flatMap((row) => [row.raises, row.quiet])];
/** Ordinary assets from weak to strong, at all distances from the next band. */
const CASES: readonly Change[] = [0.05, 0.09, 0.12, 0.2].flatMap((volatility) =>
  [2e3, 4e5, 3e7].flatMap((fees) =>
    [300, 40_000].map((holders) => ({
      set: [
        consensusOf('volatility_30d', volatility),
        consensusOf('fees_30d_usd', fees),
        consensusOf('holder_count', holders),
      ],
    })),
  ),
);

function reckon(change: Change) {
  const input = soundProtocol(change);
  const rating = rate(input, methodology);
  return { input, rating, of: counterfactualOf(input, rating, rating.band, methodology) };
}
const known = new Map<Change, ReturnType<typeof reckon>>();
function found(change: Change) {
  const kept = known.get(change) ?? reckon(change);
  known.set(change, kept);
  return kept;
}

test('the score of the search is the score of the rating, in every case of the catalogue', () => {
  let compared = 0;
  for (const change of CATALOGUE) {
    const input = soundProtocol(change);
    const { score, band } = rate(input, methodology);
    if (score === null || band === 'D' || input.identification.stage === 'pre_tge') continue;
    assert.equal(scoreOf(input, methodology), score);
    compared += 1;
  }
  assert.ok(compared > 50, `${compared} cases`);
});

/** The evidence with the one quantity that a feature is, at another value; null where the feature is computed from several. */
function evidenceWith(input: RatingInput, rating: Rating, change: FeatureChange): RatingInput | null {
  const feature = rating.factors.flatMap(({ features }) => features).find(({ id }) => id === change.feature);
  const [key, ...others] = feature?.basis ?? [];
  const row = key === undefined ? undefined : (input.consensus as Readonly<Record<string, Consensus>>)[key];
  if (key === undefined || row === undefined || others.length > 0 || row.value !== feature?.raw) return null;
  const voices = row.voices.map((voice) => ({ ...voice, value: change.needed }));
  const consensus: ConsensusSet = { ...input.consensus, [key]: { ...row, value: change.needed, voices } };
  return { ...input, consensus };
}

test('an asset whose evidence is changed as stated is rated in the next band', () => {
  let reached = 0;
  for (const change of CASES) {
    const { input, rating, of } = found(change);
    if (of.band === null || of.neededScore === null || of.obstacles.length > 0) continue;
    for (const raise of of.raises.filter(({ reaches }) => reaches)) {
      const changed = evidenceWith(input, rating, raise);
      if (changed === null) continue;
      const anew = rate(changed, methodology);
      assert.ok((anew.score ?? 0) >= of.neededScore, `${raise.feature}: ${anew.score} of ${of.neededScore}`);
      reached += 1;
    }
  }
  assert.ok(reached > 8, `${reached} changes`);
});

test('of assets of every class too, and the changes that lead down do', () => {
  const mixed = (share: number, twist: number) =>
    methodology.features.map((definition, index) => {
      const moved = share + ((index * 7 + twist * 3) % 11) / 14 - 5 / 14;
      const value = valueAt(definition, Math.max(0, Math.min(1, moved)));
      return { feature: definition.id, value, confidence: 0.8 };
    });
  let tried = 0;
  for (const of of CLASSES)
    for (const told of [mixed(0.25, 2), mixed(0.75, 2)]) {
      const input = assetOf(of, told);
      const rating = rate(input, methodology);
      if (rating.score === null) continue;
      const { obstacles, raises, lowers, neededScore, lowerScore } = counterfactualOf(
        input,
        rating,
        rating.band,
        methodology,
      );
      const enough = obstacles.length > 0 ? [] : raises.filter(({ reaches }) => reaches);
      for (const change of [...enough, ...lowers]) {
        const changed = evidenceWith(input, rating, change);
        if (changed === null) continue;
        const { score } = rate(changed, methodology);
        const isDone = enough.includes(change)
          ? (score ?? 0) >= (neededScore ?? 101)
          : (score ?? 101) < (lowerScore ?? 0);
        assert.ok(
          isDone,
          `${of}, ${change.feature} ${change.now} to ${change.needed}: ${score}, stated ${change.score}`,
        );
        tried += 1;
      }
    }
  assert.ok(tried > 5, `${tried} changes`);
});

test('a smaller change than the one stated is not enough', () => {
  let tried = 0;
  for (const change of CASES) {
    const { input, rating, of } = found(change);
    if (of.neededScore === null || of.obstacles.length > 0) continue;
    for (const raise of of.raises.filter(({ reaches }) => reaches)) {
      if (typeof raise.now !== 'number' || typeof raise.needed !== 'number' || raise.unit === 'count') continue;
      const changed = evidenceWith(input, rating, { ...raise, needed: raise.now + (raise.needed - raise.now) * 0.9 });
      if (changed === null) continue;
      const { score } = rate(changed, methodology);
      assert.ok((score ?? 0) < of.neededScore, `${raise.feature} at nine tenths: ${score} of ${of.neededScore}`);
      tried += 1;
    }
  }
  assert.ok(tried > 5, `${tried} changes`);
});

test('a change that leads down does so when the asset is rated with it', () => {
  let tried = 0;
  for (const change of CASES) {
    const { input, rating, of } = found(change);
    for (const lower of of.lowers) {
      const changed = evidenceWith(input, rating, lower);
      if (changed === null || of.lowerScore === null) continue;
      const { score } = rate(changed, methodology);
      assert.ok(score !== null && score < of.lowerScore, `${lower.feature}: ${score} of ${of.lowerScore}`);
      tried += 1;
    }
  }
  assert.ok(tried > 5, `${tried} changes`);
});

test('a cap below the next band is named, with the condition that has to end', () => {
  const { of, rating } = found({ set: [onChain('mint_authority_state', 'eoa')] });
  assert.equal(rating.band, 'CCC');
  assert.equal(of.band, 'B');
  assert.deepEqual(
    of.obstacles.map(({ code, canBeLifted }) => [code, canBeLifted]),
    [['MINT_EOA', true]],
  );
  assert.match(of.obstacles[0]?.condition ?? '', /plain key/);
  // Without the cap it stands far above the next band: nothing else has to change.
  assert.ok((of.scoreWithoutObstacles ?? 0) > (of.neededScore ?? 100));
  assert.deepEqual(of.raises, []);
});

test('no change lifts the ceiling of a class', () => {
  const { of, rating } = found({});
  const ceiling = rating.caps.find(({ code }) => code.startsWith('CLASS_'));
  assert.ok(ceiling !== undefined);
  const at = counterfactualOf(soundProtocol(), rating, 'A', methodology);
  const held = at.obstacles.find(({ code }) => code === ceiling.code);
  assert.equal(held?.canBeLifted, false);
  assert.notEqual(of.score, null);
});

test('two changes together are enough where no single one is, each confirmed by a new rating', () => {
  const pairs = CASES.map(found).flatMap(({ of, ...rest }) => of.pairs.map((pair) => ({ ...rest, pair, of })));
  assert.ok(pairs.length > 0);
  let rated = 0;
  for (const { input, rating, pair, of } of pairs) {
    assert.ok(of.neededScore !== null && pair.score >= of.neededScore);
    assert.ok(!of.raises.some(({ reaches }) => reaches));
    const [one, other] = pair.changes;
    assert.notEqual(one.feature, other.feature);
    for (const [stated, supposed] of [
      [one, other],
      [other, one],
    ] as const) {
      // The evidence says the one; the other, which no single quantity is, is supposed on top of it.
      const changed = evidenceWith(input, rating, stated);
      if (changed === null) continue;
      const feature = { feature: supposed.feature, raw: supposed.needed, confidence: 1, quantity: null };
      const both = rate({ ...changed, supposed: { features: [feature], liftedCaps: [] } }, methodology);
      assert.ok((both.score ?? 0) >= of.neededScore, `${one.feature} and ${other.feature}: ${both.score}`);
      assert.ok((rate(changed, methodology).score ?? 100) < of.neededScore, `${stated.feature} alone`);
      rated += 1;
    }
  }
  assert.ok(rated > 1, `${rated} of ${pairs.length} pairs`);
});

test('nothing is computed for assets in default or not rated', () => {
  const { rating } = found({});
  assert.match(counterfactualOf(soundProtocol(), rating, 'D', methodology).reason ?? '', /default/);
  assert.match(
    counterfactualOf(soundProtocol(), { ...rating, score: null }, 'NR', methodology).reason ?? '',
    /not rated/,
  );
});
