import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KEYED, NOT_MODIFIED, problems, RatingListQueryView, RecordPage } from '../../contract/index.ts';
import type { Band } from '../../domain/index.ts';
import type { RatingListQuery } from '../../monitoring/index.ts';
import { readCursor } from '../../monitoring/index.ts';
import { sendProblem, validationFailed } from '../replies/problems.ts';
import { readQuery } from '../requests/read-query.ts';
import type { RmsRouting } from '../rms/context.ts';
import { PAST_SECONDS } from '../rms/max-age.ts';
import { sendPage } from '../rms/send-page.ts';

const DEFAULT_LIMIT = 100;

/** GET /v1/rms. */
export function ratingListRoutes(server: FastifyInstance, routing: RmsRouting): void {
  const schema = {
    tags: ['ratings'],
    operationId: 'listRatings',
    summary: 'All rated assets',
    description:
      'Newest ratings, filtered and sorted, in pages. A page goes on after the last entry of the page before: what is rated meanwhile may move, nothing that stands still is left out or comes twice.',
    security: KEYED,
    querystring: RatingListQueryView,
    response: { 200: RecordPage, ...NOT_MODIFIED, ...problems(400, 401, 403, 429) },
  };
  server.get('/v1/rms', { config: { scope: 'rms:read' }, compress: false, schema }, (request, reply) =>
    answer(routing, request, reply),
  );
}

async function answer(routing: RmsRouting, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const read = readQuery(RatingListQueryView, request, reply);
  if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
  const { chain = null, band, category = null, flag = null, limit = DEFAULT_LIMIT, cursor = null } = read.value;
  const { min_trust: minTrust = null, search = null, sort = '-score' } = read.value;
  if (cursor !== null && readCursor(String(cursor))?.[0] !== sort)
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
  const text = (value: string | number | null) => (value === null ? null : String(value));
  const page = await routing.services.reader.list({
    chain: text(chain),
    bands: band === undefined ? null : (String(band).split(',') as Band[]),
    category: text(category),
    flag: text(flag),
    minTrust: minTrust === null ? null : Number(minTrust),
    search: search === null ? null : String(search).trim(),
    sort: sort as RatingListQuery['sort'],
    limit: Number(limit),
    cursor: text(cursor),
  });
  return sendPage(request, reply, page, routing.context.dataMode, PAST_SECONDS);
}
