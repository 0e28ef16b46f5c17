import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AddedEntry,
  ChangedEntry,
  DONE,
  type Input,
  problems,
  type Reply,
  WhitelistBody,
  type WhitelistEntry,
  WhitelistReply,
  type WhitelistThresholds,
} from '../../contract/index.ts';
import type { Thresholds, WatchedAsset } from '../../monitoring/index.ts';
import type { ApiContext, WhitelistServices } from '../context.ts';
import { allowedBy, notFound, planLimitReached, refuse } from '../replies/problems.ts';
import { accountOf, keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetNamed, assetPaths, assetText, howToRate } from '../rms/choose-rating.ts';

/** The assets an account watches. */
export function whitelistRoutes(server: Routes, context: ApiContext, services: WhitelistServices): void {
  const { watchlist } = services;
  const { plans, scoringPath } = context;
  const named = (request: FastifyRequest) => assetNamed(assetText(request), services.find, scoringPath);
  const view = (entry: WatchedAsset) => entryView(entry, scoringPath);

  server.get(
    '/v1/rms/whitelist',
    keyed({ scope: 'rms:read', anyQuery: true }, 'ratings', {
      operationId: 'listWhitelist',
      summary: 'The account’s whitelist, oldest entry first',
      description: 'The assets the account watches, with their newest rating and open alerts.',
      response: { 200: WhitelistReply, ...problems(401, 403, 429) },
    }),
    async (request) => (await watchlist.list(accountOf(request))).map(view),
  );

  async function put(
    request: FastifyRequest,
    reply: FastifyReply,
    { note, thresholds }: Input<typeof WhitelistBody>,
  ): Promise<FastifyReply> {
    const limit = allowedBy(planOf(request), plans, 'watchlistSize', 'whitelists');
    const wanted = { note, thresholds: thresholdsOf(thresholds) };
    const done = await watchlist.put(accountOf(request), await named(request), wanted, limit);
    if (done.outcome === 'full') return refuse(full(limit));
    return reply.code(done.outcome === 'added' ? 201 : 200).send(view(done.entry));
  }

  async function remove(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!(await watchlist.remove(accountOf(request), await named(request)))) refuse(NOT_WATCHED);
    return reply.code(204).send();
  }

  for (const { path, about } of assetPaths('', '/whitelist')) {
    server.put(
      path,
      keyed('rms:write', 'ratings', {
        ...about,
        operationId: 'watchAsset',
        summary: 'Watch an asset, or change its note and thresholds',
        description:
          'What is left out of the body takes its default. An asset that was never rated is added by its CAIP-19 id or `chain:address`; `how_to_rate` in the reply has it rated, and from then on it is rated again automatically.',
        body: WhitelistBody,
        response: { 200: ChangedEntry, 201: AddedEntry, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
      }),
      (request, reply) => put(request, reply, request.body),
    );
    server.delete(
      path,
      keyed('rms:write', 'ratings', {
        ...about,
        operationId: 'unwatchAsset',
        summary: 'Watch an asset no longer; its alerts stay',
        description: 'Alerts it caused stay readable; it is rated again automatically only while others request it.',
        response: { ...DONE, ...problems(400, 401, 403, 404, 409, 429) },
      }),
      remove,
    );
  }
}

function thresholdsOf({
  min_score_change: minScoreChange,
  flag_severities: flagSeverities,
  bands,
}: Input<typeof WhitelistThresholds>): Thresholds {
  return { minScoreChange, flagSeverities, bands };
}

function entryView(entry: WatchedAsset, scoringPath: string): Reply<typeof WhitelistEntry> {
  const { minScoreChange, flagSeverities, bands } = entry.thresholds;
  return {
    asset: entry.assetId,
    symbol: entry.symbol,
    name: entry.name,
    class: entry.class,
    added_at: entry.addedAt,
    note: entry.note,
    alert_status: entry.openAlerts > 0 ? 'alerting' : 'ok',
    last_alert: entry.lastAlert,
    open_alerts: entry.openAlerts,
    score: entry.score,
    band: entry.band,
    as_of: entry.asOf,
    how_to_rate: entry.asOf === null ? howToRate({ kind: 'id', assetId: entry.assetId }, scoringPath) : null,
    thresholds: { min_score_change: minScoreChange, flag_severities: flagSeverities, bands },
  };
}

const full = (limit: number) =>
  planLimitReached('whitelist_full', 'The whitelist is full', limit, 'assets', 'remove one');

const NOT_WATCHED = notFound(
  'not_on_whitelist',
  'The asset is not on the whitelist',
  'GET /v1/rms/whitelist lists the account’s entries.',
);
