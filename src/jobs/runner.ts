import type { ScoreReport, ScoreRequest } from '../domain/index.ts';
import type { EarlyRequests, RecordedReply } from '../evidence/index.ts';
import {
  claimJob,
  deleteExpired,
  type JobRow,
  packEvents,
  purgeBodies,
  reapJobs,
  releaseJobs,
  renewLeases,
  waitingScore,
} from '../store/index.ts';
import { failureOf } from './failures.ts';
import { expiryAfter, finishFailed, finishScore, keptDays, lostJobOutcomes, storePartial } from './finish.ts';
import { createFinisher } from './finish-collections.ts';
import { createScoreRunner, type PartialEvidence } from './run-score.ts';
import { createEventLog, type Signals } from './signals.ts';
import type { JobEventDraft, JobFailure, ScoringOptions } from './types.ts';

export interface Runner {
  start(): Promise<void>;
  /** A new job was stored. */
  accepted(): void;
  cancel(jobId: string): void;
  /** Stores the partial evidence for a score whose collection runs here; nothing when it runs elsewhere. */
  sendPartial(scoreId: string): Promise<void>;
  /** Deletes expired results, jobs and replies. */
  tidy(): Promise<void>;
  close(graceMs: number): Promise<void>;
}

const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3_000;
/** Time in which a reader of an ended job's stream must read its events. */
const EVENTS_LOOSE_MS = 3_600_000;
const PURGE_MS = 3_600_000;
const DELETED_AT_ONCE = 500;
const KINDS = ['collection', 'score'] as const;
/** A job whose process died is tried once more. */
const MOST_ATTEMPTS = 2;
/** A job that has not returned this long after its deadline is a bug; it must not stay `running`. */
const OVERTIME_MS = 15_000;

/** One job that this process runs. */
interface Held {
  readonly kind: (typeof KINDS)[number];
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** A score that waits for its collection: it occupies no slot. */
  isWaiting: boolean;
  /** Of a collection that has found its asset: its partial evidence. */
  partial: PartialEvidence | null;
  readonly followers: Set<(event: JobEventDraft) => void>;
}

/** What the score that started a collection has requested already. */
interface Before {
  readonly known: readonly RecordedReply[];
  readonly early: EarlyRequests | null;
}
const NOTHING_BEFORE: Before = { known: [], early: null };

/**
 * Runs jobs of the store in this process under leases whose expiry other processes see. At most `concurrency`
 * collections, and as many scores that identify their asset, run at once; scores that wait for a collection occupy no
 * slot, so that they can never block it.
 */
export function createRunner(
  options: ScoringOptions,
  signals: Signals,
  reportOf: (jobId: string) => Promise<ScoreReport | null>,
  remember: (jobId: string, report: ScoreReport) => void,
): Runner {
  const { db, now, ticks, instanceId } = options;
  const finish = createFinisher(options);
  const running = new Map<string, Held>();
  let claiming: Promise<void> = Promise.resolve();
  let nextClaim: Promise<void> | null = null;
  let closed = false;
  const timers: NodeJS.Timeout[] = [];
  const guard = (what: string) => (error: unknown) => options.onError(error, what);
  /** Slots of collections that scores are about to start. */
  let reserved = 0;
  /**
   * Identification is short: scores have slots of their own, so that a request for an existing rating does not wait for
   * a collection.
   */
  const hasRoom = (kind: Held['kind']) => {
    const held = [...running.values()].filter((one) => one.kind === kind);
    const working = held.filter((one) => !one.isWaiting).length + (kind === 'collection' ? reserved : 0);
    return working < options.concurrency && held.length < options.concurrency + options.queueLimit;
  };

  const runScore = createScoreRunner(
    options,
    signals,
    {
      reserve() {
        if (closed || !hasRoom('collection')) return false;
        reserved += 1;
        return true;
      },
      release() {
        reserved -= 1;
      },
      hasCapacity: () => !closed && hasRoom('collection'),
      offer(collectionId) {
        signals.notify(collectionId, 'waiting');
        if (!closed) void fill().catch(guard('claim'));
      },
      begin: (row, known, early) => hold(row, { known, early }),
      follow(collectionId, onEvent) {
        const followers = running.get(collectionId)?.followers;
        followers?.add(onEvent);
        return () => void followers?.delete(onEvent);
      },
      partialOf: (collectionId) => running.get(collectionId)?.partial ?? null,
    },
    LEASE_MS,
  );

  /**
   * Takes queued jobs while slots are free. One at a time, so that two calls do not both use the last slot; calls that
   * come while one waits are merged with it: many notifications cause one look-up.
   */
  function fill(): Promise<void> {
    nextClaim ??= claiming
      // A failed claim must not block the next one.
      .catch(() => undefined)
      .then(async () => {
        nextClaim = null;
        while (!closed) {
          const kinds = KINDS.filter(hasRoom);
          const row = kinds.length > 0 ? await claimJob(db, instanceId, iso(now()), LEASE_MS, kinds) : undefined;
          if (!row) return;
          hold(row, NOTHING_BEFORE);
        }
      });
    claiming = nextClaim;
    return nextClaim;
  }

  function hold(row: JobRow, before: Before): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held: Held = {
      kind: row.kind === 'collection' ? 'collection' : 'score',
      abort: new AbortController(),
      done: promise,
      isWaiting: false,
      partial: null,
      followers: new Set(),
    };
    running.set(row.id, held);
    void work(row, held, before)
      .catch(guard('job'))
      .finally(() => {
        running.delete(row.id);
        signals.notify(row.id, 'changed');
        resolve();
        if (!closed) void fill().catch(guard('claim'));
      });
  }

  async function work(row: JobRow, held: Held, before: Before): Promise<void> {
    const startedTick = ticks();
    const { signal } = held.abort;
    const log = createEventLog(db, row.id, now, signals);
    log.emit({ type: 'state', state: 'running' });
    const overtime = setTimeout(() => held.abort.abort(), row.deadline_seconds * 1_000 + OVERTIME_MS);
    const emit = (event: JobEventDraft) => {
      log.emit(event);
      for (const follower of held.followers) if (event.type === 'source' || event.type === 'waiting') follower(event);
    };
    const end = await Promise.race([
      (row.kind === 'collection' ? collection(row, held, before, emit) : score(row, held, emit, startedTick)).catch(
        (error: unknown) => {
          options.onError(error, `job ${row.id}`);
          return failed(row, failureOf.internal());
        },
      ),
      aborted(signal).then(() => failed(row, failureOf.cancelled())),
    ]);
    clearTimeout(overtime);
    await log.flush();
    // A job that is handed back to the queue has not ended.
    if (closed && end.isCancelled) return;
    const state = await again(end.store).catch((error: unknown) => {
      // A result that cannot be stored must not leave the job running: it fails, or its lease expires.
      options.onError(error, `job ${row.id} could not be stored`);
      return again(() => finishFailed(options, { jobId: row.id, keyId: row.key_id }, failureOf.internal()));
    });
    signals.notify(row.id, 'changed');
    options.onFinished?.(state, (ticks() - startedTick) / 1000);
  }

  function failed(row: JobRow, failure: JobFailure): Ended {
    return {
      isCancelled: failure.code === 'cancelled',
      store: () => finishFailed(options, { jobId: row.id, keyId: row.key_id }, failure),
    };
  }

  async function collection(
    row: JobRow,
    held: Held,
    before: Before,
    emit: (event: JobEventDraft) => void,
  ): Promise<Ended> {
    const assetId = row.asset_id ?? '';
    const job = { id: row.id, request: JSON.parse(row.request) as ScoreRequest, assetId };
    const outcome = await options.work.collect(job, {
      deadlineMs: row.deadline_seconds * 1_000,
      signal: held.abort.signal,
      emit,
      isBackground: row.key_id === options.backgroundKeyId,
      ...before,
      onFound(partial) {
        held.partial = partial;
      },
    });
    if (!outcome.ok) return failed(row, outcome.failure);
    return {
      isCancelled: false,
      async store() {
        const { evidence, bodies } = outcome;
        const report = await finish({ jobId: row.id, keyId: row.key_id, assetId, evidence, bodies });
        if (report === null) return 'lost';
        remember(row.id, report);
        return 'succeeded';
      },
    };
  }

  async function score(
    row: JobRow,
    held: Held,
    emit: (event: JobEventDraft) => void,
    startedTick: number,
  ): Promise<Ended> {
    const waits = () => {
      held.isWaiting = true;
    };
    const outcome = await runScore({ row, signal: held.abort.signal, emit, waits, reportOf });
    if (!outcome.ok) return failed(row, outcome.failure);
    const { report, answeredBy, warnings } = outcome;
    const seconds = Math.round(ticks() - startedTick) / 1_000;
    return {
      isCancelled: false,
      store: () =>
        finishScore(
          options,
          { jobId: row.id, keyId: row.key_id },
          { report, answeredBy, answer: { warnings, seconds } },
        ),
    };
  }

  /** Only running jobs renew their lease; a job that this process lost is found by its expired lease. */
  async function renewed(): Promise<readonly string[]> {
    const ids = [...running.keys()];
    return ids.length === 0 ? [] : renewLeases(db, instanceId, ids, LEASE_MS);
  }

  const expiryOf = async (row: JobRow) => expiryAfter(options, await keptDays(options, row.id, row.key_id));

  async function beat(): Promise<void> {
    for (const jobId of await renewed()) running.get(jobId)?.abort.abort();
    const at = iso(now());
    for (const jobId of await reapJobs(db, at, MOST_ATTEMPTS, lostJobOutcomes(at), expiryOf))
      signals.notify(jobId, 'waiting');
    await fill();
  }

  /** Deletes what has expired: replies, then unpublished results with their evidence. */
  async function tidy(): Promise<void> {
    const bodies = await purgeBodies(db, now());
    options.onDeleted?.({ jobs: 0, bodies });
    let packed: string | null = '';
    while (packed !== null && !closed) packed = await packEvents(db, iso(now() - EVENTS_LOOSE_MS), packed);
    for (let jobs = DELETED_AT_ONCE; jobs === DELETED_AT_ONCE && !closed; ) {
      jobs = await deleteExpired(db, iso(now()), DELETED_AT_ONCE);
      options.onDeleted?.({ jobs, bodies: 0 });
    }
  }

  return {
    tidy,
    async start() {
      await beat();
      void tidy().catch(guard('purge'));
      timers.push(setInterval(() => void beat().catch(guard('heartbeat')), HEARTBEAT_MS));
      timers.push(setInterval(() => void tidy().catch(guard('purge')), PURGE_MS));
      for (const timer of timers) timer.unref();
    },
    accepted() {
      void fill().catch(guard('claim'));
    },
    cancel(jobId) {
      running.get(jobId)?.abort.abort();
    },
    async sendPartial(scoreId) {
      const score = await waitingScore(db, scoreId);
      const partial = running.get(score?.collection_id ?? '')?.partial;
      const evidence = (await partial?.(scoreId)) ?? null;
      if (evidence === null) return;
      await storePartial(options, scoreId, evidence);
      signals.notify(scoreId, 'changed');
    },
    async close(graceMs) {
      const all = () => Promise.allSettled([...running.values()].map((job) => job.done));
      await Promise.race([claiming.then(all), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      closed = true;
      for (const timer of timers) clearInterval(timer);
      await claiming.catch(() => undefined);
      for (const job of running.values()) job.abort.abort();
      await all();
      const at = iso(now());
      await releaseJobs(db, instanceId, at, lostJobOutcomes(at), expiryOf);
    },
  };
}

/** Outcome of a job, and the function that stores it. Returns the state it ended in. */
interface Ended {
  readonly isCancelled: boolean;
  readonly store: () => Promise<string>;
}

/** Resolves in the same turn as the abort: `aborted` of node:util takes longer, and the work could end first. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const DEADLOCK = '40P01';
const SERIALISATION = '40001';
const MOST_TRIES = 4;

/** Retries what the database aborted because of another transaction. */
async function again<Value>(work: () => Promise<Value>, tries = 1): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (tries >= MOST_TRIES || (code !== DEADLOCK && code !== SERIALISATION)) throw error;
    return again(work, tries + 1);
  }
}
