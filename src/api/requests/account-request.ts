import type { FastifyContextConfig, FastifyRequest, FastifySchema } from 'fastify';
import type { ApiKey, Plan, Scope } from '../../access/index.ts';
import { KEYED } from '../../contract/index.ts';

/**
 * Options of a route for which a key is needed: the scope it must have, alone or with what else the route's configuration
 * says, and how the OpenAPI document describes the route.
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

/** The same for a route that sends its content with a tag, compressed by itself. */
export function unkeyedTagged<const Schema extends FastifySchema>(tag: string, schema: Schema) {
  return { ...unkeyed(tag, schema), compress: false as const };
}

/** The key of a route that has a scope. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (!request.apiKey) throw new Error('a route of an account needs a scope');
  return request.apiKey;
}

/** Whose data a request may see. */
export function accountOf(request: FastifyRequest): string {
  return keyOf(request).accountId;
}

/** Plan of the key of a route that has a scope. */
export function planOf(request: FastifyRequest): Plan {
  if (!request.plan) throw new Error('a route with a plan needs a scope');
  return request.plan;
}

/** True if the request may see only what is about thresholds (`orThresholds`). */
export function seesThresholdsOnly(request: FastifyRequest): boolean {
  return request.scope === 'chain:read';
}

/** A time that was read as RFC 3339, as the store takes it (UTC, milliseconds). Times before 1970 become 1970. */
export function storeTime(text: string): string {
  return new Date(Math.max(0, Date.parse(text))).toISOString();
}
