import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AcceptedJob, Reply } from '../../contract/index.ts';
import type { FreshOutcome } from '../../monitoring/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { type Problem, problemOfFailure, sendProblem } from '../replies/problems.ts';
import { readPreferences } from '../requests/headers.ts';
import type { RmsRouting } from './context.ts';
import { notRated } from './problems.ts';

/** Has an asset rated again now. False when the reply was sent already: not done yet, refused, or failed. */
export async function rateFresh(
  routing: RmsRouting,
  request: FastifyRequest,
  reply: FastifyReply,
  assetId: string,
): Promise<boolean> {
  const { context, services, cache } = routing;
  const { apiKey } = request;
  if (apiKey === null) throw new Error('a route of ratings has no scope');
  const { respondAsync, waitSeconds } = readPreferences(request.headers.prefer);
  const seconds = Math.min(Math.max(0, waitSeconds ?? context.scoreDeadlineSeconds), context.scoreDeadlineMaxSeconds);
  const outcome = await services.freshRating(assetId, {
    accountId: apiKey.accountId,
    keyId: apiKey.id,
    plan: planOf(request),
    waitMs: respondAsync ? 0 : seconds * 1000,
  });
  if (outcome === null) {
    sendProblem(reply, notRated({ kind: 'id', assetId }, context.scoringPath));
    return false;
  }
  if (outcome.outcome === 'rated') {
    reply.header('assay-job-id', outcome.jobId).header('assay-published', String(outcome.published));
    // The notice of the new rating may still be on its way to this process.
    cache.forget(assetId);
    return true;
  }
  if (outcome.outcome === 'running') {
    const location = `/v1/jobs/${outcome.jobId}`;
    reply
      .code(202)
      .header('location', location)
      .send({ job_id: outcome.jobId, state: 'running', location, data_mode: context.dataMode } satisfies Reply<
        typeof AcceptedJob
      >);
    return false;
  }
  sendProblem(reply, refusal(outcome, planOf(request).name));
  return false;
}

function refusal(
  outcome: FreshOutcome & { readonly outcome: 'failed' | 'quota_exhausted' | 'busy' },
  plan: string,
): Problem {
  if (outcome.outcome === 'failed') return problemOfFailure(outcome.failure, outcome.jobId);
  if (outcome.outcome === 'busy')
    return {
      status: outcome.code === 'shutting_down' ? 503 : 429,
      code: outcome.code,
      title: 'No more scoring jobs are taken now',
      detail: outcome.detail,
      retry: 'after',
      headers: { 'retry-after': String(outcome.retryAfterSeconds) },
    };
  return {
    status: 429,
    code: 'quota_exhausted',
    title: 'The quota of fresh ratings is used up',
    detail: `The plan ${plan} has ${outcome.limit} fresh ratings a day (UTC); it is full again in ${outcome.resetSeconds} s. The rating as it stands is read without fresh=true.`,
    retry: 'after',
    more: { limit: 'fresh_ratings_per_day', plan },
    headers: { 'retry-after': String(outcome.resetSeconds) },
  };
}
