import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestObjectStore, testObjectStore } from '../src/objects/fixtures/s3-server.ts';
import { moveOldEvidence } from '../src/objects/moved-evidence.ts';
import { openBucket } from '../src/objects/s3.ts';
import { connect } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

let objects: TestObjectStore;
let world: TestService;
before(async () => {
  objects = await testObjectStore();
  const { endpoint, bucket, keyId, secret } = objects.settings;
  world = await testService({
    freshSeconds: 0,
    objectStoreUrl: endpoint,
    objectStoreBucket: bucket,
    objectStoreKeyId: keyId,
    objectStoreSecret: secret,
    evidenceLocalDays: 60,
  });
});
after(async () => {
  await world.close();
  await objects.close();
});

type Body = Record<string, unknown>;
const tidewell = { type: 'PostTGE', project: 'Tidewell', project_url: 'https://tidewell.example/' };

async function score(): Promise<string> {
  const reply = await world.call('/v1/score', { json: tidewell, headers: { prefer: 'wait=60' } });
  const body = (await reply.json()) as Body;
  assert.equal(reply.status, 200, JSON.stringify(body));
  return String(body.job_id);
}

const variables = (): Record<string, string> => ({
  ASSAY_OBJECT_STORE_URL: objects.settings.endpoint,
  ASSAY_OBJECT_STORE_BUCKET: objects.settings.bucket,
  ASSAY_OBJECT_STORE_KEY_ID: objects.settings.keyId,
  ASSAY_OBJECT_STORE_SECRET: objects.settings.secret,
});

/** Makes what is archived so many days older and moves what is to move, as the worker does each hour. */
async function age(days: number) {
  const database = await databaseOf(world.dataDir, 'visitor');
  const store = connect(database.url);
  const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'assay-test' });
  try {
    await store.pool.query(`update evidence set stored_at = stored_at - make_interval(days => ${days})`);
    const bucket = openBucket(objects.settings, upstream, Date.now);
    return await moveOldEvidence({ db: store.db, bucket, prefix: 'sandbox/', localDays: 60, now: Date.now });
  } finally {
    await upstream.close();
    await store.close();
    await database.close();
  }
}

test('old evidence is read and replayed from the object store; while that is away only such reads fail', async () => {
  const first = await score();
  const evidence = async () => world.call(`/v1/jobs/${first}/evidence`);
  const before = await (await evidence()).text();
  await score();
  const moved = await age(61);
  assert.deepEqual([moved.evidence, moved.deleted], [1, 0], 'the newest rating keeps its evidence here');

  const replayed = await assay(world.config, ['replay', first, '--json'], variables());
  assert.equal(replayed.code, 0, replayed.err);
  assert.equal((JSON.parse(replayed.out) as Body).same_bytes, true);
  assert.equal(await (await evidence()).text(), before);
  const without = await assay(world.config, ['replay', first, '--json']);
  assert.notEqual(without.code, 0);
  assert.match(without.err, /moved to an object store, and none is configured/);

  await objects.stop();
  const refused = await evidence();
  const problem = (await refused.json()) as Body;
  assert.deepEqual(
    [refused.status, problem.code, problem.retry, refused.headers.get('retry-after')],
    [503, 'evidence_unavailable', 'after', '60'],
  );
  assert.doesNotMatch(JSON.stringify(problem), /127\.0\.0\.1|S3RVER|evidence\/sandbox/);
  const newest = await score();
  assert.equal((await world.call(`/v1/jobs/${newest}/evidence`)).status, 200);
  assert.equal((await world.call('/v1/rms?limit=5')).status, 200);
  assert.equal((await world.call('/readyz')).status, 200);

  await objects.start();
  const doctor = await assay(world.config, ['doctor', '--offline', '--json'], variables());
  assert.match(doctor.out, /1 object \(0 MB\); not checked/);
});

test('the secret is shown by no command, and half a configuration or plain http elsewhere is refused', async () => {
  const shown = await assay(world.config, ['config'], {
    ...variables(),
    ASSAY_OBJECT_STORE_SECRET: 'a-secret-of-ours',
  });
  assert.equal(shown.code, 0, shown.err);
  assert.match(shown.out, /ASSAY_OBJECT_STORE_SECRET=set/);
  assert.doesNotMatch(shown.out + shown.err, /a-secret-of-ours/);
  const { ASSAY_OBJECT_STORE_SECRET: _, ...half } = variables();
  assert.match((await assay(world.config, ['config'], half)).err, /ASSAY_OBJECT_STORE_SECRET: .* needs it/);
  const plain = { ...variables(), ASSAY_OBJECT_STORE_URL: 'http://objects.example.net' };
  assert.match(
    (await assay(world.config, ['config'], plain)).err,
    /ASSAY_OBJECT_STORE_URL: expected a url starting with https/,
  );
});
