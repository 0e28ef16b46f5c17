import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConsensusSet } from '../../domain/consensus.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { consensusOf, inputOf, observationOf, soundProtocol } from '../fixtures/asset.ts';
import { rate } from '../rate.ts';
import { type TrustFeature, trustOf } from './trust.ts';

const methodology = loadMethodology();
const whole = { independence: 0.5, agreement: 1, freshness: 1 };

/** A feature that `families` state, with full confidence. */
function feature(id: string, families: readonly string[], change: Partial<TrustFeature> = {}) {
  const consensus = consensusOf('holder_count', 1, {
    scope: id,
    voices: families.map((family) => observationOf(family, 1)),
  });
  const row: TrustFeature = {
    id,
    status: 'observed',
    confidence: 0.5,
    parts: whole,
    weight: 1,
    critical: false,
    method: '',
    rest: 40,
    silent: false,
    basis: [id],
    factorWeight: 10,
    ...change,
  };
  return { row, consensus };
}

function trusted(features: readonly ReturnType<typeof feature>[], match = 1): number {
  const consensus: ConsensusSet = Object.fromEntries(features.map(({ row, consensus: one }) => [row.id, one]));
  return trustOf(
    features.map(({ row }) => row),
    match,
    consensus,
    methodology,
  ).score;
}

test('one lineage group alone never has more trust than 50, however much it covers', () => {
  for (const count of [1, 5, 40]) {
    const features = Array.from({ length: count }, (_, at) => feature(`f${at}`, ['coingecko']));
    assert.equal(trusted(features), 50);
    assert.equal(trusted(features, 0.9), 45);
  }
  const all = ['a', 'b', 'c', 'd'].map((id) =>
    feature(id, ['coingecko', 'cmc'], { parts: { ...whole, independence: 0.75 } }),
  );
  assert.ok(trusted(all) > 90, 'two groups that agree on everything');
  const half = [feature('a', ['coingecko']), feature('b', ['goplus'])];
  assert.equal(trusted(half), 87.1, 'half of it with each: nothing rests on one group');
  const most = [feature('a', ['coingecko'], { weight: 0.9 }), feature('b', ['goplus'], { weight: 0.1 })];
  assert.equal(trusted(most), 60, 'what another group says of a tenth of the weight counts a tenth');
});

test('a read of the chain and a row of a register have the trust that they have alone', () => {
  const by = (family: string, independence: number) => [feature('a', [family], { parts: { ...whole, independence } })];
  assert.equal(trusted(by('chain:ethereum', 0.85)), 85);
  assert.equal(trusted(by('register', 0.9)), 90);
});

test('an observation that was not accepted is not a second group', () => {
  const { row, consensus } = feature('a', ['coingecko']);
  const outvoted = { ...consensus, voices: [...consensus.voices, observationOf('cmc', 9, { accepted: false })] };
  assert.equal(trustOf([row], 1, { a: outvoted }, methodology).score, 50);
});

test('one group never exceeds 50, whatever it states and misses; another group that agrees never lowers trust', () => {
  const known = fc.record({ known: fc.boolean(), weight: fc.double({ min: 0.01, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(known, { minLength: 1, maxLength: 12 }), fc.nat(11), (rows, at) => {
      const features = (second: boolean) =>
        rows.map(({ known: isKnown, weight }, index) =>
          feature(`f${index}`, second && index === at ? ['coingecko', 'goplus'] : ['coingecko'], {
            weight,
            ...(isKnown ? {} : { status: 'unknown', parts: null, confidence: 0 }),
            ...(second && index === at && isKnown ? { parts: { ...whole, independence: 0.75 } } : {}),
          }),
        );
      assert.ok(trusted(features(false)) <= 50);
      assert.ok(trusted(features(true)) >= trusted(features(false)) - 0.1);
    }),
  );
});

test('an asset that one aggregator alone describes in every feature it can is not above A', () => {
  const rows = Object.values(soundProtocol().consensus).map((row) => ({
    ...row,
    confidence: 0.5,
    parts: { ...row.parts, independence: 0.5 },
    voices: [observationOf('coingecko', row.value)],
  }));
  const rating = rate(inputOf(rows), methodology);
  const { score = 100, tier } = rating.trust ?? {};
  assert.ok(score <= 50 && tier === 'limited', `${score} ${tier}`);
  assert.ok(rating.caps.some(({ code }) => code === 'TRUST_LIMITED'));
});
