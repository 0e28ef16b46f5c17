import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { median, medianHigh, quantile, robustSd } from './statistics.ts';

const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 30 });

test('a median of none is unknown, not zero', () => {
  assert.deepEqual([median([]), medianHigh([]), quantile([], 0.5), robustSd([], 0)], [null, null, null, null]);
});

test('the median of an even number is the mean of the middle two, the high median the larger of them', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(medianHigh([4, 1, 3, 2]), 3);
  assert.equal(median([5, 1, 3]), 3);
});

test('quantiles follow straight lines between the values', () => {
  assert.deepEqual(
    [0, 0.25, 0.5, 1].map((probability) => quantile([4, 1, 3, 2], probability)),
    [1, 1.75, 2.5, 4],
  );
});

test('order does not matter, and quantiles never fall as the probability rises', () => {
  const probability = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, probability, probability, (list, a, b) => {
      assert.equal(median(list), median(list.toReversed()));
      assert.ok((quantile(list, Math.min(a, b)) ?? 0) <= (quantile(list, Math.max(a, b)) ?? 0) + 1e-6);
      assert.ok((quantile(list, a) ?? 0) >= Math.min(...list) - 1e-6);
      assert.ok((quantile(list, a) ?? 0) <= Math.max(...list) + 1e-6);
    }),
  );
});

test('the robust deviation grows with the scale, and one value of five cannot move it far', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 1000 }), (list, factor) => {
      const centre = median(list) ?? 0;
      const grown = robustSd(
        list.map((value) => value * factor),
        centre * factor,
      );
      assert.ok(Math.abs((grown ?? 0) - (robustSd(list, centre) ?? 0) * factor) <= 1e-9 * factor * 1e9);
    }),
  );
  assert.ok((robustSd([1, 1.1, 0.9, 1.05, 1e9], 1.05) ?? 9) < 0.2);
});
