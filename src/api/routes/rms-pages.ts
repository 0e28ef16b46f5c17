import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint, historyStart } from '../../access/index.ts';
import {
  ActionsQuery,
  AssetActionsQuery,
  type Input,
  NOT_MODIFIED,
  problems,
  RatingHistoryQuery,
  RatingListQuery,
  RecordPage,
} from '../../contract/index.ts';
import { type Band, DAY_MS } from '../../domain/index.ts';
import { ratingListCsv } from '../../exports/index.ts';
import { listPlace, ratingPlace } from '../../monitoring/index.ts';
import { oldestServed } from '../replies/history.ts';
import { refuse, refuseField } from '../replies/problems.ts';
import { CSV_PAGE, formOf, sendCsv } from '../replies/send-csv.ts';
import { sendRatings } from '../replies/send-json.ts';
import { addVary } from '../replies/vary.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import { placeAt } from '../requests/cursors.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, notRated, PAST_SECONDS, type RmsRouting } from '../rms/choose-rating.ts';

const INTERVAL_SECONDS: Readonly<Record<Input<typeof RatingHistoryQuery>['interval'], number | null>> = {
  all: null,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
  '7d': 604_800,
};
const USUAL_MS = 30 * DAY_MS;
const BEGINNING = '2000-01-01T00:00:00.000Z';

const ROUTES = [
  {
    rest: '/history',
    querystring: RatingHistoryQuery,
    about: {
      operationId: 'listRatingHistory',
      summary: 'Ratings of an asset over time',
      description: 'Oldest first, as they were published and signed: nothing is ever changed.',
    },
  },
  {
    rest: '/actions',
    querystring: AssetActionsQuery,
    about: {
      operationId: 'listRatingActions',
      summary: 'Rating actions of an asset',
      description: 'New, upgrades, downgrades and withdrawals, oldest first, each with what moved the score.',
    },
  },
];

/** GET /v1/rms. */
export function ratingListRoutes(server: Routes, routing: RmsRouting): void {
  const list = keyed('rms:read', 'ratings', {
    operationId: 'listRatings',
    summary: 'All rated assets',
    description:
      'Newest ratings, filtered and sorted, in pages. A page continues after the last entry of the page before: what is rated meanwhile may move, no unchanged rating is left out or repeated. As CSV (`format=csv`, or `Accept: text/csv`) in the columns of the daily export, for spreadsheets.',
    querystring: RatingListQuery,
    response: {
      200: {
        description: 'A page of ratings.',
        content: { 'application/json': { schema: RecordPage }, 'text/csv': { schema: CSV_PAGE } },
      },
      ...NOT_MODIFIED,
      ...problems(400, 401, 403, 429),
    },
  });
  server.get('/v1/rms', { ...list, compress: false }, (request, reply) =>
    newest(routing, request.query, request, reply),
  );
}

/** History and actions of one asset, and the actions of all. */
export function ratingHistoryRoutes(server: Routes, routing: RmsRouting): void {
  const response = { 200: RecordPage, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) };
  for (const { rest, querystring, about } of ROUTES)
    for (const { path, about: paths } of assetPaths(rest)) {
      const options = keyed('rms:read', 'ratings', { ...paths, ...about, querystring, response });
      server.get(path, { ...options, compress: false }, (request, reply) =>
        ofAsset(routing, request.query, request, reply),
      );
    }
  const options = keyed('rms:read', 'ratings', {
    operationId: 'listAllRatingActions',
    summary: 'Rating actions of all assets',
    description: 'New, upgrades, downgrades and withdrawals, newest first.',
    querystring: ActionsQuery,
    response,
  });
  server.get('/v1/rms/actions', { ...options, compress: false }, (request, reply) =>
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
  if (Date.parse(start) > end) refuseField('/from', 'out_of_range', 'expected a time at or before `to`');
  placeAt(query.cursor, ratingPlace);
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const point = gridPoint(now, planOf(request).freshnessGridSeconds);
  const page = await services.reader.history(assetId, {
    from: new Date(oldestServed(request, reply, Date.parse(start), now)).toISOString(),
    to: new Date(Math.min(end, point ?? end)).toISOString(),
    intervalSeconds: interval === null ? null : INTERVAL_SECONDS[interval],
    actionsOnly: interval === null,
    limit,
    cursor,
  });
  if (page.ratings.length === 0 && (await routing.cache.load(assetId, null)) === null)
    refuse(notRated({ kind: 'id', assetId }, context.scoringPath));
  return sendRatings(request, reply, page, context.dataMode, PAST_SECONDS);
}

async function ofAll(
  routing: RmsRouting,
  query: Input<typeof ActionsQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { limit, cursor = null } = query;
  const { context, services } = routing;
  placeAt(query.cursor, ratingPlace);
  const now = context.now();
  const plan = planOf(request);
  const page = await services.reader.actions({
    from: new Date(historyStart(now, plan) ?? Date.parse(BEGINNING)).toISOString(),
    to: new Date(gridPoint(now, plan.freshnessGridSeconds) ?? now).toISOString(),
    limit,
    cursor,
  });
  // The last page ends where the plan's history begins.
  if (page.nextCursor === null) oldestServed(request, reply, Date.parse(BEGINNING), now);
  return sendRatings(request, reply, page, context.dataMode, PAST_SECONDS);
}

async function newest(
  routing: RmsRouting,
  query: Input<typeof RatingListQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { chain = null, band, category = null, flag = null, min_trust: minTrust = null, search, sort, limit } = query;
  const { cursor = null, class: of = null, format = formOf(request) } = query;
  placeAt(query.cursor, (given) => listPlace(given, sort), 'of the page before, with the same sort');
  const point = gridPoint(routing.context.now(), planOf(request).freshnessGridSeconds);
  const page = await routing.services.reader.list({
    at: point === null ? null : new Date(point).toISOString(),
    chain,
    bands: band === undefined ? null : (band.split(',') as Band[]),
    category,
    class: of,
    flag,
    minTrust,
    search: search?.trim() ?? null,
    sort,
    limit,
    cursor,
  });
  const { ratings, nextCursor } = page;
  const { accountId } = keyOf(request);
  for (const { assetId } of ratings) routing.context.disclosures?.reads.note(accountId, assetId);
  if (format === 'json') {
    addVary(reply.head, 'Accept');
    return sendRatings(request, reply, page, routing.context.dataMode, PAST_SECONDS);
  }
  const withdrawn = await routing.services.reader.withdrawn(ratings.map(({ assetId }) => assetId));
  const text = ratingListCsv(ratings, withdrawn, routing.context.now());
  return sendCsv(request, reply, { text, cursor: nextCursor }, `private, max-age=${PAST_SECONDS}`);
}
