import type { FastifyRequest } from 'fastify';
import {
  EventHeaders,
  JobEventStream,
  type JobEventView,
  JobEvidence,
  JobParams,
  JobQuery,
  JobView,
  problems,
  type Reply,
} from '../../contract/index.ts';
import { type EvidenceRecord, NO_WEBSITE } from '../../domain/index.ts';
import { type Job, replyContext } from '../../jobs/index.ts';
import type { ApiContext } from '../context.ts';
import {
  CHECK_KEY_EVERY_MS,
  eventStream,
  isStillAllowed,
  lastEventId,
  NO_LONGER_ALLOWED,
  sendEvents,
  takeStream,
} from '../replies/event-stream.ts';
import { notFound, type Problem, problemBody, problemOfFailure, refuse } from '../replies/problems.ts';
import { keyed, keyOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { scoreBody, sendScore } from './score.ts';

/** State, progress, cancellation and evidence of scoring jobs. */
export function jobRoutes(server: Routes, context: ApiContext): void {
  server.get(
    '/v1/jobs/:id',
    keyed('score', 'jobs', {
      operationId: 'getJob',
      summary: 'State and result of a job',
      description:
        '`output_format` as in scoring. A finished job with `Accept: text/html` or `text/markdown` and `output_format=full` gives the report itself.',
      params: JobParams,
      querystring: JobQuery,
      response: { 200: JobView, ...problems(400, 401, 403, 404) },
    }),
    async (request, reply) => {
      const job = await jobFor(request, context);
      const format = request.query.output_format;
      const report = job.state === 'succeeded' ? await context.scoring.report(job.id) : null;
      const view = report && replyContext(job, report, { asked: job.request, warnings: [], now: context.now() });
      if (report && view && format === 'full' && /text\/(html|markdown)/.test(request.headers.accept ?? ''))
        return sendScore(context, reply, report, format, view);
      if (job.state === 'queued' || job.state === 'running') reply.header('retry-after', '1');
      return jobView(job, report && view ? scoreBody(report, format, view) : null, request, context);
    },
  );

  server.get(
    '/v1/jobs/:id/events',
    keyed('score', 'jobs', {
      operationId: 'streamJobEvents',
      summary: 'Progress as server-sent events',
      description:
        'Events state, identified, waiting, source, result and failure, numbered from 1; `Last-Event-ID` continues after that number; one that the job has no event of is refused. The stream ends with the job. It counts towards the plan’s `stream_connections`, as streams of alerts do.',
      params: JobParams,
      headers: EventHeaders,
      response: {
        200: eventStream(JobEventStream),
        ...problems(400, 401, 403, 404),
      },
    }),
    async (request, reply) => {
      const job = await jobFor(request, context);
      const after = lastEventId(request) ?? 0;
      const newest = after === 0 ? 0 : await context.scoring.newestEvent(job.id);
      if (after > newest)
        refuse({
          status: 400,
          code: 'malformed_last_event_id',
          title: 'Last-Event-ID could not be read',
          detail: `the job has no event ${after}; its newest is ${newest}`,
          retry: 'corrected',
        });
      const giveBack = await takeStream(context, request);
      try {
        await sendEvents(reply, ': assay job events\n\n', (gone) =>
          jobTexts(context, request, { jobId: job.id, after, gone }),
        );
      } finally {
        giveBack();
      }
      return reply;
    },
  );

  server.delete(
    '/v1/jobs/:id',
    keyed('score', 'jobs', {
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      description:
        'A queued score never begins; a running one stops waiting, and the reply may still state `running`. A collection continues: others may wait for it, and its rating is for all. What has ended does not change (409).',
      params: JobParams,
      response: { 200: JobView, ...problems(401, 403, 404, 409) },
    }),
    async (request) => {
      const job = await jobFor(request, context);
      if (!(await mayCancel(job, request, context))) refuse(NOT_YOURS);
      if (!(await context.scoring.cancel(job.id)))
        refuse({
          status: 409,
          code: 'job_already_finished',
          title: 'The job has already ended',
          detail: `It is ${job.state}; only queued and running jobs can be cancelled.`,
          retry: 'no',
          more: { job_id: job.id, state: job.state },
        });
      const now = await context.scoring.get(job.id);
      return jobView(now ?? job, null, request, context);
    },
  );

  server.get(
    '/v1/jobs/:id/evidence',
    keyed('score', 'jobs', {
      operationId: 'getJobEvidence',
      summary: 'The archived evidence of a job',
      description:
        'Every observation and every reply’s address, time and SHA-256. Values of sources whose terms forbid passing them on are null and marked `withheld`.',
      params: JobParams,
      response: { 200: JobEvidence, ...problems(401, 403, 404, 409) },
    }),
    async (request, reply) => {
      const job = await jobFor(request, context);
      const evidence =
        (await context.scoring.evidence(job.id)) ??
        refuse({
          status: 409,
          code: 'no_evidence',
          title: 'The job has no evidence',
          detail: `It is ${job.state}; evidence is kept of jobs that succeeded.`,
          retry: job.state === 'running' || job.state === 'queued' ? 'after' : 'no',
          more: { job_id: job.id, state: job.state },
        });
      return reply.header('cache-control', 'private, max-age=86400, immutable').send(openEvidence(evidence));
    },
  );
}

/**
 * The requested job, if the key may see it. A collection whose rating is published serves as the receipt of that
 * rating, so any key that scores may read it. A score contains its caller's text, so only the accounts that requested
 * it may read it.
 */
async function jobFor(request: FastifyRequest, { scoring }: ApiContext): Promise<Job> {
  const { scopes, accountId } = keyOf(request);
  const job = (await scoring.get((request.params as { readonly id: string }).id)) ?? refuse(NOT_FOUND);
  const isVisible =
    job.isReceipt || scopes.includes('admin') || (await scoring.requesterOf(job.id, accountId)) !== null;
  return isVisible ? job : refuse(NOT_FOUND);
}

/**
 * A caller that joined another account's job may not cancel it. A collection belongs to the asset and continues,
 * whoever waits for it.
 */
async function mayCancel(job: Job, request: FastifyRequest, { scoring }: ApiContext): Promise<boolean> {
  const { scopes, accountId } = keyOf(request);
  if (ENDED.has(job.state) || scopes.includes('admin')) return true;
  return job.kind === 'score' && (await scoring.requesterOf(job.id, accountId)) === 'first';
}

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

const NOT_FOUND = notFound(
  'job_not_found',
  'There is no such job',
  'No job has this id. Ids look like posttge_1732060800000_ab12cd34.',
);
const NOT_YOURS: Problem = {
  status: 409,
  code: 'job_is_shared',
  title: 'The job is shared with other requests',
  detail:
    'Other requests wait for this job too: one joined it while it was running, or it is the collection of an asset. It continues.',
  retry: 'no',
};

function jobView(job: Job, result: unknown, request: FastifyRequest, context: ApiContext): Reply<typeof JobView> {
  return {
    job_id: job.id,
    state: job.state,
    type: job.request.type,
    project: job.request.project,
    project_url: job.request.projectUrl === NO_WEBSITE ? null : job.request.projectUrl,
    created_at: job.createdAt,
    started_at: job.startedAt,
    finished_at: job.finishedAt,
    attempts: job.attempts,
    kind: job.kind,
    collection_id: job.collectionId,
    data_mode: context.dataMode,
    result,
    error: job.failure ? problemBody(problemOfFailure(job.failure, job.id), `/v1/jobs/${job.id}`, request.id) : null,
  };
}

/** Removes the raw values of sources that may not be redistributed; their existence and hash remain visible. */
function openEvidence(evidence: EvidenceRecord) {
  const withheld = new Set(evidence.notRedistributable);
  const { notRedistributable, ...rest } = evidence;
  return {
    ...rest,
    withheldSources: notRedistributable,
    observations: evidence.observations.map((observation) =>
      withheld.has(observation.source)
        ? { ...observation, value: null, exact: undefined, withheld: true }
        : observation,
    ),
  };
}

/** Events of a job after a number as texts of the stream, until the job ends or the key may no longer read it. */
async function* jobTexts(
  context: ApiContext,
  request: FastifyRequest,
  { jobId, after, gone }: { readonly jobId: string; readonly after: number; readonly gone: AbortSignal },
): AsyncGenerator<string> {
  const need = { scope: 'score', chain: null, exportOf: null } as const;
  const refused = new AbortController();
  // By a timer: a job may have no event for minutes. While the store is away, the next check decides.
  const check = setInterval(() => {
    isStillAllowed(context, request, need).then(
      (isAllowed) => void (isAllowed || refused.abort()),
      () => undefined,
    );
  }, CHECK_KEY_EVERY_MS);
  try {
    for await (const { seq, ...event } of context.scoring.events(
      jobId,
      after,
      AbortSignal.any([gone, refused.signal]),
    )) {
      if (refused.signal.aborted) break;
      const sent: Reply<typeof JobEventView> = { ...event, id: String(seq), data_mode: context.dataMode };
      const { type, id, ...data } = sent;
      yield `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    }
    if (refused.signal.aborted) yield NO_LONGER_ALLOWED;
  } finally {
    clearInterval(check);
  }
}
