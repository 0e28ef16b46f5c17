import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../access/index.ts';
import {
  AdminDisputeList,
  DisputeBody,
  DisputeList,
  DisputeParams,
  DisputeQuery,
  DisputeView,
  type Input,
  KnownDispute,
  problems,
  ResolutionBody,
  viewOf,
} from '../../contract/index.ts';
import type { DisclosureServices, Dispute } from '../../disclosure/index.ts';
import { sentPlace } from '../../monitoring/index.ts';
import type { ApiContext } from '../context.ts';
import { notFound, type Problem, refuse, refuseField, validationFailed } from '../replies/problems.ts';
import { accountOf, keyed, keyOf } from '../requests/account-request.ts';
import { placeAt } from '../requests/cursors.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetNamed } from '../rms/choose-rating.ts';

/** A key that may read or create ratings may dispute one. */
const RATING_SCOPES: readonly Scope[] = ['score', 'rms:read', 'rms:write', 'admin'];

/** Disputes of an account, and their resolution by the operator. */
export function disputeRoutes(server: Routes, context: ApiContext, services: DisclosureServices): void {
  const { disputes } = services;
  const { dataMode } = context;
  const sent = (dispute: Dispute) => viewOf(DisputeView, { ...dispute, dataMode });

  server.post(
    '/v1/disputes',
    {
      ...keyed('any', 'ratings', {
        operationId: 'createDispute',
        summary: 'Dispute a rating',
        description:
          'A person reads it. An accepted dispute is restated when the band changes or the score by two points or more; the correction is then in GET /v1/restatements. Nothing published is overwritten.',
        body: DisputeBody,
        response: { 200: KnownDispute, 201: DisputeView, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
      }),
      // Before the body is validated: a key that may not dispute learns nothing about the body.
      preValidation: async (request: FastifyRequest) => {
        if (!keyOf(request).scopes.some((scope) => RATING_SCOPES.includes(scope))) refuse(NO_RATING_SCOPE);
      },
    },
    async (request, reply) => {
      const { asset, claim, job_id: jobId = null, contact = null } = request.body;
      const added = await disputes.add({
        accountId: accountOf(request),
        assetId: await assetNamed(asset, services.find, context.scoringPath),
        jobId,
        claim: claim.trim(),
        contact: contact === null ? null : contact.trim(),
      });
      if (!added.ok) return refuse(refusal(added.reason, added.detail));
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
    keyed('any', 'ratings', {
      operationId: 'listDisputes',
      summary: 'Disputes of the account, newest first',
      description: 'What the account disputed, and the outcome.',
      querystring: DisputeQuery,
      response: { 200: DisputeList, ...problems(400, 401, 403, 429) },
    }),
    async (request) => {
      const page = await disputes.list({ accountId: accountOf(request), ...pageOf(request.query) });
      return viewOf(DisputeList, { data: page.disputes, nextCursor: page.nextCursor, dataMode });
    },
  );

  server.get(
    '/v1/disputes/:id',
    keyed('any', 'ratings', {
      operationId: 'getDispute',
      summary: 'One dispute of the account',
      description: 'Its state, and the finding as text once there is one.',
      params: DisputeParams,
      response: { 200: DisputeView, ...problems(401, 403, 404, 429) },
    }),
    async (request) => {
      const dispute = await disputes.find(request.params.id.replaceAll('\0', ''));
      return dispute?.accountId === accountOf(request) ? sent(dispute) : refuse(NOT_FOUND);
    },
  );

  server.get(
    '/v1/admin/disputes',
    keyed('admin', 'admin', {
      operationId: 'listAllDisputes',
      summary: 'Disputes of all accounts, newest first',
      description: 'For the operator, who reads and ends them.',
      querystring: DisputeQuery,
      response: { 200: AdminDisputeList, ...problems(400, 401, 403) },
    }),
    async (request) => {
      const page = await disputes.list({ accountId: null, ...pageOf(request.query) });
      return viewOf(AdminDisputeList, { data: page.disputes, nextCursor: page.nextCursor, dataMode });
    },
  );

  server.post(
    '/v1/admin/disputes/:id/resolve',
    keyed('admin', 'admin', {
      operationId: 'resolveDispute',
      summary: 'Accept, reject or end a dispute, with a text',
      description: 'The account reads the text. `restated` needs the correction that it led to.',
      params: DisputeParams,
      body: ResolutionBody,
      response: { 200: DisputeView, ...problems(400, 401, 403, 404, 409, 413, 415) },
    }),
    async (request) => {
      const { state, resolution, restatement_id: restatementId = null } = request.body;
      if ((state === 'restated') !== (restatementId !== null))
        refuseField(
          '/restatement_id',
          restatementId === null ? 'missing' : 'out_of_place',
          'expected the restatement it led to with restated, and none with accepted and rejected',
        );
      const resolved = await disputes.resolve(request.params.id.replaceAll('\0', ''), {
        state,
        resolution: resolution.trim(),
        restatementId,
      });
      return resolved.ok ? sent(resolved.value) : refuse(refusal(resolved.reason, resolved.detail));
    },
  );
}

function pageOf(query: Input<typeof DisputeQuery>) {
  const { state = null, cursor = null, limit } = query;
  placeAt(query.cursor, sentPlace);
  return { state, cursor, limit };
}

const NO_RATING_SCOPE: Problem = {
  status: 403,
  code: 'missing_scope',
  title: 'The key lacks the required scope',
  detail: 'This needs one of the scopes score, rms:read and rms:write.',
  retry: 'no',
  more: { required_scope: 'rms:read' },
};
const NOT_FOUND = notFound(
  'dispute_not_found',
  'There is no such dispute',
  'The account has no dispute of this id; GET /v1/disputes lists them.',
);

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
