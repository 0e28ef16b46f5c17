import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { UsageRow } from '../../store/usage.ts';
import type { ApiKey } from '../keys.ts';
import { loadPlans } from '../plans/plans.ts';
import type { Measured } from '../service-level/measure.ts';
import { centsOf, dollarText, shareOf, statementOf, sumsBy, sumsOf } from './statement.ts';

const plans = loadPlans(null);
const row = (change: Partial<UsageRow> = {}): UsageRow => ({
  accountId: 'acc_1',
  keyId: 'key_1',
  day: '2026-02-10',
  group: 'chain',
  plan: 'CHAIN-7500',
  requests: 10,
  billable: 8,
  refused: 1,
  errors: 1,
  bytes: 100,
  ...change,
});
const key = (change: Partial<ApiKey> = {}) =>
  ({
    id: 'key_1',
    accountId: 'acc_1',
    plan: 'CHAIN-7500',
    createdAt: '2026-01-15T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    ...change,
  }) as ApiKey;
const broken: Measured = {
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-03-01T00:00:00.000Z',
  availabilityPct: 98,
  requests: 1,
  failures: 0,
  latencyMs: null,
  freshness: [],
};
const given = {
  accountId: 'acc_1',
  month: '2026-02',
  rows: [row(), row({ day: '2026-02-11', billable: 9 })],
  keys: [key(), key({ id: 'key_2', accountId: 'acc_2', plan: 'CHAIN-3500' })],
  plans,
  measured: broken,
  now: Date.parse('2026-03-05T00:00:00Z'),
};

test('a line has the plan’s price less the credit of a broken promise, and other accounts’ keys are not in it', () => {
  const { lines, totals, isFinal } = statementOf(given);
  assert.equal(lines.length, 1);
  const [line] = lines;
  assert.deepEqual([line?.priceUsd, line?.creditUsd, line?.dueUsd], ['7500.00', '1875.00', '5625.00']);
  assert.deepEqual(line?.fullestDay, { day: '2026-02-11', billable: 9 });
  assert.deepEqual([totals.dueUsd, totals.requests, isFinal], ['5625.00', 20, true]);
});

test('a plan with a key and without use has a line; one whose keys ended before has none', () => {
  const held = statementOf({ ...given, rows: [], measured: null });
  assert.deepEqual(
    held.lines.map((line) => [line.plan, line.requests, line.dueUsd]),
    [['CHAIN-7500', 0, '7500.00']],
  );
  const keys = [
    key({ revokedAt: '2026-01-31T23:59:59.000Z' }),
    key({ createdAt: '2026-03-01T00:00:00.000Z', plan: 'RATING' }),
  ];
  assert.deepEqual(statementOf({ ...given, rows: [], keys }).lines, []);
});

test('usage of a plan that is no longer offered stays in the statement, without a price', () => {
  const { lines } = statementOf({ ...given, rows: [row({ plan: 'OLD' })], keys: [] });
  assert.deepEqual(
    lines.map((line) => [line.plan, line.priceUsd, line.dueUsd, line.requests]),
    [['OLD', null, '0.00', 10]],
  );
});

test('amounts are exact to the cent: a credit and what is due add up to the price', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      (cents, hundredths) => {
        const price = centsOf(cents / 100);
        assert.equal(price, BigInt(cents));
        const credit = shareOf(price, hundredths / 100);
        assert.ok(credit >= 0n && credit <= price);
        assert.match(dollarText(price - credit), /^\d+\.\d\d$/);
        const exact = (BigInt(cents) * BigInt(hundredths)) / 10_000n;
        assert.ok(credit === exact || credit === exact + 1n);
      },
    ),
  );
  assert.deepEqual([dollarText(0n), dollarText(5n), dollarText(123_456n)], ['0.00', '0.05', '1234.56']);
});

test('however rows are grouped, the groups add up to the whole', () => {
  const rows = fc.array(
    fc.record({
      day: fc.constantFrom('2026-02-10', '2026-02-11'),
      keyId: fc.constantFrom('key_1', 'key_2'),
      group: fc.constantFrom('rms', 'chain'),
      requests: fc.nat(1_000),
      bytes: fc.nat(1_000_000),
    }),
  );
  fc.assert(
    fc.property(rows, fc.constantFrom('day', 'keyId', 'group', 'plan'), (changes, by) => {
      const all = changes.map((change) => row(change));
      const groups = sumsBy(all, by);
      const total = (name: 'requests' | 'bytes') => groups.reduce((sum, one) => sum + one[name], 0);
      assert.deepEqual([total('requests'), total('bytes')], [sumsOf(all).requests, sumsOf(all).bytes]);
    }),
  );
});
