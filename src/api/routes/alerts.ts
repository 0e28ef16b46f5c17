import { AlertList, AlertParams, AlertQuery, AlertReply, KEYED, problems, viewOf } from '../../contract/index.ts';
import type { AlertServices, ApiContext } from '../context.ts';
import { type Problem, sendProblem } from '../replies/problems.ts';
import { accountOf, assetNamed, keyOf, storeTime } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { alertStreamRoute } from './alert-stream.ts';
import { driftSubscriptionRoutes } from './drift-subscription.ts';

const shared = { tags: ['alerts'], security: KEYED };

/** An account's alerts: pages, acknowledgement, and a stream. */
export function alertRoutes(server: Routes, context: ApiContext, { book, whitelist, drift }: AlertServices): void {
  alertStreamRoute(server, context, book);
  driftSubscriptionRoutes(server, context, drift);

  server.get(
    '/v1/alerts',
    {
      config: { scope: 'rms:read' },
      schema: {
        ...shared,
        operationId: 'listAlerts',
        summary: 'Alerts of the account, newest first',
        description:
          'What happened to the assets on the account’s whitelist since each was added, and to sources if the account asked for it. Kept for good.',
        querystring: AlertQuery,
        response: { 200: AlertList, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const { kind = null, asset, acknowledged, since, limit, cursor } = request.query;
      const named = asset === undefined ? null : await assetNamed(asset, whitelist.find, context.scoringPath);
      if (named && !named.ok) return sendProblem(reply, named.problem);
      const found = await book.page(
        accountOf(request),
        {
          kind,
          assetId: named?.value ?? null,
          acknowledged: acknowledged === undefined ? null : acknowledged === 'true',
          since: since === undefined ? null : storeTime(since),
        },
        { before: cursor === undefined ? null : Number(cursor), limit: limit + 1 },
      );
      const data = found.slice(0, limit);
      return reply.header('cache-control', 'private, no-store').send(
        viewOf(AlertList, {
          data,
          nextCursor: found.length > limit ? String(data.at(-1)?.id) : null,
          dataMode: context.dataMode,
        }),
      );
    },
  );

  server.post(
    '/v1/alerts/:id/acknowledge',
    {
      config: { scope: 'rms:write', bodyOptional: true, notFound: NOT_FOUND },
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
      const key = keyOf(request);
      const alert = await book.acknowledge(key.accountId, Number(request.params.id), key.id);
      return alert
        ? reply.send(viewOf(AlertReply, { ...alert, dataMode: context.dataMode }))
        : sendProblem(reply, NOT_FOUND);
    },
  );
}

const NOT_FOUND: Problem = {
  status: 404,
  code: 'alert_not_found',
  title: 'There is no such alert',
  detail: 'The account has no alert of this number; GET /v1/alerts lists them.',
  retry: 'no',
};
