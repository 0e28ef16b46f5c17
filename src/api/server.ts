import compress from '@fastify/compress';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { DEPRECATIONS } from '../contract/index.ts';
import { noPage, PAGE_POLICY } from '../pages/index.ts';
import type { ApiContext } from './context.ts';
import { createHttpServer } from './http-server.ts';
import { authentication } from './plugins/authentication.ts';
import { corsHeaders } from './plugins/cors.ts';
import { deprecation } from './plugins/deprecation.ts';
import { replyHead, sendHeads } from './plugins/head.ts';
import { limits } from './plugins/limits.ts';
import { metering } from './plugins/metering.ts';
import { openApi } from './plugins/openapi.ts';
import { paidRequests } from './plugins/payments.ts';
import { shedding } from './plugins/shedding.ts';
import { PROBLEMS, Refusal, sendProblem } from './replies/problems.ts';
import { documentType } from './replies/send-report.ts';
import { refuseUnreadable } from './replies/unreadable-requests.ts';
import { cleanRequestId } from './requests/headers.ts';
import { problemOfError, readRequests } from './requests/read-requests.ts';
import { allRoutes } from './routes/all-routes.ts';

/**
 * Builds the HTTP server. Replies are not filtered by their schema; tests check them against the documentation instead.
 */
export async function buildServer(context: ApiContext, logger: FastifyBaseLogger | false): Promise<FastifyInstance> {
  const {
    server: listen,
    hold,
    entries,
    close,
  } = createHttpServer(context.dataMode, (reason, bytes) => {
    if (logger !== false) logger.warn({ reason, bytes }, 'connection ended: its reader does not read');
  });
  const server = fastify({
    ...(logger === false ? { logger: false } : { loggerInstance: logger }),
    bodyLimit: context.bodyLimitBytes,
    genReqId: (request) => cleanRequestId(request.headers['x-request-id']),
    serverFactory: listen,
    // Node itself refuses longer heads; within that limit, each route reports a part that is too long.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id).header('assay-data-mode', context.dataMode);
      sendProblem(reply as unknown as FastifyReply, PROBLEMS.malformedAddress);
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, context.dataMode),
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: true,
  }) as unknown as FastifyInstance;

  server.addHook('preClose', async () => close());
  readRequests(server);
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) hold(reply.raw, payload.length);
    done(null, payload);
  });
  await server.register(compress, {
    threshold: 1024,
    encodings: ['zstd', 'br', 'gzip'],
    customTypes: /^(application\/(json|problem\+json)|text\/(html|markdown|plain))/,
  });
  await server.register(replyHead, { dataMode: context.dataMode });
  if (context.readLag) stateReadLag(server, context.readLag);
  server.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    const problem = problemOfError(error, request, reply, request.routeOptions.bodyLimit ?? context.bodyLimitBytes);
    if (problem.status >= 500 && !(error instanceof Refusal)) request.log.error({ err: error }, 'request failed');
    return sendProblem(reply, problem);
  });
  server.setNotFoundHandler((request, reply) => unknownRoute(server, request, reply));

  await server.register(corsHeaders, { origins: context.corsOrigins });
  await server.register(deprecation, { deprecations: context.deprecations ?? DEPRECATIONS });
  await server.register(openApi, { version: context.version });
  await server.register(metering, { onRequest: context.onRequest });
  await server.register(paidRequests, context);
  await server.register(shedding, { scoringPath: context.scoringPath });
  await server.register(authentication, { context });
  const { plans, limiter } = context;
  await server.register(limits, { plans, limiter });
  sendHeads(server);
  await server.register(async (plain) => allRoutes(plain.withTypeProvider(), context, entries));
  return server;
}

/** 405 where the path has another method, otherwise 404: a problem, or a page for a browser that opens the path. */
function unknownRoute(server: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, url } = request;
  const path = url.split('?')[0] ?? '/';
  // `hasRoute` takes patterns: a path with pattern characters matches no route, and the router may fail to parse it.
  if (/[*:()]/.test(path)) return sendProblem(reply, PROBLEMS.notFound);
  const allowed = (['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const).filter(
    (other) => other !== method && server.hasRoute({ method: other, url: path }),
  );
  if (allowed.length === 0)
    return method === 'GET' && documentType(request.headers.accept) === 'text/html'
      ? reply
          .code(404)
          .type('text/html; charset=utf-8')
          .header('content-security-policy', PAGE_POLICY)
          .header('vary', 'Accept')
          .send(noPage())
      : sendProblem(reply, PROBLEMS.notFound);
  return sendProblem(reply, {
    status: 405,
    code: 'method_not_allowed',
    title: 'The path does not have this method',
    detail: `expected ${allowed.join(' or ')}`,
    retry: 'corrected',
    headers: { allow: allowed.join(', ') },
  });
}

/** Adds `Assay-Read-Lag` to replies that used a replica: its maximum lag in seconds. */
function stateReadLag(server: FastifyInstance, readLag: NonNullable<ApiContext['readLag']>): void {
  server.addHook('onRequest', (_request, _reply, done) => readLag.run({ ms: 0 }, done));
  server.addHook('onSend', async (_request, reply) => {
    const lagMs = readLag.getStore()?.ms ?? 0;
    if (lagMs > 0) reply.header('assay-read-lag', (Math.ceil(lagMs) / 1000).toFixed(3));
  });
}
