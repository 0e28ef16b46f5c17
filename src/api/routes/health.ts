import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, sendProblem } from '../problems.ts';
import { problems } from '../schemas/shared.ts';

/** Liveness and readiness, open to everybody. */
export function healthRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/healthz',
    {
      schema: {
        tags: ['service'],
        summary: 'The process is alive',
        response: {
          200: Type.Object({ status: Type.Literal('ok'), version: Type.String(), data_mode: Type.String() }),
        },
      },
    },
    async () => ({ status: 'ok', version: context.version, data_mode: context.dataMode }),
  );
  server.get(
    '/readyz',
    {
      schema: {
        tags: ['service'],
        summary: 'The service can take work',
        response: {
          200: Type.Object({
            status: Type.Literal('ready'),
            checks: Type.Record(Type.String(), Type.Boolean()),
            data_mode: Type.String(),
          }),
          ...problems(503),
        },
      },
    },
    async (_request, reply) => {
      const { ok, checks } = await context.ready();
      if (!ok) return sendProblem(reply, { ...PROBLEMS.notReady, more: { checks }, headers: { 'retry-after': '5' } });
      return { status: 'ready', checks, data_mode: context.dataMode };
    },
  );
}
