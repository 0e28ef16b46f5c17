import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { ApiKey, Limiter, Plan, PlanBook, Scope } from '../../access/index.ts';
import { includes } from '../../access/index.ts';
import type { ApiContext } from '../context.ts';
import { limitHeaders } from '../plugins/limits.ts';
import { VARY_BY_KEY } from '../replies/vary.ts';
import { cleanRequestId } from '../requests/headers.ts';
import { chooseCoding } from './content-coding.ts';
import { namedTag } from './entity-tag.ts';
import type { HotAnswer } from './front.ts';
import type { HotSnapshot, ReadyReply } from './hot-snapshot.ts';

export interface Parts {
  readonly context: ApiContext;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly log: (line: { method: string; route: string; status: number; ms: number; reqId: string }) => void;
}

/** What a kind of path leads to. */
interface KeyedPath<Target> {
  readonly scope: Scope;
  /** Null for a path that is not of this kind. */
  readonly targetOf: (url: string) => Target | null;
  /** The chain whose data it is; null for none. */
  readonly chainOf: (target: Target) => string | null;
  /** As the router names it, for metrics and the log. */
  readonly routeOf: (target: Target) => string;
  /** What is in memory of it; undefined when the route has to look. */
  readonly find: (
    target: Target,
    plan: Plan,
    now: number,
  ) => { readonly body: HotSnapshot; readonly maxAgeSeconds: number } | undefined;
}

/**
 * Replies that are in memory, for keys that are known: the same as the route gives, without its way. Whatever is not plain
 * (a query, an escaped path, a key to be looked up, a refusal, another origin) is left to the route.
 */
export function keyedFront<Target>(
  { context, plans, limiter, log }: Parts,
  { scope, targetOf, chainOf, routeOf, find }: KeyedPath<Target>,
): HotAnswer {
  return (request, response) => {
    const { url, headers } = request;
    const target = url === undefined ? null : targetOf(url);
    if (target === null) return false;
    const caller = callerOf({ context, plans }, request, scope, chainOf(target));
    if (caller === null) return false;
    const { key, plan } = caller;
    const now = context.now();
    const found = find(target, plan, now);
    if (!found) return false;
    const taken = limiter.takeNow(key.accountId, plan);
    if (taken === null || taken.refusedBy !== null) return false;

    const startedAt = performance.now();
    const { body } = found;
    const route = routeOf(target);
    const known = namedTag(headers['if-none-match'], body.hash);
    const requestId = cleanRequestId(headers['x-request-id']);
    if (known !== null) limiter.giveBack(key.accountId, plan);
    const reply: Record<string, string | number> = {
      ...usualHeaders(context, requestId),
      ...limitHeaders(plan, taken, known === null ? 0 : 1),
      'cache-control': `private, max-age=${found.maxAgeSeconds}`,
      vary: `${VARY_BY_KEY}, Accept-Encoding`,
      'assay-age-seconds': String(body.ageSeconds(now)),
    };
    const done = (status: number, bytes: number) => {
      const ms = performance.now() - startedAt;
      context.onRequest(route, 'GET', status, ms / 1000, key, bytes);
      log({ method: 'GET', route, status, ms: Math.round(ms), reqId: requestId });
    };
    if (known !== null) {
      reply.etag = known === '*' ? body.reply(now).etag : known;
      response.writeHead(304, reply).end();
      done(304, 0);
      return true;
    }
    const send = (ready: ReadyReply) => {
      reply['content-type'] = 'application/json; charset=utf-8';
      reply['content-length'] = ready.length;
      reply.etag = ready.etag;
      if (ready.coding !== 'identity') reply['content-encoding'] = ready.coding;
      const head = response.writeHead(200, reply);
      if (ready.latin1 === null) head.end(ready.bytes);
      else head.end(ready.latin1, 'latin1');
      done(200, ready.bytes.length);
    };
    const coding = chooseCoding(headers['accept-encoding'] as string | undefined);
    if (coding === 'identity') send(body.reply(now));
    else body.packed(now, coding).then(send, () => response.destroy());
    return true;
  };
}

/** Whose request it is, when that is known and allowed without a question to anybody; null leaves it to the route. */
export function callerOf(
  { context, plans }: Pick<Parts, 'context' | 'plans'>,
  request: IncomingMessage,
  scope: Scope,
  chain: string | null,
): { readonly key: ApiKey; readonly plan: Plan } | null {
  const given = request.headers['x-api-key'];
  if (typeof given !== 'string' || context.corsOrigins.length > 0) return null;
  const seen = context.access.authenticate(given, context.clientAddress(request));
  if (seen instanceof Promise || !seen.ok) return null;
  const { key } = seen;
  const plan = plans.find(key.plan);
  if (plan === null || !(key.scopes.includes(scope) || key.scopes.includes('admin'))) return null;
  return includes(plan, { scope, chain, exportOf: null }) ? { key, plan } : null;
}

/** Headers of every reply. */
export function usualHeaders({ dataMode }: ApiContext, requestId: string): Record<string, string | number> {
  return {
    'x-request-id': requestId,
    'assay-data-mode': dataMode,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

/** Remembers what paths mean. Paths of nothing are not kept: anybody can make up any number of them. */
export function rememberPaths<Target extends object | string>(
  read: (url: string) => Target | null,
  most: number,
): (url: string) => Target | null {
  const paths = new LRUCache<string, Target>({ max: most });
  return (url) => {
    const known = paths.get(url);
    if (known !== undefined) return known;
    const target = read(url);
    if (target === null) return null;
    paths.set(url, target);
    return target;
  };
}
