import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { FRESH } from '../../access/index.ts';
import type { ApiContext } from '../context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route calls other routes with the caller’s key: those are counted, this one is not. */
    readonly paysInside?: boolean;
  }
  interface FastifyRequest {
    /** Bytes written to the connection before this request. */
    writtenBefore: number;
    /** Length of a body that was sent without Fastify. */
    bodyBytes: number | null;
  }
}

const plugin: FastifyPluginAsync<Pick<ApiContext, 'onRequest'>> = async (server, { onRequest }) => {
  server.decorateRequest('writtenBefore', 0);
  server.decorateRequest('bodyBytes', null);
  server.addHook('onRequest', (request, _reply, done) => {
    request.writtenBefore = request.raw.socket.bytesWritten;
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    // The inner request of a paid request is not counted; the outer one is.
    if (request.payer !== null) return done();
    // Fastify computes both on every read.
    const { url, paysInside } = request.routeOptions.config as { readonly url?: string; readonly paysInside?: boolean };
    const milliseconds = reply.elapsedTime;
    const { method } = request;
    const { statusCode: status } = reply;
    const key = paysInside ? null : request.apiKey;
    onRequest(nameOf(url, request.query), method, status, milliseconds / 1000, key, bytesOf(request, reply));
    request.log.info(requestLine(method, url, status, milliseconds), 'request');
    done();
  });
};

/** Counts every finished request, once, and logs it. */
export const metering = fastifyPlugin(plugin, { name: 'metering' });

export interface LogLine {
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
}

/** The log line of a finished request. */
export function requestLine(method: string, route: string | undefined, status: number, milliseconds: number): LogLine {
  return { method, route, status, ms: Math.round(milliseconds) };
}

/** A fresh rating takes as long as a score, so it does not count as a read. */
function nameOf(route: string | undefined, query: unknown): string {
  if (route === undefined) return 'unknown';
  const isFresh = route.startsWith('/v1/rms/') && (query as { readonly fresh?: unknown }).fresh === 'true';
  return isFresh ? `${route}${FRESH}` : route;
}

/**
 * Bytes of a finished reply's body as sent. If the length is not stated (streams): the bytes that the connection wrote,
 * including the head.
 */
function bytesOf(request: FastifyRequest, reply: FastifyReply): number {
  if (request.method === 'HEAD' || reply.statusCode === 304 || reply.statusCode === 204) return 0;
  if (request.bodyBytes !== null) return request.bodyBytes;
  const length = Number(reply.raw.getHeader('content-length') ?? Number.NaN);
  return Number.isNaN(length) ? Math.max(0, request.raw.socket.bytesWritten - request.writtenBefore) : length;
}
