import type { FastifyInstance } from 'fastify';
import { gridPoint } from '../../access/plans/grid.ts';
import { planOf } from '../chain-routing.ts';
import { sendProblem } from '../problems.ts';
import { batchEntries, readBatch } from '../rms/batch.ts';
import type { RmsRouting } from '../rms/context.ts';
import { joined, sendPacked } from '../rms/send-page.ts';
import { BatchBody, BatchReply } from '../schemas/rms.ts';
import { KEYED, problems } from '../schemas/shared.ts';

/** A thousand of the longest names, and room. */
const BODY_LIMIT_BYTES = 262_144;

/** The reply to one body, good for one second while no rating in memory changes. */
interface Answered {
  readonly second: number;
  readonly version: number;
  readonly point: number | null;
  readonly bytes: Buffer;
}

/** POST /v1/rms/batch. */
export function ratingBatchRoutes(server: FastifyInstance, routing: RmsRouting): void {
  const { context, plans, cache } = routing;
  const recent = new WeakMap<object, Answered>();
  const schema = {
    tags: ['ratings'],
    summary: 'The ratings of many assets',
    description:
      'An array with one entry per asset, in order, duplicates too. An asset that fails has `error` (a problem object) instead of a rating; the rest is unharmed. More assets than the plan’s batch size: 413 `batch_too_large`.',
    security: KEYED,
    body: BatchBody,
    response: { 200: BatchReply, ...problems(400, 401, 403, 413, 415, 429) },
  };
  const options = {
    config: { scope: 'rms:read' as const, repeatsBody: true },
    compress: false as const,
    bodyLimit: BODY_LIMIT_BYTES,
    schema,
  };
  server.post('/v1/rms/batch', options, async (request, reply) => {
    const plan = planOf(request);
    const read = readBatch(request.body, plan, plans);
    if (!read.ok) return sendProblem(reply, read.problem);
    const now = context.now();
    const point = gridPoint(now, plan.freshnessGridSeconds);
    const second = Math.floor(now / 1000);
    const version = cache.version();
    reply.header('cache-control', 'private, no-store');
    const body = request.body as object;
    const known = recent.get(body);
    if (known?.second === second && known.version === version && known.point === point)
      return sendPacked(request, reply, known.bytes, null);
    const { entries, failed } = await batchEntries(routing, read.texts, point, request.id);
    const bytes = joined('[', entries, ']');
    // Ages count in seconds, and a problem names its own request.
    if (!failed && cache.version() === version) recent.set(body, { second, version, point, bytes });
    return sendPacked(request, reply, bytes, null);
  });
}
