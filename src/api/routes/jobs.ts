import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { EvidenceRecord } from '../../domain/evidence.ts';
import type { OutputFormat } from '../../scoring/request.ts';
import type { Job } from '../../scoring/types.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, problemBody, problemOfFailure, sendProblem } from '../problems.ts';
import { KEYED, problems } from '../schemas/shared.ts';
import { scoreBody, sendScore } from '../send-score.ts';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const nullableString = nullable(Type.String());
const JobView = Type.Object({
  job_id: Type.String(),
  state: Type.Union(['queued', 'running', 'succeeded', 'failed', 'cancelled'].map((name) => Type.Literal(name))),
  type: Type.String(),
  project: Type.String(),
  project_url: Type.String(),
  created_at: Type.String(),
  started_at: nullableString,
  finished_at: nullableString,
  attempts: Type.Integer(),
  data_mode: Type.String(),
  result: nullable(Type.Unknown()),
  error: nullable(Type.Unknown()),
});
const IdParam = Type.Object({ id: Type.String() });
const score = { config: { scope: 'score' as const } };

/** State, progress, cancellation and evidence of scoring jobs. */
export function jobRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/v1/jobs/:id',
    {
      ...score,
      schema: {
        tags: ['jobs'],
        summary: 'State and result of a job',
        description:
          '`output_format` as in scoring. A finished job with `Accept: text/html` or `text/markdown` and `output_format=full` gives the report itself.',
        security: KEYED,
        params: IdParam,
        querystring: Type.Object({
          output_format: Type.Optional(Type.String({ enum: ['minimal', 'standard', 'full'] })),
        }),
        response: { 200: JobView, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const job = await context.scoring.get(idOf(request));
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
      const format = ((request.query as { output_format?: string }).output_format ?? 'standard').toLowerCase();
      if (!['minimal', 'standard', 'full'].includes(format)) {
        return sendProblem(reply, {
          status: 400,
          code: 'validation_failed',
          title: 'The request is not right',
          detail: 'see errors',
          retry: 'corrected',
          errors: [
            { pointer: '/output_format', code: 'unknown_output_format', detail: 'expected minimal, standard or full' },
          ],
        });
      }
      const report = job.state === 'succeeded' ? await context.scoring.report(job.id) : null;
      const view = { format: format as OutputFormat, asked: job.request, warnings: [], now: context.now() };
      if (report && format === 'full' && /text\/(html|markdown)/.test(request.headers.accept ?? ''))
        return sendScore(reply, report, view);
      if (job.state === 'queued' || job.state === 'running') reply.header('retry-after', '1');
      return reply
        .header('cache-control', 'private, no-store')
        .send(jobView(job, report ? scoreBody(report, view) : null, request, context));
    },
  );

  server.get(
    '/v1/jobs/:id/events',
    {
      ...score,
      schema: {
        tags: ['jobs'],
        summary: 'Progress as server-sent events',
        description:
          'Events state, identified, source, result and failure, numbered from 1; `Last-Event-ID` resumes. The stream ends with the job.',
        security: KEYED,
        params: IdParam,
        response: {
          200: { description: 'An event stream', content: { 'text/event-stream': { schema: Type.String() } } },
          ...problems(401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const job = await context.scoring.get(idOf(request));
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
      await streamEvents(context, job.id, lastEventId(request), reply);
      return reply;
    },
  );

  server.delete(
    '/v1/jobs/:id',
    {
      ...score,
      schema: {
        tags: ['jobs'],
        summary: 'Cancel a job',
        security: KEYED,
        params: IdParam,
        response: { 200: JobView, ...problems(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const job = await context.scoring.get(idOf(request));
      if (!job) return sendProblem(reply, PROBLEMS.jobNotFound);
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
        summary: 'The archived evidence of a job',
        description:
          'Every observation and every reply’s address, time and SHA-256. Values of sources whose terms forbid passing them on are null and marked `withheld`.',
        security: KEYED,
        params: IdParam,
        response: { 200: Type.Unknown(), ...problems(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const job = await context.scoring.get(idOf(request));
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

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

function jobView(job: Job, result: unknown, request: FastifyRequest, context: ApiContext) {
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
    data_mode: context.dataMode,
    result,
    error: job.failure ? problemBody(problemOfFailure(job.failure, job.id), `/v1/jobs/${job.id}`, request.id) : null,
  };
}

/** Raw values of sources that may not be passed on stay in the house; that they exist, and their hash, does not. */
function openEvidence(evidence: EvidenceRecord) {
  const withheld = new Set(evidence.notRedistributable);
  const { notRedistributable, ...rest } = evidence;
  return {
    ...rest,
    withheldSources: notRedistributable,
    observations: evidence.observations.map((observation) =>
      withheld.has(observation.source) ? { ...observation, value: null, withheld: true } : observation,
    ),
  };
}

function lastEventId(request: FastifyRequest): number {
  const given = Number(request.headers['last-event-id'] ?? 0);
  return Number.isInteger(given) && given > 0 ? given : 0;
}

const HEARTBEAT_MS = 15_000;

async function streamEvents(context: ApiContext, jobId: string, after: number, reply: FastifyReply): Promise<void> {
  const gone = new AbortController();
  reply.hijack();
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(': assay job events\n\n');
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  try {
    for await (const event of context.scoring.events(jobId, after, gone.signal)) {
      const { seq, type, ...data } = event;
      if (
        !raw.write(`id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ ...data, data_mode: context.dataMode })}\n\n`)
      )
        await drained(raw, gone.signal);
    }
  } finally {
    clearInterval(heartbeat);
    raw.end();
  }
}

/** A reader that does not read must not fill our memory. */
function drained(raw: FastifyReply['raw'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    raw.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
