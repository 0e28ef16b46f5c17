import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { EvidenceUnavailable } from '../domain/evidence.ts';
import { DAY_MS } from '../domain/statistics.ts';
import {
  bodyByHash,
  evidenceOf,
  newestEvidence,
  packBody,
  purgeBodies,
  storeBodies,
  storeEvidence,
} from '../store/archive.ts';
import { deleteExpired } from '../store/collections.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { movedCounts, noObjectStore } from '../store/moved.ts';
import { systemResolver } from '../upstream/agents.ts';
import { createUpstream } from '../upstream/client.ts';
import { type TestObjectStore, testObjectStore } from './fixtures/s3-server.ts';
import { moveOldEvidence, readMovedFrom } from './moved-evidence.ts';
import { type Bucket, openBucket } from './s3.ts';

let database: TestDatabase;
let objects: TestObjectStore;
before(async () => {
  [database, objects] = await Promise.all([testDatabase(), testObjectStore()]);
});
after(() => Promise.all([database.close(), objects.close()]));

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'assay-test' });
after(() => upstream.close());
const db = () => database.store.db;
const bucketOf = (settings: Partial<TestObjectStore['settings']> = {}) =>
  openBucket({ ...objects.settings, ...settings }, upstream, Date.now);
const options = (bucket: Bucket = bucketOf()) => ({ db: db(), bucket, prefix: 'live/', localDays: 30, now: Date.now });
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const TEXT = 'a result of a score, '.repeat(2_000);

afterEach(async () => {
  for (const key of await held()) await bucketOf().remove(key);
  for (const table of [
    'evidence',
    'bodies',
    'job_events',
    'jobs',
    'moved_objects',
    'published_ratings',
    'rated_assets',
  ])
    await sql`delete from ${sql.table(table)}`.execute(db());
});

/** A finished collection of an asset with its evidence. */
async function collected(id: string, storedAt: string, assetId: string | null = `asset/${id}`) {
  await sql`insert into jobs (id, state, request, request_hash, deadline_seconds, key_id, created_at, kind, asset_id)
    values (${id}, 'succeeded', '{}', ${id}, 60, 'key', ${storedAt}, 'collection', ${assetId})`.execute(db());
  const [record, result] = [`record of ${id}`, TEXT + id].map((text) => Buffer.from(text));
  assert.ok(record && result);
  await db()
    .transaction()
    .execute((transaction) =>
      storeEvidence(transaction, [{ jobId: id, record, result, resultSha256: 'x', at: storedAt }]),
    );
  return { record, result };
}

async function where(jobId: string): Promise<'here' | 'there' | 'nowhere'> {
  const row = await db().selectFrom('evidence').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  if (!row) return 'nowhere';
  assert.equal(row.record === null, row.object_key !== null);
  return row.object_key === null ? 'here' : 'there';
}

/** Keys of what the store holds. */
async function held(): Promise<readonly string[]> {
  const files = await readdir(join(objects.directory, 'evidence'), { recursive: true });
  return files.filter((file) => file.endsWith('._S3rver_object')).map((file) => file.replace('._S3rver_object', ''));
}

const writesGivenUp = () =>
  sql`update moved_objects set since = since - interval '1 hour' where state = 'writing'`.execute(db());

test('evidence older than the setting moves and is read as before; younger stays', async () => {
  const kept = await collected('old', daysAgo(31));
  await collected('young', daysAgo(29));
  assert.deepEqual(await moveOldEvidence(options()), { evidence: 1, bodies: 0, deleted: 0 });
  assert.deepEqual([await where('old'), await where('young')], ['there', 'here']);
  assert.deepEqual(await evidenceOf(db(), 'old', readMovedFrom(bucketOf())), kept);
  const newest: string[] = [];
  for await (const record of newestEvidence(db(), 2, readMovedFrom(bucketOf())))
    newest.push(Buffer.from(record).toString());
  assert.deepEqual(newest, ['record of young', 'record of old']);
  await assert.rejects(evidenceOf(db(), 'old', noObjectStore), EvidenceUnavailable);
  assert.deepEqual(await moveOldEvidence(options()), { evidence: 0, bodies: 0, deleted: 0 });
  const { kept: count, writing, unwanted } = await movedCounts(db());
  assert.deepEqual([count, writing, unwanted, (await held()).length], [1, 0, 0, 1]);
});

test('what the newest published rating of an asset rests on stays, however old', async () => {
  await collected('first', daysAgo(300), 'asset/a');
  await collected('standing', daysAgo(200), 'asset/a');
  await sql`insert into published_ratings (asset_id, as_of, stored_at, job_id, band, indicative_band, score, smoothed_score,
      trust, vfr, vfr_zone, action, reversal, flags, methodology, record, signature)
    select 'asset/a', now(), now(), job, 'A', 'A', 1, 1, 1, 1, 'fair', 'affirm', false, '{}', '1', '', '' from unnest(array['first', 'standing']) job`.execute(
    db(),
  );
  await sql`insert into rated_assets (asset_id, name, category, asset, request, state, rating_id, as_of, stored_at, band,
      band_rank, trust, flags, methodology, action, record, signature, changed_at)
    select asset_id, 'A', 'l1', '{}', '{}', '{}', id, now(), now(), 'A', 1, 1, '{}', '1', 'affirm', '', '', now()
    from published_ratings where job_id = 'standing'`.execute(db());
  assert.equal((await moveOldEvidence(options())).evidence, 1);
  assert.deepEqual([await where('first'), await where('standing')], ['there', 'here']);
});

test('replies that are kept for long move too, and their objects go when their time is over', async () => {
  const bodies = await Promise.all(
    [400, 40].map((keepDays) => {
      const body = Buffer.from(`reply ${keepDays} `.repeat(500));
      return packBody({ sha256: createHash('sha256').update(body).digest('hex'), source: 'defillama', body, keepDays });
    }),
  );
  const past = Date.now() - 35 * DAY_MS;
  await db()
    .transaction()
    .execute((transaction) => storeBodies(transaction, bodies, past));
  assert.equal((await moveOldEvidence(options())).bodies, 1);
  const [long, short] = bodies;
  assert.ok(long && short);
  const read = await bodyByHash(db(), long.sha256, readMovedFrom(bucketOf()));
  assert.equal(
    createHash('sha256')
      .update(read ?? '')
      .digest('hex'),
    long.sha256,
  );
  assert.equal(await purgeBodies(db(), Date.now() + 400 * DAY_MS), 2);
  assert.equal((await held()).length, 1);
  assert.equal((await moveOldEvidence(options())).deleted, 1);
  assert.deepEqual([await held(), (await movedCounts(db())).kept], [[], 0]);
});

test('evidence that is deleted here is deleted there', async () => {
  await collected('gone', daysAgo(40));
  await moveOldEvidence(options());
  await sql`update jobs set expires_at = now() - interval '1 day'`.execute(db());
  assert.equal(await deleteExpired(db(), new Date().toISOString(), 10), 1);
  assert.equal((await moveOldEvidence(options())).deleted, 1);
  assert.deepEqual(await held(), []);
});

test('a wrong secret or key is refused by the store, nothing moves, and the secret is in no error', async () => {
  const kept = await collected('old', daysAgo(31));
  for (const wrong of [{ secret: 'not-the-secret-of-it' }, { keyId: 'NOBODY' }]) {
    const failure = await moveOldEvidence(options(bucketOf(wrong))).then(
      () => null,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof EvidenceUnavailable);
    assert.match(failure.message, /refuses the key/);
    assert.doesNotMatch(`${failure.message} ${failure.stack} ${failure.cause}`, /not-the-secret-of-it|127\.0\.0\.1/);
  }
  assert.equal(await where('old'), 'here');
  assert.deepEqual(await evidenceOf(db(), 'old', noObjectStore), kept);
  assert.equal((await moveOldEvidence(options())).evidence, 1);
});

test('a process killed before or after it writes loses nothing; the next pass moves and clears up', async () => {
  for (const point of ['before put', 'after put']) {
    const kept = await collected(point.replace(' ', '_'), daysAgo(31));
    const job = point.replace(' ', '_');
    assert.equal(await runKilled(point), 'SIGKILL');
    assert.equal(await where(job), 'here', point);
    assert.equal((await movedCounts(db())).writing, 1);
    // Another process does not take what may still be written.
    assert.deepEqual(await moveOldEvidence(options()), { evidence: 0, bodies: 0, deleted: 0 });
    await writesGivenUp();
    assert.deepEqual(await moveOldEvidence(options()), { evidence: 1, bodies: 0, deleted: 1 });
    assert.deepEqual(await evidenceOf(db(), job, readMovedFrom(bucketOf())), kept);
  }
  assert.equal((await held()).length, 2, 'what a killed process wrote is left over');
  await sql`update jobs set expires_at = now() - interval '1 day'`.execute(db());
  await deleteExpired(db(), new Date().toISOString(), 10);
  for (const point of ['before remove', 'after remove']) {
    const left = (await movedCounts(db())).unwanted;
    assert.equal(await runKilled(point), 'SIGKILL');
    assert.equal((await movedCounts(db())).unwanted, left, point);
  }
  assert.equal((await moveOldEvidence(options())).deleted, 2);
  assert.deepEqual(await held(), []);
});

async function runKilled(point: string): Promise<string | null> {
  const file = fileURLToPath(new URL('./fixtures/killed-mover.ts', import.meta.url));
  const child = spawn(process.execPath, [file, database.url, JSON.stringify(objects.settings), 'live/', point], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

test('two processes that move evidence at once move everything once', async () => {
  const jobs = Array.from({ length: 12 }, (_, index) => `job_${index}`);
  for (const job of jobs) await collected(job, daysAgo(31));
  const passes = await Promise.all([1, 2, 3].map(() => moveOldEvidence(options())));
  assert.equal(
    passes.reduce((sum, pass) => sum + pass.evidence, 0),
    12,
  );
  await moveOldEvidence(options());
  assert.equal((await held()).length, 12);
});

test('a store that is away, or lost or changed an object, is an error of that read; changed bytes are never returned', async () => {
  await collected('old', daysAgo(31));
  await moveOldEvidence(options());
  const read = () => evidenceOf(db(), 'old', readMovedFrom(bucketOf()));
  const [name = ''] = await held();
  const file = join(objects.directory, 'evidence', `${name}._S3rver_object`);
  const bytes = await readFile(file);
  const flipped = Buffer.from(bytes);
  flipped[30] = (flipped[30] ?? 0) ^ 1;
  await writeFile(file, flipped);
  await assert.rejects(read(), /holds other bytes/);
  await writeFile(file, Buffer.concat([bytes, bytes]));
  await assert.rejects(read(), /holds other bytes/);
  await writeFile(file, Buffer.alloc(8 * 1024 * 1024));
  await assert.rejects(read(), (error: Error) => /too_large/.test(String(error.cause)));
  await writeFile(file, bytes);
  await read();
  await bucketOf().remove(name.replaceAll('\\', '/'));
  await assert.rejects(read(), /does not hold the evidence/);
  await objects.stop();
  await assert.rejects(read(), EvidenceUnavailable);
  await objects.start();
});

test('a store that does not keep an object leaves the evidence in the database', async () => {
  await collected('old', daysAgo(31));
  const forgetful: Bucket = { ...bucketOf(), put: async () => Promise.reject(new EvidenceUnavailable('lost')) };
  await assert.rejects(moveOldEvidence(options(forgetful)));
  assert.equal(await where('old'), 'here');
  assert.equal((await movedCounts(db())).unwanted, 1);
});

test('an object that the store refuses holds up no other; a store that refuses all is left after three', async () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) await collected(id, daysAgo(31));
  const bucket = bucketOf();
  const puts: string[] = [];
  const refusing = (isRefused: (key: string) => boolean): Bucket => ({
    ...bucket,
    async put(key, bytes) {
      puts.push(key);
      if (isRefused(key)) throw new EvidenceUnavailable('it is too large');
      return bucket.put(key, bytes);
    },
  });
  await assert.rejects(moveOldEvidence(options(refusing(() => true))), /too large/);
  assert.equal(puts.length, 3);
  await assert.rejects(moveOldEvidence(options(refusing((key) => key.includes('/a/')))), /too large/);
  const places = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(where));
  assert.deepEqual(places, ['here', 'there', 'there', 'there', 'there']);
});

test('no redirect is followed', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(307, { location: 'http://127.0.0.1:9/latest/meta-data' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(bucketOf({ endpoint }).get('key', 100), EvidenceUnavailable);
  assert.equal(asked, 1);
  server.close();
});

test('the bucket is part of the host name where the store requires it', async () => {
  const urls: string[] = [];
  const bucket = openBucket(
    { ...objects.settings, endpoint: 'https://s3.example.net/base', pathStyle: false },
    {
      setBudget: () => undefined,
      async request(request) {
        urls.push(request.url);
        assert.equal(request.maxRedirects, 0);
        assert.doesNotMatch(JSON.stringify(request.headers), /AWS4|S3RVER/);
        assert.match(request.secretHeaders.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=S3RVER\//);
        return upstream.request({ ...request, url: 'http://127.0.0.1:9/' });
      },
    },
    Date.now,
  );
  await assert.rejects(bucket.get('live/a', 10), EvidenceUnavailable);
  assert.deepEqual(urls, ['https://evidence.s3.example.net/base/live/a']);
});
