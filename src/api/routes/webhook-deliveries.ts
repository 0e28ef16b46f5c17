import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryReply,
  KEYED,
  problems,
  ReplayReply,
  ReplayWish,
  type Reply,
  WebhookParams,
} from '../../contract/index.ts';
import type { Delivery, Webhooks } from '../../webhooks/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { accountOf, readTime } from '../requests/account-request.ts';
import { readBody } from '../requests/read-body.ts';
import { readQuery } from '../requests/read-query.ts';

const reads = { config: { scope: 'rms:read' as const } };
const writes = { config: { scope: 'rms:write' as const } };
const writesWithoutBody = { config: { scope: 'rms:write' as const, bodyOptional: true } };
const shared = { tags: ['webhooks'], security: KEYED };

/** What was sent to a webhook, and sending it again. */
export function webhookDeliveryRoutes(server: FastifyInstance, { dataMode }: ApiContext, webhooks: Webhooks): void {
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
      ...reads,
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
      const read = readQuery(DeliveryQuery, request, reply);
      if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
      const { state, limit, cursor } = read.value;
      const most = Number(limit ?? 100);
      const found = await webhooks.deliveries(accountOf(request), idOf(request), {
        state: state === undefined ? null : String(state),
        before: cursor === undefined ? null : readCursor(String(cursor)),
        limit: most + 1,
      });
      if (!found) return sendProblem(reply, WEBHOOK_NOT_FOUND);
      const data = found.slice(0, most);
      const last = data.at(-1);
      return reply.header('cache-control', 'private, no-store').send({
        data,
        next_cursor: found.length > most && last ? `${Date.parse(last.created_at)}.${last.id}` : null,
        data_mode: dataMode,
      } satisfies Reply<typeof DeliveryList>);
    },
  );

  server.post(
    '/v1/webhooks/:id/test',
    {
      ...writesWithoutBody,
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
      ...writesWithoutBody,
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
      const { delivery: id } = request.params as { readonly delivery: string };
      const refused = await notSendable(request);
      if (refused) return sendProblem(reply, refused);
      const delivery = /^msg_[0-9a-f]{32}$/.test(id)
        ? await webhooks.replay(accountOf(request), idOf(request), id)
        : null;
      return delivery ? reply.code(202).send(view(delivery)) : sendProblem(reply, DELIVERY_NOT_FOUND);
    },
  );

  server.post(
    '/v1/webhooks/:id/replay',
    {
      ...writes,
      schema: {
        ...shared,
        operationId: 'replayWebhook',
        summary: 'Send every alert since a time again',
        description:
          'Also those that came while the webhook was switched off. Oldest first, 15 a minute; messages that were sent before keep their ids.',
        params: WebhookParams,
        body: ReplayWish,
        response: { 202: ReplayReply, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const read = readBody(ReplayWish, request.body);
      if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
      const since = readTime(read.value.since);
      if (since === null)
        return sendProblem(
          reply,
          validationFailed([{ pointer: '/since', code: 'malformed', detail: 'expected an RFC 3339 time' }]),
        );
      const refused = await notSendable(request);
      if (refused) return sendProblem(reply, refused);
      const replayed = await webhooks.replaySince(accountOf(request), idOf(request), since);
      return replayed
        ? reply.code(202).send({ ...replayed, data_mode: dataMode } satisfies Reply<typeof ReplayReply>)
        : sendProblem(reply, WEBHOOK_NOT_FOUND);
    },
  );
}

/** Id of the webhook that the path names; empty, which none has, for what is no id of ours. */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { readonly id: string };
  return /^wh_[0-9a-f]{24}$/.test(id) ? id : '';
}

function readCursor(cursor: string): { readonly at: string; readonly id: string } {
  const [milliseconds = '', id = ''] = cursor.split('.');
  return { at: new Date(Math.min(Number(milliseconds), LAST_MS)).toISOString(), id };
}

/** 9999-12-31, the last day that every time here can say. */
const LAST_MS = 253_402_214_400_000;

export const WEBHOOK_NOT_FOUND: Problem = {
  status: 404,
  code: 'webhook_not_found',
  title: 'There is no such webhook',
  detail: 'The account has no webhook of this id; GET /v1/webhooks lists them.',
  retry: 'no',
};
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
