import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextReading, type RuleState, type ThresholdRule, UNREAD } from './rule.ts';

const START = Date.parse('2026-11-01T00:00:00.000Z');
const MINUTE = 60_000;
const level = (condition: 'above' | 'below', hysteresisPct = 5): ThresholdRule => ({
  figure: 'price_usd',
  condition,
  value: 100,
  windowSeconds: null,
  hysteresisPct,
});
const change = (condition: 'rises' | 'falls', value = 10, windowSeconds = 3_600): ThresholdRule => ({
  figure: 'price_usd',
  condition,
  value,
  windowSeconds,
  hysteresisPct: 20,
});

/** Values a minute apart; the places of those that crossed. */
function crossed(values: readonly number[], rule: ThresholdRule, everyMs = MINUTE) {
  let state: RuleState = UNREAD;
  const at: number[] = [];
  for (const [index, value] of values.entries()) {
    const next = nextReading(state, { at: new Date(START + index * everyMs).toISOString(), value }, rule);
    state = next.state;
    if (next.crossing !== null) at.push(index);
  }
  return { at, state };
}

test('a line is crossed once, and again only after the figure went back by the hysteresis', () => {
  assert.deepEqual(crossed([90, 101, 99, 101, 96, 120, 94.9, 100], level('above')).at, [1, 7]);
  assert.deepEqual(crossed([110, 99, 101, 99, 104, 80, 105.1, 100], level('below')).at, [1, 7]);
  assert.deepEqual(
    crossed([90, 101, 99, 101], level('above', 0)).at,
    [1, 3],
    'without hysteresis each crossing counts',
  );
});

test('what is beyond the line at the first reading did not cross it', () => {
  const { at, state } = crossed([120, 130], level('above'));
  assert.deepEqual([at, state.isCrossed], [[], true]);
  assert.deepEqual(crossed([120, 90, 100], level('above')).at, [2]);
});

test('a value that jitters around the line within the hysteresis fires once at most, whatever its path', () => {
  const jitter = fc.array(fc.double({ min: 95.01, max: 104.9, noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(jitter, fc.constantFrom('above' as const, 'below' as const), (values, condition) => {
      const far = condition === 'above' ? 50 : 150;
      assert.ok(crossed([far, ...values], level(condition)).at.length <= 1);
    }),
  );
});

test('a fall counts from the highest reading within the window, a rise from the lowest', () => {
  assert.deepEqual(crossed([100, 95, 91, 90, 89, 95, 100, 89], change('falls')).at, [3, 7]);
  assert.deepEqual(crossed([100, 90, 95, 99], change('rises')).at, [3]);
  // Half an hour for each step: after an hour the high has left the window, and the slow fall is none.
  assert.deepEqual(crossed([100, 96, 92, 88, 84], change('falls'), 30 * MINUTE).at, []);
  assert.deepEqual(crossed([100, 96, 92, 88, 84], change('falls', 10, 7_200), 30 * MINUTE).at, [3]);
});

test('readings that are older or not numbers change nothing', () => {
  const { state } = crossed([90, 95], level('above'));
  for (const reading of [
    { at: new Date(START).toISOString(), value: 500 },
    { at: state.at ?? '', value: 500 },
    { at: 'never', value: 500 },
    { at: new Date(START + MINUTE * 9).toISOString(), value: Number.NaN },
  ])
    assert.deepEqual(nextReading(state, reading, level('above')), { state, crossing: null });
});

test('the kept part of a window finds the changes that all of its readings show, and is bounded', () => {
  const path = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(path, fc.constantFrom('rises' as const, 'falls' as const), (values, condition) => {
      const rule = change(condition, 10, 600);
      let state: RuleState = UNREAD;
      for (const [index, value] of values.entries()) {
        const next = nextReading(state, { at: new Date(START + index * MINUTE).toISOString(), value }, rule);
        const window = values.slice(Math.max(0, index - 10), index + 1);
        const base = condition === 'falls' ? Math.max(...window) : Math.min(...window);
        assert.equal(next.state.extremes[0]?.value, base);
        state = next.state;
      }
    }),
  );
  const falling = Array.from({ length: 2_000 }, (_, index) => 5_000 - index);
  const { state } = crossed(falling, change('falls', 90, 604_800));
  assert.ok(state.extremes.length <= 64);
  assert.equal(state.extremes[0]?.value, 5_000);
});

test('a reading of zero has no percentage, and does not hide a rise after it', () => {
  const rule = {
    figure: 'liquidity_usd',
    condition: 'rises',
    value: 50,
    windowSeconds: 3_600,
    hysteresisPct: 10,
  } as const;
  let state = UNREAD;
  const crossings = [0, 100, 300].map((value, index) => {
    const next = nextReading(state, { at: new Date(index * 600_000).toISOString(), value }, rule);
    state = next.state;
    return next.crossing === null ? null : [next.crossing.from?.value, next.crossing.changePct];
  });
  assert.deepEqual(crossings, [null, null, [100, 200]]);
});
