import {
  DONE,
  KEYED,
  KeyBody,
  KeyList,
  KeyParams,
  KeyView,
  NewKeyView,
  problems,
  type Reply,
  RotateKeyBody,
  viewOf,
} from '../../contract/index.ts';
import { canonicalIpRange } from '../../domain/index.ts';
import type { ApiContext } from '../context.ts';
import { PROBLEMS, type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import type { Routes } from '../requests/read-requests.ts';

const admin = { config: { scope: 'admin' as const } };

/** Create, list, rotate and revoke API keys (scope `admin`). */
export function adminKeyRoutes(server: Routes, context: ApiContext): void {
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
      const { name, scopes, plan, account_id, expires_at, allowed_ips } = request.body;
      const expiresAt = expires_at == null ? null : new Date(expires_at);
      if (expiresAt !== null && expiresAt.getTime() <= context.now())
        return sendProblem(
          reply,
          validationFailed([
            { pointer: '/expires_at', code: 'malformed', detail: 'expected a time in the future, RFC 3339' },
          ]),
        );
      const made = await context.access.create({
        name: name.trim(),
        accountId: account_id ?? null,
        scopes,
        plan,
        expiresAt: expiresAt?.toISOString() ?? null,
        allowedIps: allowed_ips.flatMap((ip) => canonicalIpRange(ip) ?? []),
      });
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
        params: KeyParams,
        body: RotateKeyBody,
        response: { 201: NewKeyView, ...problems(400, 401, 403, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const made = await context.access.rotate(request.params.id, request.body.overlap_seconds);
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
        params: KeyParams,
        response: { ...DONE, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const revoked = await context.access.revoke(request.params.id);
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
