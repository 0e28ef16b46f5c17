import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Written to the connection before this request. */
    writtenBefore: number;
    /** Length of a body that was sent past Fastify. */
    bodyBytes: number | null;
  }
}

const plugin: FastifyPluginAsync = async (server) => {
  server.decorateRequest('writtenBefore', 0);
  server.decorateRequest('bodyBytes', null);
  server.addHook('onRequest', (request, _reply, done) => {
    request.writtenBefore = request.raw.socket.bytesWritten;
    done();
  });
};

/** Remembers what `bytesOf` needs of each request. */
export const metering = fastifyPlugin(plugin, { name: 'metering' });

/** Bytes of a finished reply's body as sent. Where nobody said its length (streams), what the connection wrote, head included. */
export function bytesOf(request: FastifyRequest, reply: FastifyReply): number {
  if (request.method === 'HEAD' || reply.statusCode === 304 || reply.statusCode === 204) return 0;
  if (request.bodyBytes !== null) return request.bodyBytes;
  const length = Number(reply.raw.getHeader('content-length') ?? Number.NaN);
  return Number.isNaN(length) ? Math.max(0, request.raw.socket.bytesWritten - request.writtenBefore) : length;
}
