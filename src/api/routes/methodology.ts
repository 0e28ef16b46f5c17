import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { ApiContext } from '../context.ts';

/** The rating methodology as data: weights, anchors, caps, bands, flags. Open. */
export function methodologyRoutes(server: FastifyInstance, context: ApiContext): void {
  const etag = `"${context.methodologyHash}"`;
  server.get(
    '/v1/methodology',
    {
      schema: {
        tags: ['service'],
        summary: 'The methodology in force, as data',
        response: { 200: Type.Unknown(), 304: Type.Null() },
      },
    },
    async (request, reply) => {
      reply
        .header('etag', etag)
        .header('cache-control', 'public, max-age=300')
        .header('assay-methodology-hash', context.methodologyHash);
      if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(context.methodologyJson);
    },
  );
}
