import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type Problem, sendProblem } from '../replies/problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route replies from memory where it can, at any load. It must call `mayWait` itself before doing anything
     * slower.
     */
    readonly isHot?: boolean;
  }
  interface FastifyReply {
    /** Counts the request among the waiting ones. False when too many are waiting: the refusal was then sent. */
    mayWait(): boolean;
    isWaiting: boolean;
  }
}

/**
 * Requests that may wait in one process at a time. A process handles a few hundred requests a second that need the
 * database, so the last one waits about a second. Beyond that, a refusal helps the caller more than waiting.
 */
const MOST_WAITING = 250;

/** Routes that must reply at any load. */
const ALWAYS = /^\/(healthz|readyz|v1\/status|v1\/admin\/)/;
/** Routes that wait by design, not because the process is slow: scores, events, agent tools, files. */
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

/** Refuses requests with 503 and Retry-After while `mostWaiting` others wait in this process. */
export const shedding = fastifyPlugin(plugin, { name: 'shedding' });

const OVERLOADED: Problem = {
  status: 503,
  code: 'overloaded',
  title: 'The service is overloaded',
  detail: 'More requests are waiting than this process can serve soon. Nothing was done; send the same request again.',
  retry: 'after',
  headers: { 'retry-after': '1' },
};
