import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { JobEvent } from '../contract/index.ts';
import type { EvidenceRecord, ScoreReport, ScoreRequest } from '../domain/index.ts';
import {
  accountOf,
  activeJob,
  appendEventsIn,
  countWaiting,
  createJobReader,
  eventsAfter,
  evidenceOf,
  exceedsShare,
  insertOrJoin,
  type JobRow,
  jobById,
  jobUnderWay,
  lockName,
  lockShare,
  namedJob,
  nameJob,
  newestEventNumber,
  noteJoined,
  ownershipOf,
  requestCancel,
  type Tables,
  withdrawJob,
} from '../store/index.ts';
import { JOB_ID, newJobId, startCollection, storedRequest } from './attach.ts';
import { failureOf } from './failures.ts';
import { expiryAfter, keptDays, outcomeBy, queuedEvent } from './finish.ts';
import { createRunner } from './runner.ts';
import { createSignals, POLL_MS, waitForChange } from './signals.ts';
import type {
  Job,
  JobFailure,
  ResultOrigin,
  ScoringOptions,
  ScoringService,
  SubmitOptions,
  SubmitResult,
} from './types.ts';

const MOST_CACHED = 50;
/** Typical time until one of an account's jobs ends. */
const SHARE_RETRY_SECONDS = 5;
/** A running job is joined when it leaves its caller at least this share of the requested time. */
const JOINED_SHARE = 0.9;
const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/**
 * The lifecycle of scoring jobs on the store: durable, joinable, resumable, cancellable
 * (docs/decisions/0005-job-queue.md).
 */
export async function createScoringService(options: ScoringOptions): Promise<ScoringService> {
  const { db, now } = options;
  const signals = createSignals((jobId, told) => options.jobSignals?.notify({ jobId, jobSignal: told }));
  const reports = new LRUCache<string, ScoreReport>({ max: MOST_CACHED });
  const stored = async (jobId: string) => {
    const row = JOB_ID.test(jobId) ? await evidenceOf(db, jobId, options.readMoved) : null;
    return row ? { ...row, evidence: JSON.parse(new TextDecoder().decode(row.record)) as EvidenceRecord } : null;
  };
  /** By the id under which the evidence is stored, so that scores with one result share it. */
  const reportOf = async (jobId: string) => {
    const known = reports.get(jobId);
    if (known) return known;
    const row = await stored(jobId);
    if (!row) return null;
    const report =
      row.evidence.methodologyHash === options.methodologyHash ? options.build(row.evidence) : readReport(row.result);
    reports.set(jobId, report);
    return report;
  };
  const runner = createRunner(options, signals, reportOf, (jobId, report) => reports.set(jobId, report));
  let closing = false;
  const leaving = new AbortController();
  await runner.start();
  const heard = options.jobSignals?.listen(({ jobId, jobSignal }) => {
    signals.onNotified(jobId, jobSignal);
    if (jobSignal === 'waiting') runner.accepted();
    if (jobSignal === 'cancelled') runner.cancel(jobId);
    if (jobSignal === 'partial')
      void runner.sendPartial(jobId).catch((error: unknown) => options.onError(error, `partial answer for ${jobId}`));
  });

  /**
   * Stores the result of `insert` as a job of the key's account, or refuses it: in one transaction, so that concurrent
   * requests exceed neither the queue's nor the account's limit.
   */
  async function admit(
    { keyId, share, idempotencyKey, bodySha256 }: Admission,
    insert: (
      transaction: Transaction<Tables>,
      at: string,
    ) => Promise<{ readonly row: JobRow; readonly joined: boolean }>,
  ): Promise<SubmitResult> {
    const at = new Date(now()).toISOString();
    const waiting = await countWaiting(db);
    const accepted = await db.transaction().execute(async (transaction): Promise<Accepted> => {
      const accountId = await accountOf(transaction, keyId);
      if (idempotencyKey !== null) {
        await lockName(transaction, accountId, idempotencyKey);
        const earlier = await namedJob(transaction, accountId, idempotencyKey, now());
        if (earlier && earlier.request_hash !== bodySha256) return { refused: KEY_REUSED };
        const row = earlier ? await jobById(transaction, earlier.job_id) : undefined;
        if (row) return { row, joined: true };
      }
      if (waiting >= options.queueLimit) return { refused: tooManyJobs(options.queueLimit) };
      if (share) await lockShare(transaction, share.accountId);
      const { row, joined } = await insert(transaction, at);
      // A joined job belongs to another caller: it occupies no slot.
      if (share && !joined && (await exceedsShare(transaction, share))) {
        await withdrawJob(transaction, row.id);
        return { refused: sharedOut(share.most) };
      }
      if (joined) await noteJoined(transaction, { jobId: row.id, accountId, bodySha256, at });
      else await appendEventsIn(transaction, row.id, [queuedEvent(at)]);
      if (idempotencyKey !== null)
        await nameJob(transaction, { accountId, name: idempotencyKey, bodySha256, jobId: row.id, at });
      return { row, joined };
    });
    if ('refused' in accepted) return accepted.refused;
    const { row, joined } = accepted;
    if (!joined) {
      signals.notify(row.id, 'waiting');
      runner.accepted();
    }
    return { ok: true, job: toJob(row), joined };
  }

  const readJob = createJobReader(db);
  const rowOf = async (jobId: string) => (JOB_ID.test(jobId) ? await readJob(jobId) : undefined);
  const get = async (jobId: string) => {
    const row = await rowOf(jobId);
    return row ? toJob(row) : null;
  };

  return {
    get,
    evidence: async (jobId) => (await stored(jobId))?.evidence ?? null,
    requesterOf: async (jobId, accountId) => (JOB_ID.test(jobId) ? ownershipOf(db, jobId, accountId) : null),
    underWay: (assetId, accountId) => jobUnderWay(db, assetId, accountId),
    async submit(request, { keyId, idempotencyKey, bodySha256 = exactHash(request), deadlineSeconds, share }) {
      if (closing) return SHUTTING_DOWN;
      const id = newJobId(request.type, options);
      return admit({ keyId, share, idempotencyKey, bodySha256 }, async (transaction, at) => {
        // The same request and time limit; a job that would leave this caller less time is not joined.
        const words = requestHash({ ...request, deadlineSeconds: Math.round(deadlineSeconds) });
        const active = await activeJob(transaction, words);
        const isShort = active !== undefined && secondsLeft(active, now()) < JOINED_SHARE * deadlineSeconds;
        return insertOrJoin(transaction, {
          id,
          kind: 'score',
          asset_id: null,
          request: JSON.stringify(request),
          request_hash: isShort ? `${words} ${id}` : words,
          deadline_seconds: Math.round(deadlineSeconds),
          key_id: keyId,
          created_at: at,
        });
      });
    },
    async collect(assetId, { keyId, share }) {
      if (closing) return SHUTTING_DOWN;
      const request = await storedRequest(db, assetId);
      if (request === null) return null;
      return admit({ keyId, share, idempotencyKey: null, bodySha256: exactHash(request) }, (transaction) =>
        startCollection(options, { assetId, request, keyId }, null, transaction),
      );
    },
    async wait(jobId, waitMs, ended) {
      const signal = AbortSignal.any([leaving.signal, ...(ended ? [ended] : [])]);
      const until = performance.now() + waitMs;
      for (;;) {
        const changed = signals.next(jobId);
        const job = await get(jobId);
        const left = until - performance.now();
        if (!job || ENDED.has(job.state) || left <= 0 || signal.aborted) return job;
        await waitForChange(changed, left, signal);
      }
    },
    async report(jobId) {
      const row = await rowOf(jobId);
      return row === undefined ? null : reportOf(row.answered_by ?? row.id);
    },
    newestEvent: async (jobId) => (JOB_ID.test(jobId) ? newestEventNumber(db, jobId) : 0),
    async *events(jobId, afterSeq, ended) {
      const signal = AbortSignal.any([leaving.signal, ended]);
      let last = afterSeq;
      while (!signal.aborted) {
        const changed = signals.nextEvent(jobId);
        const job = await get(jobId);
        if (!job) return;
        const rows = await eventsAfter(db, jobId, last);
        for (const row of rows) {
          last = row.seq;
          yield { ...(JSON.parse(row.event) as object), seq: row.seq } as JobEvent;
        }
        if (rows.length === 0 && ENDED.has(job.state)) return;
        if (rows.length === 0) await waitForChange(changed, POLL_MS, signal);
      }
    },
    async cancel(jobId) {
      if (!JOB_ID.test(jobId)) return false;
      const asked = await jobById(db, jobId);
      if (asked === undefined) return false;
      const at = new Date(now()).toISOString();
      const expiresAt = expiryAfter(options, await keptDays(options, jobId, asked.key_id));
      const row = await requestCancel(db, jobId, outcomeBy(failureOf.cancelled(), at), { at, expiresAt });
      if (!row) return false;
      signals.notify(jobId, 'cancelled');
      runner.cancel(jobId);
      return true;
    },
    answerWaiting: () => leaving.abort(),
    tidy: runner.tidy,
    async close(graceMs) {
      closing = true;
      await runner.close(graceMs);
      await heard?.close();
    },
  };
}

function toJob(row: JobRow): Job {
  const isCollection = row.kind === 'collection';
  return {
    id: row.id,
    kind: isCollection ? 'collection' : 'score',
    state: row.state as Job['state'],
    request: JSON.parse(row.request) as ScoreRequest,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    attempts: row.attempts,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as JobFailure),
    assetId: row.asset_id,
    collectionId: isCollection ? row.id : row.collection_id,
    answer: row.answer === null ? null : (JSON.parse(row.answer) as ResultOrigin),
    // Published results do not expire; scores of versions before collections were published themselves.
    isReceipt: row.state === 'succeeded' && row.expires_at === null,
  };
}

type Admission = Required<Pick<SubmitOptions, 'keyId' | 'idempotencyKey' | 'bodySha256'>> &
  Pick<SubmitOptions, 'share'>;
type Accepted = { readonly row: JobRow; readonly joined: boolean } | { readonly refused: Refused };
type Refused = SubmitResult & { readonly ok: false };

function refused(code: Refused['code'], detail: string, retryAfterSeconds: number | null): Refused {
  return { ok: false, code, detail, retryAfterSeconds };
}

const SHUTTING_DOWN = refused('shutting_down', 'The service is stopping; send the request again to the next one.', 5);
const KEY_REUSED = refused(
  'idempotency_key_reused',
  'This Idempotency-Key was used for another request in the last 24 hours.',
  null,
);
const tooManyJobs = (most: number) => refused('too_many_jobs', `${most} jobs are waiting already.`, 10);
const sharedOut = (most: number) =>
  refused(
    'concurrency_limited',
    `The account has ${most} scoring jobs waiting or running, as many as its plan allows at once.`,
    SHARE_RETRY_SECONDS,
  );

/** A report as stored; reports from before results could be withheld were published. */
function readReport(result: Uint8Array): ScoreReport {
  const report = JSON.parse(new TextDecoder().decode(result)) as Omit<ScoreReport, 'decision'> & Partial<ScoreReport>;
  return { ...report, decision: report.decision ?? { published: true, because: [] } };
}

/** Remaining time of a job; all of it while it is queued. */
function secondsLeft(row: JobRow, now: number): number {
  if (row.started_at === null || row.state === 'queued') return row.deadline_seconds;
  return row.deadline_seconds - (now - Date.parse(row.started_at)) / 1_000;
}

/** Equality of requests: names are compared without case and outer blanks. */
function requestHash(request: ScoreRequest & { readonly deadlineSeconds: number }): string {
  return exactHash(
    Object.fromEntries(
      Object.entries(request).map(([name, value]) => [
        name,
        typeof value === 'string' && name !== 'tokenAddress' && name !== 'projectUrl'
          ? value.trim().toLowerCase()
          : value,
      ]),
    ),
  );
}

function exactHash(value: object): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}
