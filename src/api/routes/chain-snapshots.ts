import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { gridPoint } from '../../access/index.ts';
import type { Chain } from '../../chains/index.ts';
import {
  AssetParams,
  AwaitedReply,
  ChainAssetParams,
  HoldersReply,
  type Input,
  MarketReply,
  NOT_MODIFIED,
  type PoolRecord,
  PoolsQuery,
  PoolsReply,
  type PoolsSnapshot,
  problems,
  SnapshotQuery,
} from '../../contract/index.ts';
import type { Asset, SnapshotKind } from '../../domain/index.ts';
import type { StoredSnapshot } from '../../indexer/index.ts';
import { notYet, sendAwaited } from '../chain/awaited-snapshot.ts';
import { assetProblem, type ChainRouting, noSnapshotThen, plannedChain } from '../chain/chain-routing.ts';
import type { AssetOutcome } from '../hot/asset-lookup.ts';
import { type HotEntry, type HotParts, hotEntry } from '../hot/hot-entry.ts';
import { type HotSnapshot, hotSnapshot } from '../hot/hot-snapshot.ts';
import { snapshotMaxAge } from '../hot/max-age.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { refuse, refuseField, requireHistory } from '../replies/problems.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

interface SnapshotRoute {
  readonly kind: SnapshotKind;
  /** Used in the name of the operation. */
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly query: typeof SnapshotQuery | typeof PoolsQuery;
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
  'The newest snapshot that the key’s plan is served: plans of coarser freshness get the newest one at or before the last full point of their grid (GET /v1/plans), with its actual `as_of`.',
  '`If-None-Match` with the `ETag` of an earlier reply gives 304, which costs no quota, for as long as that snapshot is the one to read; `Assay-Age-Seconds` states its age. `Cache-Control` states when the next one is due.',
  'A snapshot that an indexed asset does not have yet is 202 with its place in the queue and `Retry-After`. Of an asset that is not indexed, 404 `asset_not_indexed` names in `how_to_index` the request that has it indexed.',
].join('\n\n');

const operationOf = (fixed: string | null, { name }: SnapshotRoute) => `get${fixed === null ? '' : 'Solana'}${name}`;

/** Snapshots of one asset, under /v1/solana and under /v1/{chain}. */
export function snapshotRoutes(server: Routes, routing: ChainRouting): void {
  for (const route of SNAPSHOT_ROUTES) {
    for (const fixed of ['solana', null]) {
      const about = keyed({ scope: 'chain:read', isHot: true, price: 'snapshots' }, 'chain data', {
        operationId: operationOf(fixed, route),
        summary: route.summary,
        description: DESCRIPTION,
        params: fixed === null ? ChainAssetParams : AssetParams,
        querystring: route.query,
        response: {
          200: route.reply,
          202: AwaitedReply,
          ...NOT_MODIFIED,
          ...problems(400, 401, 402, 403, 404, 409, 429, 503),
        },
      });
      const options = { ...about, compress: false as const, decompress: false as const };
      server.get(`/v1/${fixed ?? ':chain'}${route.path}`, options, (request, reply) =>
        answer(routing, route, fixed, request.query, request, reply),
      );
    }
  }
}

/** Serves cached snapshots before the router. */
export function snapshotEntry(routing: ChainRouting, log: HotParts['log']): HotEntry {
  const { cache, chains, lookup } = routing;
  const path = /^\/v1\/([a-z]{2,20})\/(?:(market)\/)?([^/?%#]{1,300})\/([a-z]+\/[a-z]+|snapshot)$/;
  return hotEntry(
    { ...routing, log },
    {
      scope: 'chain:read',
      targetOf(url) {
        const [, name, market = '', asset, end = ''] = path.exec(url) ?? [];
        const chain = chains.find((one) => one.name === name);
        const rest = market === '' ? `/:asset/${end}` : `/${market}/:asset/${end}`;
        const route = SNAPSHOT_ROUTES.find((one) => one.path === rest);
        if (asset === undefined || !chain || !route) return null;
        const fixed = name === 'solana' ? name : null;
        const operation = operationOf(fixed, route);
        return { kind: route.kind, chain, asset, route: `/v1/${fixed ?? ':chain'}${rest}`, operation };
      },
      chainOf: ({ chain }) => chain.name,
      routeOf: ({ route }) => route,
      operationOf: ({ operation }) => operation,
      find({ chain, asset, kind }, plan, now) {
        const outcome = lookup.peek(chain, asset);
        if (!outcome?.ok) return undefined;
        const point = gridPoint(now, plan.freshnessGridSeconds);
        const body = cache.peek({ assetId: outcome.asset.id, kind, point, shape: 'all' });
        return body && { body, maxAgeSeconds: snapshotMaxAge(routing, kind, plan, body, now) };
      },
    },
  );
}

/** Synchronous if asset and snapshot are cached. Otherwise the request has to wait, and is refused under overload. */
function answer(
  routing: ChainRouting,
  route: SnapshotRoute,
  fixed: string | null,
  query: Partial<Input<typeof PoolsQuery>>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<unknown> | undefined {
  const { context, lookup } = routing;
  const chain = plannedChain(routing, request, fixed, 'snapshots');
  const { as_of: pinned, scope = 'all', min_tvl_usd: minTvlUsd = 0 } = query;
  const asOf = pinned === undefined ? null : Date.parse(pinned);
  if (asOf !== null && asOf > context.now())
    refuseField('/as_of', 'out_of_range', 'expected a time that is not in the future');
  if (asOf !== null) requireHistory(planOf(request), routing.plans, asOf, context.now(), 'snapshots');
  const wanted: Wanted = { asOf, scope, minTvlUsd };
  const { asset } = request.params as { readonly asset: string };
  const send = (outcome: AssetOutcome) =>
    outcome.ok
      ? sendWanted(routing, { kind: route.kind, chain, asset: outcome.asset, wanted }, request, reply)
      : refuse(assetProblem(routing, request, chain, outcome));
  const known = lookup.peek(chain, asset);
  if (known) return send(known);
  return reply.mayWait() ? lookup.find(chain, asset).then(send) : reply;
}

interface Subject {
  readonly kind: SnapshotKind;
  readonly chain: Chain;
  readonly asset: Asset;
  readonly wanted: Wanted;
}

function sendWanted(
  routing: ChainRouting,
  { kind, chain, asset, wanted: { asOf, scope, minTvlUsd } }: Subject,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<unknown> | undefined {
  const { context, cache, limiter } = routing;
  const { reader } = routing.services;
  const plan = planOf(request);
  const now = context.now();
  const point = gridPoint(now, plan.freshnessGridSeconds);
  const send = (snapshot: HotSnapshot) => {
    const seconds = asOf === null ? snapshotMaxAge(routing, kind, plan, snapshot, now) : PAST_MAX_AGE_SECONDS;
    return sendSnapshot(limiter, request, reply, snapshot, seconds, now);
  };
  const sendLoaded = async (snapshot: HotSnapshot | null) => {
    if (snapshot) await send(snapshot);
    else if (asOf === null)
      sendAwaited(routing, reply, await notYet(routing, request, { chain, asset, kind, plan, now }), { kind, asset });
    else refuse(noSnapshotThen(kind, new Date(asOf).toISOString()));
    return reply;
  };
  if (asOf === null && minTvlUsd === 0) {
    const view = { assetId: asset.id, kind, point, shape: scope };
    const hot = cache.peek(view);
    if (hot) return send(hot);
    if (!reply.mayWait()) return reply;
    return cache.load(view, (stored) => scopedPools(stored, scope, 0)).then(sendLoaded);
  }
  if (!reply.mayWait()) return reply;
  const at = asOf === null ? point : Math.min(asOf, point ?? asOf);
  const read = at === null ? reader.latest(asset.id, kind) : reader.asOf(asset.id, kind, new Date(at).toISOString());
  return read.then((stored) =>
    sendLoaded(stored && hotSnapshot(scopedPools(stored, scope, minTvlUsd), context.dataMode)),
  );
}

/** A late snapshot may still be stored for a time that has just passed. */
const PAST_MAX_AGE_SECONDS = 60;

interface Wanted {
  /** Milliseconds; null for the newest. */
  readonly asOf: number | null;
  readonly scope: Input<typeof PoolsQuery>['scope'];
  readonly minTvlUsd: number;
}

type PoolScope = Input<typeof PoolsQuery>['scope'];

/** Number of pools that `top` selects. */
const TOP = 10;

/**
 * The stored pools snapshot reduced to the requested pools and their totals. Depth and slippage stay those of all
 * pools: they describe the whole market and cannot be reduced to a list afterwards.
 */
function scopedPools(stored: StoredSnapshot, scope: PoolScope, minTvlUsd: number): StoredSnapshot {
  if (scope === 'all' && minTvlUsd === 0) return stored;
  const snapshot = JSON.parse(Buffer.from(stored.body).toString('utf8')) as PoolsSnapshot;
  const rich = snapshot.pools.filter((pool) => minTvlUsd === 0 || (pool.tvl_usd ?? -1) >= minTvlUsd);
  const pools = inScope(rich, scope);
  const body = {
    ...snapshot,
    pools,
    totals: totalsOf(pools),
    scope: { name: scope, min_tvl_usd: minTvlUsd, pools_left_out: snapshot.pools.length - pools.length },
  };
  return { ...stored, body: Buffer.from(JSON.stringify(body)) };
}

function inScope(pools: readonly PoolRecord[], scope: PoolScope): readonly PoolRecord[] {
  if (scope === 'verified') return pools.filter((pool) => pool.verified);
  if (scope === 'top') return [...pools].sort((a, b) => (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1)).slice(0, TOP);
  return pools;
}

function totalsOf(pools: readonly PoolRecord[]): PoolsSnapshot['totals'] {
  return {
    pools: pools.length,
    verified_pools: pools.filter((pool) => pool.verified).length,
    tvl_usd: sumOfKnown(pools.map((pool) => pool.tvl_usd)),
    volume_24h_usd: sumOfKnown(pools.map((pool) => pool.volume_24h_usd)),
    fees_24h_usd: sumOfKnown(pools.map((pool) => pool.fees_24h_usd)),
  };
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
