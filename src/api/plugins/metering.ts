import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ApiContext } from '../context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Written to the connection before this request. */
    writtenBefore: number;
    /** Length of a body that was sent past Fastify. */
    bodyBytes: number | null;
  }
}

const plugin: FastifyPluginAsync<{ context: ApiContext }> = async (server, { context }) => {
  const { onKeyed } = context;
  server.decorateRequest('writtenBefore', 0);
  server.decorateRequest('bodyBytes', null);
  if (!onKeyed) return;
  server.addHook('onRequest', (request, _reply, done) => {
    request.writtenBefore = request.raw.socket.bytesWritten;
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { apiKey } = request;
    if (apiKey !== null)
      onKeyed(apiKey, request.routeOptions.url ?? 'unknown', reply.statusCode, bytesOf(request, reply));
    done();
  });
};

/** Reports every request of a key when its reply is done. */
export const metering = fastifyPlugin(plugin, { name: 'metering', dependencies: ['authentication'] });

/** Bytes of the body as sent. Where nobody said its length (streams), what the connection wrote, the head included. */
function bytesOf(request: FastifyRequest, reply: FastifyReply): number {
  if (request.method === 'HEAD' || reply.statusCode === 304 || reply.statusCode === 204) return 0;
  if (request.bodyBytes !== null) return request.bodyBytes;
  const length = Number(reply.raw.getHeader('content-length') ?? Number.NaN);
  return Number.isNaN(length) ? Math.max(0, request.raw.socket.bytesWritten - request.writtenBefore) : length;
}
