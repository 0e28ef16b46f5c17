import { createHash } from 'node:crypto';
import { DAY_MS, type EvidenceRecord, type ScoreReport } from '../domain/index.ts';
import {
  appendEventsIn,
  extendJob,
  finishJob,
  type JobEvidence,
  type JobOutcome,
  type LostJobOutcomes,
  storeEvidence,
} from '../store/index.ts';
import { failureOf } from './failures.ts';
import type { JobFailure, ResultOrigin, ScoringOptions } from './types.ts';

/** A job that ends, and the key that requested it. */
interface EndedJob {
  readonly jobId: string;
  readonly keyId: string;
}

/** Ends a job without a result. Returns the state it ended in. */
export async function finishFailed(
  options: ScoringOptions,
  { jobId, keyId }: EndedJob,
  failure: JobFailure,
): Promise<string> {
  const { db, now, instanceId } = options;
  const at = new Date(now()).toISOString();
  const outcome = outcomeBy(failure, at);
  const expiresAt = expiryAfter(options, await keptDays(options, jobId, keyId));
  const ended = { state: outcome.state, failure: outcome.failure, at, expiresAt };
  await db.transaction().execute(async (transaction) => {
    if (await finishJob(transaction, jobId, instanceId, ended))
      await appendEventsIn(transaction, jobId, outcome.events);
  });
  return outcome.state;
}

/**
 * Stores the partial evidence of a score, under the score only. Null when another process has stored partial evidence
 * meanwhile, which is then the score's result.
 */
export async function storePartial(
  options: ScoringOptions,
  jobId: string,
  evidence: EvidenceRecord,
): Promise<ScoreReport | null> {
  const report = options.build({ ...evidence, jobId, publication: null });
  const at = new Date(options.now()).toISOString();
  const stored = await options.db
    .transaction()
    .execute((transaction) => storeEvidence(transaction, [archivedOf(options, jobId, report, at)]));
  return stored.has(jobId) ? report : null;
}

/** Ends a score with a report: that of another job, or (null) its own partial one. */
export async function finishScore(
  options: ScoringOptions,
  { jobId, keyId }: EndedJob,
  {
    report,
    answeredBy,
    answer,
  }: { readonly report: ScoreReport; readonly answeredBy: string | null; readonly answer: ResultOrigin },
): Promise<string> {
  const { db, now, instanceId } = options;
  const at = new Date(now()).toISOString();
  const expiresAt = expiryAfter(options, await keptDays(options, jobId, keyId));
  const ended = {
    state: 'succeeded' as const,
    failure: null,
    at,
    expiresAt,
    answeredBy,
    answer: JSON.stringify(answer),
  };
  return db.transaction().execute(async (transaction) => {
    if (!(await finishJob(transaction, jobId, instanceId, ended))) return 'lost';
    if (answeredBy !== null) await extendJob(transaction, answeredBy, expiresAt);
    if (report.decision.published) await options.book.wanted(transaction, report.published.asset.id, at);
    await appendEventsIn(transaction, jobId, resultEvents(report, at));
    return 'succeeded';
  });
}

/** The archived part of a report. */
export function archivedOf(options: ScoringOptions, jobId: string, report: ScoreReport, at: string): JobEvidence {
  const { record, result } = options.encode(report);
  return { jobId, record, result, resultSha256: createHash('sha256').update(result).digest('hex'), at };
}

/** The events that close the stream of a job with a result. */
export function resultEvents(report: ScoreReport, at: string): readonly string[] {
  const { band, score, trust } = report.published;
  return [
    JSON.stringify({ type: 'result', band, score, trust, at }),
    JSON.stringify({ type: 'state', state: 'succeeded', at }),
  ];
}

/** Days until the unpublished result of a job is deleted, by the plans of the accounts that requested it. */
export async function keptDays(options: ScoringOptions, id: string, keyId: string): Promise<number> {
  return (await options.keptDays?.({ id, keyId })) ?? options.unpublishedDays;
}

/** Time of deletion after this number of days. */
export function expiryAfter({ now }: ScoringOptions, days: number): string {
  return new Date(now() + days * DAY_MS).toISOString();
}

/** The end of a job without a rating, with the two events that close its stream. */
export function outcomeBy(failure: JobFailure, at: string): JobOutcome & { readonly state: 'failed' | 'cancelled' } {
  const state = failure.code === 'cancelled' ? 'cancelled' : 'failed';
  const event = { type: 'failure', code: failure.code, detail: failure.detail, at };
  return {
    state,
    failure: JSON.stringify(failure),
    events: [JSON.stringify(event), JSON.stringify({ type: 'state', state, at })],
  };
}

/** Outcomes of jobs whose process died or stops. */
export function lostJobOutcomes(at: string): LostJobOutcomes {
  return {
    again: { state: 'queued', failure: null, events: [queuedEvent(at)] },
    givenUp: outcomeBy(failureOf.interrupted(), at),
    cancelled: outcomeBy(failureOf.cancelled(), at),
  };
}

export function queuedEvent(at: string): string {
  return JSON.stringify({ type: 'state', state: 'queued', at });
}
