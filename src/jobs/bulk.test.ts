import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { DAY_MS } from '../domain/index.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { type BulkOptions, openBulk } from './bulk.ts';
import type { Job } from './types.ts';

const request = {
  type: 'posttge',
  project: 'a',
  projectUrl: 'https://a.example/',
  tokenSymbol: null,
  category: null,
  blockchain: null,
  tokenAddress: null,
};

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

for (const aheadMs of [3 * DAY_MS, -3 * DAY_MS])
  test(`a cancelled bulk job ends at once where the service's clock is ${aheadMs / DAY_MS} days ahead of the database's`, async () => {
    const bulk = (works: boolean) =>
      openBulk({
        db: database.store.db,
        scoring: {
          submit: () =>
            Promise.resolve({ ok: false, code: 'too_many_jobs', detail: 'no slot is free', retryAfterSeconds: 1 }),
          get: () => Promise.resolve(null),
          report: () => Promise.resolve(null),
          cancel: () => Promise.resolve(false),
        },
        now: () => Date.now() + aheadMs,
        random: randomBytes,
        deadlineSeconds: 60,
        works,
        onError: (error) => assert.fail(error as Error),
      });
    const asking = bulk(false);
    const asked = await asking.create(
      [{ requested: { asset: 'a', project: null, project_url: null }, read: { ok: true, value: request } }],
      {
        accountId: 'acc_one',
        keyId: 'key_one',
        mostRows: null,
        share: null,
        plan: 'RATING',
        idempotencyKey: null,
        bodySha256: '0'.repeat(64),
      },
    );
    assert.ok(asked.ok);
    const { id } = asked.bulk;
    assert.equal(await asking.cancel(id), true);
    const working = bulk(true);
    try {
      for (const until = performance.now() + 10_000; ; ) {
        const found = await asking.get(id, 'acc_one');
        if (found?.state === 'cancelled') break;
        assert.ok(performance.now() < until, `it is ${found?.state} still`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      await working.close();
      await asking.close();
    }
  });

test('a row whose report was deleted ends as lost, and the bulk job ends', async () => {
  const job = { id: 'posttge_gone', state: 'succeeded', failure: null } as unknown as Job;
  const scoring: BulkOptions['scoring'] = {
    submit: async () => ({ ok: true, job, repeated: false, signals: [] }) as never,
    get: async () => job,
    report: async () => null,
    cancel: async () => ({}) as never,
  };
  const errors: unknown[] = [];
  const bulk = openBulk({
    db: database.store.db,
    scoring,
    now: Date.now,
    random: randomBytes,
    deadlineSeconds: 10,
    works: true,
    onError: (error) => errors.push(error),
  });
  try {
    const requested = { asset: 'https://tidewell.example/' };
    const made = await bulk.create([{ requested, read: { ok: true, value: {} as never } }] as never, {
      accountId: 'one',
      keyId: 'one',
      mostRows: null,
      share: null,
      plan: 'INTERNAL',
      idempotencyKey: null,
      bodySha256: 'a'.repeat(64),
    });
    assert.ok(made.ok);
    for (const until = Date.now() + 8_000; (await bulk.get(made.bulk.id, null))?.state === 'running'; ) {
      assert.ok(Date.now() < until, `still running: ${String(errors[0])}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const [row] = await bulk.rows({ id: made.bulk.id, after: 0, limit: 10, state: null });
    assert.deepEqual([row?.state, row?.error?.code, errors], ['failed', 'job_not_found', []]);
  } finally {
    await bulk.close();
  }
});
