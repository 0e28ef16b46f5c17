import type { AnswerView } from '../contract/index.ts';
import type { ScoreReport } from '../domain/index.ts';
import { differencesOf } from '../identity/index.ts';
import { tiesOf } from '../rating/index.ts';
import type { Job } from './types.ts';

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
    ties: tiesOf(report),
    warnings: [...warnings, ...own, ...(job.answer?.warnings ?? [])],
    seconds: job.answer?.seconds ?? report.evidence.executionSeconds,
    now,
  };
}
