import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuantityId } from '../domain/quantities.ts';
import { consensusOf, observationOf } from '../rating/fixtures/asset.ts';
import { statementsIn } from './source-monitor.ts';

const rejected = (quantity: QuantityId, reason: 'outlier' | 'same_family') =>
  consensusOf(quantity, 10, {
    voices: [observationOf('alpha', 10), observationOf('beta', 20, { accepted: false, reason })],
  });

test('a source whose chart is shorter than those of others is not counted as wrong, and one with another price is', () => {
  const accepted = (quantity: QuantityId, reason: 'outlier' | 'same_family' = 'outlier') =>
    statementsIn({ [quantity]: rejected(quantity, reason) }).map((row) => row.accepted);
  assert.deepEqual(accepted('price_usd'), [true, false]);
  assert.deepEqual(accepted('price_usd', 'same_family'), [true]);
  assert.deepEqual(accepted('price_history_days'), []);
});
