import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsync, FastifySchema, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Deprecation } from '../../contract/index.ts';
import type { Head } from './head.ts';

/** Link to the published deprecation policy. */
const POLICY = '</v1/changelog>; rel="deprecation"; type="application/feed+json"';

interface Described extends FastifySchema {
  readonly operationId?: string;
}

const plugin: FastifyPluginAsync<{ deprecations: readonly Deprecation[] }> = async (server, { deprecations }) => {
  if (deprecations.length === 0) return;
  const ofSchema = (schema: Described | undefined) =>
    deprecations.filter(({ operationId }) => operationId === schema?.operationId);
  server.addHook('onRoute', (route: RouteOptions) => {
    for (const { parameter, instead } of ofSchema(route.schema)) markDeprecated(route, parameter, instead);
  });
  const said = new Map<string, (given: Given) => Head | null>();
  server.addHook('onRequest', (request, reply, done) => {
    const { operationId } = (request.routeOptions.schema ?? {}) as Described;
    if (operationId !== undefined) {
      const known = said.get(operationId) ?? deprecationHead(deprecations, operationId);
      said.set(operationId, known);
      Object.assign(reply.head, known(request));
    }
    done();
  });
};

interface Given {
  readonly query: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Deprecation headers for the replies of an operation; null for a request that uses nothing deprecated. */
export function deprecationHead(
  deprecations: readonly Deprecation[],
  operationId: string,
): (given: Given) => Head | null {
  const ofOperation = deprecations.filter((one) => one.operationId === operationId);
  if (ofOperation.length === 0) return () => null;
  return (given) => {
    const used = ofOperation.filter(({ parameter }) => isUsed(given, parameter));
    const [first] = used.sort((a, b) => (a.sunset < b.sunset ? -1 : 1));
    if (!first) return null;
    const since = used.map((one) => Date.parse(one.since)).reduce((a, b) => Math.min(a, b));
    return { deprecation: `@${since / 1000}`, sunset: new Date(first.sunset).toUTCString(), link: POLICY };
  };
}

/**
 * Marks deprecated parts in the OpenAPI document, and adds headers to replies of requests that use them: `Deprecation`
 * (RFC 9745) with the start, `Sunset` (RFC 8594) with the end, and `Link` to the policy. Must be registered before the
 * document is generated.
 */
export const deprecation = fastifyPlugin(plugin, { name: 'deprecation' });

function isUsed({ query, headers }: Given, parameter: string | null): boolean {
  if (parameter === null) return true;
  const given = typeof query === 'object' && query !== null && Object.hasOwn(query, parameter);
  return given || headers[parameter.toLowerCase()] !== undefined;
}

interface Fields {
  readonly properties?: Readonly<Record<string, object>>;
}

function markDeprecated(route: RouteOptions, parameter: string | null, instead: string): void {
  const { schema = {} } = route;
  if (parameter === null) {
    route.schema = {
      ...schema,
      deprecated: true,
      description: `${schema.description ?? ''} Deprecated: ${instead}`.trim(),
    };
    return;
  }
  const marked = (fields: unknown) => {
    const { properties = {}, ...rest } = fields as Fields;
    const field = properties[parameter];
    if (field === undefined) return fields;
    return { ...rest, properties: { ...properties, [parameter]: { ...field, deprecated: true } } };
  };
  route.schema = {
    ...schema,
    ...(schema.querystring ? { querystring: marked(schema.querystring) } : {}),
    ...(schema.headers ? { headers: marked(schema.headers) } : {}),
  };
}
