import type { ReplyContext } from '../contract/index.ts';
import type { EvidenceRecord, ScoreReport, ScoreRequest } from '../domain/index.ts';
import type { EarlyRequests, RecordedReply } from '../evidence/index.ts';
import { differencesOf } from '../identity/index.ts';
import { missingWords } from '../methodology/index.ts';
import { tiesOf } from '../rating/index.ts';
import { createJobReader, currentRatingJob, hasEvidence, type JobRow } from '../store/index.ts';
import { type Attachment, ageOf, attach, isCollectionDue } from './attach.ts';
import { failureOf } from './failures.ts';
import { storePartial } from './finish.ts';
import { POLL_MS, type Signals, waitForChange } from './signals.ts';
import type { EarlyRequestTerms, FoundAsset, Job, JobEventDraft, JobFailure, ScoringOptions } from './types.ts';

/** Partial evidence of a collection, for a score. */
export type PartialEvidence = (jobId: string) => Promise<EvidenceRecord | null>;

/** Interface of the runner of collections in this process. */
export interface CollectionsHere {
  /** Reserves a slot for a collection that is about to start; false when there is none. */
  reserve(): boolean;
  release(): void;
  /** True when a slot could be reserved now. */
  hasCapacity(): boolean;
  /** A collection is queued, for this or another process. */
  offer(collectionId: string): void;
  /**
   * Runs a collection that this process holds. `known`: responses that the score has already; `early`: its requests for
   * the collection.
   */
  begin(row: JobRow, known: readonly RecordedReply[], early: EarlyRequests | null): void;
  /** Events of a collection that runs here, until the returned function is called. */
  follow(collectionId: string, onEvent: (event: JobEventDraft) => void): () => void;
  /** Null when the collection does not run here, or has found nothing yet. */
  partialOf(collectionId: string): PartialEvidence | null;
}

export interface ScoreTask {
  readonly row: JobRow;
  readonly signal: AbortSignal;
  readonly emit: (event: JobEventDraft) => void;
  /** From here on the score only waits and occupies no slot. */
  readonly waits: () => void;
  readonly reportOf: (jobId: string) => Promise<ScoreReport | null>;
}

export type ScoreOutcome =
  | {
      readonly ok: true;
      readonly report: ScoreReport;
      readonly answeredBy: string | null;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly failure: JobFailure };

/** Longest wait for another process to store the partial evidence of its collection. */
const PARTIAL_WAIT_MS = 1_000;

/** Builds the work of a caller's score: find the asset, then return the result of its collection. */
export function createScoreRunner(
  options: ScoringOptions,
  signals: Signals,
  here: CollectionsHere,
  leaseMs: number,
): (task: ScoreTask) => Promise<ScoreOutcome> {
  const { db, ticks, now } = options;
  const jobById = createJobReader(db);

  return async (task) => {
    const { row, signal, emit, reportOf } = task;
    const deadlineMs = row.deadline_seconds * 1_000;
    const untilTick = ticks() + deadlineMs;
    const request = JSON.parse(row.request) as ScoreRequest;
    const ahead: EarlyRequestTerms = {
      isWanted: async (assetId) => here.hasCapacity() && (await isCollectionDue(options, row, assetId)),
      mostMs: options.collectionSeconds * 1_000,
    };
    const found = await options.work.find({ id: row.id, request }, { deadlineMs, signal, emit, early: ahead });
    if (!found.ok) {
      const standing = found.ratedAs === undefined ? null : await currentRatingJob(db, found.ratedAs);
      if (standing === null) return found;
      const age = `this is the newest published rating of what was rated here under it, ${ageOf(standing.asOf, now())} old`;
      return answered(standing.jobId, [`no source that answered knows the asset by these words: ${age}`], reportOf);
    }
    const { attached, isHeld } = await attachHere(row, found);
    if (attached.kind === 'refused') return { ok: false, failure: attached.failure };
    if (attached.kind === 'standing') return answered(attached.current.jobId, attached.warnings, reportOf);
    const { row: collection, isNew, standing } = attached;
    task.waits();
    if (isHeld) here.begin(collection, found.replies(), found.early);
    else if (isNew) here.offer(collection.id);
    const unfollow = here.follow(collection.id, emit);
    const ended = await untilEnded(collection.id, untilTick, signal).finally(unfollow);
    if (signal.aborted) return { ok: false, failure: failureOf.cancelled() };
    if (ended !== 'late' && ended?.state === 'succeeded') return answered(ended.id, [], reportOf);
    if (standing !== null) {
      const age = `this is the newest published rating, ${ageOf(standing.asOf, now())} old`;
      const why =
        ended === 'late'
          ? `the deadline came before the collection was whole: ${age}; the collection goes on`
          : `the collection failed (${failureIn(ended).code}): ${age}`;
      return answered(standing.jobId, [why], reportOf);
    }
    if (ended !== 'late') return { ok: false, failure: failureIn(ended) };
    const report = await knownSoFar(task, collection, found);
    return report === null
      ? { ok: false, failure: failureOf.nobodyAnswered() }
      : { ok: true, report, answeredBy: null, warnings: [] };
  };

  /** `isHeld`: the score has started a collection that this process has a place for and must begin. */
  async function attachHere(
    row: JobRow,
    found: FoundAsset,
  ): Promise<{ readonly attached: Attachment; readonly isHeld: boolean }> {
    const isReserved = here.reserve();
    const holder = isReserved ? { owner: options.instanceId, leaseMs } : null;
    let isHeld = false;
    try {
      const attached = await attach(options, row, found.identification, holder);
      isHeld = isReserved && attached.kind === 'collection' && attached.isNew;
      return { attached, isHeld };
    } finally {
      if (isReserved) here.release();
      if (!isHeld) found.early?.stop();
    }
  }

  async function untilEnded(
    collectionId: string,
    untilTick: number,
    signal: AbortSignal,
  ): Promise<JobRow | undefined | 'late'> {
    for (;;) {
      const changed = signals.next(collectionId);
      const row = await jobById(collectionId);
      if (row === undefined || (row.state !== 'queued' && row.state !== 'running')) return row;
      const left = untilTick - ticks();
      if (left <= 0 || signal.aborted) return 'late';
      await waitForChange(changed, left, signal);
    }
  }

  /**
   * Partial evidence: of the collection where it runs here, else of the process where it runs, else of the
   * identification.
   */
  async function knownSoFar(
    { row, signal, reportOf }: ScoreTask,
    collection: JobRow,
    found: FoundAsset,
  ): Promise<ScoreReport | null> {
    const own = async () => {
      const partial = here.partialOf(collection.id);
      const evidence =
        (await partial?.(row.id)) ?? (await found.partial(JSON.parse(collection.request) as ScoreRequest));
      if (evidence === null) return null;
      return (await storePartial(options, row.id, evidence)) ?? reportOf(row.id);
    };
    if (here.partialOf(collection.id) !== null || options.jobSignals === undefined) return own();
    signals.notify(row.id, 'partial');
    const untilTick = ticks() + PARTIAL_WAIT_MS;
    for (let left = PARTIAL_WAIT_MS; left > 0 && !signal.aborted; left = untilTick - ticks()) {
      const changed = signals.next(row.id);
      if (await hasEvidence(db, row.id)) return reportOf(row.id);
      await waitForChange(changed, Math.min(left, POLL_MS / 2), signal);
    }
    return own();
  }
}

/** Why an ended collection has no result. */
function failureIn(row: JobRow | undefined): JobFailure {
  return row?.failure ? (JSON.parse(row.failure) as JobFailure) : failureOf.interrupted();
}

async function answered(
  jobId: string,
  warnings: readonly string[],
  reportOf: ScoreTask['reportOf'],
): Promise<ScoreOutcome> {
  const report = await reportOf(jobId);
  if (report === null) throw new Error(`the evidence of job ${jobId} is gone`);
  return { ok: true, report, answeredBy: jobId, warnings };
}

/** Mandatory rows without a value, in one sentence: a reader of the band must know what is missing. */
function missingOf({ rating }: ScoreReport): readonly string[] {
  const words = rating.missing === undefined ? null : missingWords(rating.missing);
  return words === null ? [] : [words];
}

/** The reply to the request `asked`; `warnings` are from the parsing of that request. */
export function replyContext(
  job: Job,
  report: ScoreReport,
  { asked, warnings, now }: Pick<ReplyContext, 'asked' | 'warnings' | 'now'>,
): ReplyContext {
  const { purpose, identification } = report.evidence;
  // Evidence from before collections used the caller's text.
  const record = purpose === undefined ? undefined : identification.canonical;
  const own = job.kind === 'score' && record !== undefined ? differencesOf(asked, record) : [];
  return {
    jobId: job.id,
    collectionId: job.collectionId,
    asked,
    ties: tiesOf(report),
    warnings: [...warnings, ...own, ...(job.answer?.warnings ?? []), ...missingOf(report)],
    seconds: job.answer?.seconds ?? report.evidence.executionSeconds,
    now,
  };
}
