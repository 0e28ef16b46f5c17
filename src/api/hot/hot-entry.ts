import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Limiter, Plan, PlanBook, Scope } from '../../access/index.ts';
import { includes } from '../../access/index.ts';
import type { ApiContext } from '../context.ts';
import { callerOf, hasScope, headOfKeyed } from '../plugins/authentication.ts';
import { allowOrigin } from '../plugins/cors.ts';
import { newHead } from '../plugins/head.ts';
import { giveBack, stateLimits } from '../plugins/limits.ts';
import { type LogLine, requestLine } from '../plugins/metering.ts';
import { cleanRequestId } from '../requests/request-id.ts';
import type { HotSnapshot } from './hot-snapshot.ts';
import { isKnown, writeSnapshot } from './send-snapshot.ts';

/** Answers a request from memory, or leaves it to the router (false): nothing has happened then. */
export type HotEntry = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HotParts {
  readonly context: ApiContext;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly log: (line: LogLine & { readonly reqId: string }) => void;
}

/** What a path of a hot route leads to. */
export interface HotPath<Target> {
  readonly scope: Scope;
  /** Null for a path that is not of this kind. */
  readonly targetOf: (url: string) => Target | null;
  /** The chain whose data it is; null for none. */
  readonly chainOf: (target: Target) => string | null;
  /** As the router names it, for metrics and the log. */
  readonly routeOf: (target: Target) => string;
  /** What is in memory of it; undefined when the route has to read it. */
  readonly find: (
    target: Target,
    plan: Plan,
    now: number,
  ) => { readonly body: HotSnapshot; readonly maxAgeSeconds: number } | undefined;
}

const MOST_PATHS = 20_000;

/**
 * The short way of a hot read: the steps of the hooks, each by the function that the hook itself calls, without the router
 * between them. It only ever grants: a refusal, a wait, a query or an escaped path is the route's to answer.
 */
export function hotEntry<Target extends object>(
  { context, plans, limiter, log }: HotParts,
  { scope, targetOf, chainOf, routeOf, find }: HotPath<Target>,
): HotEntry {
  // Paths of nothing are not kept: anybody can make up any number of them.
  const paths = new LRUCache<string, Target>({ max: MOST_PATHS });
  const read = (url: string) => {
    const target = targetOf(url);
    if (target !== null) paths.set(url, target);
    return target;
  };
  return (request, response) => {
    const url = request.url ?? '';
    const target = paths.get(url) ?? read(url);
    if (target === null) return false;
    const { headers } = request;
    const seen = callerOf(context, request);
    if (seen instanceof Promise || !seen.ok || !hasScope(seen.key, scope)) return false;
    const { key } = seen;
    const plan = plans.find(key.plan);
    if (plan === null || !includes(plan, { scope, chain: chainOf(target), exportOf: null })) return false;
    const now = context.now();
    const found = find(target, plan, now);
    if (!found) return false;
    const taken = limiter.takeNow(key.accountId, plan);
    if (taken === null || taken.refusedBy !== null) return false;

    const startedAt = performance.now();
    const requestId = cleanRequestId(headers['x-request-id']);
    const head = newHead(requestId, context.dataMode);
    if (context.corsOrigins.length > 0) allowOrigin(head, context.corsOrigins, headers.origin);
    headOfKeyed(head);
    stateLimits(head, plan, taken);
    if (isKnown(headers, found.body)) giveBack(limiter, key.accountId, plan, taken, head);
    const route = routeOf(target);
    const done = (bytes: number) => {
      const milliseconds = performance.now() - startedAt;
      const status = response.statusCode;
      context.onRequest(route, 'GET', status, milliseconds / 1000, key, bytes);
      log({ ...requestLine('GET', route, status, milliseconds), reqId: requestId });
    };
    const sent = writeSnapshot(headers, response, head, found.body, found.maxAgeSeconds, now);
    if (typeof sent === 'number') done(sent);
    else sent.then(done, () => response.destroy());
    return true;
  };
}
