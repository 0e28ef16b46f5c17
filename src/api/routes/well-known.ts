import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { DataMode, nullableTime, time } from '../../contract/index.ts';
import type { ApiContext } from '../context.ts';

const PublicKey = Type.Object(
  {
    kid: Type.String({ description: 'Name of the key; `key_id` of signatures.' }),
    kty: Type.Literal('OKP', { description: 'Octet key pair (RFC 8037), always.' }),
    crv: Type.Literal('Ed25519', { description: 'The curve, always this one.' }),
    x: Type.String({ description: 'The public key, 32 bytes in base64url' }),
    use: Type.Literal('sig', { description: 'For signatures, always.' }),
    created_at: time('When it was made.'),
    retired_at: nullableTime('When another took its place; null while it signs.'),
  },
  { title: 'PublicKey', description: 'A key as a JWK (RFC 7517, RFC 8037).' },
);
const KeySet = Type.Object(
  { keys: Type.Array(PublicKey, { description: 'All keys that ever signed, newest first.' }), data_mode: DataMode },
  { description: 'A JWK set.' },
);

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
        .send({ keys: await context.signingKeys(), data_mode: context.dataMode }),
  );
}
