import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { addUsage } from '../../store/usage.ts';
import { createAccess } from '../access.ts';
import { loadPlans, type PlanBook } from '../plans/plans.ts';
import { createUsageService, openUsage } from './service.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

test('a settled month is stated once: later prices and later usage do not change it', async () => {
  const { db } = database.store;
  let now = Date.parse('2026-01-10T00:00:00.000Z');
  const access = createAccess(db, () => now, randomBytes);
  const { key } = await access.create({
    name: 'desk',
    accountId: null,
    scopes: ['chain:read'],
    plan: 'CHAIN-3500',
    expiresAt: null,
    allowedIps: [],
  });
  const count = (sequence: number) =>
    addUsage(db, {
      processId: 'p',
      sequence,
      at: new Date(now).toISOString(),
      rows: [
        {
          accountId: key.accountId,
          keyId: key.id,
          day: '2026-01-31',
          group: 'chain',
          plan: 'CHAIN-3500',
          requests: 1,
          billable: 1,
          refused: 0,
          errors: 0,
          bytes: 1,
        },
      ],
    });
  const plans = loadPlans(null);
  const usage = createUsageService(db, access, plans, () => now);
  await count(1);
  now = Date.parse('2026-02-01T12:00:00.000Z');
  assert.equal((await usage.statement(key.accountId, '2026-01')).isFinal, false, 'late usage may still come');
  assert.equal(await usage.stateSettled(), 0, 'the account had no key in December');
  await count(2);
  now = Date.parse('2026-02-02T01:00:00.000Z');
  assert.equal(await usage.stateSettled(), 1);
  assert.equal(await usage.stateSettled(), 0);
  const first = await usage.statement(key.accountId, '2026-01');
  assert.deepEqual([first.isFinal, first.totals.requests, first.totals.dueUsd], [true, 2, '3500.00']);

  await count(3);
  const dearer: PlanBook = {
    plans: plans.plans.map((plan) => ({ ...plan, priceUsdPerMonth: 9_999 })),
    find: (name) => dearer.plans.find((plan) => plan.name === name) ?? null,
    payPerCall: null,
  };
  const later = createUsageService(db, access, dearer, () => now);
  assert.deepEqual(await later.statement(key.accountId, '2026-01'), first);
  assert.equal((await later.statement(key.accountId, '2026-02')).totals.dueUsd, '9999.00');
});

test('a daily quota counts by the clock of the service, so that tidying does not give it back', async () => {
  const { db } = database.store;
  const ahead = () => Date.now() + 30 * 86_400_000;
  const access = createAccess(db, ahead, randomBytes);
  const open = () =>
    openUsage({ scoringPath: '/v1/score' }, db, { access, plans: loadPlans(null), now: ahead }, (error) => {
      throw error;
    });
  const first = open();
  assert.equal(await first.quotaOf('acc_ahead', 'fresh_ratings', 1).take(), null);
  await first.close();
  // A start tidies, as every hour does.
  const second = open();
  await second.close();
  assert.equal((await second.quotaOf('acc_ahead', 'fresh_ratings', 1).take())?.limit, 1);
});
