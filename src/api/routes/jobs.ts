import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  EventHeaders,
  type JobEvent,
  JobEventStream,
  type JobEventView,
  JobEvidence,
  JobParams,
  JobQuery,
  JobView,
  KEYED,
  problems,
  type Reply,
} from '../../contract/index.ts';
import type { EvidenceRecord } from '../../domain/index.ts';
import { answerView, type Job } from '../../jobs/index.ts';
import type { ApiContext } from '../context.ts';
import { headersOf } from '../plugins/head.ts';
import { badEventId, drained, lastEventId, takeStream } from '../replies/event-stream.ts';
import { PROBLEMS, type Problem, problemBody, problemOfFailure, sendProblem } from '../replies/problems.ts';
import { scoreBody, sendScore } from '../replies/send-score.ts';
import { keyOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const score = { config: { scope: 'score' as const } };

/** State, progress, cancellation and evidence of scoring jobs. */
export function jobRoutes(server: Routes, context: ApiContext): void {
  server.get(
    '/v1/jobs/:id',
    {
      ...score,
      schema: {
        tags: ['jobs'],
        operationId: 'getJob',
        summary: 'State and result of a job',
        description:
          '`output_format` as in scoring. A finished job with `Accept: text/html` or `text/markdown` and `output_format=full` gives the report itself.',
        security: KEYED,
        params: JobParams,
        querystring: JobQuery,
        response: { 200: JobView, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const job = await jobFor(request, context);
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
      const format = request.query.output_format;
      const report = job.state === 'succeeded' ? await context.scoring.report(job.id) : null;
      const view = report && answerView(job, report, { asked: job.request, warnings: [], now: context.now() });
      if (report && view && format === 'full' && /text\/(html|markdown)/.test(request.headers.accept ?? ''))
        return sendScore(reply, report, format, view);
      if (job.state === 'queued' || job.state === 'running') reply.header('retry-after', '1');
      return reply
        .header('cache-control', 'private, no-store')
        .send(jobView(job, report && view ? scoreBody(report, format, view) : null, request, context));
    },
  );

  server.get(
    '/v1/jobs/:id/events',
    {
      ...score,
      schema: {
        tags: ['jobs'],
        operationId: 'streamJobEvents',
        summary: 'Progress as server-sent events',
        description:
          'Events state, identified, waiting, source, result and failure, numbered from 1; `Last-Event-ID` goes on after that number; one that the job has no event of is refused. The stream ends with the job. It counts towards the plan’s `stream_connections`, as streams of alerts do.',
        security: KEYED,
        params: JobParams,
        headers: EventHeaders,
        response: {
          200: {
            description: 'An event stream',
            content: {
              'text/event-stream': { schema: JobEventStream },
            },
          },
          ...problems(400, 401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const job = await jobFor(request, context);
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
      const after = lastEventId(request) ?? 0;
      const newest = after === 0 ? 0 : await context.scoring.newestEvent(job.id);
      if (after > newest)
        return sendProblem(reply, badEventId(`the job has no event ${after}; its newest is ${newest}`));
      const taken = await takeStream(context, request);
      if ('problem' in taken) return sendProblem(reply, taken.problem);
      try {
        await streamEvents(context, job.id, after, reply);
      } finally {
        taken.giveBack();
      }
      return reply;
    },
  );

  server.delete(
    '/v1/jobs/:id',
    {
      ...score,
      schema: {
        tags: ['jobs'],
        operationId: 'cancelJob',
        summary: 'Cancel a job',
        description:
          'A queued score never begins; a running one stops waiting, and the reply may still say `running`. A collection goes on: others may wait for it, and its rating is for all. What has ended stays as it is (409).',
        security: KEYED,
        params: JobParams,
        response: { 200: JobView, ...problems(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const job = await jobFor(request, context);
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
      if (!(await mayCancel(job, request, context))) return sendProblem(reply, NOT_YOURS);
      const done = await context.scoring.cancel(job.id);
      if (!done)
        return sendProblem(reply, {
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
    {
      ...score,
      schema: {
        tags: ['jobs'],
        operationId: 'getJobEvidence',
        summary: 'The archived evidence of a job',
        description:
          'Every observation and every reply’s address, time and SHA-256. Values of sources whose terms forbid passing them on are null and marked `withheld`.',
        security: KEYED,
        params: JobParams,
        response: { 200: JobEvidence, ...problems(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const job = await jobFor(request, context);
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
      const evidence = await context.scoring.evidence(job.id);
      if (!evidence)
        return sendProblem(reply, {
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
 * The job that a request names, when its key may see it. A collection whose rating is published is that rating's receipt, and
 * any key that scores may read it. A score holds its caller's text: only the accounts that requested it may read it.
 */
async function jobFor(request: FastifyRequest, { scoring }: ApiContext): Promise<Job | null> {
  const { scopes, accountId } = keyOf(request);
  const job = await scoring.get(idOf(request));
  if (job === null || job.isReceipt || scopes.includes('admin')) return job;
  return (await scoring.requesterOf(job.id, accountId)) === null ? null : job;
}

/**
 * A caller that joined a job of another account may not cancel it for the other. A collection belongs to the asset and goes on,
 * whatever callers wait for it.
 */
async function mayCancel(job: Job, request: FastifyRequest, { scoring }: ApiContext): Promise<boolean> {
  const { scopes, accountId } = keyOf(request);
  if (ENDED.has(job.state) || scopes.includes('admin')) return true;
  return job.kind === 'score' && (await scoring.requesterOf(job.id, accountId)) === 'first';
}

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

const NOT_YOURS: Problem = {
  status: 409,
  code: 'job_is_shared',
  title: 'The job is not this account’s alone',
  detail:
    'Others wait for this job too: it was joined while it was under way, or it is the collection of an asset. It goes on.',
  retry: 'no',
};

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

function jobView(job: Job, result: unknown, request: FastifyRequest, context: ApiContext): Reply<typeof JobView> {
  return {
    job_id: job.id,
    state: job.state,
    type: job.request.type,
    project: job.request.project,
    project_url: job.request.projectUrl,
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

/** Leaves out raw values of sources that may not be passed on; that they exist, and their hash, is shown. */
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

function eventText({ seq, ...event }: JobEvent, dataMode: ApiContext['dataMode']): string {
  const sent: Reply<typeof JobEventView> = { ...event, id: String(seq), data_mode: dataMode };
  const { type, id, ...data } = sent;
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const HEARTBEAT_MS = 15_000;

async function streamEvents(context: ApiContext, jobId: string, after: number, reply: FastifyReply): Promise<void> {
  const gone = new AbortController();
  reply.hijack();
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  // The reader may have left while the job was looked up.
  if (raw.destroyed) gone.abort();
  const headers = Object.fromEntries(Object.entries(headersOf(reply)).map(([name, value]) => [name, String(value)]));
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(': assay job events\n\n');
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const event of context.scoring.events(jobId, after, gone.signal)) {
      if (!raw.write(eventText(event, context.dataMode)))
        if (!(await drained(raw, gone.signal)))
          // A reader that does not read must not fill our memory; one that takes nothing for long is left.
          break;
    }
  } finally {
    clearInterval(heartbeat);
    // Unread events are dropped: the reader requests them again by number.
    if (raw.writableNeedDrain) raw.destroy();
    else raw.end();
  }
}
