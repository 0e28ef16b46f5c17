import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuantityId } from '../domain/quantities.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, observationOf } from '../rating/fixtures/asset.ts';
import { conflictsOf } from './record.ts';

const rules = loadMethodology().publication;

const outvoted = (quantity: QuantityId, one: number, other: number) =>
  consensusOf(quantity, one, {
    voices: [observationOf('alpha', one), observationOf('beta', other, { accepted: false, reason: 'outlier' })],
  });

test('charts of different lengths are no conflict of sources, and different prices are', () => {
  const set = {
    price_history_days: outvoted('price_history_days', 364, 299),
    price_usd: outvoted('price_usd', 10, 20),
  };
  assert.deepEqual(
    conflictsOf(set, rules).map(({ quantity }) => quantity),
    ['price_usd'],
  );
  assert.equal(conflictsOf(set, { ...rules, revision: 2 }).length, 2);
});
