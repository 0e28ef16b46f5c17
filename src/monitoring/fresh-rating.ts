import type { JobFailure, ScoringService, SubmitOptions } from '../jobs/index.ts';
import type { Database } from '../store/index.ts';
import { standingJob } from '../store/index.ts';

/** What a request for a new rating came to. */
export type FreshOutcome =
  /** It ended. `published` false: the rating before stands, and `jobId` says why. */
  | { readonly outcome: 'rated'; readonly jobId: string; readonly published: boolean }
  /** It takes longer than was waited for. */
  | { readonly outcome: 'running'; readonly jobId: string }
  | { readonly outcome: 'failed'; readonly jobId: string; readonly failure: JobFailure }
  | { readonly outcome: 'quota_exhausted'; readonly limit: number; readonly resetSeconds: number }
  /** No more jobs are taken now: `too_many_jobs`, `concurrency_limited` or `shutting_down`. */
  | { readonly outcome: 'busy'; readonly code: string; readonly detail: string; readonly retryAfterSeconds: number };

export interface FreshRatingRequest {
  readonly keyId: string;
  readonly waitMs: number;
  /** Counts one fresh rating; null when there was room for it. */
  readonly quota: {
    take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
    giveBack(): Promise<void>;
  };
  /** Jobs the account may have at once; not given: any number. */
  readonly share?: NonNullable<SubmitOptions['share']>;
}

const BUSY_SECONDS = 5;

interface FreshTools {
  readonly db: Database;
  readonly scoring: Pick<ScoringService, 'collect' | 'wait'>;
  /** True for a published rating of this `as_of` that is younger than the fresh interval. */
  readonly isFresh: (asOf: string) => boolean;
}

/**
 * Collects an asset that was rated before once more, now, by its canonical record; one whose published rating is younger than
 * the fresh interval is not collected, and costs nothing. Null for an asset that never was rated.
 */
export async function freshRating(
  { db, scoring, isFresh }: FreshTools,
  assetId: string,
  { keyId, waitMs, quota, share }: FreshRatingRequest,
): Promise<FreshOutcome | null> {
  const standing = await standingJob(db, assetId);
  if (standing !== null && isFresh(standing.asOf)) return { outcome: 'rated', jobId: standing.jobId, published: true };
  const refused = await quota.take();
  if (refused) return { outcome: 'quota_exhausted', ...refused };
  const submitted = await scoring.collect(assetId, { keyId, ...(share ? { share } : {}) });
  if (!submitted?.ok) {
    await quota.giveBack();
    return (
      submitted && { outcome: 'busy', ...submitted, retryAfterSeconds: submitted.retryAfterSeconds ?? BUSY_SECONDS }
    );
  }
  const { id: jobId } = submitted.job;
  const job = waitMs > 0 ? await scoring.wait(jobId, waitMs) : submitted.job;
  if (job?.state === 'succeeded') return { outcome: 'rated', jobId, published: job.isReceipt };
  return job?.failure ? { outcome: 'failed', jobId, failure: job.failure } : { outcome: 'running', jobId };
}
