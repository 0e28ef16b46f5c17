import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Input, KEYED, NOT_MODIFIED, problems, RatingListQuery, RecordPage } from '../../contract/index.ts';
import type { Band } from '../../domain/index.ts';
import { readCursor } from '../../monitoring/index.ts';
import { sendProblem, validationFailed } from '../replies/problems.ts';
import type { Routes } from '../requests/read-requests.ts';
import { PAST_SECONDS } from '../rms/choose-rating.ts';
import type { RmsRouting } from '../rms/context.ts';
import { sendPage } from '../rms/send-page.ts';

/** GET /v1/rms. */
export function ratingListRoutes(server: Routes, routing: RmsRouting): void {
  const schema = {
    tags: ['ratings'],
    operationId: 'listRatings',
    summary: 'All rated assets',
    description:
      'Newest ratings, filtered and sorted, in pages. A page goes on after the last entry of the page before: what is rated meanwhile may move, nothing that stands still is left out or comes twice.',
    security: KEYED,
    querystring: RatingListQuery,
    response: { 200: RecordPage, ...NOT_MODIFIED, ...problems(400, 401, 403, 429) },
  };
  server.get('/v1/rms', { config: { scope: 'rms:read' }, compress: false, schema }, (request, reply) =>
    answer(routing, request.query, request, reply),
  );
}

async function answer(
  routing: RmsRouting,
  query: Input<typeof RatingListQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { chain = null, band, category = null, flag = null, min_trust: minTrust = null, search, sort, limit } = query;
  const { cursor = null, class: of = null } = query;
  if (cursor !== null && readCursor(cursor)?.[0] !== sort)
    return sendProblem(
      reply,
      validationFailed([
        {
          pointer: '/cursor',
          code: 'malformed',
          detail: 'expected next_cursor of the page before, with the same sort',
        },
      ]),
    );
  const page = await routing.services.reader.list({
    chain,
    bands: band === undefined ? null : (band.split(',') as Band[]),
    category,
    class: of,
    flag,
    minTrust,
    search: search?.trim() ?? null,
    sort,
    limit,
    cursor,
  });
  return sendPage(request, reply, page, routing.context.dataMode, PAST_SECONDS);
}
