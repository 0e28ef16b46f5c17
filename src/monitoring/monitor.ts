import { LRUCache } from 'lru-cache';
import { type Asset, DAY_MS, type ScoreRequest } from '../domain/index.ts';
import type { JobFailure, ScoringService, SubmitOptions } from '../jobs/index.ts';
import {
  advanceDrained,
  advanceNextRating,
  countUnderWay,
  currentRatingJob,
  type Database,
  drainedSince,
  endedWithout,
  forgetUnwanted,
  listMonitored,
  monitorAsset,
  noteJob,
  postponeRatings,
  takeDueRatings,
  unmonitorAsset,
} from '../store/index.ts';
import { alertOnPegs } from './alerts/peg-alerts.ts';
import { PEG_RULES } from './alerts/peg-rule.ts';
import { MONITOR_KEY } from './rating-book.ts';
import type { MonitoredAsset } from './types.ts';

export interface MonitorOptions {
  readonly db: Database;
  readonly scoring: Pick<ScoringService, 'collect'>;
  readonly now: () => number;
  /** Most ratings by the monitor that run at once, over all processes: requests of callers have priority. */
  readonly mostUnderWay: number;
  readonly onError: (error: unknown, what: string) => void;
}

/** Lease of an asset: a process that dies before its job is stored loses the asset after this. */
const LEASE_SECONDS = 60;
/** Delay after a failed rating, doubled with each further failure, up to a day. */
const BACK_OFF_MS = 600_000;
const LONGEST_BACK_OFF_MS = DAY_MS;
/** Interval at which unwanted assets are removed, one day late, so that an asset watched again meanwhile is kept. */
const SWEEP_EVERY_MS = 3_600_000;
const SWEEP_GRACE_MS = DAY_MS;
const SWEPT_AT_ONCE = 10_000;
/** How far back snapshots are read to detect drained liquidity. */
const LOOK_BACK_MS = 300_000;
/** Share of the rated liquidity; less than this is an event (LIQUIDITY_DRAIN). */
const DRAINED_SHARE = 0.5;
/**
 * Time for which the same fall brings no further rating forward: sources of snapshots may count pools that those of
 * ratings do not, and every snapshot would be an event.
 */
const DRAINED_AGAIN_MS = 3_600_000;
const MOST_HASTENED = 10_000;

/**
 * Keeps ratings of monitored assets up to date, by their canonical records. Any number of processes may run one on the
 * same database: due rows are locked, and at most one collection of an asset runs at a time.
 */
export function createMonitor(options: MonitorOptions) {
  const { db, scoring, now, onError } = options;
  const iso = (at: number) => new Date(at).toISOString();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let closed = false;

  let sweptAt = Number.NEGATIVE_INFINITY;
  const hastened = new LRUCache<string, { readonly at: number; readonly left: number }>({ max: MOST_HASTENED });

  /** Requests ratings of due assets up to the limit. Returns the number requested. */
  async function tick(): Promise<number> {
    await sweep();
    await settle();
    await watchSnapshots();
    await alertOnPegs(db, now, PEG_RULES);
    const room = options.mostUnderWay - (await countUnderWay(db));
    if (room <= 0) return 0;
    let asked = 0;
    for (const due of await takeDueRatings(db, iso(now()), room, LEASE_SECONDS)) {
      if (closed) break;
      const submitted = await scoring.collect(due.asset_id, { keyId: MONITOR_KEY });
      // A refused request (full queue, stopping process) is repeated after its lease.
      if (!submitted?.ok) continue;
      await noteJob(db, due, submitted.job.id);
      asked += 1;
    }
    return asked;
  }

  async function sweep(): Promise<void> {
    if (Math.abs(now() - sweptAt) < SWEEP_EVERY_MS) return;
    sweptAt = now();
    while (!closed && (await forgetUnwanted(db, iso(now() - SWEEP_GRACE_MS), SWEPT_AT_ONCE)) === SWEPT_AT_ONCE);
  }

  /** Jobs that ended without a rating of these assets: their next date is postponed. */
  async function settle(): Promise<void> {
    const ended = await endedWithout(db);
    await postponeRatings(
      db,
      ended.map((row) => {
        const failures = row.failures + 1;
        const wait = Math.min(LONGEST_BACK_OFF_MS, BACK_OFF_MS * 2 ** Math.min(failures - 1, 20));
        const set = { due_at: iso(now() + wait), failures, last_failure: failureText(row) };
        return { asset_id: row.asset_id, job_id: row.job_id, set };
      }),
    );
  }

  async function watchSnapshots(): Promise<void> {
    for (const { asset_id: id, reason, liquidity_usd: left } of await drainedSince(
      db,
      iso(now() - LOOK_BACK_MS),
      DRAINED_SHARE,
    )) {
      const last = hastened.get(id);
      const isKnown = last !== undefined && Math.abs(now() - last.at) < DRAINED_AGAIN_MS;
      if (isKnown && left >= DRAINED_SHARE * last.left) continue;
      if (await advanceDrained(db, id, iso(now()), reason)) hastened.set(id, { at: now(), left });
    }
  }

  return {
    tick,
    /** Rates this asset as soon as possible. False when it is not monitored. */
    hasten: (assetId: string, reason: string) => advanceNextRating(db, assetId, iso(now()), reason),
    start(everyMs: number): void {
      let isRunning = false;
      timer = setInterval(() => {
        if (isRunning) return;
        isRunning = true;
        running = tick()
          .catch((error: unknown) => onError(error, 'monitor'))
          .finally(() => {
            isRunning = false;
          });
      }, everyMs);
      timer.unref();
    },
    async close(): Promise<void> {
      closed = true;
      if (timer) clearInterval(timer);
      await running;
    },
  };
}

function failureText(row: { readonly state: string; readonly failure: string | null }): string {
  if (row.failure === null) return 'the collection was not published; the previous rating remains in force';
  const failure = JSON.parse(row.failure) as JobFailure;
  return `${failure.code}: ${failure.detail}`.slice(0, 500);
}

/** Which assets are rated again automatically. */
export type Register = ReturnType<typeof createRegister>;

const USUAL_SECONDS = 86_400;

/** The register of monitored assets in the store; every monitoring process sees its changes. */
export function createRegister(db: Database, now: () => number) {
  const present = () => new Date(now()).toISOString();
  return {
    /** Monitors an asset that was rated before, until it is removed. False when it was never rated. */
    async add(assetId: string, addedBy: string): Promise<boolean> {
      const known = await db
        .selectFrom('rated_assets')
        .select('asset_id')
        .where('asset_id', '=', assetId)
        .executeTakeFirst();
      if (!known) return false;
      const at = present();
      const due = { wanted_until: null, due_at: at, cadence_seconds: USUAL_SECONDS, reason: 'added' };
      await monitorAsset(db, { asset_id: assetId, added_by: addedBy, added_at: at, ...due }, true);
      return true;
    },
    /** False when it was not monitored. */
    remove: (assetId: string) => unmonitorAsset(db, assetId, present()),
    async list({
      after,
      limit,
    }: {
      readonly after: string;
      readonly limit: number;
    }): Promise<readonly MonitoredAsset[]> {
      return (await listMonitored(db, after, limit)).map(({ assetId, asset, ...entry }) => {
        return { asset: asset === null ? bareAsset(assetId) : (JSON.parse(asset) as Asset), ...entry };
      });
    },
  };
}

function bareAsset(assetId: string): Asset {
  return { id: assetId, chain: null, address: null, symbol: null, name: assetId, category: null, website: null };
}

/** Outcome of a request for a new rating. */
export type FreshOutcome =
  /** The job ended. `published` false: the previous rating remains, and the job `jobId` has the reason. */
  | { readonly outcome: 'rated'; readonly jobId: string; readonly published: boolean }
  /** The job did not end within the wait. */
  | { readonly outcome: 'running'; readonly jobId: string }
  | { readonly outcome: 'failed'; readonly jobId: string; readonly failure: JobFailure }
  | { readonly outcome: 'quota_exhausted'; readonly limit: number; readonly resetSeconds: number }
  /** No jobs are accepted now: `too_many_jobs`, `concurrency_limited` or `shutting_down`. */
  | { readonly outcome: 'busy'; readonly code: string; readonly detail: string; readonly retryAfterSeconds: number };

export interface FreshRatingRequest {
  readonly keyId: string;
  readonly waitMs: number;
  /** Counts one fresh rating; null when the quota allows it. */
  readonly quota: {
    take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
    giveBack(): Promise<void>;
  };
  /** Limit of the account's jobs at once; absent: none. */
  readonly share?: NonNullable<SubmitOptions['share']>;
}

const BUSY_SECONDS = 5;
/** Time of a first rating, which includes identification. */
const FIRST_SECONDS = 60;

interface FreshTools {
  readonly db: Database;
  readonly scoring: Pick<ScoringService, 'collect' | 'submit' | 'wait'>;
  /** The request that names an asset by its id alone; null where the id names none. */
  readonly requestOf: (assetId: string) => ScoreRequest | null;
  /** True for a published rating of this `as_of` that is younger than the fresh interval. */
  readonly isFresh: (asOf: string) => boolean;
}

/**
 * Collects an asset that was rated before again at once, by its canonical record. An asset whose published rating is
 * younger than the fresh interval is not collected, and costs nothing. An asset that was never rated is identified
 * first. Null for an id that names no asset.
 */
export async function freshRating(
  { db, scoring, requestOf, isFresh }: FreshTools,
  assetId: string,
  { keyId, waitMs, quota, share }: FreshRatingRequest,
): Promise<FreshOutcome | null> {
  const standing = await currentRatingJob(db, assetId);
  if (standing !== null && isFresh(standing.asOf)) return { outcome: 'rated', jobId: standing.jobId, published: true };
  const refused = await quota.take();
  if (refused) return { outcome: 'quota_exhausted', ...refused };
  const by = { keyId, ...(share ? { share } : {}) };
  const { known, submitted } = await begin().catch(async (error: unknown) => {
    // What could not be started costs nothing. Where the store is away, the unit stays taken.
    await quota.giveBack().catch(() => undefined);
    throw error;
  });
  if (!submitted?.ok) {
    await quota.giveBack();
    return (
      submitted && { outcome: 'busy', ...submitted, retryAfterSeconds: submitted.retryAfterSeconds ?? BUSY_SECONDS }
    );
  }
  const { id: jobId } = submitted.job;
  const job = waitMs > 0 ? await scoring.wait(jobId, waitMs) : submitted.job;
  if (job?.state === 'succeeded') {
    // The result of a score is that of the collection that it waited for.
    const published = known === null ? (await currentRatingJob(db, assetId)) !== null : job.isReceipt;
    return { outcome: 'rated', jobId, published };
  }
  return job?.failure ? { outcome: 'failed', jobId, failure: job.failure } : { outcome: 'running', jobId };

  async function begin() {
    const known = await scoring.collect(assetId, by);
    return { known, submitted: known ?? (await scoreFirst()) };
  }

  async function scoreFirst() {
    const request = requestOf(assetId);
    if (request === null) return null;
    const deadlineSeconds = Math.max(FIRST_SECONDS, waitMs / 1_000);
    return scoring.submit(request, { ...by, idempotencyKey: null, deadlineSeconds });
  }
}
