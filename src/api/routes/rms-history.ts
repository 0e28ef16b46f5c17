import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import {
  ActionsQuery,
  AssetActionsQuery,
  type Input,
  KEYED,
  NOT_MODIFIED,
  problems,
  RatedIdParams,
  RatedParams,
  RatingHistoryQuery,
  RecordPage,
} from '../../contract/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import { readCursor } from '../../monitoring/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { sendProblem, validationFailed } from '../replies/problems.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, PAST_SECONDS } from '../rms/choose-rating.ts';
import type { RmsRouting } from '../rms/context.ts';
import { notRated } from '../rms/problems.ts';
import { sendPage } from '../rms/send-page.ts';

const INTERVAL_SECONDS: Readonly<Record<Input<typeof RatingHistoryQuery>['interval'], number | null>> = {
  all: null,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
  '7d': 604_800,
};
const USUAL_MS = 30 * DAY_MS;
const BEGINNING = '2000-01-01T00:00:00.000Z';

/** History and actions of one asset, and the actions of all. */
export function ratingHistoryRoutes(server: Routes, routing: RmsRouting): void {
  const shared = { tags: ['ratings'], security: KEYED };
  const response = { 200: RecordPage, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) };
  const routes = [
    {
      rest: '/history',
      operationId: 'listRatingHistory',
      query: RatingHistoryQuery,
      summary: 'Ratings of an asset over time',
      description: 'Oldest first, as they were published and signed: nothing is ever changed.',
    },
    {
      rest: '/actions',
      operationId: 'listRatingActions',
      query: AssetActionsQuery,
      summary: 'Rating actions of an asset',
      description: 'New, upgrades, downgrades and withdrawals, oldest first, each with what moved the score.',
    },
  ];
  for (const { rest, query, operationId, summary, description } of routes)
    for (const { path, isRaw } of assetPaths(rest)) {
      const params = isRaw ? RatedIdParams : RatedParams;
      const schema = {
        ...shared,
        hide: isRaw,
        operationId,
        summary,
        description,
        params,
        querystring: query,
        response,
      };
      server.get(path, { config: { scope: 'rms:read' }, compress: false, schema }, (request, reply) =>
        ofAsset(routing, request.query, request, reply),
      );
    }
  const schema = {
    ...shared,
    operationId: 'listAllRatingActions',
    summary: 'Rating actions of all assets',
    description: 'New, upgrades, downgrades and withdrawals, newest first.',
    querystring: ActionsQuery,
    response,
  };
  server.get('/v1/rms/actions', { config: { scope: 'rms:read' }, compress: false, schema }, (request, reply) =>
    ofAll(routing, request.query, request, reply),
  );
}

async function ofAsset(
  routing: RmsRouting,
  query: Input<typeof RatingHistoryQuery> | Input<typeof AssetActionsQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, services } = routing;
  const { from, to, limit, cursor = null } = query;
  const interval = 'interval' in query ? query.interval : null;
  const now = context.now();
  const end = to === undefined ? now : Date.parse(to);
  const usual = interval === null ? BEGINNING : new Date(end - USUAL_MS).toISOString();
  const start = from === undefined ? usual : new Date(from).toISOString();
  if (Date.parse(start) > end) return refuse(reply, '/from', 'out_of_range', 'expected a time at or before `to`');
  if (cursor !== null && readCursor(cursor) === null) return foreignCursor(reply);
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const point = gridPoint(now, planOf(request).freshnessGridSeconds);
  const page = await services.reader.history(assetId, {
    from: start,
    to: new Date(Math.min(end, point ?? end)).toISOString(),
    intervalSeconds: interval === null ? null : INTERVAL_SECONDS[interval],
    actionsOnly: interval === null,
    limit,
    cursor,
  });
  if (page.ratings.length === 0 && (await routing.cache.load(assetId, null)) === null)
    return sendProblem(reply, notRated({ kind: 'id', assetId }, context.scoringPath));
  return sendPage(request, reply, page, context.dataMode, PAST_SECONDS);
}

async function ofAll(
  routing: RmsRouting,
  query: Input<typeof ActionsQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { limit, cursor = null } = query;
  const { context, services } = routing;
  if (cursor !== null && readCursor(cursor) === null) return foreignCursor(reply);
  const page = await services.reader.actions({ limit, cursor });
  const point = gridPoint(context.now(), planOf(request).freshnessGridSeconds);
  const ratings = page.ratings.filter((one) => point === null || Date.parse(one.asOf) <= point);
  return sendPage(request, reply, { ...page, ratings }, context.dataMode, PAST_SECONDS);
}

function foreignCursor(reply: FastifyReply): FastifyReply {
  return refuse(reply, '/cursor', 'malformed', 'expected next_cursor of the page before');
}

function refuse(reply: FastifyReply, pointer: string, code: string, detail: string): FastifyReply {
  return sendProblem(reply, validationFailed([{ pointer, code, detail }]));
}
