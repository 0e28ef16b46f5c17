import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Consensus } from '../domain/consensus.ts';
import { SUPPLY_OF_ALL_CHAINS } from '../domain/quantities.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, observationOf, soundProtocol } from './fixtures/asset.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();
const CHAIN = observationOf('chain:main', 100, { tier: 'chain' });
const registries = (...supplies: readonly number[]) =>
  supplies.map((supply, index) => observationOf(`registry${index}`, supply));
const supply = (value: number, voices: Consensus['voices'], scope = 'asset') =>
  consensusOf('total_supply', value, { voices, scope });

function rated(...set: readonly Consensus[]) {
  const { flags, factors } = rate(
    soundProtocol({ set: [consensusOf('circulating_supply', 60), ...set], without: ['max_supply'] }),
    methodology,
  );
  const features = factors.flatMap((factor) => factor.features);
  const raw = (id: string) => features.find((feature) => feature.id === id)?.raw;
  return { codes: flags.map(({ code }) => code), float: raw('sd_circ'), gap: raw('sd_integrity') };
}

test('a token on several chains has no gap between one chain and the sum of all, and its float is of all', () => {
  const all = supply(600, registries(600, 600), SUPPLY_OF_ALL_CHAINS);
  const found = rated(supply(100, [CHAIN, ...registries(100)]), all);
  assert.ok(!found.codes.includes('SUPPLY_MISMATCH'), found.codes.join());
  assert.equal(found.float, 0.1);
  assert.ok(found.codes.includes('LOW_FLOAT'));
  assert.ok(Number(found.gap) <= 0.001);
  // Less on all chains than on one of them is a contradiction.
  const less = rated(supply(100, [CHAIN]), supply(90, registries(90, 90), SUPPLY_OF_ALL_CHAINS));
  assert.ok(less.codes.includes('SUPPLY_MISMATCH'));
});

test('burned tokens are no gap between registries and chain, and do not lower the float', () => {
  const voices = [CHAIN, ...registries(60, 60)];
  const burned = consensusOf('burned_tokens', 40, { tier: 'chain', families: ['chain:main'] });
  const found = rated(supply(100, voices), burned);
  assert.deepEqual([found.codes.includes('SUPPLY_MISMATCH'), found.float], [false, 1]);
  const raw = rated(supply(100, [CHAIN, ...registries(100, 100)]), burned);
  assert.deepEqual([raw.codes.includes('SUPPLY_MISMATCH'), raw.float], [false, 1]);
  const none = rated(supply(100, voices));
  assert.deepEqual([none.codes.includes('SUPPLY_MISMATCH'), none.float], [true, 0.6]);
  const other = rated(supply(100, [CHAIN, ...registries(80, 80)]), burned);
  assert.ok(other.codes.includes('SUPPLY_MISMATCH'));
});
