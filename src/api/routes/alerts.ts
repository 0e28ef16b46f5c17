import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { servesThresholds } from '../../access/index.ts';
import {
  AlertList,
  AlertParams,
  AlertQuery,
  AlertReply,
  EventHeaders,
  problems,
  viewOf,
} from '../../contract/index.ts';
import type { AlertBook } from '../../monitoring/index.ts';
import type { AlertServices, ApiContext } from '../context.ts';
import {
  CHECK_KEY_EVERY_MS,
  eventStream,
  isStillAllowed,
  lastEventId,
  NO_LONGER_ALLOWED,
  sendEvents,
  takeStream,
} from '../replies/event-stream.ts';
import { notFound, refuse } from '../replies/problems.ts';
import { accountOf, keyed, keyOf, seesThresholdsOnly, storeTime } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetNamed } from '../rms/choose-rating.ts';
import { driftSubscriptionRoutes } from './drift-subscription.ts';

/** An account's alerts: pages, acknowledgement and a stream. */
export function alertRoutes(server: Routes, context: ApiContext, { book, whitelist, drift }: AlertServices): void {
  driftSubscriptionRoutes(server, context, drift);

  server.get(
    '/v1/alerts/stream',
    {
      ...keyed({ scope: 'rms:read', orThresholds: true }, 'alerts', {
        operationId: 'streamAlerts',
        summary: 'Alerts as server-sent events',
        description:
          'Events `alert`, numbered as the alerts are; `Last-Event-ID` continues after that number, without gaps or duplicates; a number above the newest alert’s stands for the newest. Without it the stream begins now, and first states its starting number. The last event of a key that was revoked is `end`.',
        headers: EventHeaders,
        response: {
          200: eventStream(Type.String({ description: 'Server-sent events, until the reader disconnects.' })),
          ...problems(400, 401, 403, 429),
        },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const after = lastEventId(request);
      const giveBack = await takeStream(context, request);
      try {
        const newest = await book.newest(accountOf(request));
        const from = Math.min(after ?? newest, newest);
        // An id without an event: a reader that is disconnected before its first alert has a position to resume from.
        await sendEvents(reply, `: assay alerts\nretry: ${RETRY_MS}\nid: ${from}\n\n`, (gone) =>
          alertTexts({ context, book }, request, from, gone),
        );
      } finally {
        giveBack();
      }
      return reply;
    },
  );

  server.get(
    '/v1/alerts',
    keyed({ scope: 'rms:read', orThresholds: true }, 'alerts', {
      operationId: 'listAlerts',
      summary: 'Alerts of the account, newest first',
      description: `What happened to the assets on the account’s whitelist since each was added, to figures of snapshots on which it set thresholds, and to sources if it subscribed to them. Kept permanently. ${CHAIN_KEYS}`,
      querystring: AlertQuery,
      response: { 200: AlertList, ...problems(400, 401, 403, 404, 409, 429) },
    }),
    async (request, reply) => {
      const { kind = null, asset, acknowledged, since, limit, cursor } = request.query;
      const assetId = asset === undefined ? null : await assetNamed(asset, whitelist.find, context.scoringPath);
      const isHidden = seesThresholdsOnly(request) && kind !== null && kind !== THRESHOLDS;
      const seen = await book.page(
        accountOf(request),
        {
          kind: seesThresholdsOnly(request) ? THRESHOLDS : kind,
          assetId,
          acknowledged: acknowledged === undefined ? null : acknowledged === 'true',
          since: since === undefined ? null : storeTime(since),
        },
        { before: cursor === undefined ? null : Number(cursor), limit: limit + 1 },
      );
      const found = isHidden ? [] : seen;
      const data = found.slice(0, limit);
      const nextCursor = found.length > limit ? String(data.at(-1)?.id) : null;
      return reply.send(viewOf(AlertList, { data, nextCursor, dataMode: context.dataMode }));
    },
  );

  server.post(
    '/v1/alerts/:id/acknowledge',
    keyed({ scope: 'rms:write', orThresholds: true, bodyOptional: true, notFound: NOT_FOUND }, 'alerts', {
      operationId: 'acknowledgeAlert',
      summary: 'Acknowledge an alert; a second time changes nothing',
      description: 'It stays in the list, and no longer counts as open.',
      params: AlertParams,
      response: { 200: AlertReply, ...problems(401, 403, 404, 429) },
    }),
    async (request, reply) => {
      const key = keyOf(request);
      const alert =
        (await book.acknowledge(
          key.accountId,
          Number(request.params.id),
          key.id,
          seesThresholdsOnly(request) ? THRESHOLDS : null,
        )) ?? refuse(NOT_FOUND);
      return reply.send(viewOf(AlertReply, { ...alert, dataMode: context.dataMode }));
    },
  );
}

/** Alert kinds for keys without the scopes of ratings. */
const CHAIN_KEYS =
  'A key with `chain:read` alone, of a plan with `threshold_assets`, sees alerts of the kind `snapshot_threshold`.';
const THRESHOLDS = 'snapshot_threshold';

const NOT_FOUND = notFound(
  'alert_not_found',
  'There is no such alert',
  'The account has no alert of this number; GET /v1/alerts lists them.',
);

/** Delay before a browser's event source reconnects, milliseconds. */
const RETRY_MS = 2_000;

/** Alerts after this number as texts of the stream, while the key may read it. */
async function* alertTexts(
  { context, book }: { readonly context: ApiContext; readonly book: AlertBook },
  request: FastifyRequest,
  after: number,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const isNarrow = seesThresholdsOnly(request);
  const need = { scope: isNarrow ? 'chain:read' : 'rms:read', chain: null, exportOf: null } as const;
  let checkedAt = performance.now();
  for await (const alert of book.follow(accountOf(request), after, gone)) {
    if (performance.now() - checkedAt >= CHECK_KEY_EVERY_MS) {
      checkedAt = performance.now();
      if (!(await isStillAllowed(context, request, need, (plan) => !isNarrow || servesThresholds(plan)))) {
        yield NO_LONGER_ALLOWED;
        return;
      }
    }
    if (alert === null || (isNarrow && alert.kind !== THRESHOLDS)) continue;
    const data = JSON.stringify(viewOf(AlertReply, { ...alert, dataMode: context.dataMode }));
    yield `id: ${alert.id}\nevent: alert\ndata: ${data}\n\n`;
  }
}
