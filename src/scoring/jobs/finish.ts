import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ScoreReport } from '../../domain/report.ts';
import { knownBodies, packBody, storeBodies, storeEvidence, storePeer, storeRating } from '../../store/archive.ts';
import { appendEventsIn, finishJob } from '../../store/jobs.ts';
import { peerOf } from '../peer.ts';
import type { RunJob } from '../types.ts';
import { endingBy } from './endings.ts';
import type { ScoringOptions } from './options.ts';

type Outcome = Awaited<ReturnType<RunJob>>;

/**
 * Ends a job: result, evidence, bodies, rating, peer and last events in one transaction. When the lease was lost in the
 * meantime nothing is stored: another process has the job. Returns the state it ended in.
 */
export async function finish(
  options: ScoringOptions,
  jobId: string,
  outcome: Outcome,
  remember: (report: ScoreReport) => void,
): Promise<string> {
  const { db, now, instanceId } = options;
  const at = new Date(now()).toISOString();
  if (!outcome.ok) {
    const ending = endingBy(outcome.failure, at);
    await db.transaction().execute(async (transaction) => {
      if (await finishJob(transaction, jobId, instanceId, ending.state, ending.failure, at))
        await appendEventsIn(transaction, jobId, ending.events);
    });
    return ending.state;
  }
  const report = options.build(outcome.evidence);
  const result = options.encode(report);
  const record = new TextEncoder().encode(canonicalize(outcome.evidence) ?? '');
  const bodies = outcome.bodies
    .map((body) => ({
      ...body,
      keepDays: Math.min(body.keepDays ?? options.bodyRetentionDays, options.bodyRetentionDays),
    }))
    .filter((body) => body.keepDays > 0);
  const known = await knownBodies(
    db,
    bodies.map((body) => body.sha256),
    now(),
  );
  const kept = await Promise.all(
    bodies.map(async (body) =>
      known.has(body.sha256) ? { sha256: body.sha256, packed: null, keepDays: body.keepDays } : packBody(body),
    ),
  );
  const stored = await db.transaction().execute(async (transaction) => {
    if (!(await finishJob(transaction, jobId, instanceId, 'succeeded', null, at))) return false;
    await storeEvidence(transaction, {
      jobId,
      record,
      result,
      resultSha256: createHash('sha256').update(result).digest('hex'),
      at,
    });
    await storeBodies(transaction, kept, now());
    await storeRating(transaction, ratingRow(jobId, report));
    const peer = peerOf(report);
    if (peer) await storePeer(transaction, peer);
    const { rating } = report;
    const event = { type: 'result', band: rating.band, score: rating.score, trust: rating.trust.score, at };
    await appendEventsIn(transaction, jobId, [
      JSON.stringify(event),
      JSON.stringify({ type: 'state', state: 'succeeded', at }),
    ]);
    return true;
  });
  if (!stored) return 'lost';
  remember(report);
  options.onRated?.(report.evidence.identification.asset);
  return 'succeeded';
}

function ratingRow(jobId: string, { evidence, rating }: ScoreReport) {
  return {
    asset_id: evidence.identification.asset.id,
    job_id: jobId,
    as_of: evidence.asOf,
    band: rating.band,
    score: rating.score,
    trust: rating.trust.score,
    factors: JSON.stringify(Object.fromEntries(rating.factors.map((factor) => [factor.code, factor.score]))),
    methodology: evidence.methodologyVersion,
    vfr: rating.vfr.value,
  };
}
