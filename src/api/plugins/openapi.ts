import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type Document, type Example, finishedDocument } from './openapi-document.ts';
import examples from './openapi-examples.json' with { type: 'json' };

const SAME_ORIGIN =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'";

const plugin: FastifyPluginAsync<{ version: string }> = async (server, { version }) => {
  await server.register(swagger, {
    convertConstToEnum: false,
    transformObject: (made) =>
      'openapiObject' in made
        ? (finishedDocument(made.openapiObject as Document, examples as Readonly<Record<string, Example>>) as never)
        : made.swaggerObject,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version,
        description:
          'Rates crypto assets from cross-validated public data. Ratings are unsolicited opinions about risk, not credit ratings and not investment advice. A request that cannot be read, is too large, is not JSON, or names a path or method that is not here is answered by a problem (400, 404, 405, 413, 415) on any path.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            name: 'X-API-Key',
            in: 'header',
            description: 'A key such as ak_live_...; never in a query string.',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
        },
      },
      tags: [
        { name: 'scoring', description: 'Score a project now' },
        { name: 'jobs', description: 'Scoring jobs and their evidence' },
        {
          name: 'ratings',
          description: 'Published ratings, signed, and what they are made of; watchlists and disputes',
        },
        { name: 'alerts', description: 'What happened to watched assets' },
        { name: 'webhooks', description: 'Alerts sent to an address of yours' },
        { name: 'chain data', description: 'Market, holder and liquidity snapshots read from the chains' },
        { name: 'exports', description: 'The files of a day' },
        { name: 'usage', description: 'What an account has used, and its monthly statement' },
        { name: 'admin', description: 'API keys and the indexed assets' },
        { name: 'service', description: 'Health and methodology' },
      ],
    },
  });
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger());
  // The page may load from this service only; the header makes the browser enforce it.
  server.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/docs')) reply.header('content-security-policy', SAME_ORIGIN);
  });
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  });
};

/** OpenAPI 3.1 from the route schemas at /openapi.json, and a page for people at /docs that loads nothing from elsewhere. */
export const openApi = fastifyPlugin(plugin, { name: 'openapi' });
