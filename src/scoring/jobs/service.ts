import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { EvidenceRecord } from '../../domain/evidence.ts';
import type { ScoreRequest } from '../../domain/identification.ts';
import type { ScoreReport } from '../../domain/report.ts';
import { evidenceOf } from '../../store/archive.ts';
import { askerOf, noteJoined } from '../../store/job-askers.ts';
import {
  appendEventsIn,
  countWaiting,
  eventsAfter,
  exceedsShare,
  idempotentJob,
  insertOrJoin,
  type JobRow,
  jobById,
  lockShare,
  newestEventNumber,
  rememberIdempotency,
  requestCancel,
  withdrawJob,
} from '../../store/jobs.ts';
import { failureOf } from '../failures.ts';
import type { Job, JobEvent, JobFailure, ScoringService } from '../types.ts';
import { endingBy, queuedEvent } from './endings.ts';
import type { ScoringOptions } from './options.ts';
import { createRunner } from './runner.ts';
import { createSignals } from './signals.ts';

/** What is not written like an id cannot be one; the store need not see it. */
const JOB_ID = /^[a-z]{1,32}_\d{1,16}_[a-z0-9]{8}$/;
const POLL_MS = 500;
const MOST_CACHED = 50;
/** About the time in which one of an account's jobs ends. */
const SHARE_RETRY_SECONDS = 5;
const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/** The life of scoring jobs on the store: durable, joined, resumable, cancellable (docs/decisions/0005-job-queue.md). */
export async function createScoringService(options: ScoringOptions): Promise<ScoringService> {
  const { db, now } = options;
  const signals = createSignals((jobId, told) => options.news?.tell({ jobId, news: told }));
  const reports = new Map<string, ScoreReport>();
  const remember = (jobId: string, report: ScoreReport) => {
    if (reports.size >= MOST_CACHED) reports.delete(reports.keys().next().value ?? '');
    reports.set(jobId, report);
  };
  const runner = createRunner(options, signals, remember);
  let closing = false;
  const leaving = new AbortController();
  await runner.start();
  const heard = options.news?.listen(({ jobId, news }) => {
    signals.heard(jobId);
    if (news === 'waiting') runner.accepted();
    if (news === 'cancelled') runner.cancel(jobId);
  });

  const get = async (jobId: string) => {
    const row = JOB_ID.test(jobId) ? await jobById(db, jobId) : undefined;
    return row ? toJob(row) : null;
  };
  const evidence = async (jobId: string) => {
    const stored = JOB_ID.test(jobId) ? await evidenceOf(db, jobId) : null;
    return stored ? (JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord) : null;
  };

  return {
    get,
    evidence,
    askerOf: async (jobId, accountId) => (JOB_ID.test(jobId) ? askerOf(db, jobId, accountId) : null),
    async submit(request, { keyId, idempotencyKey, deadlineSeconds, share }) {
      if (closing)
        return {
          ok: false,
          code: 'shutting_down',
          detail: 'The service is stopping; send the request again to the next one.',
          retryAfterSeconds: 5,
        };
      const hash = requestHash(request);
      const at = new Date(now()).toISOString();
      if (idempotencyKey !== null) {
        const earlier = await idempotentJob(db, keyId, idempotencyKey, now());
        if (earlier && earlier.request_hash !== exactHash(request))
          return {
            ok: false,
            code: 'idempotency_key_reused',
            detail: 'This Idempotency-Key was used for another request in the last 24 hours.',
            retryAfterSeconds: null,
          };
        const job = earlier ? await get(earlier.job_id) : null;
        if (job) return { ok: true, job, joined: true };
      }
      if ((await countWaiting(db)) >= options.queueLimit)
        return {
          ok: false,
          code: 'too_many_jobs',
          detail: `${options.queueLimit} jobs are waiting already.`,
          retryAfterSeconds: 10,
        };
      const id = `${request.type.toLowerCase()}_${now()}_${suffix(options.random)}`;
      const accepted = await db.transaction().execute(async (transaction) => {
        if (share) await lockShare(transaction, share.accountId);
        const stored = await insertOrJoin(transaction, {
          id,
          request: JSON.stringify(request),
          request_hash: hash,
          deadline_seconds: Math.round(deadlineSeconds),
          key_id: keyId,
          created_at: at,
        });
        // A joined job is somebody's already: it takes no place.
        if (share && !stored.joined && (await exceedsShare(transaction, share))) {
          await withdrawJob(transaction, id);
          return null;
        }
        if (stored.joined)
          await noteJoined(transaction, { jobId: stored.row.id, keyId, requestHash: exactHash(request), at });
        else await appendEventsIn(transaction, id, [queuedEvent(at)]);
        if (idempotencyKey !== null)
          await rememberIdempotency(transaction, {
            key_id: keyId,
            idempotency_key: idempotencyKey,
            request_hash: exactHash(request),
            job_id: stored.row.id,
            created_at: at,
          });
        return stored;
      });
      if (accepted === null)
        return {
          ok: false,
          code: 'concurrency_limited',
          detail: `The account has ${share?.most} scoring jobs waiting or running, as many as its plan allows at once.`,
          retryAfterSeconds: SHARE_RETRY_SECONDS,
        };
      const { row, joined } = accepted;
      if (!joined) {
        signals.tell(row.id, 'waiting');
        runner.accepted();
      }
      return { ok: true, job: toJob(row), joined };
    },
    async wait(jobId, waitMs, ended) {
      const signal = AbortSignal.any([leaving.signal, ...(ended ? [ended] : [])]);
      const until = performance.now() + waitMs;
      for (;;) {
        const changed = signals.next(jobId);
        const job = await get(jobId);
        const left = until - performance.now();
        if (!job || ENDED.has(job.state) || left <= 0 || signal.aborted) return job;
        await either(changed, Math.min(left, POLL_MS), signal);
      }
    },
    async report(jobId) {
      const known = reports.get(jobId);
      if (known) return known;
      const record = await evidence(jobId);
      if (!record) return null;
      const report = options.build(record);
      remember(jobId, report);
      return report;
    },
    newestEvent: async (jobId) => (JOB_ID.test(jobId) ? newestEventNumber(db, jobId) : 0),
    async *events(jobId, afterSeq, ended) {
      const signal = AbortSignal.any([leaving.signal, ended]);
      let last = afterSeq;
      while (!signal.aborted) {
        const changed = signals.next(jobId);
        const job = await get(jobId);
        if (!job) return;
        const rows = await eventsAfter(db, jobId, last);
        for (const row of rows) {
          last = row.seq;
          yield { ...(JSON.parse(row.event) as object), seq: row.seq } as JobEvent;
        }
        if (rows.length === 0 && ENDED.has(job.state)) return;
        if (rows.length === 0) await either(changed, POLL_MS, signal);
      }
    },
    async cancel(jobId) {
      if (!JOB_ID.test(jobId)) return false;
      const at = new Date(now()).toISOString();
      const row = await requestCancel(db, jobId, endingBy(failureOf.cancelled(), at), at);
      if (!row) return false;
      signals.tell(jobId, 'cancelled');
      runner.cancel(jobId);
      return true;
    },
    answerWaiting: () => leaving.abort(),
    async close(graceMs) {
      closing = true;
      await runner.close(graceMs);
      await heard?.close();
    },
  };
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    state: row.state as Job['state'],
    request: JSON.parse(row.request) as ScoreRequest,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    attempts: row.attempts,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as JobFailure),
  };
}

/** Requests that ask for the same thing: names are compared without case and outer blanks. */
function requestHash(request: ScoreRequest): string {
  return exactHash(
    Object.fromEntries(
      Object.entries(request).map(([name, value]) => [
        name,
        typeof value === 'string' && name !== 'tokenAddress' && name !== 'projectUrl'
          ? value.trim().toLowerCase()
          : value,
      ]),
    ) as unknown as ScoreRequest,
  );
}

function exactHash(request: ScoreRequest): string {
  return createHash('sha256')
    .update(canonicalize(request) ?? '')
    .digest('hex');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

function suffix(random: (bytes: number) => Uint8Array): string {
  let text = '';
  // 252 = 7 x 36: bytes above would make some letters likelier.
  while (text.length < 8) for (const byte of random(8)) if (byte < 252 && text.length < 8) text += LETTERS[byte % 36];
  return text;
}

/** Whichever comes first: the change, the time, or the signal. */
function either(change: Promise<void>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
    change.then(done, done);
  });
}
