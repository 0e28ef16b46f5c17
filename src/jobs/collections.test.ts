import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import type { Identification, ScoreRequest } from '../domain/asset.ts';
import type { EvidenceRecord, ScoreReport } from '../domain/evidence.ts';
import { DAY_MS } from '../domain/statistics.ts';
import type { EarlyRequests } from '../evidence/early-requests.ts';
import { storeEvidence } from '../store/archive.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import type { JobNotification } from '../store/listening.ts';
import { noObjectStore } from '../store/moved.ts';
import { emptyBook } from './fixtures/book.ts';
import { createScoringService } from './service.ts';
import type { EarlyRequestTerms, Job, JobWork, ScoringOptions, ScoringService } from './types.ts';

let database: TestDatabase;
const open: ScoringService[] = [];
before(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close(0)));
  for (const table of ['idempotency', 'job_events', 'evidence', 'bodies', 'jobs'] as const)
    await database.store.db.deleteFrom(table).execute();
});
after(() => database.close());

const asked = (project: string): ScoreRequest => ({
  type: 'posttge',
  project,
  projectUrl: `https://${project}.example/words`,
  tokenSymbol: null,
  category: null,
  blockchain: null,
  tokenAddress: null,
});

/** The part of a project's name before the dash is the asset it means. */
const found = (project: string) => {
  const name = project.split('-')[0] ?? '';
  const asset = { id: `project:${name}.example`, chain: null, address: null, symbol: null, name, category: null };
  return {
    asset: { ...asset, website: `https://${name}.example/` },
    stage: 'pre_tge',
    registrableDomain: `${name}.example`,
    match: 1,
  } as unknown as Identification;
};

const evidenceOf = (jobId: string, request: ScoreRequest, purpose: 'publication' | 'partial') =>
  ({
    jobId,
    request,
    purpose,
    identification: found(request.project),
    methodologyHash: 'm',
  }) as unknown as EvidenceRecord;

const build = (evidence: EvidenceRecord) => {
  const { asset } = evidence.identification;
  const isPublished = evidence.purpose === 'publication';
  return {
    evidence,
    published: { asset, band: 'B', score: 50, trust: 60 },
    state: {},
    decision: { published: isPublished, because: isPublished ? [] : [{ code: 'partial_collection', detail: 'late' }] },
  } as unknown as ScoreReport;
};

/** Collections that go on until the test ends them. */
function scripted() {
  const collected: { readonly id: string; readonly request: ScoreRequest }[] = [];
  const ends = new Map<string, () => void>();
  const work: JobWork = {
    find: async ({ id, request }) => ({
      ok: true,
      identification: found(request.project),
      replies: () => [],
      early: null,
      partial: async () => evidenceOf(id, asked('ownfind'), 'partial'),
    }),
    collect: ({ id, request }, { signal, onFound, emit }) =>
      new Promise((resolve) => {
        collected.push({ id, request });
        emit({ type: 'source', source: 's', endpoint: 'e', outcome: 'ok', milliseconds: 1, observations: 2 });
        onFound(async (jobId) => evidenceOf(jobId, request, 'partial'));
        const end = () => resolve({ ok: true, evidence: evidenceOf(id, request, 'publication'), bodies: [] });
        ends.set(id, end);
        signal.addEventListener('abort', end, { once: true });
      }),
  };
  return {
    work,
    collected,
    end: () => {
      for (const end of ends.values()) end();
    },
  };
}

async function service(work: JobWork, change: Partial<ScoringOptions> = {}): Promise<ScoringService> {
  const made = await createScoringService({
    db: database.store.db,
    work,
    build,
    methodologyHash: 'm',
    encode(report) {
      const [record, result] = [report.evidence, report].map((value) =>
        new TextEncoder().encode(JSON.stringify(value)),
      );
      return { record: record ?? new Uint8Array(), result: result ?? new Uint8Array() };
    },
    peerOf: () => null,
    book: emptyBook,
    now: Date.now,
    ticks: () => performance.now(),
    random: randomBytes,
    concurrency: 4,
    queueLimit: 100,
    collectionSeconds: 60,
    freshSeconds: 0,
    unpublishedDays: 30,
    readMoved: noObjectStore,
    instanceId: `test-${Math.random()}`,
    bodyRetentionDays: 1,
    onError: (error, what) => assert.fail(`${what}: ${error}`),
    ...change,
  });
  open.push(made);
  return made;
}

const options = { keyId: 'k', idempotencyKey: null, deadlineSeconds: 60 };
const accepted = (result: Awaited<ReturnType<ScoringService['submit']>>): Job =>
  result.ok ? result.job : assert.fail(result.code);
const until = async (check: () => boolean | Promise<boolean>) => {
  for (let turn = 0; turn < 400; turn += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it did not happen within 10 s');
};
const waiting = async (jobs: ScoringService, ids: readonly string[]) => {
  for (const id of ids) await until(async () => (await jobs.get(id))?.collectionId !== null);
};

/** Stores evidence by finding the asset alone under a score, as another process does for it. */
const storedPartial = (jobId: string) => {
  const record = Buffer.from(JSON.stringify(evidenceOf(jobId, asked('ownfind'), 'partial')));
  const row = { jobId, record, result: record, resultSha256: 'x', at: new Date().toISOString() };
  return database.store.db.transaction().execute((transaction) => storeEvidence(transaction, [row]));
};

test('scores of one asset with different requests wait for one collection, which contains none of their texts', async () => {
  const { work, collected, end } = scripted();
  // One place: the scores that wait take none of it, or the collection could never end beside them.
  const jobs = await service(work, { concurrency: 1 });
  const ids = await Promise.all(
    ['tide-a', 'tide-b', 'tide-c', 'tide-d'].map(async (name) => accepted(await jobs.submit(asked(name), options)).id),
  );
  await waiting(jobs, ids);
  end();
  const ended = await Promise.all(ids.map((id) => jobs.wait(id, 10_000)));
  assert.deepEqual(
    ended.map((job) => job?.state),
    ids.map(() => 'succeeded'),
  );
  assert.deepEqual(
    collected.map(({ request }) => [request.project, request.projectUrl]),
    [['tide', 'https://tide.example/']],
  );
  for (const [index, id] of ids.entries()) {
    const job = ended[index];
    const report = await jobs.report(id);
    assert.equal(report?.evidence.jobId, job?.collectionId);
    assert.equal(report?.decision.published, true);
  }
  const rows = await database.store.db.selectFrom('evidence').select('job_id').execute();
  assert.deepEqual(rows.map((row) => row.job_id).sort(), collected.map((row) => row.id).sort(), 'no score stores any');
});

test('a score that is cancelled leaves the collection to the others', async () => {
  const { work, collected, end } = scripted();
  const jobs = await service(work);
  const first = accepted(await jobs.submit(asked('reef-a'), options)).id;
  await until(() => collected.length === 1);
  const second = accepted(await jobs.submit(asked('reef-b'), options)).id;
  await waiting(jobs, [first, second]);
  assert.equal(await jobs.cancel(first), true);
  assert.equal((await jobs.wait(first, 10_000))?.state, 'cancelled');
  end();
  assert.equal((await jobs.wait(second, 10_000))?.state, 'succeeded');
  assert.equal(collected.length, 1);
});

test('a caller with a short deadline gets the partial result under its own job, and the collection continues', async () => {
  const { work, collected, end } = scripted();
  const jobs = await service(work);
  const hasty = accepted(await jobs.submit(asked('cove-a'), { ...options, deadlineSeconds: 1 })).id;
  const patient = accepted(await jobs.submit(asked('cove-b'), options)).id;
  assert.equal((await jobs.wait(hasty, 10_000))?.state, 'succeeded');
  const partial = await jobs.report(hasty);
  assert.deepEqual([partial?.evidence.jobId, partial?.decision.published], [hasty, false]);
  assert.equal(partial?.evidence.request.project, 'cove');
  assert.equal((await jobs.get(patient))?.state, 'running');
  end();
  assert.equal((await jobs.wait(patient, 10_000))?.state, 'succeeded');
  assert.equal((await jobs.report(patient))?.decision.published, true);
  assert.equal(collected.length, 1);
});

test('where partial evidence of a score is stored already, its events say what that says', async () => {
  const { work } = scripted();
  // Evidence by finding the asset alone scores 40, that of the collection 50.
  const scored = (evidence: EvidenceRecord) => {
    const report = build(evidence);
    const score = evidence.request.project === 'ownfind' ? 40 : 50;
    return { ...report, published: { ...report.published, score } };
  };
  const jobs = await service(work, { build: scored });
  const id = accepted(await jobs.submit(asked('sound-a'), { ...options, deadlineSeconds: 1 })).id;
  await storedPartial(id);
  assert.equal((await jobs.wait(id, 10_000))?.state, 'succeeded');
  const said = [];
  for await (const event of jobs.events(id, 0, AbortSignal.timeout(10_000)))
    if (event.type === 'result') said.push(event.score);
  assert.deepEqual([said, (await jobs.report(id))?.published.score], [[40], 40]);
});

test('partial evidence of an attempt whose process is gone is not the result of the next one', async () => {
  const { work, collected } = scripted();
  const first = await service(work, { instanceId: 'gone' });
  const id = accepted(await first.submit(asked('gulf-a'), { ...options, deadlineSeconds: 2 })).id;
  await until(() => collected.length === 1);
  await storedPartial(id);
  await first.close(0);
  const next = await service(work);
  assert.equal((await next.wait(id, 10_000))?.state, 'succeeded');
  assert.equal((await next.report(id))?.evidence.request.project, 'gulf');
});

test('equal requests are joined only where the remaining time of the caller allows it', async () => {
  const { work, end } = scripted();
  const jobs = await service(work);
  const hasty = accepted(await jobs.submit(asked('fjord'), { ...options, deadlineSeconds: 1 })).id;
  const patient = accepted(await jobs.submit(asked('fjord'), { ...options, deadlineSeconds: 30 })).id;
  assert.notEqual(patient, hasty);
  const same = await jobs.submit(asked('fjord'), { ...options, deadlineSeconds: 30 });
  assert.ok(same.ok && same.joined && same.job.id === patient);
  await jobs.wait(hasty, 10_000);
  end();
  await jobs.wait(patient, 10_000);
  assert.equal((await jobs.report(patient))?.decision.published, true);
});

test('the partial result comes from the process that runs the collection', async () => {
  const listeners = new Set<(told: JobNotification) => void>();
  const jobSignals = {
    notify: (told: JobNotification) =>
      setImmediate(() => {
        for (const listener of listeners) listener(told);
      }),
    listen(onNotification: (told: JobNotification) => void) {
      listeners.add(onNotification);
      return { close: async () => void listeners.delete(onNotification) };
    },
  };
  const [there, here] = [scripted(), scripted()];
  const other = await service(there.work, { jobSignals });
  const long = accepted(await other.submit(asked('strand-a'), options)).id;
  await until(() => there.collected.length === 1);
  // From here on the other process has no place for new jobs.
  await other.cancel(long);
  const jobs = await service(here.work, { jobSignals, instanceId: 'here' });
  for (let turn = 0; turn < 4; turn += 1) {
    const hasty = accepted(await jobs.submit(asked(`strand-b${turn}`), { ...options, deadlineSeconds: 1 })).id;
    assert.equal((await jobs.wait(hasty, 10_000))?.state, 'succeeded');
    const partial = await jobs.report(hasty);
    // Not what finding the asset taught, which is all that this process has by itself.
    assert.equal(partial?.evidence.request.project, 'strand');
    assert.equal(partial?.evidence.jobId, hasty);
  }
  assert.equal(here.collected.length, 0);
  there.end();
});

test('a process that stops hands scores and their collection back, and the next one ends both', async () => {
  const first = scripted();
  const before = await service(first.work);
  const id = accepted(await before.submit(asked('quay-a'), options)).id;
  await waiting(before, [id]);
  await before.close(0);
  const { db } = database.store;
  const rows = await db.selectFrom('jobs').select(['kind', 'state', 'attempts']).orderBy('kind').execute();
  assert.deepEqual(rows, [
    { kind: 'collection', state: 'queued', attempts: 0 },
    { kind: 'score', state: 'queued', attempts: 0 },
  ]);
  const next = scripted();
  const jobs = await service(next.work);
  await until(() => next.collected.length === 1);
  await until(async () => (await jobs.get(id))?.state === 'running');
  next.end();
  assert.equal((await jobs.wait(id, 10_000))?.state, 'succeeded');
  assert.equal(next.collected[0]?.id, first.collected[0]?.id);
});

test('five requests at once with one idempotency key and five bodies make one job', async () => {
  const { work, end } = scripted();
  const jobs = await Promise.all([service(work), service(work), service(work)]);
  const send = (index: number, body: number) =>
    (jobs[index % 3] as ScoringService).submit(asked(`isle${body}-a`), { ...options, idempotencyKey: 'five' });
  const five = await Promise.all([0, 1, 2, 3, 4].map((index) => send(index, index)));
  const [kept, ...more] = five.flatMap((result) => (result.ok ? [result.job] : []));
  assert.ok(kept && more.length === 0, `${more.length + 1} jobs`);
  assert.deepEqual(
    [...new Set(five.flatMap((result) => (result.ok ? [] : [result.code])))],
    ['idempotency_key_reused'],
  );
  const winner = Number(kept.request.project.charAt(4));
  const again = await Promise.all([0, 1, 2].map((index) => send(index, winner)));
  assert.deepEqual([...new Set(again.map((result) => accepted(result).id))], [kept.id]);
  const scores = await database.store.db.selectFrom('jobs').select('id').where('kind', '=', 'score').execute();
  assert.equal(scores.length, 1);
  end();
});

test('an unpublished score leaves ratings unchanged, and is deleted with its replies when it expires', async () => {
  const { db } = database.store;
  const { work, end } = scripted();
  let now = Date.now();
  const told: string[] = [];
  const bodyOf = (letter: string) => ({
    sha256: letter.repeat(64),
    source: 's',
    body: Buffer.from(letter),
    keepDays: null,
  });
  const jobs = await service(
    {
      ...work,
      async collect(job, tools) {
        const outcome = await work.collect(job, tools);
        return outcome.ok ? { ...outcome, bodies: [bodyOf('a'), bodyOf('b')] } : outcome;
      },
    },
    {
      now: () => now,
      bodyRetentionDays: 365,
      build: (evidence) => ({
        ...build(evidence),
        decision: { published: false, because: [{ code: 'evidence_below_floor', detail: 'thin' }] },
      }),
      book: {
        lock: async () => new Map(),
        keep: async () => void told.push('keep'),
        hold: async () => void told.push('hold'),
        wanted: async () => void told.push('wanted'),
      },
      peerOf: () => assert.fail('what is not published is nobody’s peer'),
      onRated: () => void told.push('rated'),
    },
  );
  const score = async (name: string) => {
    const id = accepted(await jobs.submit(asked(name), options)).id;
    await waiting(jobs, [id]);
    end();
    const job = await jobs.wait(id, 10_000);
    assert.equal(job?.state, 'succeeded');
    return { id, collection: job.collectionId ?? '', report: await jobs.report(id) };
  };
  const unpublished = await score('shoal-a');
  assert.deepEqual(told, ['hold']);
  assert.equal(unpublished.report?.decision.because[0]?.code, 'evidence_below_floor');
  assert.equal((await jobs.get(unpublished.collection))?.isReceipt, false);
  now += 29 * DAY_MS;
  await jobs.tidy();
  assert.ok(await jobs.evidence(unpublished.id));
  now += 2 * DAY_MS;
  await jobs.tidy();
  for (const id of [unpublished.id, unpublished.collection]) assert.equal(await jobs.get(id), null, id);
  assert.equal(await jobs.evidence(unpublished.collection), null);
  const bodies = await db.selectFrom('bodies').select('sha256').execute();
  assert.deepEqual(bodies, [], 'both were of unpublished results alone');
});

test('replies that a published rating rests on outlive the unpublished results that used them too', async () => {
  const { db } = database.store;
  const { work, end } = scripted();
  let now = Date.now();
  let isPublished = true;
  const shared = { sha256: 'c'.repeat(64), source: 's', body: Buffer.from('c'), keepDays: null };
  const own = { sha256: 'd'.repeat(64), source: 's', body: Buffer.from('d'), keepDays: null };
  const jobs = await service(
    {
      ...work,
      async collect(job, tools) {
        const outcome = await work.collect(job, tools);
        return outcome.ok ? { ...outcome, bodies: isPublished ? [shared] : [shared, own] } : outcome;
      },
    },
    {
      now: () => now,
      bodyRetentionDays: 365,
      build: (evidence) => ({ ...build(evidence), decision: { published: isPublished, because: [] } }),
    },
  );
  for (const name of ['bank-a', 'bank-b']) {
    const id = accepted(await jobs.submit(asked(name), options)).id;
    await waiting(jobs, [id]);
    end();
    await jobs.wait(id, 10_000);
    isPublished = false;
  }
  now += 31 * DAY_MS;
  await jobs.tidy();
  const [kept, ...more] = await db.selectFrom('jobs').select(['id', 'kind']).execute();
  assert.ok(kept?.kind === 'collection' && more.length === 0, JSON.stringify([kept, ...more]));
  assert.ok(await jobs.evidence(kept.id));
  assert.deepEqual(await db.selectFrom('bodies').select('sha256').execute(), [{ sha256: shared.sha256 }]);
});

test('evidence is wanted ahead only where the score would start a collection here', async () => {
  const terms: EarlyRequestTerms[] = [];
  const stopped: string[] = [];
  const begun: (string | null)[] = [];
  const { work, end } = scripted();
  let hasQuota = true;
  const jobs = await service(
    {
      async find(job, tools) {
        if (tools.early) terms.push(tools.early);
        const found = await work.find(job, tools);
        const { project } = job.request;
        const ahead: EarlyRequests = {
          request: () => undefined,
          pending: () => null,
          endedAt: () => null,
          stop: () => void stopped.push(project),
        };
        return found.ok ? { ...found, early: ahead } : found;
      },
      collect(job, tools) {
        begun.push(tools.early === null ? null : job.request.project);
        return work.collect(job, tools);
      },
    },
    {
      concurrency: 1,
      collectionQuota: async () => ({
        hasCapacity: async () => hasQuota,
        take: async () => null,
        giveBack: async () => undefined,
      }),
    },
  );
  const first = accepted(await jobs.submit(asked('mole-a'), options)).id;
  await waiting(jobs, [first]);
  const [ahead] = terms;
  assert.ok(ahead);
  assert.equal(ahead.mostMs, 60_000);
  assert.equal(await ahead.isWanted(found('dune-a').asset.id), false, 'no place: one collection is under way');
  const second = accepted(await jobs.submit(asked('mole-b'), options)).id;
  await waiting(jobs, [second]);
  assert.deepEqual([begun, stopped], [['mole'], ['mole-b']], 'who joins a collection needs nothing ahead of it');
  end();
  for (const id of [first, second]) assert.equal((await jobs.wait(id, 10_000))?.state, 'succeeded');
  assert.equal(await ahead.isWanted(found('dune-a').asset.id), true);
  hasQuota = false;
  assert.equal(await ahead.isWanted(found('dune-a').asset.id), false, 'no quota');
});
