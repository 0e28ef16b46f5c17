import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../access/index.ts';
import {
  AdminDisputeList,
  DisputeBody,
  DisputeList,
  DisputeParams,
  DisputeQuery,
  DisputeView,
  type Input,
  KEYED,
  KnownDispute,
  problems,
  ResolutionBody,
  viewOf,
} from '../../contract/index.ts';
import type { DisclosureServices, Dispute } from '../../disclosure/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { accountOf, assetNamed, keyOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const shared = { tags: ['ratings'], security: KEYED };
const anyKey = { scope: 'any' as const };
/** Who may read or make ratings may say that one is wrong. */
const RATING_SCOPES: readonly Scope[] = ['score', 'rms:read', 'rms:write', 'admin'];
const admin = { config: { scope: 'admin' as const } };

/** Disputes of an account, and how the operator ends them. */
export function disputeRoutes(server: Routes, context: ApiContext, services: DisclosureServices): void {
  const { disputes } = services;
  const { dataMode } = context;
  const sent = (dispute: Dispute) => viewOf(DisputeView, { ...dispute, dataMode });

  server.post(
    '/v1/disputes',
    {
      config: anyKey,
      // Before the body is validated: a key that may not dispute learns nothing of the body.
      preValidation: async (request: FastifyRequest, reply: FastifyReply) => {
        if (!keyOf(request).scopes.some((scope) => RATING_SCOPES.includes(scope)))
          return sendProblem(reply, NO_RATING_SCOPE);
      },
      schema: {
        ...shared,
        operationId: 'createDispute',
        summary: 'Say what is wrong about a rating',
        description:
          'A person reads it. An accepted dispute is restated when the band changes or the score by two points or more; the correction is then in GET /v1/restatements. Nothing published is overwritten.',
        body: DisputeBody,
        response: { 200: KnownDispute, 201: DisputeView, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const { asset, claim, job_id: jobId = null, contact = null } = request.body;
      const named = await assetNamed(asset, services.find, context.scoringPath);
      if (!named.ok) return sendProblem(reply, named.problem);
      const added = await disputes.add({
        accountId: accountOf(request),
        assetId: named.value,
        jobId,
        claim: claim.trim(),
        contact: contact === null ? null : contact.trim(),
      });
      if (!added.ok) return sendProblem(reply, refusal(added.reason, added.detail));
      const { dispute, isNew } = added.value;
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/v1/disputes/${dispute.id}`)
        .header('cache-control', 'no-store')
        .send(sent(dispute));
    },
  );

  server.get(
    '/v1/disputes',
    {
      config: anyKey,
      schema: {
        ...shared,
        operationId: 'listDisputes',
        summary: 'Disputes of the account, newest first',
        description: 'What the account said was wrong, and what came of it.',
        querystring: DisputeQuery,
        response: { 200: DisputeList, ...problems(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const page = await disputes.list({ accountId: accountOf(request), ...pageOf(request.query) });
      return reply
        .header('cache-control', 'private, no-store')
        .send(viewOf(DisputeList, { data: page.disputes, nextCursor: page.nextCursor, dataMode }));
    },
  );

  server.get(
    '/v1/disputes/:id',
    {
      config: anyKey,
      schema: {
        ...shared,
        operationId: 'getDispute',
        summary: 'One dispute of the account',
        description: 'Its state, and the finding in words once there is one.',
        params: DisputeParams,
        response: { 200: DisputeView, ...problems(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const dispute = await disputes.find(request.params.id.replaceAll('\0', ''));
      if (dispute === null || dispute.accountId !== accountOf(request)) return sendProblem(reply, NOT_FOUND);
      return reply.header('cache-control', 'private, no-store').send(sent(dispute));
    },
  );

  server.get(
    '/v1/admin/disputes',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        operationId: 'listAllDisputes',
        summary: 'Disputes of all accounts, newest first',
        description: 'For the operator, who reads and ends them.',
        security: KEYED,
        querystring: DisputeQuery,
        response: { 200: AdminDisputeList, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const page = await disputes.list({ accountId: null, ...pageOf(request.query) });
      return reply
        .header('cache-control', 'private, no-store')
        .send(viewOf(AdminDisputeList, { data: page.disputes, nextCursor: page.nextCursor, dataMode }));
    },
  );

  server.post(
    '/v1/admin/disputes/:id/resolve',
    {
      ...admin,
      schema: {
        tags: ['admin'],
        operationId: 'resolveDispute',
        summary: 'Accept, reject or end a dispute, with words',
        description: 'The account reads the words. `restated` needs the correction that it led to.',
        security: KEYED,
        params: DisputeParams,
        body: ResolutionBody,
        response: { 200: DisputeView, ...problems(400, 401, 403, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const { state, resolution, restatement_id: restatementId = null } = request.body;
      if ((state === 'restated') !== (restatementId !== null))
        return sendProblem(
          reply,
          validationFailed([
            {
              pointer: '/restatement_id',
              code: restatementId === null ? 'missing' : 'out_of_place',
              detail: 'expected the restatement it led to with restated, and none with accepted and rejected',
            },
          ]),
        );
      const resolved = await disputes.resolve(request.params.id.replaceAll('\0', ''), {
        state,
        resolution: resolution.trim(),
        restatementId,
      });
      return resolved.ok
        ? reply.send(sent(resolved.value))
        : sendProblem(reply, refusal(resolved.reason, resolved.detail));
    },
  );
}

function pageOf(query: Input<typeof DisputeQuery>) {
  const { state = null, cursor = null, limit } = query;
  return { state, cursor, limit };
}

const NO_RATING_SCOPE: Problem = {
  status: 403,
  code: 'missing_scope',
  title: 'The key may not do this',
  detail: 'This needs one of the scopes score, rms:read and rms:write.',
  retry: 'no',
  more: { required_scope: 'rms:read' },
};
const NOT_FOUND: Problem = {
  status: 404,
  code: 'dispute_not_found',
  title: 'There is no such dispute',
  detail: 'The account has no dispute of this id; GET /v1/disputes lists them.',
  retry: 'no',
};

function refusal(reason: string, detail: string): Problem {
  if (reason === 'no_such_dispute') return { ...NOT_FOUND, detail: `${detail}; GET /v1/admin/disputes lists them.` };
  if (reason === 'no_such_rating')
    return {
      status: 404,
      code: 'no_such_rating',
      title: 'There is no such rating',
      detail: `${detail}; GET /v1/rms/{asset}/history lists the ratings with their job_id.`,
      retry: 'corrected',
    };
  if (reason === 'no_such_restatement')
    return validationFailed([{ pointer: '/restatement_id', code: 'unknown', detail }]);
  return {
    status: 409,
    code: reason === 'too_many_open' ? 'too_many_open_disputes' : 'dispute_already_resolved',
    title: reason === 'too_many_open' ? 'Too many disputes are open' : 'The dispute was resolved already',
    detail,
    retry: 'no',
  };
}
