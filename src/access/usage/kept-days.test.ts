import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '../../store/fixtures/database.ts';
import { loadPlans, readPlans } from '../plans/plans.ts';
import { keptDaysOfJobs } from './service.ts';

test('a job is kept for the longest time among the plans of its owner and of those who joined it', async () => {
  const shipped = loadPlans(null);
  const database = await testDatabase();
  const { db } = database.store;
  try {
    const rows = shipped.plans.slice(0, 3);
    const [short, long, silent] = rows;
    assert.ok(short && long && silent);
    const plans = {
      ...shipped,
      plans: [{ ...short, keptDays: 3 }, { ...long, keptDays: 400 }, silent],
      find: (name: string) => plans.plans.find((plan) => plan.name === name) ?? null,
    };
    for (const [id, plan] of [
      ['a', short.name],
      ['b', long.name],
      ['c', silent.name],
    ] as const)
      await sql`insert into api_keys (id, secret_sha256, prefix, name, scopes, plan, allowed_ips, created_at, account_id)
        values (${`key_${id}`}, ${Buffer.from(id)}, 'p', 'n', '{score}', ${plan}, '{}', now(), ${`acc_${id}`})`.execute(
        db,
      );
    await sql`insert into jobs (id, state, request, request_hash, deadline_seconds, key_id, created_at)
      values ('job', 'queued', '{}', 'h', 60, 'key_a', now())`.execute(db);
    const days = keptDaysOfJobs(db, plans, 30);
    assert.ok(days);
    assert.equal(await days({ id: 'job', keyId: 'key_a' }), 3);
    assert.equal(await days({ id: 'job', keyId: 'key_c' }), 30);
    assert.equal(await days({ id: 'job', keyId: 'monitor' }), 30);
    await sql`insert into idempotency (key_id, idempotency_key, request_hash, job_id, created_at)
      values ('acc_b', 'joined', 'h', 'job', now())`.execute(db);
    assert.equal(await days({ id: 'job', keyId: 'key_a' }), 400);
    assert.equal(keptDaysOfJobs(db, shipped, 30), null, 'where no plan says anything, nothing is asked');
  } finally {
    await database.close();
  }
});

test('kept_days of a plans file is read, and a wrong one is named', () => {
  const row = {
    ...{ name: 'A', title: 'A', description: '', price_usd_per_month: null, scopes: '*', chains: '*' },
    ...{ freshness_grid_seconds: 0, requests_per_minute: 1, requests_per_day: 1, batch_size: 0 },
    ...{ concurrent_scoring_jobs: 1, fresh_ratings_per_day: 1, watchlist_size: 0, webhooks: 0 },
    ...{ stream_connections: 0, exports: '*', sla: null },
  };
  const read = (kept: unknown) =>
    readPlans(
      JSON.stringify({
        plans: [
          { ...row, kept_days: kept },
          { ...row, name: 'INTERNAL', kept_days: null },
        ],
      }),
    );
  const good = read(90);
  assert.ok(good.ok, JSON.stringify(good));
  assert.deepEqual([good.value.find('A')?.keptDays, good.value.find('INTERNAL')?.keptDays], [90, null]);
  const wrong = read(0);
  assert.ok(!wrong.ok && wrong.errors.some((error) => error.includes('kept_days')));
});
