import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type ApiKey, SCOPES } from '../../access/types.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, sendProblem } from '../problems.ts';
import { readKeyRequest } from '../read-key-request.ts';
import { KEYED, problems } from '../schemas/shared.ts';

const nullableString = Type.Union([Type.String(), Type.Null()]);
const KeyView = Type.Object({
  id: Type.String(),
  account_id: Type.String({ description: 'Whose watchlist, alerts, webhooks and usage the key reaches' }),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(Type.String()),
  plan: Type.String(),
  created_at: Type.String(),
  expires_at: nullableString,
  revoked_at: nullableString,
  last_used_at: nullableString,
  allowed_ips: Type.Array(Type.String()),
  rotated_from: nullableString,
});
const NewKeyView = Type.Object({
  ...KeyView.properties,
  secret: Type.String({ description: 'The key itself. It is shown once.' }),
});
const KeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(Type.String({ enum: [...SCOPES] }), { minItems: 1 }),
  plan: Type.Optional(Type.String({ default: 'RATING' })),
  account_id: Type.Optional(
    Type.String({ description: 'Share the account of another key; without it the key gets its own' }),
  ),
  expires_at: Type.Optional(Type.String({ format: 'date-time' })),
  allowed_ips: Type.Optional(Type.Array(Type.String({ description: 'IP address or CIDR range' }))),
});
const IdParam = Type.Object({ id: Type.String() });
const admin = { config: { scope: 'admin' as const } };

/** Create, list, rotate and revoke API keys (scope `admin`). */
export function adminKeyRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/v1/admin/keys',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        summary: 'List keys',
        security: KEYED,
        response: { 200: Type.Object({ data: Type.Array(KeyView), next_cursor: Type.Null() }), ...problems(401, 403) },
      },
    },
    async () => ({
      data: (await context.access.list()).map(keyView),
      next_cursor: null,
    }),
  );

  server.post(
    '/v1/admin/keys',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        summary: 'Create a key',
        security: KEYED,
        body: KeyBody,
        response: { 201: NewKeyView, ...problems(400, 401, 403, 413, 415) },
      },
    },
    async (request, reply) => {
      const read = readKeyRequest(request.body, context.now());
      if (!read.ok)
        return sendProblem(reply, {
          status: 400,
          code: 'validation_failed',
          title: 'The request is not right',
          detail: `${read.errors.length} complaint(s), see errors`,
          retry: 'corrected',
          errors: read.errors,
        });
      const made = await context.access.create(read.value);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(made.key), secret: made.secret });
    },
  );

  server.post(
    '/v1/admin/keys/:id/rotate',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        summary: 'Replace a key; the old one works during the overlap',
        security: KEYED,
        params: IdParam,
        body: Type.Object({
          overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, default: 86_400 })),
        }),
        response: { 201: NewKeyView, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const overlap = (request.body as { overlap_seconds?: unknown } | null)?.overlap_seconds ?? 86_400;
      if (typeof overlap !== 'number' || !Number.isInteger(overlap) || overlap < 0 || overlap > 2_592_000) {
        return sendProblem(reply, {
          status: 400,
          code: 'validation_failed',
          title: 'The request is not right',
          detail: 'see errors',
          retry: 'corrected',
          errors: [
            {
              pointer: '/overlap_seconds',
              code: 'out_of_range',
              detail: 'expected whole seconds from 0 to 2592000 (30 days)',
            },
          ],
        });
      }
      const made = await context.access.rotate((request.params as { id: string }).id, overlap);
      if (!made) return sendProblem(reply, PROBLEMS.keyNotFound);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(made.key), secret: made.secret });
    },
  );

  server.delete(
    '/v1/admin/keys/:id',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        summary: 'Revoke a key at once',
        security: KEYED,
        params: IdParam,
        response: { 204: Type.Null(), ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const revoked = await context.access.revoke((request.params as { id: string }).id);
      return revoked ? reply.code(204).send() : sendProblem(reply, PROBLEMS.keyNotFound);
    },
  );
}

function keyView(key: ApiKey) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    plan: key.plan,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    allowed_ips: key.allowedIps,
    rotated_from: key.rotatedFrom,
  };
}
