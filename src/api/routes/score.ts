import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  AcceptedJob,
  FullScore,
  KEYED,
  MinimalScore,
  problems,
  type ReadRequest,
  type Reply,
  readScoreRequest,
  ScoreBody,
  ScoreHeaders,
  StandardScore,
} from '../../contract/index.ts';
import { ok } from '../../domain/index.ts';
import type { Job } from '../../jobs/index.ts';
import { answerView } from '../../jobs/index.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, type Problem, problemOfFailure, sendProblem } from '../replies/problems.ts';
import { sendScore } from '../replies/send-score.ts';
import { readPreferences } from '../requests/headers.ts';
import { type Routes, withBodyReader } from '../requests/read-requests.ts';

/** Time the reply may take beyond the job's own deadline. */
const REPLY_GRACE_MS = 1_500;
/** Who names no deadline is given the whole time of a collection, and this to find the asset before it. */
const FIND_SECONDS = 15;

const schema = {
  tags: ['scoring'],
  operationId: 'scoreProject',
  summary: 'Score a project',
  description: [
    'The request names an asset and contributes nothing else: what is rated comes from registries, the chain and the project’s verified site. Words that differ from them change nothing but `warnings`.',
    'One collection of an asset is under way at a time, whoever asks; it is cross-validated, rated and published when it is whole. A rating published within the fresh interval (ASSAY_FRESH_SECONDS) is the answer at once. Starting a collection counts towards `collections_per_day` of the plan.',
    '`Prefer: wait=N` says how many seconds the caller waits. When the collection is not whole by then, it goes on, and the answer is the newest published rating with a warning, or, where there is none, what is known so far with `published: false` and `partial_collection`.',
    '`Prefer: respond-async` answers 202 with the job’s address at once. `Idempotency-Key` is honoured for 24 hours. The header `Assay-Published` says in every format whether the rating is published.',
    'With `output_format: full`, `Accept: text/html` or `text/markdown` gives a report for people.',
  ].join('\n\n'),
  security: KEYED,
  body: ScoreBody,
  headers: ScoreHeaders,
  response: {
    200: {
      description: 'The rating, in the format asked for.',
      content: { 'application/json': { schema: Type.Union([StandardScore, MinimalScore, FullScore]) } },
    },
    202: AcceptedJob,
    ...problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
  },
};

/** POST {scoring_url}. */
export function scoreRoutes(server: Routes, context: ApiContext): void {
  // Its reader also judges the url and the chain; the body as it was sent decides what an idempotency key refers to.
  const validatorCompiler = withBodyReader((body) => {
    const read = readScoreRequest(body, context.judgeUrl);
    return read.ok ? ok({ ...read.value, sha256: sha256Of(body) }) : read;
  });
  const options = { config: { scope: 'score' as const }, schema, validatorCompiler };
  server.post<{ Body: ReadRequest & { readonly sha256: string } }>(
    context.scoringPath,
    options,
    async (request, reply) => {
      const { sha256, ...read } = request.body;
      const preferences = readPreferences(request.headers.prefer);
      const unhurried = context.scoreDeadlineSeconds + FIND_SECONDS;
      const wait =
        preferences.waitSeconds === null
          ? unhurried
          : Math.min(Math.max(1, preferences.waitSeconds), context.scoreDeadlineMaxSeconds);
      const submitted = await context.scoring.submit(read.request, {
        keyId: request.apiKey?.id ?? '',
        idempotencyKey: idempotencyKeyOf(request),
        bodySha256: sha256,
        deadlineSeconds: preferences.respondAsync ? unhurried : wait,
        ...shareOf(request),
      });
      if (!submitted.ok) return sendProblem(reply, refusal(submitted));
      const { job } = submitted;
      reply.header('location', `/v1/jobs/${job.id}`).header('assay-job-id', job.id);
      if (preferences.respondAsync) reply.header('preference-applied', 'respond-async');
      else if (preferences.waitSeconds !== null) reply.header('preference-applied', `wait=${wait}`);
      const patienceMs = preferences.respondAsync
        ? preferences.waitSeconds === null
          ? 0
          : wait * 1000
        : wait * 1000 + REPLY_GRACE_MS;
      const finished = patienceMs === 0 ? job : await context.scoring.wait(job.id, patienceMs, hangUp(reply));
      return sendFinished(context, reply, finished ?? job, read);
    },
  );
}

/** What the plan allows the account at once. */
function shareOf({ apiKey, plan }: FastifyRequest) {
  const most = plan?.concurrentScoringJobs ?? null;
  return apiKey === null || most === null ? {} : { share: { accountId: apiKey.accountId, most } };
}

async function sendFinished(
  context: ApiContext,
  reply: FastifyReply,
  job: Job,
  { request: asked, format, warnings }: ReadRequest,
): Promise<FastifyReply> {
  if (job.state === 'succeeded') {
    const report = await context.scoring.report(job.id);
    if (report === null) return sendProblem(reply, PROBLEMS.internal);
    return sendScore(reply, report, format, answerView(job, report, { asked, warnings, now: context.now() }));
  }
  if (job.failure) return sendProblem(reply, problemOfFailure(job.failure, job.id));
  if (job.state === 'cancelled')
    return sendProblem(reply, {
      status: 409,
      code: 'cancelled',
      title: 'The job was cancelled',
      detail: 'The job was cancelled before it had a result.',
      retry: 'same',
      more: { job_id: job.id },
    });
  return reply.code(202).send({
    job_id: job.id,
    state: job.state,
    location: `/v1/jobs/${job.id}`,
    data_mode: context.dataMode,
  } satisfies Reply<typeof AcceptedJob>);
}

/**
 * Fires when the caller is gone; the job goes on without being waited for. Only the response shows it: a request is closed
 * as soon as its body was read.
 */
function hangUp(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Of the body as it was sent, whatever the order of its members. */
function sha256Of(body: unknown): string {
  return createHash('sha256')
    .update(canonicalize(body) ?? '')
    .digest('hex');
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key'];
  return typeof given === 'string' ? given : null;
}

function refusal(refused: {
  readonly code: string;
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
}): Problem {
  const headers: Record<string, string> =
    refused.retryAfterSeconds === null ? {} : { 'retry-after': String(refused.retryAfterSeconds) };
  if (refused.code === 'idempotency_key_reused')
    return {
      status: 409,
      code: refused.code,
      title: 'The idempotency key was used for another request',
      detail: refused.detail,
      retry: 'corrected',
    };
  if (refused.code === 'concurrency_limited')
    return {
      status: 429,
      code: refused.code,
      title: 'Too many scoring jobs at once',
      detail: refused.detail,
      retry: 'after',
      more: { limit: 'concurrent_scoring_jobs' },
      headers,
    };
  if (refused.code === 'too_many_jobs')
    return {
      status: 429,
      code: refused.code,
      title: 'Too many jobs are waiting',
      detail: refused.detail,
      retry: 'after',
      headers,
    };
  return {
    status: 503,
    code: 'shutting_down',
    title: 'The service is stopping',
    detail: refused.detail,
    retry: 'after',
    headers,
  };
}
