import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ApiKey, AuthFailure, AuthOutcome, Scope } from '../../access/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, sendProblem } from '../replies/problems.ts';
import { addVary, VARY_BY_KEY } from '../replies/vary.ts';
import type { Head } from './head.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scope that the key must have, or `any` for any key. A route without it is open. */
    readonly scope?: Scope | 'any';
    /**
     * Also open to a key that may read chain data, if its plan has thresholds. Such a key sees only data about
     * thresholds.
     */
    readonly orThresholds?: boolean;
    /** A POST that needs no body, whatever its Content-Type is. */
    readonly bodyOptional?: boolean;
  }
  interface FastifyRequest {
    apiKey: ApiKey | null;
    /**
     * Scope that admitted the key, usually that of the route. Read from here because Fastify builds a new object on
     * every read of the route's configuration.
     */
    scope: Scope | 'any' | null;
  }
}

const KEY_IN_QUERY = ['api_key', 'apikey', 'api-key', 'x-api-key', 'key', 'access_token', 'token'];

const plugin: FastifyPluginAsync<{ context: ApiContext }> = async (server, { context }) => {
  server.decorateRequest('apiKey', null);
  server.decorateRequest('scope', null);
  // Uses callbacks instead of promises, so that a known key is admitted within the same turn of the event loop.
  server.addHook('onRequest', (request, reply, done) => {
    const { scope, orThresholds } = request.routeOptions.config;
    if (scope === undefined) return done();
    headOfKeyed(reply.head);
    if (request.url.includes('?') && keyInQuery(request)) return sendProblem(reply, REFUSED.inQuery);
    const admit = (seen: AuthOutcome) => {
      if (!seen.ok) return sendProblem(reply, refusalOf(seen));
      const isEnough = scope === 'any' || hasScope(seen.key, scope);
      if (!isEnough && !(orThresholds && hasScope(seen.key, 'chain:read')))
        return sendProblem(reply, missingScope(scope, seen.key));
      request.apiKey = seen.key;
      request.scope = isEnough ? scope : 'chain:read';
      done();
    };
    const seen: AuthOutcome | Promise<AuthOutcome> =
      request.payer === null ? callerOf(context, request.raw) : { ok: true, key: request.payer };
    if (seen instanceof Promise) seen.then(admit, done);
    else admit(seen);
  });
};

/** Checks the key of every route that names a scope. */
export const authentication = fastifyPlugin(plugin, { name: 'authentication' });

/** Identifies the caller. Returns synchronously when the key is known. */
export function callerOf(
  { access, clientAddress }: Pick<ApiContext, 'access' | 'clientAddress'>,
  request: IncomingMessage,
): AuthOutcome | Promise<AuthOutcome> {
  return access.authenticate(keyText(request), clientAddress(request));
}

export function hasScope({ scopes }: ApiKey, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin');
}

/** Replies to keyed requests are not cached unless the route sets a lifetime; refusals and keys are never cached. */
export function headOfKeyed(head: Head): void {
  head['cache-control'] = 'private, no-store';
  addVary(head, VARY_BY_KEY);
}

/** The key in a request's headers; null without one. */
export function keyText({ headers }: IncomingMessage): string | null {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

/** True when a request has a key in its URL. */
export function keyInQuery(request: FastifyRequest): boolean {
  const query = request.query as Readonly<Record<string, unknown>>;
  return Object.keys(query).some((name) => KEY_IN_QUERY.includes(name.toLowerCase()));
}

function refusalOf(seen: AuthFailure): Problem {
  if (seen.code !== 'too_many_wrong_keys') return { ...REFUSED[seen.code], detail: seen.detail };
  return {
    status: 429,
    code: seen.code,
    title: 'Too many wrong keys',
    detail: seen.detail,
    retry: 'after',
    headers: { 'retry-after': String(seen.retryAfterSeconds) },
  };
}

const challenge = { 'www-authenticate': 'ApiKey realm="assay", header="X-API-Key"' };
const REFUSED = {
  inQuery: {
    status: 401,
    code: 'key_in_query',
    title: 'The API key was sent in the URL',
    detail: 'Send the key in the header X-API-Key. URLs are written to logs: rotate this key.',
    retry: 'corrected',
    headers: challenge,
  },
  missing_api_key: {
    status: 401,
    code: 'missing_api_key',
    title: 'An API key is required',
    detail: '',
    retry: 'corrected',
    headers: challenge,
  },
  invalid_api_key: {
    status: 401,
    code: 'invalid_api_key',
    title: 'The key is not valid',
    detail: '',
    retry: 'corrected',
    headers: challenge,
  },
  expired_api_key: {
    status: 401,
    code: 'expired_api_key',
    title: 'The key has expired',
    detail: '',
    retry: 'corrected',
    headers: challenge,
  },
  ip_not_allowed: {
    status: 403,
    code: 'ip_not_allowed',
    title: 'The key is not allowed from this IP address',
    detail: '',
    retry: 'no',
  },
} as const satisfies Record<string, Problem>;

function missingScope(scope: Scope, key: ApiKey): Problem {
  return {
    status: 403,
    code: 'missing_scope',
    title: 'The key lacks the required scope',
    detail: `This needs the scope ${scope}; the key has ${key.scopes.join(', ') || 'none'}.`,
    retry: 'no',
    more: { required_scope: scope },
  };
}
