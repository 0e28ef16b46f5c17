import { planFault } from '../../access/index.ts';
import {
  DONE,
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
import { notFound, type Problem, refuse, refuseField } from '../replies/problems.ts';
import { keyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

/** Create, list, rotate and revoke API keys (scope `admin`). */
export function adminKeyRoutes(server: Routes, context: ApiContext): void {
  server.get(
    '/v1/admin/keys',
    keyed('admin', 'admin', {
      operationId: 'listKeys',
      summary: 'List keys',
      description:
        'Every key of the service with its account, plan and last use. Keys themselves are not kept, only their hashes.',
      response: { 200: KeyList, ...problems(401, 403) },
    }),
    async (): Promise<Reply<typeof KeyList>> => ({
      data: (await context.access.list()).map((key) => viewOf(KeyView, key)),
      next_cursor: null,
    }),
  );

  server.post(
    '/v1/admin/keys',
    keyed('admin', 'admin', {
      operationId: 'createKey',
      summary: 'Create a key',
      description: 'The key is in this reply and never again.',
      body: KeyBody,
      response: { 201: NewKeyView, ...problems(400, 401, 403, 413, 415) },
    }),
    async (request, reply) => {
      const { name, scopes, plan, account_id, expires_at, allowed_ips } = request.body;
      const fault = planFault(context.plans, plan);
      if (fault !== null) refuseField('/plan', 'malformed', fault);
      const expiresAt = expires_at == null ? null : new Date(expires_at);
      if (expiresAt !== null && expiresAt.getTime() <= context.now())
        refuseField('/expires_at', 'malformed', 'expected a time in the future, RFC 3339');
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
    keyed('admin', 'admin', {
      operationId: 'rotateKey',
      summary: 'Replace a key; the old one works during the overlap',
      description:
        'The new key has the same rights, the same account and the same end. It is in this reply and never again. A key has one successor at a time: while it is active, another rotation is refused (409), also one that comes at the same moment. Revoke a successor whose secret was lost, then rotate again.',
      params: KeyParams,
      body: RotateKeyBody,
      response: { 201: NewKeyView, ...problems(400, 401, 403, 404, 409, 413, 415) },
    }),
    async (request, reply) => {
      const made = await context.access.rotate(request.params.id, request.body.overlap_seconds);
      if (!made.ok) refuse(made.code === 'key_not_found' ? NOT_FOUND : alreadyRotated(made.successorId));
      return reply.code(201).send({ ...viewOf(KeyView, made.key), secret: made.secret });
    },
  );

  server.delete(
    '/v1/admin/keys/:id',
    keyed('admin', 'admin', {
      operationId: 'revokeKey',
      summary: 'Revoke a key at once',
      description: 'Every process refuses it within seconds; what its account has stays.',
      params: KeyParams,
      response: { ...DONE, ...problems(401, 403, 404) },
    }),
    async (request, reply) => {
      if (!(await context.access.revoke(request.params.id))) refuse(NOT_FOUND);
      return reply.code(204).send();
    },
  );
}

const NOT_FOUND = notFound(
  'key_not_found',
  'There is no such key',
  'No active key has this id; GET /v1/admin/keys lists them.',
);

/** Problem for a key that already has an active successor. */
export function alreadyRotated(successorId: string): Problem {
  return {
    status: 409,
    code: 'key_already_rotated',
    title: 'The key was rotated already',
    detail: `Its successor is ${successorId}. Rotate that one, or revoke it first if its secret is lost.`,
    retry: 'no',
    more: { successor_id: successorId },
  };
}
