import type { FastifyPluginAsync, FastifyRequest, FastifySchema, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Deprecation } from '../../contract/index.ts';

/** Where the policy is told. */
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
  server.addHook('onRequest', (request, reply, done) => {
    const used = ofSchema(request.routeOptions.schema).filter(({ parameter }) => isUsed(request, parameter));
    const [first] = used.sort((a, b) => (a.sunset < b.sunset ? -1 : 1));
    if (first) {
      const since = used.map((one) => Date.parse(one.since)).reduce((a, b) => Math.min(a, b));
      reply.header('deprecation', `@${since / 1000}`);
      reply.header('sunset', new Date(first.sunset).toUTCString());
      reply.header('link', POLICY);
    }
    done();
  });
};

/**
 * Marks what is deprecated in the OpenAPI document, and has replies to requests that use it say so: `Deprecation` (RFC 9745)
 * since when, `Sunset` (RFC 8594) until when, `Link` where the policy is. Registered before the document is made.
 */
export const deprecation = fastifyPlugin(plugin, { name: 'deprecation' });

function isUsed({ query, headers }: FastifyRequest, parameter: string | null): boolean {
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
