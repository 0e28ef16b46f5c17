import type { FastifyInstance } from 'fastify';
import { KeySet, type Reply } from '../../contract/index.ts';
import type { ApiContext } from '../context.ts';

/** Public keys that signatures of manifests and ratings are checked with (JWK set, RFC 8037). Open. */
export function wellKnownRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/.well-known/assay-keys.json',
    {
      schema: {
        tags: ['service'],
        operationId: 'listSigningKeys',
        summary: 'Public keys of our signatures',
        description: 'Retired keys stay listed: what they signed can still be checked.',
        response: { 200: KeySet },
      },
    },
    async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .send({ keys: await context.signingKeys(), data_mode: context.dataMode } satisfies Reply<typeof KeySet>),
  );
}
