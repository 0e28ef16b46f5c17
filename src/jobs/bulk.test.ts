import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { type BulkOptions, openBulk } from './bulk.ts';
import type { Job } from './types.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

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
