import type { FastifyContextConfig, FastifyRequest, FastifySchema } from 'fastify';
import type { ApiKey, Plan, Scope } from '../../access/index.ts';
import { KEYED } from '../../contract/index.ts';

/**
 * Options of a route that needs a key: the required scope, alone or with the rest of the route's configuration, and the
 * route's description in the OpenAPI document.
 */
export function keyed<const Schema extends FastifySchema>(
  config: Scope | 'any' | FastifyContextConfig,
  tag: string,
  schema: Schema,
) {
  return {
    config: typeof config === 'string' ? { scope: config } : config,
    schema: { tags: [tag], security: KEYED, ...schema },
  };
}

/** Options of a route that is open to everybody. */
export function unkeyed<const Schema extends FastifySchema>(tag: string, schema: Schema) {
  return { schema: { tags: [tag], ...schema } };
}

/** The same, for a route that sends its content with a tag and compresses it itself. */
export function unkeyedTagged<const Schema extends FastifySchema>(tag: string, schema: Schema) {
  return { ...unkeyed(tag, schema), compress: false as const };
}

/** The key of a request to a route that has a scope. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (!request.apiKey) throw new Error('a route of an account needs a scope');
  return request.apiKey;
}

/** The account whose data a request may see. */
export function accountOf(request: FastifyRequest): string {
  return keyOf(request).accountId;
}

/** The plan of the key of a request to a route that has a scope. */
export function planOf(request: FastifyRequest): Plan {
  if (!request.plan) throw new Error('a route with a plan needs a scope');
  return request.plan;
}

/** True if the request may see only data about thresholds (`orThresholds`). */
export function seesThresholdsOnly(request: FastifyRequest): boolean {
  return request.scope === 'chain:read';
}

/** Converts an RFC 3339 time to the format of the store (UTC, milliseconds). Times before 1970 become 1970. */
export function storeTime(text: string): string {
  return new Date(Math.max(0, Date.parse(text))).toISOString();
}
