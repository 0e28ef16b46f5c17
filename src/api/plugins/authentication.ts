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
    /** Scope the key must have, or `any` for whatever key; a route without one is open. */
    readonly scope?: Scope | 'any';
    /** Also open to a key that may read chain data, if its plan has thresholds: it sees only what is about them. */
    readonly orThresholds?: boolean;
    /** A POST that needs no body, whatever its Content-Type announces. */
    readonly bodyOptional?: boolean;
  }
  interface FastifyRequest {
    apiKey: ApiKey | null;
    /** By which the key is let in, mostly the route's; read from here, since Fastify builds an object each time it is read. */
    scope: Scope | 'any' | null;
  }
}

const KEY_IN_QUERY = ['api_key', 'apikey', 'api-key', 'x-api-key', 'key', 'access_token', 'token'];

const plugin: FastifyPluginAsync<{ context: ApiContext }> = async (server, { context }) => {
  server.decorateRequest('apiKey', null);
  server.decorateRequest('scope', null);
  // With callbacks, not promises: a key that is known is let in within the same turn.
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

/** Whose request it is: at once when the key is known. */
export function callerOf(
  { access, clientAddress }: Pick<ApiContext, 'access' | 'clientAddress'>,
  request: IncomingMessage,
): AuthOutcome | Promise<AuthOutcome> {
  return access.authenticate(keyText(request), clientAddress(request));
}

export function hasScope({ scopes }: ApiKey, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin');
}

/** What a key may see is not kept by caches unless its route says for how long; refusals and keys themselves never. */
export function headOfKeyed(head: Head): void {
  head['cache-control'] = 'private, no-store';
  addVary(head, VARY_BY_KEY);
}

/** The key that a request carries; null without one. */
export function keyText({ headers }: IncomingMessage): string | null {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

/** True of a request that has a key in its address. */
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
