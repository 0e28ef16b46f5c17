import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { gridPoint, loadPlans, type Plan, plansThatInclude, readPlans, secondsToNextPoint } from './plans.ts';
import { createSharedLimiter } from './shared-limiter.ts';

const book = loadPlans(null);
const plan = (name: string): Plan => {
  const found = book.find(name);
  assert.ok(found, name);
  return found;
};
const rows = (change: (file: { plans: Record<string, unknown>[] }) => void): string => {
  const file = {
    plans: book.plans.map((row) => ({
      name: row.name,
      title: row.title,
      description: row.description,
      price_usd_per_month: row.priceUsdPerMonth,
      scopes: row.scopes,
      chains: row.chains,
      freshness_grid_seconds: row.freshnessGridSeconds,
      requests_per_minute: row.requestsPerMinute,
      requests_per_day: row.requestsPerDay,
      batch_size: row.batchSize,
      concurrent_scoring_jobs: row.concurrentScoringJobs,
      fresh_ratings_per_day: row.freshRatingsPerDay,
      watchlist_size: row.watchlistSize,
      webhooks: row.webhooks,
      stream_connections: row.streamConnections,
      exports: row.exports,
      sla: null,
    })) as Record<string, unknown>[],
  };
  change(file);
  return JSON.stringify(file);
};

/** Adds prices of single requests, with such a change to that of ratings. */
const priced = (change: object) => (file: object) =>
  Object.assign(file, {
    pay_per_call: {
      ratings: { price: '0.05', plan: 'RATING', ...change },
      snapshots: { price: '0.02', plan: 'CHAIN-7500' },
    },
  });

test('a plans file may price single requests, and need not', () => {
  const [without, withPrices] = [readPlans(rows(() => undefined)), readPlans(rows(priced({})))];
  assert.ok(without.ok && withPrices.ok);
  assert.equal(without.value.payPerCall, null);
  assert.deepEqual(withPrices.value.payPerCall, book.payPerCall);
});

test('the built-in plans are those of the interface document, at its prices', () => {
  assert.deepEqual(
    book.plans.map((row) => [row.name, row.priceUsdPerMonth, row.freshnessGridSeconds]),
    [
      ['CHAIN-1500', 1_500, 3_600],
      ['CHAIN-3500', 3_500, 300],
      ['CHAIN-7500', 7_500, 0],
      ['RATING', null, 0],
      ['INTERNAL', null, 0],
    ],
  );
  assert.ok(readPlans(rows(() => undefined)).ok);
});

test('each slip in a plans file is named with its place', () => {
  const table: readonly (readonly [string, RegExp])[] = [
    ['{', /not JSON/],
    ['{"plans":[]}', /\/plans/],
    [rows((file) => file.plans.pop()), /INTERNAL is missing/],
    [rows((file) => file.plans.push({ ...file.plans[0] })), /CHAIN-1500.*used twice/],
    [rows((file) => Object.assign(file.plans[0] ?? {}, { freshness_grid_seconds: 7_000 })), /divide a day/],
    [rows((file) => Object.assign(file.plans[0] ?? {}, { chains: ['solanna'] })), /no chain "solanna"/],
    [rows((file) => Object.assign(file.plans[1] ?? {}, { requests_per_minute: 0 })), /\/plans\/1\/requests_per_minute/],
    [rows((file) => Object.assign(file.plans[1] ?? {}, { scopes: ['chain'] })), /\/plans\/1\/scopes/],
    [rows((file) => Object.assign(file.plans[2] ?? {}, { price: 1 })), /\/plans\/2/],
    [rows((file) => Object.assign(file.plans[2] ?? {}, { price_usd_per_month: 1.005 })), /more than two decimals/],
    [rows(priced({ price: '0.00' })), /\/pay_per_call\/ratings: price must be above zero/],
    [rows(priced({ price: '1e3' })), /\/pay_per_call\/ratings\/price/],
    [rows(priced({ plan: 'GOLD' })), /\/pay_per_call\/ratings: there is no plan "GOLD"/],
    [rows(priced({ plan: 'CHAIN-1500' })), /the plan CHAIN-1500 does not include rms:read/],
  ];
  for (const [text, complaint] of table) {
    const read = readPlans(text);
    assert.ok(!read.ok && read.errors.some((error) => complaint.test(error)), JSON.stringify(read).slice(0, 300));
  }
});

test('an operator’s file replaces the built-in plans, and an invalid one stops the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-plans-'));
  try {
    const path = join(folder, 'plans.json');
    await writeFile(
      path,
      rows((file) => Object.assign(file.plans[0] ?? {}, { requests_per_minute: 7 })),
    );
    assert.equal(loadPlans(path).find('CHAIN-1500')?.requestsPerMinute, 7);
    await writeFile(path, '{"plans":{}}');
    assert.throws(() => loadPlans(path), /plans file .* is not right/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a grid point is never in the future, less than a step old, and a multiple of the step', () => {
  const steps = fc.constantFrom(60, 300, 3_600, 86_400);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), steps, (now, step) => {
      const point = gridPoint(now, step) ?? Number.NaN;
      assert.ok(point <= now && now - point < step * 1000 && point % (step * 1000) === 0);
      const next = secondsToNextPoint(now, step);
      assert.ok(next >= 1 && now + next * 1000 >= point + step * 1000);
    }),
  );
  assert.equal(gridPoint(12_345, 0), null);
});

test('a refusal names plans on sale, not the operator’s own', () => {
  const need = { scope: 'chain:read', chain: 'base', exportOf: null } as const;
  assert.deepEqual(
    plansThatInclude(book, need).map((row) => row.name),
    ['CHAIN-3500', 'CHAIN-7500'],
  );
});

test('an account has its plan’s requests a minute and a day; refunded ones can be used again', async () => {
  let now = Date.parse('2026-01-01T23:00:00Z');
  const limiter = createSharedLimiter({ lease: null, now: () => now, elapsed: () => 0 });
  const small = { ...plan('CHAIN-1500'), requestsPerMinute: 3, requestsPerDay: 5 };
  const take = () => limiter.take('acc_1', small);
  const seen = [];
  for (let count = 0; count < 4; count += 1) seen.push((await take()).refusedBy);
  assert.deepEqual(seen, [null, null, null, 'minute']);
  assert.equal((await limiter.take('acc_2', small)).refusedBy, null, 'accounts do not share');
  now += 60_000;
  assert.equal((await take()).day?.remaining, 1, 'what the minute refused cost no quota');
  const last = await take();
  assert.equal(last.refusedBy, null);
  const over = await take();
  assert.equal(over.refusedBy, 'day');
  assert.equal(over.day?.resetSeconds, 59 * 60);
  limiter.giveBack('acc_1', small, last);
  now += 60_000;
  assert.equal((await take()).refusedBy, null);
  now = Date.parse('2026-01-02T00:00:00Z');
  assert.equal((await take()).day?.remaining, 4, 'a day is a UTC day');
  const free = await limiter.take('acc_1', plan('INTERNAL'));
  assert.deepEqual(free, { minute: null, day: null, refusedBy: null, countedDay: null });
});
