import type { FastifyInstance } from 'fastify';
import type { PlanBook } from '../../access/index.ts';
import { PlanList, PlanView, type Reply, viewOf } from '../../contract/index.ts';

/** GET /v1/plans, open to everybody. */
export function planRoutes(server: FastifyInstance, plans: PlanBook, dataMode: 'live' | 'sandbox'): void {
  server.get(
    '/v1/plans',
    {
      schema: {
        tags: ['service'],
        operationId: 'listPlans',
        summary: 'The plans, their limits and prices',
        description: 'Open to everybody. An operator may change them (docs/plans.md).',
        response: { 200: PlanList },
      },
    },
    async (_request, reply): Promise<Reply<typeof PlanList>> => {
      reply.header('cache-control', 'public, max-age=300');
      return { data: plans.plans.map((plan) => viewOf(PlanView, plan)), next_cursor: null, data_mode: dataMode };
    },
  );
}
