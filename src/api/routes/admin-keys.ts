import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { SCOPES } from '../../access/index.ts';
import { DONE, KEYED, KeyList, KeyView, NewKeyView, problems, type Reply, viewOf } from '../../contract/index.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, type Problem, sendProblem } from '../replies/problems.ts';
import { readKeyRequest } from '../requests/read-key-request.ts';

const KeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What to call it: who uses it, and for what.' }),
    scopes: Type.Array(Type.String({ enum: [...SCOPES] }), { minItems: 1, description: 'What it may do.' }),
    plan: Type.Optional(Type.String({ default: 'RATING', description: 'Plan whose limits it has (GET /v1/plans).' })),
    account_id: Type.Optional(
      Type.String({ description: 'Share the account of another key; without it the key gets its own' }),
    ),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'RFC 3339 time from which on it is refused; without it: never.',
      }),
    ),
    allowed_ips: Type.Optional(
      Type.Array(Type.String({ description: 'IP address or CIDR range, in strict notation; kept in canonical form' }), {
        description: 'Addresses and CIDR ranges it may be used from; without it: any.',
      }),
    ),
  },
  { description: 'The key to make.' },
);
const RotateBody = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        default: 86_400,
        description: 'How long the old key goes on working, in seconds.',
      }),
    ),
  },
  { description: 'How the key is replaced.' },
);
const IdParam = Type.Object({ id: Type.String({ description: 'Id of a key.' }) });
const admin = { config: { scope: 'admin' as const } };

/** Create, list, rotate and revoke API keys (scope `admin`). */
export function adminKeyRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/v1/admin/keys',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        operationId: 'listKeys',
        summary: 'List keys',
        description:
          'Every key of the service with its account, plan and last use. Keys themselves are not kept, only their hashes.',
        security: KEYED,
        response: { 200: KeyList, ...problems(401, 403) },
      },
    },
    async (): Promise<Reply<typeof KeyList>> => ({
      data: (await context.access.list()).map((key) => viewOf(KeyView, key)),
      next_cursor: null,
    }),
  );

  server.post(
    '/v1/admin/keys',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        operationId: 'createKey',
        summary: 'Create a key',
        description: 'The key is in this reply and never again.',
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
      return reply.code(201).send({ ...viewOf(KeyView, made.key), secret: made.secret });
    },
  );

  server.post(
    '/v1/admin/keys/:id/rotate',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        operationId: 'rotateKey',
        summary: 'Replace a key; the old one works during the overlap',
        description:
          'The new key has the same rights, the same account and the same end. It is in this reply and never again. A key has one successor at a time: while it lives, another rotation is refused (409), also one that comes at the same moment. Revoke a successor whose secret was lost, then rotate again.',
        security: KEYED,
        params: IdParam,
        body: RotateBody,
        response: { 201: NewKeyView, ...problems(400, 401, 403, 404, 409, 413, 415) },
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
      if (!made.ok)
        return sendProblem(
          reply,
          made.code === 'key_not_found' ? PROBLEMS.keyNotFound : alreadyRotated(made.successorId),
        );
      return reply.code(201).send({ ...viewOf(KeyView, made.key), secret: made.secret });
    },
  );

  server.delete(
    '/v1/admin/keys/:id',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        operationId: 'revokeKey',
        summary: 'Revoke a key at once',
        description: 'Every process refuses it within seconds; what its account has stays.',
        security: KEYED,
        params: IdParam,
        response: { ...DONE, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const revoked = await context.access.revoke((request.params as { id: string }).id);
      return revoked ? reply.code(204).send() : sendProblem(reply, PROBLEMS.keyNotFound);
    },
  );
}

function alreadyRotated(successorId: string): Problem {
  return {
    status: 409,
    code: 'key_already_rotated',
    title: 'The key was rotated already',
    detail: `Its successor is ${successorId}. Rotate that one, or revoke it first if its secret is lost.`,
    retry: 'no',
    more: { successor_id: successorId },
  };
}
