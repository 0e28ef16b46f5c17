import type { FastifyInstance } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import { BatchBody, BatchReply, KEYED, problems } from '../../contract/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { JSON_TYPES, parseBody } from '../plugins/strict-bodies.ts';
import { sendProblem } from '../replies/problems.ts';
import { batchEntries, createRecentBatches, readBatch } from '../rms/batch.ts';
import type { RmsRouting } from '../rms/context.ts';
import { joined, sendPacked } from '../rms/send-page.ts';

/** A thousand of the longest names, and room. */
const BATCH_BYTES = 262_144;

/** POST /v1/rms/batch. */
export function ratingBatchRoutes(server: FastifyInstance, routing: RmsRouting): void {
  const { context, plans, cache } = routing;
  const recent = createRecentBatches();
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
  };
  server.register(async (scope) => {
    // The bytes as they came: the same body again is not parsed again.
    scope.removeContentTypeParser(JSON_TYPES);
    scope.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post<{ Body: Buffer }>('/v1/rms/batch', options, async (request, reply) => {
      const { body } = request;
      const plan = planOf(request);
      const now = context.now();
      const second = Math.floor(now / 1000);
      const point = gridPoint(now, plan.freshnessGridSeconds);
      const version = cache.version();
      const known = recent.get(body);
      if (
        known !== undefined &&
        known.second === second &&
        known.version === version &&
        known.point === point &&
        known.size <= plan.batchSize
      )
        return sendPacked(request, reply, known.bytes, null);
      const read = readBatch(parseBody(body), plan, plans);
      if (!read.ok) return sendProblem(reply, read.problem);
      const { entries, failed } = await batchEntries(routing, read.texts, point, request.id);
      const bytes = joined('[', entries, ']');
      // A problem names its own request; what changed meanwhile may be in it or not.
      if (!failed && cache.version() === version)
        recent.keep(body, { second, version, point, size: read.texts.length, bytes });
      return sendPacked(request, reply, bytes, null);
    });
  });
}
