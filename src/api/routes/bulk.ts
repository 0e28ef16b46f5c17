import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  BulkAccepted,
  BulkBody,
  BulkHeaders,
  type BulkInput,
  BulkJobList,
  BulkJobReply,
  type BulkJobView,
  BulkListQuery,
  BulkParams,
  BulkRowList,
  BulkRowsQuery,
  bulkCsv,
  MOST_BULK_ROWS,
  problems,
  type Reply,
  readBulkBody,
  readBulkCsv,
} from '../../contract/index.ts';
import type { Bulk, BulkService } from '../../jobs/index.ts';
import type { ApiContext } from '../context.ts';
import { hasScope } from '../plugins/authentication.ts';
import { allowedBy, notFound, refuse, validationFailed } from '../replies/problems.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import { type Routes, unread } from '../requests/read-requests.ts';
import { JSON_TYPES, parseBody } from '../requests/strict-json.ts';

/** Room for a thousand rows with a name and a long URL. */
const BULK_BYTES = 1_048_576;
const CSV_ROWS = 1_000;

/** Scores many assets as one job. */
export function bulkRoutes(server: Routes, context: ApiContext, bulk: BulkService): void {
  const { dataMode } = context;
  const view = (one: Bulk) => bulkView(one, dataMode);

  const about = keyed('score', 'scoring', {
    operationId: 'createBulkJob',
    summary: 'Score many assets as one job',
    description: [
      'Each row is an asset in one word, or `project` and `project_url`, as in a score. JSON, or `text/csv` with a header of the field names (or one asset a line).',
      'The job is stored with all its rows before the reply (202), and continues when a process stops. Rows are scored some at a time, within the plan’s `concurrent_scoring_jobs` and `collections_per_day`.',
      'A row that cannot be read, repeats another, is ambiguous or is more than the plan’s `bulk_rows` states this itself and does not affect other rows. `Idempotency-Key` is honoured for 24 hours.',
    ].join('\n\n'),
    body: BulkBody,
    headers: BulkHeaders,
    response: { 202: BulkAccepted, ...problems(400, 401, 403, 409, 413, 415) },
  });
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const bytes = { parseAs: 'buffer' } as const;
    for (const type of [JSON_TYPES, /^text\/csv(;|$)/])
      scope.addContentTypeParser<Buffer>(type, bytes, (_request, body, done) => done(null, body));
    const options = { ...about, bodyLimit: BULK_BYTES, validatorCompiler: unread };
    scope.post<{ Body: Buffer }>('/v1/bulk', options, async (request, reply) => {
      const key = keyOf(request);
      const plan = planOf(request);
      const mostRows = allowedBy(plan, context.plans, 'bulkRows', 'bulk jobs');
      const body = request.body ?? Buffer.alloc(0);
      const rows = rowsOf(request, body, context);
      const idempotencyKey = request.headers['idempotency-key']?.toString() ?? null;
      if (idempotencyKey !== null && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        refuse(
          validationFailed([
            { pointer: '/Idempotency-Key', code: 'malformed', detail: 'expected 1 to 255 printable ASCII characters' },
          ]),
        );
      const made = await bulk.create(rows, {
        accountId: key.accountId,
        keyId: key.id,
        mostRows,
        share: plan.concurrentScoringJobs,
        plan: plan.name,
        idempotencyKey,
        bodySha256: createHash('sha256').update(body).digest('hex'),
      });
      if (!made.ok)
        return refuse({
          status: 409,
          code: made.code,
          title: 'The idempotency key was used for another request',
          detail: 'This Idempotency-Key was used for another bulk job in the last 24 hours.',
          retry: 'corrected',
        });
      const shown = view(made.bulk);
      return reply.code(202).header('location', shown.location).header('retry-after', '2').send(shown);
    });
  });

  server.get(
    '/v1/bulk',
    keyed('score', 'scoring', {
      operationId: 'listBulkJobs',
      summary: 'Bulk jobs of the account, newest first',
      description: 'Finished ones are kept for 30 days.',
      querystring: BulkListQuery,
      response: { 200: BulkJobList, ...problems(400, 401, 403) },
    }),
    async (request): Promise<Reply<typeof BulkJobList>> => {
      const { limit, cursor = null } = request.query;
      const found = await bulk.list({ accountId: keyOf(request).accountId, before: cursor, limit: limit + 1 });
      const data = found.slice(0, limit).map(view);
      return { data, next_cursor: found.length > limit ? (data.at(-1)?.bulk_id ?? null) : null, data_mode: dataMode };
    },
  );

  server.get(
    '/v1/bulk/:id',
    keyed('score', 'scoring', {
      operationId: 'getBulkJob',
      summary: 'Progress of a bulk job',
      description: 'Rows by their state, why rows failed, and about how long the rest takes.',
      params: BulkParams,
      response: { 200: BulkJobReply, ...problems(400, 401, 403, 404) },
    }),
    async (request, reply) => {
      const found = await bulkFor(request, bulk);
      if (found.state === 'running') reply.header('retry-after', '2');
      return view(found);
    },
  );

  server.get(
    '/v1/bulk/:id/rows',
    keyed('score', 'scoring', {
      operationId: 'listBulkRows',
      summary: 'The rows of a bulk job with their outcomes',
      description: 'In the order in which they were sent. `format=csv` gives all of them as a table.',
      params: BulkParams,
      querystring: BulkRowsQuery,
      response: {
        200: {
          description: 'The rows.',
          content: {
            'application/json': { schema: BulkRowList },
            'text/csv': { schema: Type.String({ description: 'Every row of the job, under a header.' }) },
          },
        },
        ...problems(400, 401, 403, 404),
      },
    }),
    async (request, reply) => {
      const { id } = await bulkFor(request, bulk);
      const { state = null, format, limit, cursor } = request.query;
      if (format === 'csv') {
        const rows = await bulk.rows({ id, state, after: 0, limit: CSV_ROWS });
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${id}.csv"`)
          .send(bulkCsv(rows));
      }
      const found = await bulk.rows({ id, state, after: Number(cursor ?? 0), limit: limit + 1 });
      const data = found.slice(0, limit);
      const last = found.length > limit ? (data.at(-1)?.row ?? null) : null;
      return { data, next_cursor: last === null ? null : String(last), data_mode: dataMode };
    },
  );

  server.delete(
    '/v1/bulk/:id',
    keyed('score', 'scoring', {
      operationId: 'cancelBulkJob',
      summary: 'Cancel a bulk job',
      description: 'Rows that wait are given up; what has a result keeps it. What has ended does not change (409).',
      params: BulkParams,
      response: { 200: BulkJobReply, ...problems(400, 401, 403, 404, 409) },
    }),
    async (request) => {
      const { id, state } = await bulkFor(request, bulk);
      if (!(await bulk.cancel(id)))
        refuse({
          status: 409,
          code: 'job_already_finished',
          title: 'The job has already ended',
          detail: `It is ${state === 'running' ? 'being cancelled' : state}; only running bulk jobs can be cancelled.`,
          retry: 'no',
          more: { bulk_id: id, state },
        });
      return view(await bulkFor(request, bulk));
    },
  );
}

/** The rows of a body in either format. */
function rowsOf(request: FastifyRequest, body: Buffer, { judgeUrl }: ApiContext): readonly BulkInput[] {
  const isCsv = /^text\/csv/.test(request.headers['content-type'] ?? '');
  const read = isCsv ? readBulkCsv(textOf(body), judgeUrl) : readBulkBody(parseBody(body), judgeUrl);
  if (!read.ok) return refuse(validationFailed(read.errors));
  if (read.value.length > MOST_BULK_ROWS)
    return refuse({
      status: 413,
      code: 'batch_too_large',
      title: 'The bulk job is too large',
      detail: `A bulk job has up to ${MOST_BULK_ROWS} rows, got ${read.value.length}.`,
      retry: 'corrected',
      more: { limit: MOST_BULK_ROWS },
    });
  return read.value;
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return refuse(validationFailed([{ pointer: '', code: 'malformed_csv', detail: 'expected UTF-8' }]));
  }
}

async function bulkFor(request: FastifyRequest, bulk: BulkService): Promise<Bulk> {
  const key = keyOf(request);
  const { id } = request.params as { readonly id: string };
  return (await bulk.get(id, hasScope(key, 'admin') ? null : key.accountId)) ?? refuse(NOT_FOUND);
}

const NOT_FOUND = notFound(
  'bulk_not_found',
  'There is no such bulk job',
  'The account has no bulk job of this id; GET /v1/bulk lists them.',
);

/** The progress of a bulk job as sent. */
export function bulkView(bulk: Bulk, dataMode: 'live' | 'sandbox'): Reply<typeof BulkJobView> {
  const { waiting = 0, running = 0, rated = 0, failed = 0, refused = 0, duplicate = 0, cancelled = 0 } = bulk.states;
  const location = `/v1/bulk/${bulk.id}`;
  return {
    bulk_id: bulk.id,
    state: bulk.state,
    created_at: bulk.createdAt,
    finished_at: bulk.finishedAt,
    rows: { total: bulk.total, done: bulk.done, waiting, running, rated, failed, refused, duplicate, cancelled },
    reasons: bulk.codes,
    at_once: bulk.atOnce,
    eta_seconds: bulk.etaSeconds,
    location,
    results: `${location}/rows`,
    data_mode: dataMode,
  };
}
