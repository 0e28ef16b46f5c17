import { gridPoint, type Plan } from '../../access/index.ts';
import { BatchBody, BatchReply, createReader, KEYED, problems } from '../../contract/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { bodyEntry, type HotEntry, type HotParts, passedBody } from '../hot/hot-entry.ts';
import { JSON_TYPES, parseBody } from '../plugins/strict-bodies.ts';
import { sendProblem, validationFailed } from '../replies/problems.ts';
import { type Routes, unread, warnOfIgnored } from '../requests/read-requests.ts';
import { batchEntries, batchRefusal, createRecentBatches } from '../rms/batch.ts';
import type { RmsRouting } from '../rms/context.ts';
import { joined, sendPacked } from '../rms/send-page.ts';

/** A thousand of the longest names, and room. */
const BATCH_BYTES = 262_144;
const PATH = '/v1/rms/batch';
const readBody = createReader(BatchBody);

/** POST /v1/rms/batch. */
export function ratingBatchRoutes(server: Routes, routing: RmsRouting, entries: HotEntry[]): void {
  const { context, plans, cache } = routing;
  const recent = createRecentBatches();
  /** The reply to the very same bytes of this second, while no rating in memory has changed since. */
  const inMemory = (body: Buffer, plan: Plan, now: number) => {
    const known = recent.get(body);
    return known !== undefined &&
      known.second === Math.floor(now / 1000) &&
      known.version === cache.version() &&
      known.point === gridPoint(now, plan.freshnessGridSeconds) &&
      known.size <= plan.batchSize
      ? known.bytes
      : undefined;
  };
  const log: HotParts['log'] = (line) => server.log.info(line, 'request');
  entries.push(
    bodyEntry({ ...routing, log }, { path: PATH, scope: 'rms:read', mostBytes: BATCH_BYTES, find: inMemory }),
  );
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
    validatorCompiler: unread,
    bodyLimit: BATCH_BYTES,
    schema,
  };
  server.register(async (scope) => {
    // The bytes as they came: the same body again is not parsed again.
    scope.removeContentTypeParser(JSON_TYPES);
    scope.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('preParsing', (request, _reply, payload, done) => done(null, passedBody(request.raw) ?? payload));
    scope.post<{ Body: Buffer }>(PATH, options, async (request, reply) => {
      const { body } = request;
      const plan = planOf(request);
      const now = context.now();
      const second = Math.floor(now / 1000);
      const point = gridPoint(now, plan.freshnessGridSeconds);
      const version = cache.version();
      const ready = inMemory(body, plan, now);
      if (ready) return sendPacked(request, reply, ready, null);
      const read = readBody(parseBody(body));
      warnOfIgnored(reply, read.ignored);
      if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
      const { assets } = read.value;
      const refusal = batchRefusal(assets.length, plan, plans);
      if (refusal) return sendProblem(reply, refusal);
      const { entries, failed } = await batchEntries(routing, assets, point, request.id);
      const bytes = joined('[', entries, ']');
      // A problem names its own request, warnings belong to this body; a rating that changed meanwhile may be in it or not.
      if (!failed && read.ignored.length === 0 && cache.version() === version)
        recent.keep(body, { second, version, point, size: assets.length, bytes });
      return sendPacked(request, reply, bytes, null);
    });
  });
}
