import {
  problems,
  type Reply,
  RestatementList,
  RestatementQuery,
  RestatementView,
  viewOf,
} from '../../contract/index.ts';
import type { DisclosureServices } from '../../disclosure/index.ts';
import type { ApiContext } from '../context.ts';
import type { Routes } from '../requests/read-requests.ts';

/** GET /v1/restatements, open: everything that was ever corrected. */
export function restatementRoutes(
  server: Routes,
  { dataMode }: Pick<ApiContext, 'dataMode'>,
  { restatements }: Pick<DisclosureServices, 'restatements'>,
): void {
  server.get(
    '/v1/restatements',
    {
      schema: {
        tags: ['service'],
        operationId: 'listRestatements',
        summary: 'What was corrected, newest first',
        description:
          'Published days and ratings that were wrong by another band or by two points or more. What was published first stays readable beside the correction.',
        querystring: RestatementQuery,
        response: { 200: RestatementList, ...problems(400) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? null : Number(cursor);
      const found = await restatements({ before, limit: limit + 1 });
      const page = found.slice(0, limit);
      return reply.header('cache-control', 'public, max-age=60').send({
        data: page.map((one) => viewOf(RestatementView, one)),
        next_cursor: found.length > limit ? String(page.at(-1)?.id) : null,
        data_mode: dataMode,
      } satisfies Reply<typeof RestatementList>);
    },
  );
}
