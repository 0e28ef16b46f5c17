import type { ScoreRequest } from '../../domain/identification.ts';
import type { ScoreReport } from '../../domain/report.ts';
import { purgeBodies } from '../../store/archive.ts';
import { claimJob, type JobRow, renewLeases } from '../../store/jobs.ts';
import { reapJobs, releaseJobs } from '../../store/lost-jobs.ts';
import { failureOf } from '../failures.ts';
import type { Job, JobEventDraft } from '../types.ts';
import { lostEndings } from './endings.ts';
import { createEventLog } from './event-log.ts';
import { finish } from './finish.ts';
import type { ScoringOptions } from './options.ts';
import type { Signals } from './signals.ts';

export interface Runner {
  start(): Promise<void>;
  /** A new job was stored. */
  accepted(): void;
  cancel(jobId: string): void;
  close(graceMs: number): Promise<void>;
}

const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3_000;
const PURGE_MS = 3_600_000;
/** A job whose process died is tried once more. */
const MOST_ATTEMPTS = 2;
/** A worker that does not come back this long after its deadline is a bug; the job must not stay `running`. */
const OVERTIME_MS = 15_000;

/** Runs jobs of the store in this process, at most `concurrency` at once, under leases that others can see expire. */
export function createRunner(
  options: ScoringOptions,
  signals: Signals,
  remember: (jobId: string, report: ScoreReport) => void,
): Runner {
  const { db, now, ticks, instanceId } = options;
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  let claiming: Promise<void> = Promise.resolve();
  let closed = false;
  const timers: NodeJS.Timeout[] = [];
  const guard = (what: string) => (error: unknown) => options.onError(error, what);

  /** Takes waiting jobs while there is room. One at a time, so that two calls do not both see the last free place. */
  function fill(): Promise<void> {
    // A claim that failed must not stand in the way of the next one.
    claiming = claiming
      .catch(() => undefined)
      .then(async () => {
        while (!closed && running.size < options.concurrency) {
          const row = await claimJob(db, instanceId, iso(now()), LEASE_MS);
          if (!row) return;
          const abort = new AbortController();
          const done = work(row, abort)
            .catch(guard('job'))
            .finally(() => {
              running.delete(row.id);
              signals.tell(row.id, 'changed');
              if (!closed) void fill().catch(guard('claim'));
            });
          running.set(row.id, { abort, done });
        }
      });
    return claiming;
  }

  async function work(row: JobRow, abort: AbortController): Promise<void> {
    const startedTick = ticks();
    const deadlineMs = row.deadline_seconds * 1000;
    const log = createEventLog(db, row.id, now, signals);
    log.emit({ type: 'state', state: 'running' });
    const job: Job = {
      id: row.id,
      state: 'running',
      request: JSON.parse(row.request) as ScoreRequest,
      createdAt: row.created_at,
      startedAt: row.started_at,
      finishedAt: null,
      attempts: row.attempts,
      failure: null,
    };
    const overtime = setTimeout(() => abort.abort(), deadlineMs + OVERTIME_MS);
    const outcome = await Promise.race([
      options
        .run(job, {
          deadlineMs,
          signal: abort.signal,
          emit: (event: JobEventDraft) => log.emit(event),
          isBackground: row.key_id === options.backgroundKeyId,
        })
        .catch((error: unknown) => {
          options.onError(error, `job ${row.id}`);
          return { ok: false as const, failure: failureOf.internal(), evidence: null };
        }),
      aborted(abort.signal),
    ]);
    clearTimeout(overtime);
    await log.flush();
    if (closed && outcome.ok === false && outcome.failure.code === 'cancelled') return;
    const ended = { jobId: row.id, keyId: row.key_id };
    const state = await again(() => finish(options, ended, outcome, (report) => remember(row.id, report))).catch(
      (error: unknown) => {
        // What cannot be stored must not leave the job running: it fails, or its lease runs out.
        options.onError(error, `job ${row.id} could not be stored`);
        return again(() =>
          finish(options, ended, { ok: false, failure: failureOf.internal(), evidence: null }, () => undefined),
        );
      },
    );
    signals.tell(row.id, 'changed');
    options.onFinished?.(state, (ticks() - startedTick) / 1000);
  }

  /** Only jobs that are worked on keep their lease; one that fell out of our hands is found by its lease. */
  async function renewed(): Promise<readonly string[]> {
    const ids = [...running.keys()];
    return ids.length === 0 ? [] : renewLeases(db, instanceId, ids, LEASE_MS);
  }

  async function beat(): Promise<void> {
    for (const jobId of await renewed()) running.get(jobId)?.abort.abort();
    const at = iso(now());
    for (const jobId of await reapJobs(db, at, MOST_ATTEMPTS, lostEndings(at))) signals.tell(jobId, 'waiting');
    if (running.size < options.concurrency) await fill();
  }

  return {
    async start() {
      await beat();
      timers.push(setInterval(() => void beat().catch(guard('heartbeat')), HEARTBEAT_MS));
      timers.push(setInterval(() => void purgeBodies(db, now()).catch(guard('purge')), PURGE_MS));
      for (const timer of timers) timer.unref();
    },
    accepted() {
      void fill().catch(guard('claim'));
    },
    cancel(jobId) {
      running.get(jobId)?.abort.abort();
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
      await releaseJobs(db, instanceId, at, lostEndings(at));
    },
  };
}

function aborted(
  signal: AbortSignal,
): Promise<{ readonly ok: false; readonly failure: ReturnType<typeof failureOf.cancelled>; readonly evidence: null }> {
  return new Promise((resolve) => {
    const end = () => resolve({ ok: false, failure: failureOf.cancelled(), evidence: null });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const DEADLOCK = '40P01';
const SERIALISATION = '40001';
const MOST_TRIES = 4;

/** Repeats what the database gave up only because of another transaction. */
async function again<Value>(work: () => Promise<Value>, tries = 1): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (tries >= MOST_TRIES || (code !== DEADLOCK && code !== SERIALISATION)) throw error;
    return again(work, tries + 1);
  }
}
