import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { ScoreRequest } from '../domain/asset.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { insertKey } from '../store/keys.ts';
import { noObjectStore } from '../store/moved.ts';
import { failureOf } from './failures.ts';
import { emptyBook } from './fixtures/book.ts';
import { createScoringService } from './service.ts';
import type { JobWork, ScoringService } from './types.ts';

let database: TestDatabase;
let services: ScoringService[];
const ends: (() => void)[] = [];
/** Jobs that last until the test ends them. */
const find: JobWork['find'] = (_job, { signal }) =>
  new Promise((resolve) => {
    const end = () => resolve({ ok: false, failure: failureOf.nobodyAnswered() });
    ends.push(end);
    signal.addEventListener('abort', end, { once: true });
  });

before(async () => {
  database = await testDatabase();
  for (const [id, account] of [
    ['key_1', 'acc_1'],
    ['key_2', 'acc_1'],
    ['key_3', 'acc_2'],
  ] as const)
    await insertKey(database.store.db, {
      id,
      account_id: account,
      secret_sha256: Buffer.from(id),
      prefix: 'ak_live_',
      name: id,
      scopes: ['score'],
      plan: 'RATING',
      allowed_ips: [],
      created_at: new Date().toISOString(),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      rotated_from: null,
    });
  services = await Promise.all(
    ['a', 'b', 'c', 'd'].map((instanceId) =>
      createScoringService({
        db: database.store.db,
        work: { find, collect: () => assert.fail('no asset of these tests is found') },
        build: () => assert.fail('no job of these tests succeeds'),
        peerOf: () => null,
        encode: () => ({ record: new Uint8Array(), result: new Uint8Array() }),
        book: emptyBook,
        now: Date.now,
        ticks: () => performance.now(),
        random: randomBytes,
        concurrency: 4,
        queueLimit: 1_000,
        instanceId,
        bodyRetentionDays: 1,
        methodologyHash: '',
        collectionSeconds: 20,
        freshSeconds: 0,
        unpublishedDays: 30,
        readMoved: noObjectStore,
        onError: () => undefined,
      }),
    ),
  );
});
after(async () => {
  await Promise.all(services.map((service) => service.close(0)));
  await database.close();
});

const request = (project: string): ScoreRequest => ({
  type: 'PostTGE',
  project,
  projectUrl: 'https://a.example/',
  tokenSymbol: null,
  category: null,
  blockchain: null,
  tokenAddress: null,
});
const submit = (service: number, project: string, keyId: string, accountId: string) =>
  (services[service] as ScoringService).submit(request(project), {
    keyId,
    idempotencyKey: null,
    deadlineSeconds: 20,
    share: { accountId, most: 8 },
  });

test('an account has as many concurrent jobs as its plan allows, for all its keys and in all processes', async () => {
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, turn) => submit(turn % 4, `project ${turn}`, `key_${1 + (turn % 2)}`, 'acc_1')),
  );
  assert.equal(results.filter((result) => result.ok).length, 8);
  assert.deepEqual(
    [...new Set(results.flatMap((result) => (result.ok ? [] : [result.code])))],
    ['concurrency_limited'],
  );
  const stored = await database.store.db.selectFrom('jobs').select('id').execute();
  assert.equal(stored.length, 8, 'what was refused left nothing behind');

  const own = results.findIndex((result) => result.ok);
  const joined = await submit(0, `project ${own}`, 'key_1', 'acc_1');
  assert.ok(joined.ok && joined.joined, 'joining a job takes no place');
  assert.ok((await submit(0, 'of another', 'key_3', 'acc_2')).ok, 'another account is not held up');

  for (let turn = 0; turn < 200 && ends.length < 9; turn += 1) await new Promise((resolve) => setTimeout(resolve, 25));
  for (const end of ends) end();
  for (let turn = 0; turn < 200; turn += 1) {
    if ((await submit(1, 'afterwards', 'key_1', 'acc_1')).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('ended jobs made no room');
});
