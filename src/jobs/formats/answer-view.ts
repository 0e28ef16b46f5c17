import type { ScoreReport, ScoreRequest } from '../../domain/index.ts';
import { differencesOf } from '../../identity/index.ts';
import type { Job } from '../types.ts';

/** A report as the answer to one caller: what is his own beside what is the asset's. */
export interface AnswerView {
  /** The caller's job. */
  readonly jobId: string;
  /** The collection that answers, or that goes on; null for a job from before collections. */
  readonly collectionId: string | null;
  /** Echoed in the reply: what this caller sent. */
  readonly asked: ScoreRequest;
  readonly warnings: readonly string[];
  /** Seconds from the start of the caller's job to its answer. */
  readonly seconds: number;
  /** Milliseconds since the epoch, from which ages are told. */
  readonly now: number;
}

/** How a job is answered to whoever sent `asked`; `warnings` are of the reading of that request. */
export function answerView(
  job: Job,
  report: ScoreReport,
  { asked, warnings, now }: Pick<AnswerView, 'asked' | 'warnings' | 'now'>,
): AnswerView {
  const { purpose, identification } = report.evidence;
  // Evidence from before collections used the caller's words.
  const record = purpose === undefined ? undefined : identification.canonical;
  const own = job.kind === 'score' && record !== undefined ? differencesOf(asked, record) : [];
  return {
    jobId: job.id,
    collectionId: job.collectionId,
    asked,
    warnings: [...warnings, ...own, ...(job.answer?.warnings ?? [])],
    seconds: job.answer?.seconds ?? report.evidence.executionSeconds,
    now,
  };
}
