import type { ScoreRequest } from '../../domain/identification.ts';
import type { ScoreReport } from '../../domain/report.ts';

/** The `minimal` reply: exactly the fields of the interface document, nothing else. `asked` is echoed as it was sent. */
export function minimalFormat(report: ScoreReport, asked: ScoreRequest) {
  const { evidence, rating } = report;
  return {
    job_id: evidence.jobId,
    type: asked.type,
    project: asked.project,
    rating: { band: rating.band, score: rating.score },
    trust_score: { score: rating.trust.score },
    vfr: { value: rating.vfr.value, zone: rating.vfr.zone },
    execution_time_seconds: evidence.executionSeconds,
  };
}
