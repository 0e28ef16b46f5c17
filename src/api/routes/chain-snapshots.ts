import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Plan } from '../../access/index.ts';
import { gridPoint, secondsToNextPoint } from '../../access/index.ts';
import type { Chain } from '../../chains/index.ts';
import {
  AssetParams,
  ChainAssetParams,
  HoldersReply,
  KEYED,
  MarketReply,
  NOT_MODIFIED,
  PoolsQuery,
  PoolsReply,
  problems,
  SnapshotQuery,
} from '../../contract/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';
import { assetProblem, noSnapshotMade, noSnapshotThen, noSnapshotYet } from '../chain/chain-problems.ts';
import { type ChainRouting, chainOf, planOf, refusalOfPlan } from '../chain/chain-routing.ts';
import { type PoolScope, scopedPools } from '../chain/pool-scope.ts';
import { hotSnapshot } from '../hot/hot-snapshot.ts';
import { snapshotMaxAge } from '../hot/max-age.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { readQuery } from '../requests/read-query.ts';

interface SnapshotRoute {
  readonly kind: SnapshotKind;
  /** In the name of its operation. */
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly query: TObject;
  readonly reply: TObject;
}

export const SNAPSHOT_ROUTES: readonly SnapshotRoute[] = [
  {
    kind: 'market',
    name: 'MarketSnapshot',
    path: '/market/:asset/snapshot',
    summary: 'Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion',
    query: SnapshotQuery,
    reply: MarketReply,
  },
  {
    kind: 'holders',
    name: 'HoldersSnapshot',
    path: '/:asset/holders/snapshot',
    summary: 'Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels',
    query: SnapshotQuery,
    reply: HoldersReply,
  },
  {
    kind: 'pools',
    name: 'Pools',
    path: '/:asset/liquidity/pools',
    summary: 'Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage',
    query: PoolsQuery,
    reply: PoolsReply,
  },
];

const DESCRIPTION = [
  'The newest snapshot that the key’s plan is served: plans of coarser freshness get the newest one at or before the last full point of their grid (GET /v1/plans), with its honest `as_of`.',
  '`If-None-Match` with the `ETag` of an earlier reply gives 304, which costs no quota, for as long as that snapshot is the one to read; `Assay-Age-Seconds` says its age. `Cache-Control` says when the next one is due.',
].join('\n\n');

/** Snapshots of one asset, under /v1/solana and under /v1/{chain}. */
export function snapshotRoutes(server: FastifyInstance, routing: ChainRouting): void {
  for (const route of SNAPSHOT_ROUTES) {
    for (const fixed of ['solana', null]) {
      const options = {
        config: { scope: 'chain:read' as const },
        compress: false as const,
        schema: {
          tags: ['chain data'],
          operationId: `get${fixed === null ? '' : 'Solana'}${route.name}`,
          summary: route.summary,
          description: DESCRIPTION,
          security: KEYED,
          params: fixed === null ? ChainAssetParams : AssetParams,
          querystring: route.query,
          response: { 200: route.reply, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) },
        },
      };
      server.get(`/v1/${fixed ?? ':chain'}${route.path}`, options, (request, reply) =>
        answer(routing, route, fixed, request, reply),
      );
    }
  }
}

async function answer(
  routing: ChainRouting,
  route: SnapshotRoute,
  fixed: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, cache, limiter } = routing;
  const found = chainOf(routing, request, fixed);
  if (!found.ok) return sendProblem(reply, found.problem);
  const plan = planOf(request);
  const refusal = refusalOfPlan(routing, plan, found.chain, 'snapshots');
  if (refusal) return sendProblem(reply, refusal);
  const asked = readAsked(route, request, reply, context.now());
  if (!asked.ok) return sendProblem(reply, validationFailed(asked.errors));
  const outcome = await routing.lookup.find(found.chain, (request.params as { asset: string }).asset);
  if (!outcome.ok) return sendProblem(reply, assetProblem(outcome, found.chain));
  const now = context.now();
  const point = gridPoint(now, plan.freshnessGridSeconds);
  const { asOf, scope, minTvlUsd } = asked;
  const assetId = outcome.asset.id;
  if (asOf === null && minTvlUsd === 0) {
    const view = { assetId, kind: route.kind, point, shape: scope };
    const snapshot = await cache.load(view, (stored) => scopedPools(stored, scope, 0));
    if (!snapshot) return sendProblem(reply, await notYet(routing, found.chain, assetId, route.kind, plan, now));
    await sendSnapshot(
      limiter,
      request,
      reply,
      snapshot,
      snapshotMaxAge(routing, route.kind, plan, snapshot, now),
      now,
    );
    return reply;
  }
  const at = asOf === null ? point : Math.min(asOf, point ?? asOf);
  const { reader } = routing.services;
  const stored =
    at === null
      ? await reader.latest(assetId, route.kind)
      : await reader.asOf(assetId, route.kind, new Date(at).toISOString());
  if (!stored)
    return sendProblem(
      reply,
      asOf === null
        ? await notYet(routing, found.chain, assetId, route.kind, plan, now)
        : noSnapshotThen(route.kind, new Date(asOf).toISOString()),
    );
  const snapshot = hotSnapshot(scopedPools(stored, scope, minTvlUsd), context.dataMode);
  const seconds = asOf === null ? snapshotMaxAge(routing, route.kind, plan, snapshot, now) : PAST_MAX_AGE_SECONDS;
  await sendSnapshot(limiter, request, reply, snapshot, seconds, now);
  return reply;
}

/** A late snapshot may still be stored for a time just past. */
const PAST_MAX_AGE_SECONDS = 60;

type Asked =
  | { readonly ok: true; readonly asOf: number | null; readonly scope: PoolScope; readonly minTvlUsd: number }
  | { readonly ok: false; readonly errors: Parameters<typeof validationFailed>[0] };
const NOTHING_ASKED: Asked = { ok: true, asOf: null, scope: 'all', minTvlUsd: 0 };

function readAsked(route: SnapshotRoute, request: FastifyRequest, reply: FastifyReply, now: number): Asked {
  if (!request.url.includes('?')) return NOTHING_ASKED;
  const read = readQuery(route.query, request, reply);
  if (!read.ok) return read;
  const { as_of: asOf, scope = 'all', min_tvl_usd: minTvlUsd = 0 } = read.value;
  const at = asOf === undefined ? null : Date.parse(String(asOf));
  if (at !== null && at > now)
    return {
      ok: false,
      errors: [{ pointer: '/as_of', code: 'out_of_range', detail: 'expected a time that is not in the future' }],
    };
  return { ok: true, asOf: at, scope: scope as PoolScope, minTvlUsd: Number(minTvlUsd) };
}

async function notYet(
  routing: ChainRouting,
  chain: Chain,
  assetId: string,
  kind: SnapshotKind,
  plan: Plan,
  now: number,
): Promise<Problem> {
  const { reader, index } = routing.services;
  const usual = Math.min(60, routing.refreshSeconds[kind]);
  const seconds =
    plan.freshnessGridSeconds === 0 ? usual : Math.max(usual, secondsToNextPoint(now, plan.freshnessGridSeconds));
  if (plan.freshnessGridSeconds > 0 && (await reader.latest(assetId, kind)) !== null)
    return noSnapshotYet(kind, seconds, `that the plan ${plan.name} is served comes with the next full grid point`);
  return noSnapshotMade(kind, await index.awaited(assetId, kind), { chain, now, usualSeconds: seconds });
}
