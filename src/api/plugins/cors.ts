import type { FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { addVary } from '../replies/vary.ts';
import type { Head } from './head.ts';

const EXPOSED = [
  'Location, Retry-After, X-Request-Id, Assay-Data-Mode, Assay-Warnings, Assay-Age-Seconds, Preference-Applied, ETag',
  'RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Content-Disposition',
  'Content-Range, Repr-Digest, Assay-Export-Date, Assay-Export-Revision, Assay-Methodology-Hash, Assay-Job-Id',
  'Assay-History-From, Assay-Next-Cursor, Deprecation, Sunset, Link, Payment-Required, Payment-Response',
  'Assay-Receipt',
].join(', ');
// Clients of x402 (@x402/fetch, @x402/axios) send the response header Access-Control-Expose-Headers with each payment.
const ALLOWED = [
  'Content-Type, X-API-Key, Authorization, Prefer, Idempotency-Key, Last-Event-ID, X-Request-Id',
  'If-None-Match, If-Range, Range, Mcp-Protocol-Version, Payment-Signature',
  'Access-Control-Expose-Headers',
].join(', ');

/** Allows a listed origin to read the reply; returns false for any other. */
export function allowOrigin(head: Head, origins: readonly string[], origin: string | undefined): boolean {
  addVary(head, 'Origin');
  if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return false;
  head['access-control-allow-origin'] = origin;
  head['access-control-expose-headers'] = EXPOSED;
  return true;
}

const plugin: FastifyPluginAsync<{ origins: readonly string[] }> = async (server, { origins }) => {
  if (origins.length === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    if (!allowOrigin(reply.head, origins, request.headers.origin) || request.method !== 'OPTIONS') return done();
    return reply
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', ALLOWED)
      .header('access-control-max-age', '600')
      .code(204)
      .send();
  });
};

/** Cross-origin reads for the origins that the operator lists; off when none is listed. */
export const corsHeaders = fastifyPlugin(plugin, { name: 'cors' });
