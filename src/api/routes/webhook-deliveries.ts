import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryReply,
  KEYED,
  problems,
  ReplayBody,
  ReplayReply,
  type Reply,
  WebhookParams,
} from '../../contract/index.ts';
import type { Delivery, Webhooks } from '../../webhooks/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, sendProblem } from '../replies/problems.ts';
import { accountOf, storeTime } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const shared = { tags: ['webhooks'], security: KEYED };

export const WEBHOOK_NOT_FOUND: Problem = {
  status: 404,
  code: 'webhook_not_found',
  title: 'There is no such webhook',
  detail: 'The account has no webhook of this id; GET /v1/webhooks lists them.',
  retry: 'no',
};
/** An id that is none of ours names no webhook. */
const read = { scope: 'rms:read' as const, notFound: WEBHOOK_NOT_FOUND };
const write = { scope: 'rms:write' as const, notFound: WEBHOOK_NOT_FOUND };
export const READS = { config: read };
export const WRITES = { config: write };
export const WRITES_WITHOUT_BODY = { config: { ...write, bodyOptional: true } };

/** What was sent to a webhook, and sending it again. */
export function webhookDeliveryRoutes(server: Routes, { dataMode }: ApiContext, webhooks: Webhooks): void {
  async function notSendable(request: FastifyRequest): Promise<Problem | null> {
    const webhook = await webhooks.get(accountOf(request), idOf(request));
    return webhook === null ? WEBHOOK_NOT_FOUND : webhook.enabled ? null : WEBHOOK_OFF;
  }
  const view = (delivery: Delivery): Reply<typeof DeliveryReply> => ({
    ...delivery,
    data_mode: dataMode,
  });

  server.get(
    '/v1/webhooks/:id/deliveries',
    {
      ...READS,
      schema: {
        ...shared,
        operationId: 'listDeliveries',
        summary: 'Deliveries of a webhook, newest first; kept for 30 days',
        description: 'Each message with its attempts. What the endpoint answered is never kept.',
        params: WebhookParams,
        querystring: DeliveryQuery,
        response: { 200: DeliveryList, ...problems(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { state = null, limit, cursor } = request.query;
      const found = await webhooks.deliveries(accountOf(request), idOf(request), {
        state,
        before: cursor === undefined ? null : readCursor(cursor),
        limit: limit + 1,
      });
      if (!found) return sendProblem(reply, WEBHOOK_NOT_FOUND);
      const data = found.slice(0, limit);
      const last = data.at(-1);
      return reply.header('cache-control', 'private, no-store').send({
        data,
        next_cursor: found.length > limit && last ? `${Date.parse(last.created_at)}.${last.id}` : null,
        data_mode: dataMode,
      } satisfies Reply<typeof DeliveryList>);
    },
  );

  server.post(
    '/v1/webhooks/:id/test',
    {
      ...WRITES_WITHOUT_BODY,
      schema: {
        ...shared,
        operationId: 'testWebhook',
        summary: 'Send a test message, also to a webhook that is switched off',
        description: 'A message of the type `webhook.test`, put into the queue at once; its delivery says how it went.',
        params: WebhookParams,
        response: { 202: DeliveryReply, ...problems(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const delivery = await webhooks.test(accountOf(request), idOf(request));
      return delivery ? reply.code(202).send(view(delivery)) : sendProblem(reply, WEBHOOK_NOT_FOUND);
    },
  );

  server.post(
    '/v1/webhooks/:id/deliveries/:delivery/replay',
    {
      config: { ...WRITES_WITHOUT_BODY.config, notFound: DELIVERY_NOT_FOUND },
      schema: {
        ...shared,
        operationId: 'replayDelivery',
        summary: 'Send one message again, with the id it had',
        description: 'A receiver that keeps ids knows it has seen it.',
        params: DeliveryParams,
        response: { 202: DeliveryReply, ...problems(401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const refused = await notSendable(request);
      if (refused) return sendProblem(reply, refused);
      const delivery = await webhooks.replay(accountOf(request), idOf(request), request.params.delivery);
      return delivery ? reply.code(202).send(view(delivery)) : sendProblem(reply, DELIVERY_NOT_FOUND);
    },
  );

  server.post(
    '/v1/webhooks/:id/replay',
    {
      ...WRITES,
      schema: {
        ...shared,
        operationId: 'replayWebhook',
        summary: 'Send every alert since a time again',
        description:
          'Also those that came while the webhook was switched off. Oldest first, 15 a minute; messages that were sent before keep their ids.',
        params: WebhookParams,
        body: ReplayBody,
        response: { 202: ReplayReply, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const refused = await notSendable(request);
      if (refused) return sendProblem(reply, refused);
      const replayed = await webhooks.replaySince(accountOf(request), idOf(request), storeTime(request.body.since));
      return replayed
        ? reply.code(202).send({ ...replayed, data_mode: dataMode } satisfies Reply<typeof ReplayReply>)
        : sendProblem(reply, WEBHOOK_NOT_FOUND);
    },
  );
}

/** Id of the webhook that the path names. */
export function idOf(request: FastifyRequest): string {
  return (request.params as Static<typeof WebhookParams>).id;
}

function readCursor(cursor: string): { readonly at: string; readonly id: string } {
  const [milliseconds = '', id = ''] = cursor.split('.');
  return { at: new Date(Math.min(Number(milliseconds), LAST_MS)).toISOString(), id };
}

/** 9999-12-31, the last day that every time here can say. */
const LAST_MS = 253_402_214_400_000;

const WEBHOOK_OFF: Problem = {
  status: 409,
  code: 'webhook_disabled',
  title: 'The webhook is switched off',
  detail: 'PUT /v1/webhooks/{id} with {"enabled": true} switches it on; then ask again.',
  retry: 'corrected',
};
const DELIVERY_NOT_FOUND: Problem = {
  status: 404,
  code: 'delivery_not_found',
  title: 'There is no such delivery',
  detail: 'The webhook has no delivery of this id; GET /v1/webhooks/{id}/deliveries lists those of the last 30 days.',
  retry: 'no',
};
