import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ok } from '../../domain/index.ts';
import type { SendRequest } from '../../mcp/index.ts';
import { readJson } from '../../mcp/index.ts';
import type { ApiContext } from '../context.ts';
import { refund } from '../plugins/limits.ts';
import { type Problem, refuse } from '../replies/problems.ts';

/**
 * POST /mcp: the Model Context Protocol over streamable HTTP, without sessions. Tool calls go through this server’s own
 * routes with the caller’s key, so that scopes, plans, limits and usage apply to them. The enclosing message costs no
 * quota.
 */
export function mcpRoutes(server: FastifyInstance, context: ApiContext): void {
  server.post(
    '/mcp',
    { config: { scope: 'any', paysInside: true }, schema: { hide: true } },
    async (request, reply) => {
      refund(context.limiter, request, reply);
      const { origin } = request.headers;
      // Blocks another site's page that reaches this server by a name that now resolves to this machine (DNS
      // rebinding).
      if (origin !== undefined && !isAllowed(context.corsOrigins, origin)) refuse(FOREIGN_ORIGIN);
      if (Array.isArray(request.body)) refuse(NO_BATCH);
      const { version, scoringPath } = context;
      const { createMcpServer, WebStandardStreamableHTTPServerTransport } = await sdk();
      const mcp = createMcpServer({
        send: requestInside(server, request, context.clientAddress(request.raw)),
        version,
        scoringPath,
      });
      const transport = new WebStandardStreamableHTTPServerTransport();
      reply.raw.once('close', () => void mcp.close());
      await mcp.connect(transport);
      const answer = await transport.handleRequest(webRequest(request), { parsedBody: request.body });
      reply.code(answer.status).header('x-accel-buffering', 'no');
      for (const [name, value] of answer.headers) reply.header(name, value);
      return reply.send(answer.body === null ? null : Readable.fromWeb(answer.body));
    },
  );
}

/** Loaded on the first request: saves half a second and several megabytes in a service without MCP clients. */
async function sdk() {
  const [ours, theirs] = await Promise.all([
    import('../../mcp/server.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  return { ...ours, ...theirs };
}

/** Sends a request to this server itself, with the caller’s address. */
function requestInside(server: FastifyInstance, { headers }: FastifyRequest, callerAddress: string): SendRequest {
  const { 'x-api-key': apiKey, authorization } = headers;
  const key = {
    ...(typeof apiKey === 'string' ? { 'x-api-key': apiKey } : {}),
    ...(authorization === undefined ? {} : { authorization }),
  };
  return async ({ method, path, body, headers: given, timeoutMs }, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await server.inject({
        method,
        url: path,
        headers: {
          ...given,
          ...key,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        remoteAddress: callerAddress,
        signal: AbortSignal.any([signal, limit]),
      });
      const retryAfter = reply.headers['retry-after'];
      return ok({
        status: reply.statusCode,
        retryAfter: retryAfter === undefined ? null : String(retryAfter),
        body: readJson(reply.payload),
      });
    } catch (error) {
      if (limit.aborted) return { ok: false, detail: `no reply within ${timeoutMs / 1000} s` };
      if (signal.aborted) return { ok: false, detail: 'the call was cancelled' };
      throw error;
    }
  };
}

function isAllowed(origins: readonly string[], origin: string): boolean {
  return origins.includes('*') || origins.includes(origin);
}

/** The transport reads only the headers; the body was already read. */
function webRequest({ headers }: FastifyRequest): Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'];
  const shown = new Headers();
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') shown.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers: shown });
}

const FOREIGN_ORIGIN: Problem = {
  status: 403,
  code: 'origin_not_allowed',
  title: 'Pages of this origin may not call the service',
  detail: 'The operator allows origins in ASSAY_CORS_ORIGINS.',
  retry: 'no',
};
const NO_BATCH: Problem = {
  status: 400,
  code: 'no_batches',
  title: 'One message at a time',
  detail: 'expected a JSON-RPC message, not an array of them (the protocol has no batches since 2025-06-18)',
  retry: 'corrected',
};
