import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  AcceptedJob,
  FullScore,
  fullFormat,
  MinimalScore,
  minimalFormat,
  type OutputFormat,
  problems,
  type ReadRequest,
  type Reply,
  type ReplyContext,
  readScoreRequest,
  ScoreAssetBody,
  ScoreBody,
  ScoreHeaders,
  StandardScore,
  standardFormat,
} from '../../contract/index.ts';
import { ok, type ScoreReport } from '../../domain/index.ts';
import { type Job, replyContext } from '../../jobs/index.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, type Problem, problemOfFailure, refuse } from '../replies/problems.ts';
import { documentType, sendReport } from '../replies/send-report.ts';
import { addVary } from '../replies/vary.ts';
import { keyed } from '../requests/account-request.ts';
import { readPreferences } from '../requests/headers.ts';
import { type Routes, withBodyReader } from '../requests/read-requests.ts';

/** Time the reply may take beyond the job's own deadline. */
const REPLY_GRACE_MS = 1_500;
/** A caller without a deadline waits for the full time of a collection, plus this time to find the asset. */
const FIND_SECONDS = 15;

// A path of the interface document: callers and gateways have it as a setting, and may add to it.
const ROUTE = keyed({ scope: 'score', anyQuery: true }, 'scoring', {
  operationId: 'scoreProject',
  summary: 'Score a project',
  description: [
    'An asset is named by `project` and `project_url`, or in one word by `asset`: an id, an address, a website, a ticker or a name.',
    'The request names an asset and contributes nothing else: what is rated comes from registries, the chain and the project’s verified site. Words that differ from them change nothing but `warnings`.',
    'One collection of an asset is under way at a time, whoever requests it; it is cross-validated, rated and published when it is whole. A rating published within the fresh interval (ASSAY_FRESH_SECONDS) is returned at once. Starting a collection counts towards `collections_per_day` of the plan.',
    '`Prefer: wait=N` states how many seconds the caller waits. When the collection is not whole by then, it continues, and the reply is the newest published rating with a warning, or, where there is none, what is known so far with `published: false` and `partial_collection`.',
    '`Prefer: respond-async` returns 202 with the job’s address at once. `Idempotency-Key` is honoured for 24 hours. The header `Assay-Published` states in every format whether the rating is published.',
    'With `output_format: full`, `Accept: text/html` or `text/markdown` gives a report for people.',
  ].join('\n\n'),
  body: Type.Union([ScoreBody, ScoreAssetBody]),
  headers: ScoreHeaders,
  response: {
    200: {
      description: 'The rating, in the requested format.',
      content: { 'application/json': { schema: Type.Union([StandardScore, MinimalScore, FullScore]) } },
    },
    202: AcceptedJob,
    ...problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
  },
});

/** POST {scoring_url}. */
export function scoreRoutes(server: Routes, context: ApiContext): void {
  // The reader also validates the URL and the chain. The body as sent decides what an idempotency key refers to.
  const validatorCompiler = withBodyReader((body) => {
    const read = readScoreRequest(body, context.judgeUrl);
    return read.ok ? ok({ ...read.value, sha256: sha256Of(body) }) : read;
  });
  server.post<{ Body: ReadRequest & { readonly sha256: string } }>(
    context.scoringPath,
    { ...ROUTE, validatorCompiler },
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
        idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
        bodySha256: sha256,
        deadlineSeconds: preferences.respondAsync ? unhurried : wait,
        ...shareOf(request),
      });
      if (!submitted.ok) return refuse(refusal(submitted));
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

/** The number of concurrent jobs that the plan allows the account. */
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
    const report = (await context.scoring.report(job.id)) ?? refuse(PROBLEMS.internal);
    return sendScore(
      context,
      reply,
      report,
      format,
      replyContext(job, report, { asked, warnings, now: context.now() }),
    );
  }
  if (job.failure) return refuse(problemOfFailure(job.failure, job.id));
  if (job.state === 'cancelled')
    return refuse({
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
 * Aborted when the caller disconnects; the job continues. Listens to the response, because a request counts as closed
 * as soon as its body was read.
 */
function hangUp(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Hash of the body as sent, independent of the order of its members. */
function sha256Of(body: unknown): string {
  return createHash('sha256')
    .update(canonicalize(body) ?? '')
    .digest('hex');
}

/** The problem for each code with which a submission is refused. */
const REFUSALS: Readonly<Record<Refused['code'], Pick<Problem, 'status' | 'title' | 'retry' | 'more'>>> = {
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was used for another request',
    retry: 'corrected',
  },
  concurrency_limited: {
    status: 429,
    title: 'Too many scoring jobs at once',
    retry: 'after',
    more: { limit: 'concurrent_scoring_jobs' },
  },
  too_many_jobs: { status: 429, title: 'Too many jobs are waiting', retry: 'after' },
  shutting_down: { status: 503, title: 'The service is stopping', retry: 'after' },
};

function refusal({ code, detail, retryAfterSeconds }: Refused): Problem {
  const headers = retryAfterSeconds === null ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } };
  return { ...REFUSALS[code], code, detail, ...headers };
}

type Refused = Extract<Awaited<ReturnType<ApiContext['scoring']['submit']>>, { readonly ok: false }>;

/** The report in the requested format, as JSON. */
export function scoreBody(report: ScoreReport, format: OutputFormat, view: ReplyContext) {
  if (format === 'minimal') return minimalFormat(report, view);
  return format === 'full' ? fullFormat(report, view) : standardFormat(report, view);
}

/** Sends a finished report. A `full` one is sent as a page or as Markdown when `Accept` prefers that to JSON. */
export async function sendScore(
  context: ApiContext,
  reply: FastifyReply,
  report: ScoreReport,
  format: OutputFormat,
  view: ReplyContext,
): Promise<FastifyReply> {
  reply.header('cache-control', 'private, no-store').header('assay-published', String(report.decision.published));
  addVary(reply.head, 'Accept');
  if (view.warnings.length > 0) reply.header('assay-warnings', headerText(view.warnings.join(', ')));
  const wanted = format === 'full' ? documentType(reply.request.headers.accept) : null;
  if (wanted !== null) return sendReport(context, reply, report, view.ties, wanted);
  return reply.send(scoreBody(report, format, view));
}

/** Names are untrusted text: only their printable ASCII characters are put into a header. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
}
