import type { FastifyInstance } from 'fastify';
import { Live, problems, Ready, type Reply } from '../../contract/index.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, sendProblem } from '../replies/problems.ts';

/** Liveness and readiness, open to everybody. */
export function healthRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/healthz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getLiveness',
        summary: 'The process is alive',
        description: 'For whatever restarts processes: it asks nothing of the database.',
        response: { 200: Live },
      },
    },
    async (): Promise<Reply<typeof Live>> => ({
      status: 'ok',
      version: context.version,
      data_mode: context.dataMode,
    }),
  );
  server.get(
    '/readyz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getReadiness',
        summary: 'The service can take work',
        description: 'For load balancers: 503 while the database is away or the service stops; `checks` says which.',
        response: { 200: Ready, ...problems(503) },
      },
    },
    async (_request, reply) => {
      const { ok, checks } = await context.ready();
      if (!ok) return sendProblem(reply, { ...PROBLEMS.notReady, more: { checks }, headers: { 'retry-after': '5' } });
      return { status: 'ready', checks, data_mode: context.dataMode } satisfies Reply<typeof Ready>;
    },
  );
}
