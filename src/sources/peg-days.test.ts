import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenDays, lostDays } from './peg-days.ts';

const DAY = 86_400_000;
const chart = (prices: readonly (number | null)[]) =>
  prices.map((price, day) => [(20_000 + day) * DAY, price] as const);
const daysOf = (prices: readonly (number | null)[]) => brokenDays(chart(prices))[0]?.value;

test('the longest run of closes below 0.80 in 90 days is counted; a day without a price ends it', () => {
  assert.equal(daysOf([1, 0.79, 0.79, 0.8, 0.5, 0.4, 0.3, 1]), 3);
  assert.equal(daysOf([0.1, 0.1, null, 0.1]), 2);
  assert.equal(daysOf(Array.from({ length: 200 }, () => 0.02)), 90);
  assert.equal(daysOf([1, 0.81, 1.2]), undefined);
  assert.equal(daysOf([...Array.from({ length: 20 }, () => 0.5), ...Array.from({ length: 90 }, () => 1)]), undefined);
  assert.equal(daysOf([]), undefined);
  assert.equal(brokenDays([[1e300, 0.5]])[0], undefined, 'a time beyond all dates');
});

test('the days of a receipt below 0.80 are counted back from the newest: a day that recovered or is missing ends them', () => {
  const lost = (prices: readonly (number | null)[]) => lostDays(chart(prices))[0]?.value;
  assert.equal(lost([1, 0.79, 0.5, 0.4]), 3);
  assert.equal(lost([0.5, 0.5, 0.5, 0.8]), 0);
  assert.equal(lost([0.5, 0.5, null, 0.5]), 1);
  assert.equal(lost(Array.from({ length: 90 }, () => 0.45)), 30);
  assert.equal(lost([]), undefined);
  assert.equal(lostDays([[1e300, 0.5]])[0], undefined, 'a time beyond all dates');
});
