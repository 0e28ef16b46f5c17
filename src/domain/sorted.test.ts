import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sorted } from './sorted.ts';

test('rows of any number are in the order of a stable sort', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), (keys) => {
      const rows = keys.map((key, place) => ({ key, place }));
      const byKey = (a: { readonly key: number }, b: { readonly key: number }) => a.key - b.key;
      assert.deepEqual(sorted([...rows], byKey), rows.toSorted(byKey));
    }),
  );
});
