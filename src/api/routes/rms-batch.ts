import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import { BatchBody, BatchReply, KEYED, problems } from '../../contract/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { sendProblem } from '../replies/problems.ts';
import { batchEntries, readBatch } from '../rms/batch.ts';
import { BATCH_BYTES, type RecentBatches } from '../rms/batch-front.ts';
import type { RmsRouting } from '../rms/context.ts';
import { joined, sendPacked } from '../rms/send-page.ts';

/** POST /v1/rms/batch. */
export function ratingBatchRoutes(server: FastifyInstance, routing: RmsRouting, recent: RecentBatches): void {
  const { context, plans, cache } = routing;
  const schema = {
    tags: ['ratings'],
    operationId: 'batchRatings',
    summary: 'The ratings of many assets',
    description:
      'An array with one entry per asset, in order, duplicates too. An asset that fails has `error` (a problem object) instead of a rating; the rest is unharmed. More assets than the plan’s batch size: 413 `batch_too_large`.',
    security: KEYED,
    body: BatchBody,
    response: { 200: BatchReply, ...problems(400, 401, 403, 413, 415, 429) },
  };
  const options = {
    config: { scope: 'rms:read' as const },
    compress: false as const,
    bodyLimit: BATCH_BYTES,
    schema,
    preParsing: async (request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload) =>
      recent.bodyOf(request.raw) ?? payload,
  };
  server.post('/v1/rms/batch', options, async (request, reply) => {
    const plan = planOf(request);
    const read = readBatch(request.body, plan, plans);
    if (!read.ok) return sendProblem(reply, read.problem);
    const now = context.now();
    const point = gridPoint(now, plan.freshnessGridSeconds);
    const version = cache.version();
    reply.header('cache-control', 'private, no-store');
    const { entries, failed } = await batchEntries(routing, read.texts, point, request.id);
    const bytes = joined('[', entries, ']');
    // A problem names its own request; what changed meanwhile may be in it or not.
    if (!failed && cache.version() === version)
      recent.keep(request.raw, { second: Math.floor(now / 1000), version, point, size: read.texts.length, bytes });
    return sendPacked(request, reply, bytes, null);
  });
}
