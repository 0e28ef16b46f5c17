import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../domain/index.ts';
import { dailyCloses, lastingFall, pegDrafts, staysAtOne, volatilityDrafts } from './price-history.ts';

const START = Date.UTC(2025, 5, 1);
const daily = (prices: readonly number[]) => prices.map((price, day) => [START + day * DAY_MS, price] as const);
const valuesOf = (drafts: ReturnType<typeof pegDrafts>) =>
  Object.fromEntries(drafts.map(({ quantity, value }) => [quantity, value]));
const year = (change: (day: number) => number) => daily(Array.from({ length: 366 }, (_, day) => change(day)));

test('a calm month does not hide a wild year', () => {
  const points = dailyCloses(year((day) => (day < 330 ? 1 + (day % 2) * 0.2 : 1)));
  const got = valuesOf(volatilityDrafts(points, 'closes'));
  assert.ok(Number(got.volatility_30d) < 0.001);
  assert.ok(Number(got.volatility_365d) > 0.15);
  assert.equal(got.price_history_days, 365);
});

test('a history of less than a month of returns has no volatility of a year', () => {
  const short = valuesOf(volatilityDrafts(daily(Array.from({ length: 30 }, (_, day) => 1 + day / 100)), 'closes'));
  assert.deepEqual(Object.keys(short), ['volatility_30d']);
  const enough = valuesOf(volatilityDrafts(daily(Array.from({ length: 31 }, (_, day) => 1 + day / 100)), 'closes'));
  assert.equal(enough.price_history_days, 30);
});

test('the close of a day is its last price, whatever the order', () => {
  assert.deepEqual(
    dailyCloses([
      [START + 5, 3],
      [START + 1, 2],
      [START + DAY_MS, null],
      [START + DAY_MS + 1, 4],
    ]),
    [
      [START + 5, 3],
      [START + DAY_MS + 1, 4],
    ],
  );
});

test('a departure of two days counts by its age, one of a day does not', () => {
  const got = valuesOf(
    pegDrafts(
      year((day) => (day === 0 || day === 1 ? 0.9 : day === 200 ? 0.95 : 1)),
      'one dollar',
    ),
  );
  assert.ok(Math.abs(Number(got.depeg_aged_sum) / (0.1 * 2 ** (-364 / 730)) - 1) < 1e-9);
  assert.equal(got.peg_deviation_90d_max, 0, 'the older one is out of sight of 90 days');
  assert.equal(got.peg_deviation_24h_held, undefined, 'daily prices do not show what a day held');
});

test('what a day held is its smallest distance, of hourly prices', () => {
  const hourly = Array.from(
    { length: 40 * 24 },
    (_, hour) => [START + hour * 3_600_000, hour > 900 ? 0.96 : 1] as const,
  );
  const got = valuesOf(pegDrafts(hourly, 'one euro'));
  assert.ok(Math.abs(Number(got.peg_deviation_24h_held) - 0.04) < 1e-9);
});

test('a coin of another currency is not taken for one of the dollar, and a fallen one was one', () => {
  assert.equal(staysAtOne(year(() => 1.12)), false);
  assert.equal(staysAtOne(year((day) => (day < 300 ? 1 : 0.05))), true);
  assert.equal(staysAtOne(year((day) => 1 + (day % 30) / 50)), false);
});

test('what was lost from one close to the next counts as long as it is not made good', () => {
  const fall = (...prices: readonly number[]) => Number(lastingFall(daily(prices))?.toFixed(3));
  assert.equal(fall(1, 1.1, 0.01, 0.02, 0.015), 0.986);
  assert.equal(fall(1, 0.5, 0.25, 0.125), 0.5, 'a long decline is no fall within a day');
  assert.equal(fall(1, 0.01, 0.9, 1.1), 0.1, 'a price that came back was not lost');
  assert.equal(fall(1, 0.01, 0.01, 0.02, 0.9), 0.99, 'one day of purchases makes nothing good');
  assert.equal(fall(1, 0.01, 0.9), 0.99, 'nor does the first day after it');
  assert.equal(fall(1, 2, 3), 0);
  assert.equal(lastingFall(daily([1])), null, 'one close shows no change');
});
