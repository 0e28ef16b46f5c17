import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { median } from '../../domain/statistics.ts';
import { mediansWithout, ridge, solve, spanOf, winsorised } from './robust.ts';

const number = fc.double({ min: -20, max: 20, noNaN: true });

test('solving undoes multiplying', () => {
  fc.assert(
    fc.property(fc.array(fc.array(number, { minLength: 3, maxLength: 3 }), { minLength: 4, maxLength: 8 }), (rows) => {
      const gram = [0, 1, 2].map((i) =>
        [0, 1, 2].map((j) => rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), i === j ? 1 : 0)),
      );
      const right = [1, -2, 3];
      const found = solve(gram, right);
      gram.forEach((row, i) => {
        const back = row.reduce((sum, value, j) => sum + value * (found[j] ?? 0), 0);
        assert.ok(Math.abs(back - (right[i] ?? 0)) < 1e-6);
      });
    }),
  );
});

test('medians without each value are those of the rest', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 12 }), (values) => {
      assert.deepEqual(
        mediansWithout(values),
        values.map((_, index) => median(values.filter((__, other) => other !== index)) ?? 0),
      );
    }),
  );
});

test('with one column the slope is the covariance over the variance and the penalty', () => {
  const x = Array.from({ length: 15 }, (_, i) => 3 * Math.sin(2 * i));
  const y = x.map((value, i) => 4 + 0.8 * value + 0.5 * Math.cos(3 * i));
  const middle = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [middle(x), middle(y)];
  const covariance = x.reduce((sum, value, i) => sum + (value - mx) * ((y[i] ?? 0) - my), 0);
  const variance = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  const fit = ridge(
    x.map((value) => [value]),
    y,
    { lambda: 1, deviations: 1e9 },
  );
  assert.ok(Math.abs((fit.slopes[0] ?? 0) - covariance / (variance + 1)) < 1e-9);
  assert.ok(Math.abs(fit.predict([mx]) - my) < 1e-9, 'the intercept is free of the penalty');
});

test('left-out errors are those of a fit without the row, where nothing is winsorised', () => {
  const rows = Array.from({ length: 12 }, (_, i) => [Math.sin(3 * i) * 2, Math.cos(5 * i) * 3]);
  const values = rows.map(([a = 0, b = 0], i) => 2 + 0.7 * a - 0.4 * b + 0.3 * Math.sin(11 * i));
  const fit = (keep: (index: number) => boolean) =>
    ridge(
      rows.filter((_, index) => keep(index)),
      values.filter((_, index) => keep(index)),
      { lambda: 1, deviations: 1e9 },
    );
  const all = fit(() => true);
  rows.forEach((row, index) => {
    const without = (values[index] ?? 0) - fit((other) => other !== index).predict(row);
    assert.ok(Math.abs(without - (all.leftOut[index] ?? 0)) < 1e-9);
  });
});

test('one outlying row turns the line by little', () => {
  const rows = Array.from({ length: 30 }, (_, i) => [4 * Math.sin(i), 3 * Math.cos(2.3 * i)]);
  const values = rows.map(([a = 0, b = 0], i) => 5 + 0.6 * a + 0.3 * b + 0.3 * Math.sin(7 * i));
  const rules = { lambda: 1, deviations: 3 };
  const base = ridge(rows, values, rules);
  const far = fc.oneof(fc.double({ min: -20, max: 20, noNaN: true }), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
  fc.assert(
    fc.property(far, far, far, (a, b, value) => {
      const found = ridge([...rows, [a, b]], [...values, value], rules);
      assert.ok(Math.abs(found.predict([1, 1]) - base.predict([1, 1])) < 0.15);
      found.slopes.forEach((slope, index) => {
        assert.ok(Math.abs(slope - (base.slopes[index] ?? 0)) < 0.1);
      });
    }),
  );
});

test('the interval of errors contains the share of them and of one more', () => {
  const rules = { intervalShare: 0.8, intervalZ: 2 };
  assert.equal(spanOf([1, -2, 3, -4], rules), 2);
  assert.equal(spanOf([1, -2, 3, -4, 5, -6, 7, -8, 9, 10], rules), 4.5);
  assert.equal(spanOf([], rules), 0);
});

test('winsorising keeps the order and the middle, and leaves constants alone', () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 3, maxLength: 20 }), (values) => {
      const bounded = winsorised(values, 3);
      assert.ok(Math.abs((median(bounded) ?? 0) - (median(values) ?? 0)) < 1e-9);
      values.forEach((value, i) => {
        values.forEach((other, j) => {
          if (value < other) assert.ok((bounded[i] ?? 0) <= (bounded[j] ?? 0));
        });
      });
    }),
  );
  assert.deepEqual(winsorised([5, 5, 5, 9], 3), [5, 5, 5, 9]);
});
