import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ScoreReport } from '../../domain/report.ts';
import { knownBodies, packBody, storeBodies, storeEvidence } from '../../store/archive.ts';
import { appendEventsIn, finishJob } from '../../store/jobs.ts';
import { storePeer } from '../../store/peers.ts';
import type { RunJob } from '../types.ts';
import { endingBy } from './endings.ts';
import type { ScoringOptions } from './options.ts';

type Outcome = Awaited<ReturnType<RunJob>>;

/**
 * Ends a job: result, evidence, bodies, published rating with its alerts, peer and last events in one transaction. When the lease was lost in the
 * meantime nothing is stored: another process has the job. Returns the state it ended in.
 */
export async function finish(
  options: ScoringOptions,
  { jobId, keyId }: { readonly jobId: string; readonly keyId: string },
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
  const assetId = outcome.evidence.identification.asset.id;
  const report = await db.transaction().execute(async (transaction) => {
    if (!(await finishJob(transaction, jobId, instanceId, 'succeeded', null, at))) return null;
    // The history is read under the lock: two ratings of one asset that end together are published one after the other.
    const publication = await options.book.lock(transaction, assetId);
    const built = options.build({ ...outcome.evidence, publication });
    const result = options.encode(built);
    await storeEvidence(transaction, {
      jobId,
      record: new TextEncoder().encode(canonicalize(built.evidence) ?? ''),
      result,
      resultSha256: createHash('sha256').update(result).digest('hex'),
      at,
    });
    await storeBodies(transaction, kept, now());
    if (built.decision.published) await options.book.keep(transaction, built, { at, keyId });
    else await options.book.hold(transaction, built, { at });
    // What could not be read is no yardstick for others, also where the rating that stands is published again.
    const peer = built.decision.published && built.state.weak === undefined ? options.peerOf(built) : null;
    if (peer) await storePeer(transaction, peer);
    const { published } = built;
    const event = { type: 'result', band: published.band, score: published.score, trust: published.trust, at };
    await appendEventsIn(transaction, jobId, [
      JSON.stringify(event),
      JSON.stringify({ type: 'state', state: 'succeeded', at }),
    ]);
    return built;
  });
  if (report === null) return 'lost';
  remember(report);
  options.onRated?.(report.evidence.identification.asset);
  return 'succeeded';
}
