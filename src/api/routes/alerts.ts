import type { FastifyInstance } from 'fastify';
import { AlertList, AlertParams, AlertQuery, AlertReply, KEYED, problems, viewOf } from '../../contract/index.ts';
import type { AlertServices, ApiContext } from '../context.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { accountOf, assetNamed, keyOf, readTime } from '../requests/account-request.ts';
import { readQuery } from '../requests/read-query.ts';
import { alertStreamRoute } from './alert-stream.ts';

const shared = { tags: ['alerts'], security: KEYED };

/** An account's alerts: pages, acknowledgement, and a stream. */
export function alertRoutes(server: FastifyInstance, context: ApiContext, { book, whitelist }: AlertServices): void {
  alertStreamRoute(server, context, book);

  server.get(
    '/v1/alerts',
    {
      config: { scope: 'rms:read' },
      schema: {
        ...shared,
        operationId: 'listAlerts',
        summary: 'Alerts of the account, newest first',
        description: 'What happened to the assets on the account’s whitelist, since each was added. Kept for good.',
        querystring: AlertQuery,
        response: { 200: AlertList, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const read = readQuery(AlertQuery, request, reply);
      if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
      const { kind, asset, acknowledged, since, limit, cursor } = read.value;
      const from = since === undefined ? null : readTime(String(since));
      if (since !== undefined && from === null) return sendProblem(reply, validationFailed([NO_SUCH_TIME]));
      const named = asset === undefined ? null : await assetNamed(String(asset), whitelist.find, context.scoringPath);
      if (named && !named.ok) return sendProblem(reply, named.problem);
      const most = Number(limit ?? 100);
      const found = await book.page(
        accountOf(request),
        {
          kind: kind === undefined ? null : String(kind),
          assetId: named?.value ?? null,
          acknowledged: acknowledged === undefined ? null : acknowledged === 'true',
          since: from,
        },
        { before: cursor === undefined ? null : Number(cursor), limit: most + 1 },
      );
      const data = found.slice(0, most);
      return reply.header('cache-control', 'private, no-store').send(
        viewOf(AlertList, {
          data,
          nextCursor: found.length > most ? String(data.at(-1)?.id) : null,
          dataMode: context.dataMode,
        }),
      );
    },
  );

  server.post(
    '/v1/alerts/:id/acknowledge',
    {
      config: { scope: 'rms:write', bodyOptional: true },
      schema: {
        ...shared,
        operationId: 'acknowledgeAlert',
        summary: 'Acknowledge an alert; a second time changes nothing',
        description: 'It stays in the list, and no longer counts as open.',
        params: AlertParams,
        response: { 200: AlertReply, ...problems(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const key = keyOf(request);
      const alert = /^[1-9][0-9]{0,14}$/.test(id) ? await book.acknowledge(key.accountId, Number(id), key.id) : null;
      return alert
        ? reply.send(viewOf(AlertReply, { ...alert, dataMode: context.dataMode }))
        : sendProblem(reply, NOT_FOUND);
    },
  );
}

const NO_SUCH_TIME = { pointer: '/since', code: 'malformed', detail: 'expected an RFC 3339 time' };
const NOT_FOUND: Problem = {
  status: 404,
  code: 'alert_not_found',
  title: 'There is no such alert',
  detail: 'The account has no alert of this number; GET /v1/alerts lists them.',
  retry: 'no',
};
