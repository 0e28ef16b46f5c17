import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AddedEntry,
  ChangedEntry,
  DONE,
  type Input,
  KEYED,
  problems,
  RatedIdParams,
  RatedParams,
  type Reply,
  WhitelistBody,
  type WhitelistEntry,
  WhitelistReply,
  type WhitelistThresholds,
} from '../../contract/index.ts';
import type { Thresholds, WatchedAsset } from '../../monitoring/index.ts';
import type { ApiContext, WhitelistServices } from '../context.ts';
import { type Problem, planDoesNotInclude, sendProblem } from '../replies/problems.ts';
import { accountOf, assetNamed, keyOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { howToRate } from '../rms/problems.ts';

const shared = { tags: ['ratings'], security: KEYED };
const writes = { config: { scope: 'rms:write' as const } };

/** The assets an account watches. */
export function whitelistRoutes(server: Routes, context: ApiContext, services: WhitelistServices): void {
  const { watchlist } = services;
  const { plans, scoringPath } = context;
  const named = ({ params }: FastifyRequest) => {
    const { asset, namespace, reference } = params as Readonly<Record<string, string>>;
    return assetNamed(asset ?? `${namespace}/${reference}`, services.find, scoringPath);
  };
  const view = (entry: WatchedAsset) => entryView(entry, scoringPath);

  server.get(
    '/v1/rms/whitelist',
    {
      config: { scope: 'rms:read' },
      schema: {
        ...shared,
        operationId: 'listWhitelist',
        summary: 'The account’s whitelist, oldest entry first',
        description: 'The assets the account watches, with their newest rating and open alerts.',
        response: { 200: WhitelistReply, ...problems(401, 403, 429) },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'private, no-store').send((await watchlist.list(accountOf(request))).map(view)),
  );

  async function put(
    request: FastifyRequest,
    reply: FastifyReply,
    { note, thresholds }: Input<typeof WhitelistBody>,
  ): Promise<FastifyReply> {
    const key = keyOf(request);
    const plan = plans.find(key.plan);
    const limit = plan?.watchlistSize ?? 0;
    if (plan && limit === 0)
      return sendProblem(
        reply,
        planDoesNotInclude(
          plan,
          'whitelists',
          plans.plans.filter(({ watchlistSize }) => watchlistSize > 0),
        ),
      );
    const asset = await named(request);
    if (!asset.ok) return sendProblem(reply, asset.problem);
    const done = await watchlist.put(key.accountId, asset.value, { note, thresholds: thresholdsOf(thresholds) }, limit);
    if (done.outcome === 'full') return sendProblem(reply, full(limit));
    return reply.code(done.outcome === 'added' ? 201 : 200).send(view(done.entry));
  }

  async function remove(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asset = await named(request);
    if (!asset.ok) return sendProblem(reply, asset.problem);
    const removed = await watchlist.remove(accountOf(request), asset.value);
    return removed ? reply.code(204).send() : sendProblem(reply, NOT_WATCHED);
  }

  for (const { path, params, hide } of ENTRY_PATHS) {
    const about = { ...shared, params, hide };
    server.put(
      path,
      {
        ...writes,
        schema: {
          ...about,
          operationId: 'watchAsset',
          summary: 'Watch an asset, or change its note and thresholds',
          description:
            'What is left out of the body takes its default. An asset that was never rated is added by its CAIP-19 id or `chain:address`; `how_to_rate` in the reply has it rated, and from then on it is rated again by itself.',
          body: WhitelistBody,
          response: { 200: ChangedEntry, 201: AddedEntry, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
        },
      },
      (request, reply) => put(request, reply, request.body),
    );
    server.delete(
      path,
      {
        ...writes,
        schema: {
          ...about,
          operationId: 'unwatchAsset',
          summary: 'Watch an asset no longer; its alerts stay',
          description: 'Alerts it caused stay readable; it is rated again by itself only while somebody else wants it.',
          response: { ...DONE, ...problems(400, 401, 403, 404, 409, 429) },
        },
      },
      remove,
    );
  }
}

/** An entry by its asset's name in one segment, or by a CAIP-19 id with its slash as it is. */
const ENTRY_PATHS = [
  { path: '/v1/rms/whitelist/:asset', params: RatedParams, hide: false },
  { path: '/v1/rms/whitelist/:namespace/:reference', params: RatedIdParams, hide: true },
];

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

function full(limit: number): Problem {
  return {
    status: 403,
    code: 'whitelist_full',
    title: 'The whitelist is full',
    detail: `The plan allows ${limit} assets; remove one, or ask for a larger plan.`,
    retry: 'no',
    more: { limit },
  };
}

const NOT_WATCHED: Problem = {
  status: 404,
  code: 'not_on_whitelist',
  title: 'The asset is not on the whitelist',
  detail: 'GET /v1/rms/whitelist lists the account’s entries.',
  retry: 'no',
};
