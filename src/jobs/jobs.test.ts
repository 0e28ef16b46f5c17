import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, mock, test } from 'node:test';
import pg from 'pg';
import type { JobEvent } from '../contract/job.ts';
import type { ScoreRequest } from '../domain/asset.ts';
import { DAY_MS } from '../domain/statistics.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { noObjectStore } from '../store/moved.ts';
import { failureOf } from './failures.ts';
import { emptyBook } from './fixtures/book.ts';
import { createScoringService } from './service.ts';
import type { Job, JobSignals, JobWork, ScoringService } from './types.ts';

let database: TestDatabase;
const open: ScoringService[] = [];
before(async () => {
  database = await testDatabase();
});
// Services of one test must not take the jobs of the next.
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close(0)));
  for (const table of ['idempotency', 'job_events', 'jobs'] as const)
    await database.store.db.deleteFrom(table).execute();
});
after(() => database.close());

async function service(
  find: JobWork['find'],
  change: {
    readonly concurrency?: number;
    readonly queueLimit?: number;
    readonly name?: string;
    readonly jobSignals?: JobSignals;
  } = {},
): Promise<ScoringService> {
  const made = await createScoringService({
    db: database.store.db,
    work: { find, collect: () => assert.fail('no asset of these tests is found') },
    build: () => assert.fail('no job of these tests succeeds'),
    peerOf: () => null,
    encode: () => ({ record: new Uint8Array(), result: new Uint8Array() }),
    book: emptyBook,
    now: Date.now,
    ticks: () => performance.now(),
    random: randomBytes,
    concurrency: change.concurrency ?? 4,
    queueLimit: change.queueLimit ?? 100,
    instanceId: change.name ?? `test-${Math.random()}`,
    bodyRetentionDays: 1,
    methodologyHash: '',
    collectionSeconds: 20,
    freshSeconds: 0,
    unpublishedDays: 30,
    readMoved: noObjectStore,
    onError: () => undefined,
    ...(change.jobSignals ? { jobSignals: change.jobSignals } : {}),
  });
  open.push(made);
  return made;
}

let count = 0;
const request = (project = `project ${++count}`): ScoreRequest => ({
  type: 'PostTGE',
  project,
  projectUrl: 'https://a.example/',
  tokenSymbol: null,
  category: null,
  blockchain: null,
  tokenAddress: null,
});
const options = { keyId: 'k', idempotencyKey: null, deadlineSeconds: 20 };
/** A worker whose jobs end when the test says so. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run: JobWork['find'] = (job, { signal, emit }) =>
    new Promise((resolve) => {
      started.push(job.request.project);
      emit({ type: 'source', source: 's', endpoint: 'e', outcome: 'ok', milliseconds: 1, observations: 2 });
      const end = () =>
        resolve({
          ok: false,
          failure: signal.aborted ? failureOf.cancelled() : failureOf.nobodyAnswered(),
        });
      ends.set(job.request.project, end);
      signal.addEventListener('abort', end, { once: true });
    });
  return { run, started, end: (project: string) => ends.get(project)?.() };
}
const until = async (check: () => boolean | Promise<boolean>) => {
  for (let i = 0; i < 200; i += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it did not happen within 5 s');
};
const accepted = (result: Awaited<ReturnType<ScoringService['submit']>>): Job =>
  result.ok ? result.job : assert.fail(result.code);

test('ids have the shape of the contract, and the same request under way is joined', async () => {
  const worker = controlled();
  const jobs = await service(worker.run);
  const wanted = request('Twin');
  const [a, b] = await Promise.all([
    jobs.submit(wanted, options),
    jobs.submit({ ...wanted, project: 'twin ' }, options),
  ]);
  assert.match(accepted(a).id, /^posttge_\d{13}_[a-z0-9]{8}$/);
  assert.equal(accepted(a).id, accepted(b).id);
  assert.equal([a, b].filter((row) => row.ok && row.joined).length, 1);
  await until(() => worker.started.length === 1);
  worker.end('Twin');
  worker.end('twin ');
  assert.equal((await jobs.wait(accepted(a).id, 5_000))?.state, 'failed');
  const again = await jobs.submit(wanted, options);
  assert.notEqual(accepted(again).id, accepted(a).id);
});

test('a request equal to a job that is being cancelled starts a job of its own', async () => {
  const worker = controlled();
  const there = await service(worker.run, { name: 'there' });
  const wanted = request();
  const first = accepted(await there.submit(wanted, options));
  await until(() => worker.started.length === 1);
  // No notices between the two: the process that runs the job hears of its end with its next heartbeat.
  const here = await service(worker.run, { name: 'here' });
  assert.equal(await here.cancel(first.id), true);
  assert.equal((await here.get(first.id))?.state, 'running');
  const second = await here.submit(wanted, options);
  assert.ok(second.ok && !second.joined);
  assert.notEqual(second.job.id, first.id);
  await until(() => worker.started.length === 2);
  const third = await here.submit(wanted, options);
  assert.ok(third.ok && third.joined && third.job.id === second.job.id);
  assert.equal((await here.wait(first.id, 5_000))?.state, 'cancelled');
  worker.end(wanted.project);
  assert.equal((await here.wait(second.job.id, 5_000))?.failure?.code, failureOf.nobodyAnswered().code);
});

test('an idempotency key identifies one job, and one request only', async () => {
  const worker = controlled();
  const jobs = await service(worker.run);
  const wanted = request();
  const first = accepted(await jobs.submit(wanted, { ...options, idempotencyKey: 'once' }));
  await until(() => worker.started.includes(wanted.project));
  worker.end(wanted.project);
  await jobs.wait(first.id, 5_000);
  assert.equal(accepted(await jobs.submit(wanted, { ...options, idempotencyKey: 'once' })).id, first.id);
  const other = await jobs.submit(request(), { ...options, idempotencyKey: 'once' });
  assert.equal(!other.ok && other.code, 'idempotency_key_reused');
  assert.notEqual(
    accepted(await jobs.submit(wanted, { ...options, keyId: 'another', idempotencyKey: 'once' })).id,
    first.id,
  );
});

test('jobs beyond the places wait in order, and beyond the queue are refused', async () => {
  const worker = controlled();
  const jobs = await service(worker.run, { concurrency: 1, queueLimit: 2 });
  const wanted = [request(), request(), request()];
  for (const row of wanted) {
    accepted(await jobs.submit(row, options));
    await until(() => worker.started.length >= 1);
  }
  const refused = await jobs.submit(request(), options);
  assert.equal(!refused.ok && refused.code, 'too_many_jobs');
  for (const row of wanted) {
    await until(() => worker.started.includes(row.project));
    worker.end(row.project);
  }
  assert.deepEqual(
    worker.started,
    wanted.map((row) => row.project),
  );
  await jobs.close(1_000);
});

test('events are numbered without holes and can be read again from any of them', async () => {
  const worker = controlled();
  const jobs = await service(worker.run);
  const wanted = request();
  const { id } = accepted(await jobs.submit(wanted, options));
  const read = async (from: number) => {
    const seen: JobEvent[] = [];
    for await (const event of jobs.events(id, from, AbortSignal.timeout(5_000))) seen.push(event);
    return seen;
  };
  const live = read(0);
  await until(() => worker.started.includes(wanted.project));
  worker.end(wanted.project);
  const events = await live;
  assert.deepEqual(
    events.map((event) => event.seq),
    events.map((_, index) => index + 1),
  );
  assert.deepEqual(
    events.map((event) => event.type),
    ['state', 'state', 'source', 'failure', 'state'],
  );
  assert.deepEqual(await read(3), events.slice(3));
});

/** Time of a job's deletion, milliseconds. */
async function deletionOf(id: string): Promise<number> {
  const jobs = database.store.db.selectFrom('jobs').select('expires_at').where('id', '=', id);
  return Date.parse((await jobs.executeTakeFirstOrThrow()).expires_at ?? '');
}

test('a waiting job and a running job can be cancelled, an ended one cannot', async () => {
  const worker = controlled();
  const jobs = await service(worker.run, { concurrency: 1 });
  const [first, second] = [request(), request()];
  const running = accepted(await jobs.submit(first, options));
  await until(() => worker.started.includes(first.project));
  const waiting = accepted(await jobs.submit(second, options));
  assert.equal(await jobs.cancel(waiting.id), true);
  assert.equal((await jobs.get(waiting.id))?.state, 'cancelled');
  const days = ((await deletionOf(waiting.id)) - Date.now()) / DAY_MS;
  assert.equal(Math.round(days), 30, 'it is deleted like every job without a published rating');
  assert.equal(await jobs.cancel(running.id), true);
  const ended = await jobs.wait(running.id, 5_000);
  assert.equal(ended?.state, 'cancelled');
  assert.equal(ended?.failure?.code, 'cancelled');
  assert.equal(await jobs.cancel(running.id), false);
  assert.equal(await jobs.cancel('posttge_1_aaaaaaaa'), false);
});

test('a worker that throws fails its job and no other', async () => {
  const jobs = await service(() => Promise.reject(new Error('a bug')));
  const job = await jobs.wait(accepted(await jobs.submit(request(), options)).id, 5_000);
  assert.equal(job?.failure?.code, 'internal_error');
});

test('closing hands running jobs back, and the next process finishes them', async () => {
  const worker = controlled();
  const first = await service(worker.run);
  const wanted = request();
  const { id } = accepted(await first.submit(wanted, options));
  await until(() => worker.started.includes(wanted.project));
  await first.close(0);
  assert.equal((await first.get(id))?.state, 'queued');
  const refused = await first.submit(request(), options);
  assert.equal(!refused.ok && refused.code, 'shutting_down');
  const next = controlled();
  const second = await service(next.run);
  await until(() => next.started.includes(wanted.project));
  next.end(wanted.project);
  const job = await second.wait(id, 5_000);
  assert.equal(job?.state, 'failed');
  assert.equal(job?.attempts, 1);
});

test('a job whose process vanished is tried once more, then abandoned', async () => {
  const { db } = database.store;
  const jobs = await service(() => Promise.resolve({ ok: false, failure: failureOf.nobodyAnswered() }));
  const lost = async (attempts: number) => {
    const { id } = accepted(await jobs.submit(request(), options));
    await jobs.wait(id, 5_000);
    await db
      .updateTable('jobs')
      .set({
        state: 'running',
        owner: 'dead',
        lease_until: new Date(Date.now() - 1_000).toISOString(),
        attempts,
        failure: null,
        finished_at: null,
      })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const [once, twice] = [await lost(1), await lost(2)];
  await until(async () => (await jobs.get(once))?.failure?.code === 'no_source_reachable');
  await until(async () => (await jobs.get(twice))?.failure?.code === 'interrupted');
});

test('many jobs of another process’s notification are looked up once, and taken together', async () => {
  const { run, started } = controlled();
  let told: Parameters<JobSignals['listen']>[0] = () => undefined;
  const jobSignals: JobSignals = {
    notify: () => undefined,
    listen: (onNotification) => {
      told = onNotification;
      return { close: async () => undefined };
    },
  };
  await service(run, { concurrency: 10, jobSignals });
  // Another process, which has no room of its own.
  const other = await service(run, { concurrency: 0 });
  const jobs = await Promise.all(Array.from({ length: 3 }, () => other.submit(request(), options)));
  const ids = jobs.map((one) => (one.ok ? one.job.id : assert.fail('refused')));
  const spy = mock.method(pg.Client.prototype, 'query');
  for (let again = 0; again < 20; again += 1) for (const jobId of ids) told({ jobId, jobSignal: 'waiting' });
  while (started.length < ids.length) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const claims = spy.mock.calls.filter(({ arguments: [text] }) => String(text).includes("t.state = 'queued'")).length;
  spy.mock.restore();
  // Each job is one claim, and two find that nothing is left: of the call under way and of the one that waited.
  assert.ok(claims <= ids.length + 2, `${claims} claims`);
});
