import type { ScoreRequest } from '../domain/identification.ts';
import type { JobFailure, ScoringService, SubmitOptions } from '../scoring/types.ts';
import type { Database } from '../store/database.ts';
import { requestOf } from '../store/ratings/read.ts';

/** What a request for a new rating came to. */
export type FreshOutcome =
  /** The store holds it now. */
  | { readonly outcome: 'rated'; readonly jobId: string }
  /** It takes longer than was waited for. */
  | { readonly outcome: 'running'; readonly jobId: string }
  | { readonly outcome: 'failed'; readonly jobId: string; readonly failure: JobFailure }
  | { readonly outcome: 'quota_exhausted'; readonly limit: number; readonly resetSeconds: number }
  /** No more jobs are taken now: `too_many_jobs`, `concurrency_limited` or `shutting_down`. */
  | { readonly outcome: 'busy'; readonly code: string; readonly detail: string; readonly retryAfterSeconds: number };

export interface FreshWish {
  readonly keyId: string;
  readonly waitMs: number;
  readonly deadlineSeconds: number;
  /** Counts one fresh rating; null when there was room for it. */
  readonly quota: {
    take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
    giveBack(): Promise<void>;
  };
  /** Jobs the account may have at once; not given: any number. */
  readonly share?: NonNullable<SubmitOptions['share']>;
}

const BUSY_SECONDS = 5;

/** Rates an asset that was rated before once more, now, by the request it was last rated by. Null for one that never was. */
export async function freshRating(
  { db, scoring }: { readonly db: Database; readonly scoring: Pick<ScoringService, 'submit' | 'wait'> },
  assetId: string,
  { keyId, waitMs, deadlineSeconds, quota, share }: FreshWish,
): Promise<FreshOutcome | null> {
  const request = await requestOf(db, assetId);
  if (request === null) return null;
  const refused = await quota.take();
  if (refused) return { outcome: 'quota_exhausted', ...refused };
  const submitted = await scoring.submit(JSON.parse(request) as ScoreRequest, {
    keyId,
    idempotencyKey: null,
    deadlineSeconds,
    ...(share ? { share } : {}),
  });
  if (!submitted.ok) {
    await quota.giveBack();
    return {
      outcome: 'busy',
      code: submitted.code,
      detail: submitted.detail,
      retryAfterSeconds: submitted.retryAfterSeconds ?? BUSY_SECONDS,
    };
  }
  const { id: jobId } = submitted.job;
  const job = waitMs > 0 ? await scoring.wait(jobId, waitMs) : submitted.job;
  if (job?.state === 'succeeded') return { outcome: 'rated', jobId };
  return job?.failure ? { outcome: 'failed', jobId, failure: job.failure } : { outcome: 'running', jobId };
}
