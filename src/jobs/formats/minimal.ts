import type { ScoreReport } from '../../domain/index.ts';
import type { AnswerView } from './answer-view.ts';

/** The `minimal` reply: exactly the fields of the interface document, nothing else. What was asked is echoed as it was sent. */
export function minimalFormat({ rating }: ScoreReport, { jobId, asked, seconds }: AnswerView) {
  return {
    job_id: jobId,
    type: asked.type,
    project: asked.project,
    rating: { band: rating.band, score: rating.score },
    trust_score: { score: rating.trust.score },
    vfr: { value: rating.vfr.value, zone: rating.vfr.zone },
    execution_time_seconds: seconds,
  };
}
