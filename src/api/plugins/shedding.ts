import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type Problem, sendProblem } from '../replies/problems.ts';

/**
 * Requests that one process lets wait for their answers at once. A process answers some hundred a second that need the
 * database, so the last of them waits about a second; beyond that a refusal helps the caller more than a place in the queue.
 */
const MOST_WAITING = 250;

/** What must answer whatever the load is. */
const ALWAYS = /^\/(healthz|readyz|v1\/status|v1\/admin\/)/;
/** What waits because it is asked to, not because the process is slow: scores, events, tools of agents, files. */
const PATIENT = /(^\/mcp$|\/events$|\/stream$|\/exports?(\/|$))/;

interface SheddingOptions {
  readonly scoringPath: string;
  readonly mostWaiting?: number;
}

const plugin: FastifyPluginAsync<SheddingOptions> = async (server, { scoringPath, mostWaiting = MOST_WAITING }) => {
  let waiting = 0;
  const isCounted = (request: FastifyRequest) => {
    const route = request.routeOptions.url ?? '';
    const isFresh = (request.query as { readonly fresh?: unknown }).fresh === 'true';
    return route !== scoringPath && !isFresh && !ALWAYS.test(route) && !PATIENT.test(route);
  };
  server.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (!isCounted(request)) return done();
    if (waiting >= mostWaiting) {
      sendProblem(reply, OVERLOADED);
      return undefined;
    }
    waiting += 1;
    reply.raw.once('close', () => {
      waiting -= 1;
    });
    return done();
  });
};

/** Refuses requests with 503 and Retry-After while `mostWaiting` others wait for their answers in this process. */
export const shedding = fastifyPlugin(plugin, { name: 'shedding' });

const OVERLOADED: Problem = {
  status: 503,
  code: 'overloaded',
  title: 'Too much at once',
  detail: 'More requests wait than this process can answer soon. Nothing was done; the same request may be sent again.',
  retry: 'after',
  headers: { 'retry-after': '1' },
};
