import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lowerMedian, median } from './statistics.ts';

test('the median lies in the middle of the values, whatever their order', () => {
  assert.deepEqual([median([]), median([3]), median([4, 1]), median([9, 1, 5])], [0, 3, 2.5, 5]);
  assert.deepEqual([lowerMedian([]), lowerMedian([3]), lowerMedian([4, 1]), lowerMedian([9, 1, 5])], [null, 3, 1, 5]);
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), (values) => {
      const given = [...values];
      const middle = median(values);
      assert.deepEqual(values, given);
      assert.ok(values.filter((value) => value <= middle).length >= values.length / 2);
      assert.ok(values.filter((value) => value >= middle).length >= values.length / 2);
      assert.equal(median([...values].reverse()), middle);
      assert.ok(values.includes(lowerMedian(values) ?? Number.NaN));
    }),
  );
});
