import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { whole } from './text.ts';

test('a whole number is written as Intl writes it for en-US', () => {
  const edges = [0, -0, -0.4, 0.5, 999, 1_000, -999, -1_000, 999_999, 1e6, -1e6, 1e15 - 1, 1e15, 1.5e21, -1e25];
  for (const value of [...edges, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(whole(value), Math.round(value).toLocaleString('en-US'));
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.integer(), (value, integer) => {
      assert.equal(whole(value), Math.round(value).toLocaleString('en-US'));
      assert.equal(whole(integer), integer.toLocaleString('en-US'));
    }),
  );
});
