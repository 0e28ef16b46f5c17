import {
  DONE,
  KEYED,
  NewWebhookView,
  problems,
  type Reply,
  RotateSecretBody,
  WebhookBody,
  WebhookChangeBody,
  WebhookList,
  WebhookParams,
  WebhookView,
} from '../../contract/index.ts';
import type { Webhook, Webhooks } from '../../webhooks/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, planDoesNotInclude, sendProblem, validationFailed } from '../replies/problems.ts';
import { accountOf, keyOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import {
  idOf,
  READS,
  WEBHOOK_NOT_FOUND,
  WRITES,
  WRITES_WITHOUT_BODY,
  webhookDeliveryRoutes,
} from './webhook-deliveries.ts';

const shared = { tags: ['webhooks'], security: KEYED };

/** An account's webhooks and what was sent to them. */
export function webhookRoutes(server: Routes, context: ApiContext, webhooks: Webhooks): void {
  const { dataMode, plans } = context;
  const view = (webhook: Webhook): Reply<typeof WebhookView> => ({ ...webhook, data_mode: dataMode });
  webhookDeliveryRoutes(server, context, webhooks);

  server.get(
    '/v1/webhooks',
    {
      ...READS,
      schema: {
        ...shared,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'The account’s webhooks, each with the health of its endpoint. Secrets are not shown.',
        response: { 200: WebhookList, ...problems(401, 403, 429) },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'private, no-store').send({
        data: (await webhooks.list(accountOf(request))).map(view),
        next_cursor: null,
        data_mode: dataMode,
      } satisfies Reply<typeof WebhookList>),
  );

  server.post(
    '/v1/webhooks',
    {
      ...WRITES,
      schema: {
        ...shared,
        operationId: 'createWebhook',
        summary: 'Have alerts sent to an address',
        description:
          'Messages are signed by Standard Webhooks (headers webhook-id, webhook-timestamp, webhook-signature). The secret is in this reply and never again.',
        body: WebhookBody,
        response: { 201: NewWebhookView, ...problems(400, 401, 403, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const key = keyOf(request);
      const plan = plans.find(key.plan);
      const limit = plan?.webhooks ?? 0;
      if (plan && limit === 0)
        return sendProblem(
          reply,
          planDoesNotInclude(
            plan,
            'webhooks',
            plans.plans.filter((other) => other.webhooks > 0),
          ),
        );
      const made = await webhooks.create(key.accountId, request.body, limit);
      if (!made.ok) return sendProblem(reply, made.reason === 'full' ? tooMany(limit) : badUrl(made.detail));
      const { webhook, secret } = made.value;
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...view(webhook), secret } satisfies Reply<typeof NewWebhookView>);
    },
  );

  server.get(
    '/v1/webhooks/:id',
    {
      ...READS,
      schema: {
        ...shared,
        operationId: 'getWebhook',
        summary: 'One webhook, with the health of its endpoint',
        description: 'The secret is not shown; `POST .../rotate` makes a new one.',
        params: WebhookParams,
        response: { 200: WebhookView, ...problems(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const webhook = await webhooks.get(accountOf(request), idOf(request));
      return webhook
        ? reply.header('cache-control', 'private, no-store').send(view(webhook))
        : sendProblem(reply, WEBHOOK_NOT_FOUND);
    },
  );

  server.put(
    '/v1/webhooks/:id',
    {
      ...WRITES,
      schema: {
        ...shared,
        operationId: 'changeWebhook',
        summary: 'Change a webhook; what is left out stays',
        description:
          '`enabled: true` switches on again what failed or was gone; what was missed is sent by `POST .../replay`.',
        params: WebhookParams,
        body: WebhookChangeBody,
        response: { 200: WebhookView, ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const changed = await webhooks.change(accountOf(request), idOf(request), request.body);
      if (changed.ok) return reply.send(view(changed.value));
      return sendProblem(reply, changed.reason === 'bad_url' ? badUrl(changed.detail) : WEBHOOK_NOT_FOUND);
    },
  );

  server.delete(
    '/v1/webhooks/:id',
    {
      ...WRITES,
      schema: {
        ...shared,
        operationId: 'removeWebhook',
        summary: 'Remove a webhook with its deliveries',
        description: 'Nothing is sent to it any more; alerts stay readable.',
        params: WebhookParams,
        response: { ...DONE, ...problems(401, 403, 404, 429) },
      },
    },
    async (request, reply) =>
      (await webhooks.remove(accountOf(request), idOf(request)))
        ? reply.code(204).send()
        : sendProblem(reply, WEBHOOK_NOT_FOUND),
  );

  server.post(
    '/v1/webhooks/:id/rotate',
    {
      ...WRITES_WITHOUT_BODY,
      schema: {
        ...shared,
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret; messages carry both signatures during the overlap',
        description: 'The new secret is in this reply and never again.',
        params: WebhookParams,
        body: RotateSecretBody,
        response: { 201: NewWebhookView, ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const rotated = await webhooks.rotate(accountOf(request), idOf(request), request.body.overlap_seconds);
      return rotated
        ? reply
            .code(201)
            .header('cache-control', 'no-store')
            .send({ ...view(rotated.webhook), secret: rotated.secret } satisfies Reply<typeof NewWebhookView>)
        : sendProblem(reply, WEBHOOK_NOT_FOUND);
    },
  );
}

function badUrl(detail: string): Problem {
  return validationFailed([{ pointer: '/url', code: 'refused_address', detail }]);
}

function tooMany(limit: number): Problem {
  return {
    status: 403,
    code: 'too_many_webhooks',
    title: 'No further webhook is allowed',
    detail: `The plan allows ${limit} webhooks; remove one, or ask for a larger plan.`,
    retry: 'no',
    more: { limit },
  };
}
