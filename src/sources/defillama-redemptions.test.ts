import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_KEYS } from '../domain/asset.ts';
import { coingecko } from './coingecko/index.ts';
import { defillama } from './defillama.ts';
import { factsOf, parseBody } from './fixtures/drive.ts';
import type { Facts } from './source.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

const charts = defillama.endpoints.find(({ name }) => name === 'redemptions') ?? assert.fail('no endpoint');
/** A year of a coin at par whose units are `of(day)`, at the price `at(day)`. */
const chart = (of: (day: number) => number, at: (day: number) => number = () => 1, days = 365) =>
  Array.from({ length: days }, (_, day) => ({
    date: String((START + day * DAY_MS) / 1_000),
    totalCirculating: { peggedUSD: of(day) },
    totalCirculatingUSD: { peggedUSD: of(day) * at(day) },
  }));
const share = (rows: readonly object[]) => {
  const { outcome, drafts } = parseBody(charts, { stablecoin: '1' }, rows);
  assert.equal(outcome, 'ok');
  return drafts.find(({ quantity }) => quantity === 'redeemed_7d_max')?.value ?? null;
};
const near = (found: unknown, wanted: number) =>
  assert.ok(typeof found === 'number' && Math.abs(found - wanted) < 1e-9, String(found));

test('what left all chains within a week at par is the net fall without its largest step', () => {
  // Two a day from day 100 on for five days, of a hundred: ten left, one step of two is left out.
  near(share(chart((day) => 100 - 2 * Math.min(5, Math.max(0, day - 100)))), 0.08);
  near(share(chart(() => 100)), 0);
  near(share(chart((day) => (day < 100 ? 100 : 60))), 0);
});

test('a fall while the price is off a dollar, or of a coin that lost it, is not a redemption', () => {
  const falls = (day: number) => 100 - 2 * Math.min(5, Math.max(0, day - 100));
  near(share(chart(falls, (day) => (day > 99 && day < 107 ? 0.97 : 1))), 0);
  assert.equal(share(chart(falls, (day) => (day > 300 ? 0.4 : 1))), null);
});

test('a chart of less than a month, or without dollars, gives nothing', () => {
  assert.equal(
    share(
      chart(
        () => 100,
        () => 1,
        20,
      ),
    ),
    null,
  );
  assert.equal(share(chart(() => 100).map((row) => ({ ...row, totalCirculating: { peggedEUR: 1 } }))), null);
});

test('the chart of a coin pegged to the dollar is requested by its id on the list of stablecoins', () => {
  const list = defillama.endpoints.find(({ name }) => name === 'stablecoins') ?? assert.fail('no list');
  const learn = (pegType: string) =>
    parseBody(list, { id: 'it' }, { peggedAssets: [{ id: '7', gecko_id: 'it', pegType }] }).learned;
  const plan = (learned: Facts['learned']) => charts.plan({ ...factsOf('none', '', learned), address: null });
  assert.deepEqual(plan(learn('peggedUSD')), [{ stablecoin: '7' }]);
  assert.deepEqual(plan(learn('peggedEUR')), []);
});

test('a receipt is measured in the coin that it is redeemed for one to one, and in none where its rate grows', () => {
  const endpoint = coingecko.endpoints.find(({ name }) => name === 'receipt_chart') ?? assert.fail('no endpoint');
  const facts = (rate: number): Facts => ({
    ...factsOf('none', '', {
      'evm_rpc.redemption.ethereum': { coin: 'ethereum', rate },
      'evm_rpc.redemption.ethereum_2': { coin: 'ethereum', rate },
    }),
    keys: { ...NO_KEYS, coingeckoId: 'staked-ether' },
  });
  assert.deepEqual(endpoint.plan(facts(1)), [{ id: 'staked-ether', coin: 'eth' }]);
  assert.deepEqual(endpoint.plan(facts(1.14)), []);
  // Two days at 6 % below ether, half a year ago: one departure, aged.
  const prices = Array.from({ length: 366 }, (_, day) => [START + day * DAY_MS, day === 180 || day === 181 ? 0.94 : 1]);
  const { drafts } = parseBody(endpoint, { id: 'staked-ether', coin: 'eth' }, { prices });
  assert.deepEqual(
    drafts.map(({ quantity }) => quantity),
    ['depeg_aged_sum', 'redemption_days_below_80'],
  );
  assert.equal(drafts[1]?.value, 0);
  const sum = Number(drafts[0]?.value);
  assert.ok(Math.abs(sum - 0.06 * 2 ** (-184 / 730)) < 1e-6, String(sum));
});
