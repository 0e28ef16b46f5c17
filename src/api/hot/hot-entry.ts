import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ApiKey, Limiter, Plan, PlanBook, Scope, Taken } from '../../access/index.ts';
import { includes } from '../../access/index.ts';
import { DEPRECATIONS } from '../../contract/index.ts';
import type { ApiContext } from '../context.ts';
import { callerOf, hasScope, headOfKeyed } from '../plugins/authentication.ts';
import { allowOrigin } from '../plugins/cors.ts';
import { deprecationHead } from '../plugins/deprecation.ts';
import { type Head, newHead } from '../plugins/head.ts';
import { giveBack, stateLimits } from '../plugins/limits.ts';
import { type LogLine, requestLine } from '../plugins/metering.ts';
import { addVary } from '../replies/vary.ts';
import { cleanRequestId } from '../requests/headers.ts';
import { chooseCoding } from './content-coding.ts';
import type { HotSnapshot } from './hot-snapshot.ts';
import { isKnown, writeSnapshot } from './send-snapshot.ts';

/**
 * Replies to a request from memory or leaves it to the router: returns false before reading anything, or calls `pass`
 * after reading the body.
 */
export type HotEntry = (request: IncomingMessage, response: ServerResponse, pass: () => void) => boolean;

export interface HotParts {
  readonly context: ApiContext;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly log: (line: LogLine & { readonly reqId: string }) => void;
}

/** Describes the paths of a hot route and how to find its replies. */
export interface HotPath<Target> {
  readonly scope: Scope;
  /** Parses a URL path; null for a path of another route. */
  readonly targetOf: (url: string) => Target | null;
  /** The chain of the data; null for data of no chain. */
  readonly chainOf: (target: Target) => string | null;
  /** Route name as the router uses it, for metrics and the log. */
  readonly routeOf: (target: Target) => string;
  /** Operation id in the OpenAPI document, used for deprecation headers. */
  readonly operationOf: (target: Target) => string;
  /** The cached reply; undefined if the route has to read it. */
  readonly find: (
    target: Target,
    plan: Plan,
    now: number,
  ) => { readonly body: HotSnapshot; readonly maxAgeSeconds: number } | undefined;
  /** Called for every reply sent. */
  readonly onSent?: (target: Target, key: ApiKey) => void;
}

const MOST_PATHS = 20_000;

/** Describes a hot POST route whose reply depends on the body. */
export interface HotBody<Found extends { readonly bytes: Buffer }> {
  readonly path: string;
  readonly scope: Scope;
  readonly operationId: string;
  readonly mostBytes: number;
  /** The cached reply; undefined when the route has to compute it. */
  readonly find: (body: Buffer, plan: Plan, now: number) => Found | undefined;
  /** Called for every reply sent. */
  readonly onSent: (found: Found, key: ApiKey) => void;
}

/** The caller, if it can be admitted without waiting; null otherwise, also for a caller that would be refused. */
function admit({ context, plans }: HotParts, request: IncomingMessage, scope: Scope, chain: string | null) {
  const seen = callerOf(context, request);
  if (seen instanceof Promise) {
    // The route joins the same lookup, and sends the reply if it fails.
    seen.catch(() => undefined);
    return null;
  }
  if (!seen.ok || !hasScope(seen.key, scope)) return null;
  const plan = plans.find(seen.key.plan);
  return plan !== null && includes(plan, { scope, chain, exportOf: null }) ? { key: seen.key, plan } : null;
}

/**
 * Headers of deprecated operations. Paths with a query go to the router, so that only headers can be deprecated
 * parameters here.
 */
function deprecationsOf({ context }: HotParts) {
  const known = new Map<string, ReturnType<typeof deprecationHead>>();
  return (operationId: string, { headers }: IncomingMessage): Head | null => {
    const head = known.get(operationId) ?? deprecationHead(context.deprecations ?? DEPRECATIONS, operationId);
    known.set(operationId, head);
    return head({ query: null, headers });
  };
}

/** Builds the head of a granted reply, and accounts for it once it is written. */
function begin(
  { context, log }: HotParts,
  { headers, method = '' }: IncomingMessage,
  response: ServerResponse,
  granted: { readonly key: ApiKey; readonly plan: Plan; readonly taken: Taken; readonly startedAt: number },
) {
  const { key, plan, taken, startedAt } = granted;
  const requestId = cleanRequestId(headers['x-request-id']);
  const head = newHead(requestId, context.dataMode);
  if (context.corsOrigins.length > 0) allowOrigin(head, context.corsOrigins, headers.origin);
  headOfKeyed(head);
  stateLimits(head, plan, taken);
  return {
    head,
    done(route: string, bytes: number) {
      const milliseconds = performance.now() - startedAt;
      const status = response.statusCode;
      context.onRequest(route, method, status, milliseconds / 1000, key, bytes);
      log({ ...requestLine(method, route, status, milliseconds), reqId: requestId });
    },
  };
}

/**
 * The fast path of a hot read: runs the same functions as the hooks, without the router. It only grants requests:
 * refusals, waits, queries and escaped paths are left to the route.
 */
export function hotEntry<Target extends object>(
  parts: HotParts,
  { scope, targetOf, chainOf, routeOf, operationOf, find, onSent }: HotPath<Target>,
): HotEntry {
  const { context, limiter } = parts;
  const deprecated = deprecationsOf(parts);
  // Paths that match no target are not cached, because a client can invent any number of them. The cache is cleared as
  // a
  // whole: parsing a path again is cheap, and an LRU order would have to be updated on every request.
  const paths = new Map<string, Target>();
  const read = (url: string) => {
    const target = targetOf(url);
    if (paths.size >= MOST_PATHS) paths.clear();
    if (target !== null) paths.set(url, target);
    return target;
  };
  return (request, response) => {
    if (request.method !== 'GET') return false;
    const url = request.url ?? '';
    const target = paths.get(url) ?? read(url);
    if (target === null) return false;
    const admitted = admit(parts, request, scope, chainOf(target));
    if (admitted === null) return false;
    const { key, plan } = admitted;
    const now = context.now();
    const found = find(target, plan, now);
    if (!found) return false;
    const taken = limiter.takeNow(key.accountId, plan);
    if (taken === null || taken.refusedBy !== null) return false;

    const { head, done } = begin(parts, request, response, { key, plan, taken, startedAt: performance.now() });
    Object.assign(head, deprecated(operationOf(target), request));
    if (isKnown(request.headers, found.body)) giveBack(limiter, key.accountId, plan, taken, head);
    onSent?.(target, key);
    const sent = writeSnapshot(request.headers, response, head, found.body, found.maxAgeSeconds, now);
    if (typeof sent === 'number') done(routeOf(target), sent);
    else
      sent.then(
        (bytes) => done(routeOf(target), bytes),
        () => response.destroy(),
      );
    return true;
  };
}

const JSON_TYPE = /^application\/json(;|$)/;
const readBodies = new WeakMap<IncomingMessage, Buffer>();

/**
 * The body of a request that an entry has read and passed on, as a stream for the router; null when no entry has read
 * it.
 */
export function passedBody(request: IncomingMessage): Readable | null {
  const body = readBodies.get(request);
  return body ? Object.assign(Readable.from([body]), { receivedEncodedLength: body.length }) : null;
}

/** The fast path of a POST whose reply is cached by the bytes of its body. Compressed replies are left to the route. */
export function bodyEntry<Found extends { readonly bytes: Buffer }>(
  parts: HotParts,
  { path, scope, operationId, mostBytes, find, onSent }: HotBody<Found>,
): HotEntry {
  const { context, limiter } = parts;
  const deprecated = deprecationsOf(parts);
  return (request, response, pass) => {
    const { headers } = request;
    if (request.method !== 'POST' || request.url !== path) return false;
    const length = Number(headers['content-length']);
    if (!(length > 0 && length <= mostBytes) || headers['content-encoding'] !== undefined) return false;
    if (!JSON_TYPE.test(headers['content-type'] ?? '')) return false;
    if (chooseCoding(headers['accept-encoding'] as string | undefined) !== 'identity') return false;
    const admitted = admit(parts, request, scope, null);
    if (admitted === null) return false;
    const { key, plan } = admitted;
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [first] = chunks;
      const body = chunks.length === 1 && first ? first : Buffer.concat(chunks);
      const found = find(body, plan, context.now());
      const taken = found ? limiter.takeNow(key.accountId, plan) : null;
      if (found === undefined || taken === null || taken.refusedBy !== null) {
        readBodies.set(request, body);
        pass();
        return;
      }
      const { head, done } = begin(parts, request, response, { key, plan, taken, startedAt });
      Object.assign(head, deprecated(operationId, request));
      addVary(head, 'Accept-Encoding');
      onSent(found, key);
      writeBytes(response, head, found.bytes);
      done(path, found.bytes.length);
    });
    return true;
  };
}

/** Writes a complete, uncompressed JSON reply. */
export function writeBytes(response: ServerResponse, head: Head, bytes: Buffer): void {
  head['content-type'] = 'application/json; charset=utf-8';
  head['content-length'] = bytes.length;
  response.writeHead(200, head).end(bytes);
}
