import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree } from '../../consensus/agree.ts';
import type { Observation, Tier } from '../../domain/observation.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { exactSupplyOf } from './snapshot.ts';

const methodology = loadMethodology();
const AS_OF = '2026-11-20T12:00:00.000Z';
const TOKENS = '123456789012345678.123456789012345678';

function said(family: string, value: number, exact?: string, tier: Tier = 'chain'): Observation {
  return {
    quantity: 'total_supply',
    scope: 'asset',
    value,
    ...(exact === undefined ? {} : { exact }),
    unit: 'tokens',
    meaning: '',
    source: tier === 'chain' ? 'evm_rpc' : family,
    endpoint: 'token',
    family,
    tier,
    observedAt: AS_OF,
    fetchedAt: AS_OF,
    reliability: 0.98,
    binding: 1,
    responseId: `${family}#1`,
  };
}

const read = (family: string, exact: string) => said(family, Number(exact), exact);
const registry = (name: string, value: number) => said(name, value, undefined, 'aggregator');
const exactOf = (rows: readonly Observation[]) => exactSupplyOf(agree(rows, methodology, AS_OF), rows);

test('a chain read that agrees with the other sources gives its digits and its source', () => {
  const rows = [read('chain:a', TOKENS), registry('one', Number(TOKENS)), registry('two', Number(TOKENS))];
  assert.deepEqual(exactOf(rows), { tokens: TOKENS, source: 'evm_rpc' });
  assert.deepEqual(exactOf([read('chain:a', TOKENS)]), { tokens: TOKENS, source: 'evm_rpc' });
});

test('an outvoted chain read gives nothing, and neither does one that contradicts the only other source', () => {
  const outvoted = [read('chain:a', TOKENS), ...['one', 'two', 'three'].map((name) => registry(name, 5e17))];
  const agreed = agree(outvoted, methodology, AS_OF).total_supply;
  assert.deepEqual([agreed?.status, agreed?.value], ['agreed', 5e17]);
  assert.equal(exactOf(outvoted), null);
  const disputed = [read('chain:a', TOKENS), registry('one', 5e17)];
  assert.equal(agree(disputed, methodology, AS_OF).total_supply?.status, 'disputed');
  assert.equal(exactOf(disputed), null);
});

test('registries alone have no exact supply, even where one claims digits', () => {
  assert.equal(exactOf([registry('one', 80), registry('two', 80)]), null);
  assert.equal(exactOf([said('one', 80, '80.5', 'aggregator')]), null);
  assert.equal(exactOf([]), null);
});

test('of two operators the one nearest to the agreed number is given, in any order of replies', () => {
  const rows = [
    read('chain:a', '100.000001'),
    read('chain:b', '100.000000'),
    registry('one', 100),
    registry('two', 100),
    registry('three', 100),
  ];
  assert.equal(exactOf(rows)?.tokens, '100.000000');
  assert.equal(exactOf([...rows].reverse())?.tokens, '100.000000');
});

test('digits of another number than the agreed one are not given', () => {
  assert.equal(exactOf([said('chain:a', 100, '250.00')]), null);
});
