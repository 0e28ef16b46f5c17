import {
  AdminAppealList,
  AdminAppealView,
  AppealBody,
  AppealEvidenceBody,
  AppealIdParams,
  AppealProofBody,
  AppealQuery,
  AppealReviewBody,
  AppealView,
  type Input,
  OpenedAppealView,
  problems,
  ReferenceParams,
  viewOf,
} from '../../contract/index.ts';
import type { Appeal, AppealFault, DisclosureServices, ReviewedAppeal } from '../../disclosure/index.ts';
import { sentPlace } from '../../monitoring/index.ts';
import type { ApiContext } from '../context.ts';
import { subscriberOf } from '../public/address-limit.ts';
import type { KeylessGuard } from '../public/keyless.ts';
import { notFound, type Problem, refuse, refuseField, validationFailed } from '../replies/problems.ts';
import { keyed, keyOf, unkeyed } from '../requests/account-request.ts';
import { placeAt } from '../requests/cursors.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetNamed } from '../rms/choose-rating.ts';

const MOST_BODY_BYTES = 20_000;

/** Appeals of rated parties, which need no key, and the reviews that decide on them. */
export function appealRoutes(
  server: Routes,
  context: ApiContext,
  { appeals, find }: DisclosureServices,
  guard: KeylessGuard,
): void {
  const { dataMode } = context;
  const sent = (appeal: Appeal) => viewOf(AppealView, { ...appeal, dataMode });
  const reviewed = (appeal: ReviewedAppeal) => viewOf(AdminAppealView, { ...appeal, dataMode });

  server.post(
    '/v1/public/appeals',
    {
      ...unkeyed('public', {
        operationId: 'openAppeal',
        summary: 'Begin an appeal of a rated party',
        description:
          'Returns a challenge that is valid for 48 hours. Control of the asset is determined by the evidence of its rating alone: the domain of its website, addresses with power over it, and its repository. Where the operator has switched it on.',
        body: AppealBody,
        response: { 201: OpenedAppealView, ...problems(400, 404, 409, 413, 415, 429) },
      }),
      bodyLimit: MOST_BODY_BYTES,
      onRequest: guard.open,
    },
    async (request, reply) => {
      const asset = await assetNamed(request.body.asset, find, context.scoringPath);
      const opened = await appeals.open(asset, subscriberOf(context.clientAddress(request.raw)));
      if (!opened.ok) return refuse(refusal(opened.reason, opened.detail));
      const { appeal, task } = opened.value;
      return reply
        .code(201)
        .header('location', `/v1/public/appeals/${appeal.reference}`)
        .header('cache-control', 'no-store')
        .send(viewOf(OpenedAppealView, { ...appeal, task, dataMode }));
    },
  );

  server.get(
    '/v1/public/appeals/:reference',
    {
      ...unkeyed('public', {
        operationId: 'getAppeal',
        summary: 'The status of an appeal',
        description: 'For everybody who has the reference. What the party sent is not shown.',
        params: ReferenceParams,
        response: { 200: AppealView, ...problems(404, 429) },
      }),
      config: { notFound: NOT_FOUND },
      onRequest: guard.read,
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return sent((await appeals.find(request.params.reference)) ?? refuse(NOT_FOUND));
    },
  );

  server.post(
    '/v1/public/appeals/:reference/proof',
    {
      ...unkeyed('public', {
        operationId: 'proveAppeal',
        summary: 'Prove control over the asset',
        description:
          'By the DNS record or a signature of the challenge; each challenge can be used once. A contract that controls the asset, such as a multisig, is called by `eip1271` to verify the signature. By `repository` a maintainer of the tied GitHub repository signs with the OpenPGP key that signs the commits.',
        params: ReferenceParams,
        body: AppealProofBody,
        response: { 200: AppealView, ...problems(400, 404, 409, 413, 415, 422, 429) },
      }),
      config: { notFound: NOT_FOUND },
      bodyLimit: MOST_BODY_BYTES,
      onRequest: guard.step,
    },
    async (request) => {
      const proved = await appeals.prove(request.params.reference, proofOf(request.body));
      return proved.ok ? sent(proved.value) : refuse(refusal(proved.reason, proved.detail));
    },
  );

  server.post(
    '/v1/public/appeals/:reference/evidence',
    {
      ...unkeyed('public', {
        operationId: 'addAppealEvidence',
        summary: 'Send evidence to the reviewers',
        description:
          'Once control is proved, five times at most. It is a claim: a rating changes only when a source or a reviewed register row states it.',
        params: ReferenceParams,
        body: AppealEvidenceBody,
        response: { 200: AppealView, ...problems(400, 404, 409, 413, 415, 422, 429) },
      }),
      config: { notFound: NOT_FOUND },
      bodyLimit: MOST_BODY_BYTES,
      onRequest: guard.step,
    },
    async (request) => {
      const { statement, links = [] } = request.body;
      const errors = links.flatMap((link, place) => {
        const why = context.judgeUrl(link);
        return typeof why === 'string' ? [{ pointer: `/links/${place}`, code: 'refused_address', detail: why }] : [];
      });
      if (errors.length > 0) refuse(validationFailed(errors));
      const added = await appeals.addEvidence(request.params.reference, { statement: statement.trim(), links });
      return added.ok ? sent(added.value) : refuse(refusal(added.reason, added.detail));
    },
  );

  server.get(
    '/v1/admin/appeals',
    keyed('admin', 'admin', {
      operationId: 'listAppeals',
      summary: 'Appeals, newest first',
      description: 'For reviewers: with what the party sent and the opinions of other reviewers.',
      querystring: AppealQuery,
      response: { 200: AdminAppealList, ...problems(400, 401, 403) },
    }),
    async (request) => {
      const { state = null, cursor = null, limit } = request.query;
      placeAt(request.query.cursor, sentPlace);
      const page = await appeals.list({ state, cursor, limit });
      return viewOf(AdminAppealList, { data: page.appeals, nextCursor: page.nextCursor, dataMode });
    },
  );

  server.post(
    '/v1/admin/appeals/:id/reviews',
    keyed({ scope: 'admin', notFound: NOT_FOUND }, 'admin', {
      operationId: 'reviewAppeal',
      summary: 'The opinion of one reviewer on an appeal',
      description:
        'Two accounts with the same opinion decide: the keys of one account are one reviewer, who replaces the opinion by reviewing again. `corrected` needs the correction it led to.',
      params: AppealIdParams,
      body: AppealReviewBody,
      response: { 200: AdminAppealView, ...problems(400, 401, 403, 404, 409, 413, 415) },
    }),
    async (request) => {
      const { decision, finding, restatement_id: restatementId = null } = request.body;
      if ((decision === 'corrected') !== (restatementId !== null))
        refuseField(
          '/restatement_id',
          restatementId === null ? 'missing' : 'out_of_place',
          'expected the restatement it led to with corrected, and none with accepted and rejected',
        );
      const taken = await appeals.review(request.params.id, {
        keyId: keyOf(request).id,
        decision,
        finding: finding.trim(),
        restatementId,
      });
      return taken.ok ? reviewed(taken.value) : refuse(refusal(taken.reason, taken.detail));
    },
  );
}

function proofOf({ method, signature, account }: Input<typeof AppealProofBody>) {
  if ((method === 'repository') !== (account !== undefined))
    return refuseField(
      '/account',
      account === undefined ? 'missing' : 'out_of_place',
      'expected the GitHub account whose key signed with repository, and none with other methods',
    );
  if (method === 'dns')
    return signature === undefined
      ? { method }
      : refuseField('/signature', 'out_of_place', 'expected no signature with dns');
  if (signature === undefined)
    return refuseField('/signature', 'missing', `expected the signature of the challenge with ${method}`);
  return method === 'repository' ? { method, signature, account: account ?? '' } : { method, signature };
}

const NOT_FOUND = notFound(
  'appeal_not_found',
  'There is no such appeal',
  'No appeal has this reference; the reply that opened it gave it.',
);

const TITLES: Readonly<Record<AppealFault, readonly [status: number, title: string, retry: Problem['retry']]>> = {
  no_such_rating: [404, 'There is no such rating', 'no'],
  no_such_appeal: [404, NOT_FOUND.title, 'no'],
  cannot_be_proved: [409, 'Control of the asset cannot be proved', 'no'],
  challenge_over: [409, 'The challenge is over', 'no'],
  not_proved: [422, 'Control is not proved', 'corrected'],
  too_much_evidence: [409, 'No more evidence is taken', 'no'],
  already_decided: [409, 'The appeal is not at this step', 'no'],
  no_such_restatement: [400, 'The request is invalid', 'corrected'],
};

function refusal(reason: AppealFault, detail: string): Problem {
  if (reason === 'no_such_appeal') return NOT_FOUND;
  if (reason === 'no_such_restatement')
    return validationFailed([{ pointer: '/restatement_id', code: 'unknown', detail }]);
  const [status, title, retry] = TITLES[reason];
  return { status, code: reason, title, detail: `${detail}.`, retry };
}
