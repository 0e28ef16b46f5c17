import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../domain/observation.ts';
import type { QuantityId } from '../domain/quantities.ts';
import { loadMethodology } from '../methodology/load.ts';
import { pointsOf } from '../methodology/scales.ts';
import type { Methodology } from '../methodology/schema.ts';
import { computableMethodology, methodologyVersions } from '../methodology/versions.ts';
import { agree } from './agree.ts';

const methodology = loadMethodology();
const asOf = '2026-01-01T12:00:00.000Z';

type Row = readonly [family: string, value: Observation['value'], observedAt?: string];

function about(quantity: QuantityId, ...rows: readonly Row[]) {
  return agreedBy(methodology, quantity, ...rows);
}

function agreedBy(rules: Methodology, quantity: QuantityId, ...rows: readonly Row[]) {
  const observations = rows.map(
    ([family, value, observedAt = asOf]): Observation => ({
      quantity,
      scope: 'asset',
      value,
      unit: '',
      meaning: '',
      source: family,
      endpoint: 'e',
      family,
      tier: family.startsWith('chain:') ? 'chain' : 'aggregator',
      observedAt,
      fetchedAt: asOf,
      reliability: 1,
      binding: 1,
      responseId: family,
    }),
  );
  const found = agree(observations, rules, asOf)[quantity];
  assert.ok(found);
  return found;
}

function points(id: string, raw: number | string) {
  const feature = methodology.features.find((row) => row.id === id);
  assert.ok(feature);
  return pointsOf(feature, raw);
}

test('two operators that read different mint states from the chain are a dispute', () => {
  const found = about('mint_authority_state', ['chain:main', 'none'], ['chain:second', 'eoa']);
  assert.equal(found.status, 'disputed');
  assert.ok(found.confidence <= 0.35);
});

test('an exact tie is not decided for the asset', () => {
  assert.equal(about('mint_authority_state', ['a', 'none'], ['b', 'eoa']).value, 'eoa');
  assert.equal(about('source_verified', ['a', true], ['b', false]).value, false);
});

test('nothing against something is a dispute, not a single source', () => {
  assert.equal(about('volume_24h_usd', ['a', 0], ['b', 5000]).status, 'disputed');
});

test('three numbers without a majority are a dispute', () => {
  assert.equal(about('holder_count', ['a', 1_000], ['b', 2_000], ['c', 4_000]).status, 'disputed');
  assert.equal(about('holder_count', ['a', 1_000], ['b', 1_050], ['c', 4_000]).status, 'agreed');
  const kept = methodologyVersions().find(({ version }) => version === '1.5.1');
  const before = computableMethodology(kept?.hash ?? '');
  assert.ok(before);
  assert.equal(agreedBy(before, 'holder_count', ['a', 1_000], ['b', 2_000], ['c', 4_000]).status, 'agreed');
});

test('registries that outvote a larger supply on the chain are a dispute, and a smaller one of one chain is none', () => {
  const registries = [
    ['a', 1_000_000],
    ['b', 1_000_000],
    ['c', 1_000_000],
  ] as const;
  const minted = about('total_supply', ...registries, ['chain:main', 10_000_000], ['chain:second', 10_000_000]);
  assert.deepEqual([minted.value, minted.status], [1_000_000, 'disputed']);
  assert.ok(minted.confidence <= methodology.consensus.disputedConfidenceCap);
  const bridged = about('total_supply', ...registries, ['chain:main', 400_000], ['chain:second', 400_000]);
  assert.deepEqual([bridged.value, bridged.status], [1_000_000, 'agreed']);
});

test('outvoted zeros lower the agreement', () => {
  const found = about('volume_24h_usd', ['a', 0], ['b', 0], ['c', 5000], ['d', 5000], ['e', 5000]);
  assert.ok(found.parts.agreement < 1);
});

test('texts that contradict each other are not agreed with full agreement', () => {
  assert.ok(about('creator_address', ['a', 'X'], ['b', 'Y']).parts.agreement < 1);
});

test('an observation with an unreadable time does not invalidate the confidence', () => {
  const found = about('price_usd', ['a', 1], ['b', 1], ['c', 1, 'garbage']);
  assert.ok(Number.isFinite(found.confidence));
});

test('a commit dated in the future is not the newest commit', () => {
  assert.notEqual(about('last_commit_at', ['github', '2099-01-01T00:00:00Z']).value, '2099-01-01T00:00:00.000Z');
});

test('a peg that is off by 0.1 % in one source and 10 % in another is a dispute', () => {
  assert.equal(about('peg_deviation_24h_held', ['a', 0.001], ['b', 0.1]).status, 'disputed');
});

test('audit counts of 4 and 5 are not a dispute', () => {
  assert.notEqual(about('audits_count', ['a', 4], ['b', 5]).status, 'disputed');
});

test('unlocks above the circulating supply are known, not missing', () => {
  assert.notEqual(about('unlock_next_12m_share', ['a', 1.5], ['b', 1.5]).value, null);
});

test('a negative share has no points', () => {
  assert.equal(points('ts_tax', -1), null);
  assert.equal(points('mq_wash', -5), null);
});

test('a state that is the name of an object property has no points', () => {
  assert.equal(points('ts_mint', 'constructor'), null);
});
