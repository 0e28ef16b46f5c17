import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type Problem, sendProblem } from '../replies/problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers from memory where it can, whatever waits: it calls `mayWait` itself before it does not. */
    readonly isHot?: boolean;
  }
  interface FastifyReply {
    /** Counts the request among those that wait. False when too many do: the refusal was sent. */
    mayWait(): boolean;
    isWaiting: boolean;
  }
}

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
  const isCounted = (request: FastifyRequest, route: string) => {
    const isFresh = (request.query as { readonly fresh?: unknown }).fresh === 'true';
    return route !== scoringPath && !isFresh && !ALWAYS.test(route) && !PATIENT.test(route);
  };
  server.decorateReply('isWaiting', false);
  server.decorateReply('mayWait', function mayWait(this: FastifyReply) {
    if (this.isWaiting || !isCounted(this.request, this.request.routeOptions.url ?? '')) return true;
    if (waiting >= mostWaiting) {
      sendProblem(this, OVERLOADED);
      return false;
    }
    this.isWaiting = true;
    waiting += 1;
    this.raw.once('close', () => {
      waiting -= 1;
    });
    return true;
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isHot || reply.mayWait()) done();
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
