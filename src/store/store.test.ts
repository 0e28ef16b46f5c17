import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { sql } from 'kysely';
import { DAY_MS } from '../domain/statistics.ts';
import {
  bodyByHash,
  evidenceOf,
  type KeptBody,
  knownBodies,
  newestEvidence,
  packBody,
  purgeBodies,
  storeBodies,
  storeEvidence,
} from './archive.ts';
import { openStore } from './database.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { appendEvents, eventsAfter, newestEventNumber, packEvents } from './job-events.ts';
import {
  claimJob,
  createJobReader,
  insertOrJoin,
  jobById,
  type LostJobOutcomes,
  reapJobs,
  releaseJobs,
} from './jobs.ts';
import { MIGRATION_NAMES } from './migrate.ts';
import { noObjectStore } from './moved.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const table of ['evidence', 'bodies', 'job_events', 'jobs'] as const)
    await database.store.db.deleteFrom(table).execute();
});
after(() => database.close());

const NOW = Date.parse('2026-05-01T00:00:00Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const db = () => database.store.db;

test('migrations may run again, and two processes that start at once both come up', async () => {
  const url = await database.emptyDatabase();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(url, 'live')));
  await Promise.all(stores.map((store) => store.close()));
  const again = await openStore(url, 'live');
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from kysely_migration`.execute(again.db);
  assert.equal(rows[0]?.count, MIGRATION_NAMES.length);
  await again.close();
});

test('a database of one data mode is refused in the other, also when both stamp it at once', async () => {
  await assert.rejects(openStore(database.url, 'live'), /holds sandbox data and cannot be opened in live mode/);
  const url = await database.emptyDatabase();
  const both = await Promise.allSettled([openStore(url, 'live'), openStore(url, 'sandbox')]);
  assert.deepEqual(both.map((one) => one.status).sort(), ['fulfilled', 'rejected']);
  for (const one of both) if (one.status === 'fulfilled') await one.value.close();
});

test('a connection that cannot be made is an error, not a wait', async () => {
  await assert.rejects(openStore('postgres://assay:x@127.0.0.1:1/postgres', 'sandbox'));
});

const body = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), source: 'coingecko', body: bytes };
};
const keep = (bodies: readonly KeptBody[], now = NOW) =>
  db()
    .transaction()
    .execute((transaction) => storeBodies(transaction, bodies, now));
const keptUntil = async (sha256: string) =>
  (await db().selectFrom('bodies').select('keep_until').where('sha256', '=', sha256).executeTakeFirst())?.keep_until;

test('a body is stored once by its hash, and the longest time to keep wins', async () => {
  const one = body('{"price": 1}'.repeat(100));
  await keep([await packBody({ ...one, keepDays: 7 })]);
  await keep([await packBody({ ...one, keepDays: 30 })]);
  await keep([await packBody({ ...one, keepDays: 1 })]);
  assert.equal(await keptUntil(one.sha256), iso(NOW + 30 * DAY_MS));
  await keep([{ sha256: one.sha256, packed: null, keepDays: 3 }]);
  assert.equal(await keptUntil(one.sha256), iso(NOW + 30 * DAY_MS));
  await keep([{ sha256: one.sha256, packed: null, keepDays: 60 }]);
  assert.equal(await keptUntil(one.sha256), iso(NOW + 60 * DAY_MS));
  assert.deepEqual(Buffer.from((await bodyByHash(db(), one.sha256, noObjectStore)) ?? []), Buffer.from(one.body));
  const rows = await db().selectFrom('bodies').select('bytes').execute();
  assert.deepEqual(rows, [{ bytes: one.body.byteLength }]);
});

test('a body kept without end stays so, whichever is stored first', async () => {
  const [first, second] = [body('first'), body('second')];
  await keep([await packBody({ ...first, keepDays: null })]);
  await keep([await packBody({ ...first, keepDays: 1 })]);
  await keep([{ sha256: first.sha256, packed: null, keepDays: 1 }]);
  await keep([await packBody({ ...second, keepDays: 1 })]);
  await keep([await packBody({ ...second, keepDays: null })]);
  assert.equal(await keptUntil(first.sha256), null);
  assert.equal(await keptUntil(second.sha256), null);
});

test('a purge takes the expired bodies and no others; a body about to be purged does not count as known', async () => {
  const [short, long, endless] = [body('short'), body('long'), body('endless')];
  await keep([
    await packBody({ ...short, keepDays: 1 }),
    await packBody({ ...long, keepDays: 9 }),
    await packBody({ ...endless, keepDays: null }),
  ]);
  const hashes = [short, long, endless].map((one) => one.sha256);
  assert.equal(await purgeBodies(db(), NOW + DAY_MS - 1), 0);
  assert.equal((await knownBodies(db(), hashes, NOW)).size, 3);
  assert.deepEqual(await knownBodies(db(), hashes, NOW + DAY_MS - 60_000), new Set([long.sha256, endless.sha256]));
  assert.equal(await purgeBodies(db(), NOW + 2 * DAY_MS), 1);
  assert.equal(await bodyByHash(db(), short.sha256, noObjectStore), null);
  assert.ok(await bodyByHash(db(), long.sha256, noObjectStore));
  assert.equal(await purgeBodies(db(), NOW + 400 * DAY_MS), 1);
  assert.ok(await bodyByHash(db(), endless.sha256, noObjectStore));
  assert.equal((await knownBodies(db(), [], NOW)).size, 0);
});

test('jobs that end together and share bodies in other orders do not lock each other out', async () => {
  const bodies = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => packBody({ ...body(text), keepDays: 1 })),
  );
  const orders = Array.from({ length: 8 }, (_, turn) => [...bodies.slice(turn % 6), ...bodies.slice(0, turn % 6)]);
  await Promise.all(orders.map((order) => keep(order)));
  assert.equal(
    (
      await knownBodies(
        db(),
        bodies.map((one) => one.sha256),
        NOW,
      )
    ).size,
    6,
  );
});

let count = 0;
async function job(): Promise<string> {
  const id = `posttge_1_${String(++count).padStart(8, '0')}`;
  const row = {
    id,
    kind: 'score',
    asset_id: null,
    request: '{}',
    request_hash: id,
    deadline_seconds: 20,
    key_id: 'k',
    created_at: iso(NOW),
  };
  await insertOrJoin(db(), row);
  return id;
}

test('a body of any size is returned byte for byte, also one packed by a version that did not store its size', async () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 300_000]) {
    const half = Buffer.concat([randomBytes(size >> 1), Buffer.alloc(size - (size >> 1), 'a')]);
    const sha256 = createHash('sha256').update(half).digest('hex');
    const packed = await packBody({ sha256, source: 'coingecko', body: half, keepDays: null });
    const older = { ...packed, sha256: `older-${size}`, packed: await promisify(zstdCompress)(half) };
    await keep([packed, older]);
    for (const kept of [sha256, older.sha256])
      assert.equal(
        Buffer.compare(Buffer.from((await bodyByHash(db(), kept, noObjectStore)) ?? 'none'), half),
        0,
        `${size} bytes`,
      );
  }
});

test('evidence is returned byte for byte, and there is none without its job', async () => {
  const [record, result] = [Buffer.from('{"a":1}'), Buffer.from([0, 255, 10, 13])];
  const row = { record, result, resultSha256: 'x', at: iso(NOW) };
  const id = await job();
  await db()
    .transaction()
    .execute((transaction) => storeEvidence(transaction, [{ ...row, jobId: id }]));
  const read = await evidenceOf(db(), id, noObjectStore);
  assert.deepEqual([Buffer.from(read?.record ?? []), Buffer.from(read?.result ?? [])], [record, result]);
  assert.equal(await evidenceOf(db(), 'posttge_1_zzzzzzzz', noObjectStore), null);
  await assert.rejects(
    db()
      .transaction()
      .execute((transaction) => storeEvidence(transaction, [{ ...row, jobId: 'posttge_1_zzzzzzzz' }])),
    /foreign key/,
  );
});

test('the newest evidence comes first, at most as many records as wanted', async () => {
  const ids: string[] = [];
  for (const minute of [2, 3, 1]) {
    const id = await job();
    ids.push(id);
    const row = { record: Buffer.from(id), result: Buffer.from('{}'), resultSha256: 'x', jobId: id };
    await db()
      .transaction()
      // Years ahead: no other test of this file has stored newer evidence.
      .execute((transaction) => storeEvidence(transaction, [{ ...row, at: `2040-01-01T00:0${minute}:00.000Z` }]));
  }
  const read: string[] = [];
  for await (const record of newestEvidence(db(), 2, noObjectStore)) read.push(Buffer.from(record).toString());
  assert.deepEqual(read, [ids[1], ids[0]]);
});

test('event numbers have no gaps under concurrent writes, and none goes back', async () => {
  const id = await job();
  await Promise.all(Array.from({ length: 20 }, (_, i) => appendEvents(db(), id, [`{"i":${i}}`, '{}'])));
  const seen = await eventsAfter(db(), id, 0);
  assert.deepEqual(
    seen.map((event) => event.seq),
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
});

/** The database, and how many statements went there through it. */
function counted() {
  const seen = { statements: 0 };
  const counting = db().withPlugin({
    transformQuery({ node }) {
      seen.statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { counting, seen };
}

test('events of a job that runs are one statement, and so are looks at many jobs in one turn', async () => {
  const [id, other] = [await job(), await job()];
  const { counting, seen } = counted();
  await appendEvents(counting, id, ['{"i":1}', '{"i":2}']);
  assert.equal(seen.statements, 1);
  assert.deepEqual(await eventsAfter(db(), id, 1), [{ seq: 2, event: '{"i":2}' }]);
  const read = createJobReader(counting);
  const found = await Promise.all([read(id), read(other), read(id), read('posttge_1_zzzzzzzz')]);
  assert.deepEqual(
    found.map((row) => row?.id),
    [id, other, id, undefined],
  );
  assert.equal(seen.statements, 2);
  await appendEvents(db(), id, ['{"i":3}']);
  await db().updateTable('jobs').set({ failure: '"later"' }).where('id', '=', id).execute();
  assert.equal((await read(id))?.failure, '"later"', 'each turn looks anew');
});

test('the replies of a collection are two statements: those that are known and those that are new', async () => {
  const texts = Array.from({ length: 20 }, (_, i) => body(`one of many ${i}`));
  const packed = await Promise.all(texts.map((one) => packBody({ ...one, keepDays: 7 })));
  await keep(packed.slice(0, 10));
  const { counting, seen } = counted();
  const mixed: readonly KeptBody[] = packed.map((one, i) =>
    i < 10 ? { sha256: one.sha256, packed: null, keepDays: i + 3 } : one,
  );
  await counting.transaction().execute((transaction) => storeBodies(transaction, mixed, NOW));
  assert.equal(seen.statements, 2);
  const until = await Promise.all(texts.map(({ sha256 }) => keptUntil(sha256)));
  assert.deepEqual(
    until,
    texts.map((_, i) => iso(NOW + (i < 10 ? Math.max(7, i + 3) : 7) * DAY_MS)),
  );
});

const outcome = (state: 'queued' | 'failed' | 'cancelled') => ({
  state,
  failure: state === 'queued' ? null : `"${state}"`,
  events: [`{"state":"${state}"}`],
});
const OUTCOMES: LostJobOutcomes = {
  again: outcome('queued'),
  givenUp: outcome('failed'),
  cancelled: outcome('cancelled'),
};

const expiryOf = async () => iso(NOW + DAY_MS);

test('of jobs that lost their runner each ends or is queued with its event; one that was to be cancelled does not wait for ever', async () => {
  const ids = [await job(), await job(), await job(), await job()];
  for (const _ of ids) await claimJob(db(), 'gone', iso(NOW), -1_000, ['score']);
  const [once = '', twice = '', cancelled = '', alive = ''] = ids;
  await db().updateTable('jobs').set({ attempts: 2 }).where('id', '=', twice).execute();
  await db().updateTable('jobs').set({ cancel_requested: true }).where('id', '=', cancelled).execute();
  await db()
    .updateTable('jobs')
    .set({ lease_until: iso(Date.now() + 60_000) })
    .where('id', '=', alive)
    .execute();
  assert.deepEqual(await reapJobs(db(), iso(NOW + 11_000), 2, OUTCOMES, expiryOf), [once, twice, cancelled]);
  const states = async () => Promise.all(ids.map(async (id) => (await jobById(db(), id))?.state));
  assert.deepEqual(await states(), ['queued', 'failed', 'cancelled', 'running']);
  const expiries = await Promise.all(ids.map(async (id) => (await jobById(db(), id))?.expires_at));
  assert.deepEqual(expiries, [null, iso(NOW + DAY_MS), iso(NOW + DAY_MS), null], 'what ended is deleted some day');
  assert.deepEqual(await eventsAfter(db(), twice, 0), [{ seq: 1, event: '{"state":"failed"}' }]);
  assert.deepEqual(await reapJobs(db(), iso(NOW + 11_000), 2, OUTCOMES, expiryOf), []);
});

test('a process that stops hands its jobs back untried; one that was to be cancelled ends', async () => {
  const [back, cancelled] = [await job(), await job()];
  for (const _ of [back, cancelled]) await claimJob(db(), 'stopping', iso(NOW), 10_000, ['score']);
  await db().updateTable('jobs').set({ cancel_requested: true }).where('id', '=', cancelled).execute();
  await releaseJobs(db(), 'stopping', iso(NOW), OUTCOMES, expiryOf);
  const [first, second] = [await jobById(db(), back), await jobById(db(), cancelled)];
  assert.deepEqual([first?.state, first?.attempts, first?.owner], ['queued', 0, null]);
  assert.deepEqual([second?.state, second?.failure, second?.finished_at], ['cancelled', '"cancelled"', iso(NOW)]);
  assert.deepEqual([first?.expires_at, second?.expires_at], [null, iso(NOW + DAY_MS)]);
  assert.equal((await claimJob(db(), 'next', iso(NOW), 10_000, ['score']))?.id, back);
});

test('events of ended jobs are packed and read as before, and later ones continue with the next number', async () => {
  const told = (numbers: readonly number[]) => numbers.map((number) => ({ seq: number, event: `{"event":${number}}` }));
  const insert = (id: string, state: string, finished: string | null) =>
    sql`insert into jobs (id, state, request, request_hash, deadline_seconds, key_id, created_at, finished_at)
      values (${id}, ${state}, '{}', ${id}, 60, 'key', ${iso(NOW)}, ${finished})`.execute(db());
  await insert('old', 'succeeded', iso(NOW - 2 * 3_600_000));
  await insert('new', 'succeeded', iso(NOW - 60_000));
  await insert('open', 'running', null);
  for (const id of ['old', 'new', 'open'])
    await appendEvents(
      db(),
      id,
      told([1, 2, 3]).map((row) => row.event),
    );
  assert.equal(await packEvents(db(), iso(NOW - 3_600_000), ''), null);
  const loose = await db().selectFrom('job_events').select('job_id').distinct().orderBy('job_id').execute();
  assert.deepEqual(
    loose.map((row) => row.job_id),
    ['new', 'open'],
  );
  assert.deepEqual(await eventsAfter(db(), 'old', 0), told([1, 2, 3]));
  assert.deepEqual(await eventsAfter(db(), 'old', 2), told([3]));
  assert.deepEqual(await eventsAfter(db(), 'old', 3), []);
  assert.deepEqual(await eventsAfter(db(), 'open', 1), told([2, 3]));
  assert.equal(await newestEventNumber(db(), 'old'), 3);
  await appendEvents(db(), 'old', ['{"event":4}']);
  assert.deepEqual(await eventsAfter(db(), 'old', 1), told([2, 3, 4]));
  assert.equal(await packEvents(db(), iso(NOW - 3_600_000), ''), null, 'later events stay loose');
  assert.deepEqual(await eventsAfter(db(), 'old', 3), told([4]));
});
