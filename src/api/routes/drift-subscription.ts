import {
  DONE,
  DriftSubscriptionBody,
  DriftSubscriptionView,
  problems,
  type Reply,
  viewOf,
} from '../../contract/index.ts';
import type { ApiContext, DriftSubscriptions } from '../context.ts';
import { allowedBy, refuse, validationFailed } from '../replies/problems.ts';
import { accountOf, keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const PATH = '/v1/alerts/source-drift';

/** Whether an account is notified of drifting sources. */
export function driftSubscriptionRoutes(server: Routes, context: ApiContext, drift: DriftSubscriptions): void {
  async function view(accountId: string): Promise<Reply<typeof DriftSubscriptionView>> {
    const found = await drift.read(accountId);
    const { sources, open } = found ?? { sources: null, open: [] };
    return viewOf(DriftSubscriptionView, { subscribed: found !== null, sources, open, dataMode: context.dataMode });
  }

  server.get(
    PATH,
    keyed('rms:read', 'alerts', {
      operationId: 'getDriftSubscription',
      summary: 'Whether the account gets alerts of the kind source_drift',
      description: 'With the open drifts that it was notified of.',
      response: { 200: DriftSubscriptionView, ...problems(401, 403, 429) },
    }),
    (request) => view(accountOf(request)),
  );

  server.put(
    PATH,
    keyed('rms:write', 'alerts', {
      operationId: 'subscribeToDrift',
      summary: 'Be notified when a source changes what it states',
      description:
        'From now on the account gets alerts of the kind `source_drift` when a source begins to drift, gets worse, and is as usual again. Drifts that are open already are notified within a few minutes. A second time changes which sources are meant.',
      body: DriftSubscriptionBody,
      response: { 200: DriftSubscriptionView, ...problems(400, 401, 403, 413, 415, 429) },
    }),
    async (request) => {
      allowedBy(planOf(request), context.plans, 'watchlistSize', 'alerts');
      const { sources } = request.body;
      const known = new Set(((await context.sources?.()) ?? []).map((row) => row.source));
      const errors = (sources ?? []).flatMap((name, index) => {
        const detail = `there is no source ${name}; GET /v1/status lists them`;
        return known.has(name) ? [] : [{ pointer: `/sources/${index}`, code: 'unknown_source', detail }];
      });
      if (errors.length > 0) refuse(validationFailed(errors));
      await drift.put(accountOf(request), sources);
      return view(accountOf(request));
    },
  );

  server.delete(
    PATH,
    keyed('rms:write', 'alerts', {
      operationId: 'unsubscribeFromDrift',
      summary: 'Get no alerts of the kind source_drift any more',
      description: 'Those that were made stay readable. A second time changes nothing.',
      response: { ...DONE, ...problems(401, 403, 429) },
    }),
    async (request, reply) => {
      await drift.remove(accountOf(request));
      return reply.code(204).send();
    },
  );
}
