import type { FastifyContextConfig, FastifyRequest, FastifySchema } from 'fastify';
import type { Static } from 'typebox';
import {
  ALERT_KINDS,
  type AlertKind,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryReply,
  DONE,
  MuteBody,
  MuteList,
  MuteParams,
  MuteView,
  NewWebhookView,
  problems,
  ReplayBody,
  ReplayReply,
  type Reply,
  RotateSecretBody,
  WebhookBody,
  WebhookChangeBody,
  WebhookList,
  WebhookParams,
  WebhookView,
} from '../../contract/index.ts';
import { readRatedText } from '../../monitoring/index.ts';
import type { Delivery, Webhook, Webhooks } from '../../webhooks/index.ts';
import type { ApiContext } from '../context.ts';
import { allowedBy, notFound, type Problem, planLimitReached, refuse, refuseField } from '../replies/problems.ts';
import { accountOf, keyed, planOf, seesThresholdsOnly, storeTime } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

/** The id of an asset as alerts write it: addresses of EVM chains in lower case. */
function idWritten(text: string): string {
  const read = readRatedText(text);
  if (!read.ok) return refuseField('/asset_id', 'malformed_asset', read.detail);
  return read.value.kind === 'id'
    ? read.value.assetId
    : refuseField('/asset_id', 'malformed_asset', 'expected the asset_id of an alert, such as eip155:1/erc20:0x...');
}

const NOT_FOUND = notFound(
  'webhook_not_found',
  'There is no such webhook',
  'The account has no webhook of this id; GET /v1/webhooks lists them.',
);
/** An id in another format matches no webhook. */
const READS = { scope: 'rms:read', orThresholds: true, notFound: NOT_FOUND } as const;
const WRITES = { scope: 'rms:write', orThresholds: true, notFound: NOT_FOUND } as const;
const WRITES_WITHOUT_BODY = { ...WRITES, bodyOptional: true };

/** An account's webhooks and their messages. */
export function webhookRoutes(server: Routes, context: ApiContext, webhooks: Webhooks): void {
  const { dataMode, plans } = context;
  const view = (webhook: Webhook): Reply<typeof WebhookView> => ({ ...webhook, data_mode: dataMode });
  const deliveryView = (delivery: Delivery): Reply<typeof DeliveryReply> => ({ ...delivery, data_mode: dataMode });
  /** A key that sees only thresholds cannot see webhooks that receive other alerts. */
  const preHandler = async (request: FastifyRequest) => {
    if (!seesThresholdsOnly(request) || !('id' in (request.params as object))) return;
    const webhook = await webhooks.get(accountOf(request), idOf(request));
    if (webhook !== null && !isOfThresholds(webhook)) refuse(NOT_FOUND);
  };
  const own = <const Schema extends FastifySchema>(config: FastifyContextConfig, schema: Schema) => ({
    ...keyed(config, 'webhooks', schema),
    preHandler,
  });
  const checkSendable = async (request: FastifyRequest) => {
    const { enabled } = (await webhooks.get(accountOf(request), idOf(request))) ?? refuse(NOT_FOUND);
    if (!enabled) refuse(WEBHOOK_OFF);
  };

  server.get(
    '/v1/webhooks/:id/deliveries',
    own(READS, {
      operationId: 'listDeliveries',
      summary: 'Deliveries of a webhook, newest first; kept for 30 days',
      description: 'Each message with its attempts. The reply of the endpoint is never kept.',
      params: WebhookParams,
      querystring: DeliveryQuery,
      response: { 200: DeliveryList, ...problems(400, 401, 403, 404, 429) },
    }),
    async (request, reply) => {
      const { state = null, limit, cursor } = request.query;
      const before = cursor === undefined ? null : readCursor(cursor);
      const page = { state, before, limit: limit + 1 };
      const found = (await webhooks.deliveries(accountOf(request), idOf(request), page)) ?? refuse(NOT_FOUND);
      const data = found.slice(0, limit);
      const last = data.at(-1);
      return reply.send({
        data,
        next_cursor: found.length > limit && last ? `${Date.parse(last.created_at)}.${last.id}` : null,
        data_mode: dataMode,
      } satisfies Reply<typeof DeliveryList>);
    },
  );

  server.post(
    '/v1/webhooks/:id/test',
    own(WRITES_WITHOUT_BODY, {
      operationId: 'testWebhook',
      summary: 'Send a test message, also to a webhook that is switched off',
      description: 'A message of the type `webhook.test`, put into the queue at once; its delivery states the outcome.',
      params: WebhookParams,
      response: { 202: DeliveryReply, ...problems(401, 403, 404, 429) },
    }),
    async (request, reply) => {
      const delivery = (await webhooks.test(accountOf(request), idOf(request))) ?? refuse(NOT_FOUND);
      return reply.code(202).send(deliveryView(delivery));
    },
  );

  server.post(
    '/v1/webhooks/:id/deliveries/:delivery/replay',
    own(
      { ...WRITES_WITHOUT_BODY, notFound: DELIVERY_NOT_FOUND },
      {
        operationId: 'replayDelivery',
        summary: 'Send one message again, with the id it had',
        description: 'A receiver that keeps ids recognises the repetition.',
        params: DeliveryParams,
        response: { 202: DeliveryReply, ...problems(401, 403, 404, 409, 429) },
      },
    ),
    async (request, reply) => {
      await checkSendable(request);
      const delivery = await webhooks.replay(accountOf(request), idOf(request), request.params.delivery);
      return reply.code(202).send(deliveryView(delivery ?? refuse(DELIVERY_NOT_FOUND)));
    },
  );

  server.post(
    '/v1/webhooks/:id/replay',
    own(WRITES, {
      operationId: 'replayWebhook',
      summary: 'Send every alert since a time again',
      description:
        'Also those that came while the webhook was switched off. Oldest first, 15 a minute; messages that were sent before keep their ids.',
      params: WebhookParams,
      body: ReplayBody,
      response: { 202: ReplayReply, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
    }),
    async (request, reply) => {
      await checkSendable(request);
      const since = storeTime(request.body.since);
      const replayed = (await webhooks.replaySince(accountOf(request), idOf(request), since)) ?? refuse(NOT_FOUND);
      return reply.code(202).send({ ...replayed, data_mode: dataMode } satisfies Reply<typeof ReplayReply>);
    },
  );

  server.get(
    '/v1/webhooks/:id/mutes',
    own(READS, {
      operationId: 'listMutes',
      summary: 'What a webhook is not sent at present',
      description: 'Made by the account, and by links in messages of chat services.',
      params: WebhookParams,
      response: { 200: MuteList, ...problems(401, 403, 404, 429) },
    }),
    async (request, reply) => {
      const data = (await webhooks.mutes(accountOf(request), idOf(request))) ?? refuse(NOT_FOUND);
      return reply.send({ data, next_cursor: null, data_mode: dataMode } satisfies Reply<typeof MuteList>);
    },
  );

  server.post(
    '/v1/webhooks/:id/mutes',
    own(WRITES, {
      operationId: 'muteWebhook',
      summary: 'Send a webhook nothing about an asset, or of a kind, for some days',
      description:
        'Alerts that come meanwhile make no message for this webhook; they stay in GET /v1/alerts, and a replay sends them. A mute of the same is made longer, never shorter.',
      params: WebhookParams,
      body: MuteBody,
      response: { 201: MuteView, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
    }),
    async (request, reply) => {
      const { asset_id: given, kind = null, days } = request.body;
      if (given === undefined && kind === null)
        refuseField('/asset_id', 'required', 'give the asset, the kind, or both');
      const assetId = given === undefined ? null : idWritten(given);
      const made = await webhooks.mute(accountOf(request), idOf(request), { assetId, kind }, days);
      if (!made.ok) return refuse(made.reason === 'full' ? TOO_MANY_MUTES : NOT_FOUND);
      return reply.code(201).send({ ...made.value, data_mode: dataMode } satisfies Reply<typeof MuteView>);
    },
  );

  server.delete(
    '/v1/webhooks/:id/mutes/:mute',
    own(
      { ...WRITES, notFound: MUTE_NOT_FOUND },
      {
        operationId: 'unmuteWebhook',
        summary: 'End a mute',
        description: 'What came meanwhile is sent by a replay alone.',
        params: MuteParams,
        response: { ...DONE, ...problems(401, 403, 404, 429) },
      },
    ),
    async (request, reply) => {
      if (!(await webhooks.unmute(accountOf(request), idOf(request), request.params.mute))) refuse(MUTE_NOT_FOUND);
      return reply.code(204).send();
    },
  );

  server.get(
    '/v1/webhooks',
    own(READS, {
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description:
        'The account’s webhooks, each with the health of its endpoint. Secrets are not shown. A key with `chain:read` alone, of a plan with `threshold_assets`, has those of the kind `snapshot_threshold`.',
      response: { 200: WebhookList, ...problems(401, 403, 429) },
    }),
    async (request, reply) =>
      reply.send({
        data: (await webhooks.list(accountOf(request)))
          .filter((webhook) => !seesThresholdsOnly(request) || isOfThresholds(webhook))
          .map(view),
        next_cursor: null,
        data_mode: dataMode,
      } satisfies Reply<typeof WebhookList>),
  );

  server.post(
    '/v1/webhooks',
    own(WRITES, {
      operationId: 'createWebhook',
      summary: 'Have alerts sent to an address',
      description:
        'Messages are signed by Standard Webhooks (headers webhook-id, webhook-timestamp, webhook-signature). The secret is in this reply and never again. The formats of chat services are not signed: there the url is the secret, and is not shown again.',
      body: WebhookBody,
      response: { 201: NewWebhookView, ...problems(400, 401, 403, 413, 415, 429) },
    }),
    async (request, reply) => {
      const limit = allowedBy(planOf(request), plans, 'webhooks', 'webhooks');
      const made = await webhooks.create(
        accountOf(request),
        { ...request.body, kinds: kindsFor(request, request.body.kinds) },
        limit,
      );
      if (!made.ok) return made.reason === 'full' ? refuse(tooMany(limit)) : refusePlace(made);
      const { webhook, secret } = made.value;
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...view(webhook), secret } satisfies Reply<typeof NewWebhookView>);
    },
  );

  server.get(
    '/v1/webhooks/:id',
    own(READS, {
      operationId: 'getWebhook',
      summary: 'One webhook, with the health of its endpoint',
      description: 'The secret is not shown; `POST .../rotate` makes a new one.',
      params: WebhookParams,
      response: { 200: WebhookView, ...problems(401, 403, 404, 429) },
    }),
    async (request, reply) => {
      const webhook = await webhooks.get(accountOf(request), idOf(request));
      return reply.send(view(webhook ?? refuse(NOT_FOUND)));
    },
  );

  server.put(
    '/v1/webhooks/:id',
    own(WRITES, {
      operationId: 'changeWebhook',
      summary: 'Change a webhook; what is left out stays',
      description:
        '`enabled: true` switches on again what failed or was gone; what was missed is sent by `POST .../replay`.',
      params: WebhookParams,
      body: WebhookChangeBody,
      response: { 200: WebhookView, ...problems(400, 401, 403, 404, 413, 415, 429) },
    }),
    async (request, reply) => {
      const { kinds } = request.body;
      const { kinds: _, ...rest } = request.body;
      const change = { ...rest, ...(kinds === undefined ? {} : { kinds: [...kindsFor(request, kinds)] }) };
      const changed = await webhooks.change(accountOf(request), idOf(request), change);
      if (changed.ok) return reply.send(view(changed.value));
      return changed.reason === 'not_found' ? refuse(NOT_FOUND) : refusePlace(changed);
    },
  );

  server.delete(
    '/v1/webhooks/:id',
    own(WRITES, {
      operationId: 'removeWebhook',
      summary: 'Remove a webhook with its deliveries',
      description: 'Nothing is sent to it any more; alerts stay readable.',
      params: WebhookParams,
      response: { ...DONE, ...problems(401, 403, 404, 429) },
    }),
    async (request, reply) => {
      if (!(await webhooks.remove(accountOf(request), idOf(request)))) refuse(NOT_FOUND);
      return reply.code(204).send();
    },
  );

  server.post(
    '/v1/webhooks/:id/rotate',
    own(WRITES_WITHOUT_BODY, {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret; messages carry both signatures during the overlap',
      description: 'The new secret is in this reply and never again.',
      params: WebhookParams,
      body: RotateSecretBody,
      response: { 201: NewWebhookView, ...problems(400, 401, 403, 404, 413, 415, 429) },
    }),
    async (request, reply) => {
      const rotated = await webhooks.rotate(accountOf(request), idOf(request), request.body.overlap_seconds);
      const { webhook, secret } = rotated ?? refuse(NOT_FOUND);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...view(webhook), secret } satisfies Reply<typeof NewWebhookView>);
    },
  );
}

function isOfThresholds({ kinds }: Pick<Webhook, 'kinds'>): boolean {
  return kinds.every((kind) => kind === 'snapshot_threshold');
}

/** Alert kinds of a webhook that the key may request; all permitted kinds when all are requested (the default). */
function kindsFor(request: FastifyRequest, kinds: readonly AlertKind[]): readonly AlertKind[] {
  if (!seesThresholdsOnly(request) || isOfThresholds({ kinds })) return kinds;
  if (kinds.length === ALERT_KINDS.length) return ['snapshot_threshold'];
  return refuseField(
    '/kinds',
    'invalid_value',
    'a key without the scopes of ratings has webhooks of the kind snapshot_threshold alone',
  );
}

function refusePlace({ reason, detail }: { readonly reason: string; readonly detail: string }): never {
  if (reason === 'bad_chat') refuseField('/chat_id', 'invalid_value', detail);
  refuseField('/url', 'refused_address', detail);
}

const tooMany = (limit: number) =>
  planLimitReached('too_many_webhooks', 'No further webhook is allowed', limit, 'webhooks', 'remove one');

/** Id of the webhook in the path. */
function idOf(request: FastifyRequest): string {
  return (request.params as Static<typeof WebhookParams>).id;
}

function readCursor(cursor: string): { readonly at: string; readonly id: string } {
  const [milliseconds = '', id = ''] = cursor.split('.');
  return { at: new Date(Math.min(Number(milliseconds), LAST_MS)).toISOString(), id };
}

/** 9999-12-31, the last day that the time format here can represent. */
const LAST_MS = 253_402_214_400_000;

const WEBHOOK_OFF: Problem = {
  status: 409,
  code: 'webhook_disabled',
  title: 'The webhook is switched off',
  detail: 'PUT /v1/webhooks/{id} with {"enabled": true} switches it on; then repeat the request.',
  retry: 'corrected',
};
const DELIVERY_NOT_FOUND = notFound(
  'delivery_not_found',
  'There is no such delivery',
  'The webhook has no delivery of this id; GET /v1/webhooks/{id}/deliveries lists those of the last 30 days.',
);
const MUTE_NOT_FOUND = notFound(
  'mute_not_found',
  'There is no such mute',
  'The webhook has no mute of this id that has not ended; GET /v1/webhooks/{id}/mutes lists them.',
);
const TOO_MANY_MUTES: Problem = {
  status: 409,
  code: 'too_many_mutes',
  title: 'No further mute is allowed',
  detail: 'The webhook has 500 mutes; end one, or mute a kind instead of single assets.',
  retry: 'corrected',
};
