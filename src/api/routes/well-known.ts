import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { ApiContext } from '../context.ts';

const PublicKey = Type.Object({
  kid: Type.String(),
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ description: 'The public key, 32 bytes in base64url' }),
  use: Type.Literal('sig'),
  created_at: Type.String(),
  retired_at: Type.Union([Type.String(), Type.Null()]),
});

/** Public keys that signatures of manifests and ratings are checked with (JWK set, RFC 8037). Open. */
export function wellKnownRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/.well-known/assay-keys.json',
    {
      schema: {
        tags: ['service'],
        summary: 'Public keys of our signatures',
        description: 'Retired keys stay listed: what they signed can still be checked.',
        response: { 200: Type.Object({ keys: Type.Array(PublicKey), data_mode: Type.String() }) },
      },
    },
    async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .send({ keys: await context.signingKeys(), data_mode: context.dataMode }),
  );
}
