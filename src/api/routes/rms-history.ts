import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { gridPoint } from '../../access/index.ts';
import {
  ActionsQuery,
  AssetActionsQuery,
  INTERVALS,
  KEYED,
  NOT_MODIFIED,
  problems,
  RatedIdParams,
  RatedParams,
  RatingHistoryQueryView,
  RecordPage,
} from '../../contract/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import { readCursor } from '../../monitoring/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { sendProblem, validationFailed } from '../replies/problems.ts';
import { readQuery } from '../requests/read-query.ts';
import { assetOf, assetPaths } from '../rms/asset-of.ts';
import type { RmsRouting } from '../rms/context.ts';
import { PAST_SECONDS } from '../rms/max-age.ts';
import { notRated } from '../rms/problems.ts';
import { sendPage } from '../rms/send-page.ts';

const DEFAULT_LIMIT = 100;
const USUAL_MS = 30 * DAY_MS;
const BEGINNING = '2000-01-01T00:00:00.000Z';

/** History and actions of one asset, and the actions of all. */
export function ratingHistoryRoutes(server: FastifyInstance, routing: RmsRouting): void {
  const shared = { tags: ['ratings'], security: KEYED };
  const response = { 200: RecordPage, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) };
  const routes = [
    {
      rest: '/history',
      operationId: 'listRatingHistory',
      query: RatingHistoryQueryView,
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
        ofAsset(routing, query, rest === '/actions', request, reply),
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
    ofAll(routing, request, reply),
  );
}

async function ofAsset(
  routing: RmsRouting,
  schema: TObject,
  actionsOnly: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, services } = routing;
  const read = readQuery(schema, request, reply);
  if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
  const { from, to, interval = '1d', limit = DEFAULT_LIMIT, cursor = null } = read.value;
  const now = context.now();
  const end = to === undefined ? now : Date.parse(String(to));
  const usual = actionsOnly ? BEGINNING : new Date(end - USUAL_MS).toISOString();
  const start = from === undefined ? usual : new Date(String(from)).toISOString();
  if (Date.parse(start) > end) return refuse(reply, '/from', 'out_of_range', 'expected a time at or before `to`');
  if (cursor !== null && readCursor(String(cursor)) === null) return foreignCursor(reply);
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const point = gridPoint(now, planOf(request).freshnessGridSeconds);
  const page = await services.reader.history(assetId, {
    from: start,
    to: new Date(Math.min(end, point ?? end)).toISOString(),
    intervalSeconds: actionsOnly ? null : (INTERVALS[interval] ?? null),
    actionsOnly,
    limit: Number(limit),
    cursor: cursor === null ? null : String(cursor),
  });
  if (page.ratings.length === 0 && (await routing.cache.load(assetId, null)) === null)
    return sendProblem(reply, notRated({ kind: 'id', assetId }, context.scoringPath));
  return sendPage(request, reply, page, context.dataMode, PAST_SECONDS);
}

async function ofAll(routing: RmsRouting, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { context, services } = routing;
  const read = readQuery(ActionsQuery, request, reply);
  if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
  const { limit = DEFAULT_LIMIT, cursor = null } = read.value;
  if (cursor !== null && readCursor(String(cursor)) === null) return foreignCursor(reply);
  const page = await services.reader.actions({ limit: Number(limit), cursor: cursor === null ? null : String(cursor) });
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
