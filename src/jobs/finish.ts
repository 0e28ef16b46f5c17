import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { DAY_MS, type EvidenceRecord, type ScoreReport } from '../domain/index.ts';
import {
  appendEventsIn,
  finishJob,
  type JobOutcome,
  type KeptBody,
  knownBodies,
  type LostJobOutcomes,
  outlive,
  packBody,
  storeBodies,
  storeEvidence,
  storePeer,
  type Tables,
} from '../store/index.ts';
import { failureOf } from './failures.ts';
import type { ArchivedBody, JobFailure, ScoreAnswer, ScoringOptions } from './types.ts';

/** A job that ends, and the key that asked for it. */
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
 * Ends a collection: result, evidence, bodies, published rating with its alerts and snapshots, peer and last events in one transaction. What
 * is not published is stored with an end, and touches neither ratings nor peers nor alerts. When the lease was lost in the
 * meantime nothing is stored: another process has the job. Null then.
 */
export async function finishCollection(
  options: ScoringOptions,
  { jobId, keyId, assetId }: { readonly jobId: string; readonly keyId: string; readonly assetId: string },
  outcome: { readonly evidence: EvidenceRecord; readonly bodies: readonly ArchivedBody[] },
): Promise<ScoreReport | null> {
  const { db, now, instanceId } = options;
  const at = new Date(now()).toISOString();
  const [kept, days, storeSnapshots] = await Promise.all([
    packBodies(options, outcome.bodies),
    keptDays(options, jobId, keyId),
    options.snapshots?.open(assetId, outcome.evidence.asOf),
  ]);
  const report = await db.transaction().execute(async (transaction) => {
    // The history is read under the lock: two ratings of one asset that end together are published one after the other.
    const states = await options.book.lock(transaction, [assetId]);
    const built = options.build({ ...outcome.evidence, publication: states.get(assetId) ?? null });
    const isPublished = built.decision.published;
    const expiresAt = isPublished ? null : expiryAfter(options, days);
    if (!(await finishJob(transaction, jobId, instanceId, { state: 'succeeded', failure: null, at, expiresAt })))
      return null;
    await store(options, transaction, jobId, built, at);
    const most = isPublished ? Number.POSITIVE_INFINITY : days;
    await storeBodies(
      transaction,
      kept.map((body) => ({ ...body, keepDays: Math.min(body.keepDays ?? options.bodyRetentionDays, most) })),
      now(),
    );
    if (isPublished) {
      await options.book.keep(transaction, [built], { at, keyId });
      await storeSnapshots?.(transaction, built, at);
      // What could not be read is no yardstick for others, also where the rating that stands is published again.
      const peer = built.state.weak === undefined ? options.peerOf(built) : null;
      if (peer) await storePeer(transaction, peer);
    } else await options.book.hold(transaction, built, { at });
    await appendEventsIn(transaction, jobId, resultEvents(built, at));
    return built;
  });
  if (report?.decision.published) options.onRated?.(report.evidence.identification.asset);
  return report;
}

/** Stores what is known so far as the evidence of a score, under the score alone. */
export async function storePartial(
  options: ScoringOptions,
  jobId: string,
  evidence: EvidenceRecord,
): Promise<ScoreReport> {
  const report = options.build({ ...evidence, jobId, publication: null });
  const at = new Date(options.now()).toISOString();
  await options.db.transaction().execute((transaction) => store(options, transaction, jobId, report, at));
  return report;
}

/** Ends a score with the report that answers it: that of another job, or (null) its own partial one. */
export async function finishScore(
  options: ScoringOptions,
  { jobId, keyId }: EndedJob,
  {
    report,
    answeredBy,
    answer,
  }: { readonly report: ScoreReport; readonly answeredBy: string | null; readonly answer: ScoreAnswer },
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
    if (answeredBy !== null) await outlive(transaction, answeredBy, expiresAt);
    if (report.decision.published) await options.book.wanted(transaction, report.published.asset.id, at);
    await appendEventsIn(transaction, jobId, resultEvents(report, at));
    return 'succeeded';
  });
}

async function store(
  options: ScoringOptions,
  transaction: Transaction<Tables>,
  jobId: string,
  report: ScoreReport,
  at: string,
): Promise<void> {
  const { record, result } = options.encode(report);
  await storeEvidence(transaction, {
    jobId,
    record,
    result,
    resultSha256: createHash('sha256').update(result).digest('hex'),
    at,
  });
}

/** Compressed outside of the transaction, which stays short. */
async function packBodies(options: ScoringOptions, given: readonly ArchivedBody[]): Promise<readonly KeptBody[]> {
  const bodies = given
    .map((body) => ({
      ...body,
      keepDays: Math.min(body.keepDays ?? options.bodyRetentionDays, options.bodyRetentionDays),
    }))
    .filter((body) => body.keepDays > 0);
  const hashes = bodies.map((body) => body.sha256);
  const known = await knownBodies(options.db, hashes, options.now());
  return Promise.all(
    bodies.map(async (body) =>
      known.has(body.sha256) ? { sha256: body.sha256, packed: null, keepDays: body.keepDays } : packBody(body),
    ),
  );
}

function resultEvents(report: ScoreReport, at: string): readonly string[] {
  const { band, score, trust } = report.published;
  return [
    JSON.stringify({ type: 'result', band, score, trust, at }),
    JSON.stringify({ type: 'state', state: 'succeeded', at }),
  ];
}

/** Days that the plans of those who asked for a job keep it, when it is not published. */
async function keptDays(options: ScoringOptions, id: string, keyId: string): Promise<number> {
  return (await options.keptDays?.({ id, keyId })) ?? options.unpublishedDays;
}

function expiryAfter({ now }: ScoringOptions, days: number): string {
  return new Date(now() + days * DAY_MS).toISOString();
}

/** The end of a job that gave no rating, with the two events that close its stream. */
export function outcomeBy(failure: JobFailure, at: string): JobOutcome & { readonly state: 'failed' | 'cancelled' } {
  const state = failure.code === 'cancelled' ? 'cancelled' : 'failed';
  const event = { type: 'failure', code: failure.code, detail: failure.detail, at };
  return {
    state,
    failure: JSON.stringify(failure),
    events: [JSON.stringify(event), JSON.stringify({ type: 'state', state, at })],
  };
}

/** What becomes of jobs whose process is gone or stops. */
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
