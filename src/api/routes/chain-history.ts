import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import {
  AssetParams,
  AwaitedReply,
  ChainAssetParams,
  HistoryQuery,
  HoldersReply,
  historyOf,
  type Input,
  MarketReply,
  NOT_MODIFIED,
  PoolsReply,
  problems,
} from '../../contract/index.ts';
import { DAY_MS, type SnapshotKind } from '../../domain/index.ts';
import { notYet, sendAwaited } from '../chain/awaited-snapshot.ts';
import { type ChainRouting, indexedAsset, plannedChain } from '../chain/chain-routing.ts';
import { hotSnapshot } from '../hot/hot-snapshot.ts';
import { oldestServed } from '../replies/history.ts';
import { refuseField } from '../replies/problems.ts';
import { joined, listEnd, sendPage } from '../replies/send-json.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import { placeAt } from '../requests/cursors.ts';
import type { Routes } from '../requests/read-requests.ts';

const ROUTES = [
  { kind: 'market', name: 'Market', path: '/market/:asset/history', reply: MarketReply },
  { kind: 'holders', name: 'Holders', path: '/:asset/holders/history', reply: HoldersReply },
  { kind: 'pools', name: 'Liquidity', path: '/:asset/liquidity/history', reply: PoolsReply },
  { kind: 'pools', name: 'Pools', path: '/:asset/liquidity/pools/history', reply: PoolsReply },
] as const;

const INTERVAL_SECONDS: Readonly<Record<Input<typeof HistoryQuery>['interval'], number | null>> = {
  all: null,
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
};
const MAX_AGE_SECONDS = 60;

/** Snapshots of an asset over time, oldest first, in pages. */
export function historyRoutes(server: Routes, routing: ChainRouting): void {
  for (const route of ROUTES) {
    for (const fixed of ['solana', null]) {
      const options = keyed('chain:read', 'chain data', {
        operationId: `list${fixed === null ? '' : 'Solana'}${route.name}History`,
        summary: `History of ${route.kind} snapshots`,
        description:
          'Oldest first; nothing newer than the key’s plan is served, and nothing older: `Assay-History-From` then states since when. Of an indexed asset that has no snapshot yet: 202 with its place in the queue, as of its newest snapshot.',
        params: fixed === null ? ChainAssetParams : AssetParams,
        querystring: HistoryQuery,
        response: {
          200: historyOf(route.reply),
          202: AwaitedReply,
          ...NOT_MODIFIED,
          ...problems(400, 401, 403, 404, 409, 429),
        },
      });
      server.get(`/v1/${fixed ?? ':chain'}${route.path}`, { ...options, compress: false }, (request, reply) =>
        answer(routing, route.kind, fixed, request.query, request, reply),
      );
    }
  }
}

async function answer(
  routing: ChainRouting,
  kind: SnapshotKind,
  fixed: string | null,
  query: Input<typeof HistoryQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, services } = routing;
  const chain = plannedChain(routing, request, fixed, 'snapshots');
  const now = context.now();
  const { from, to, interval, limit, cursor = null } = query;
  placeAt(query.cursor, (given) => (Number.isNaN(Date.parse(given)) ? null : given));
  const end = to === undefined ? now : Date.parse(to);
  const start = from === undefined ? end - DAY_MS : Date.parse(from);
  if (start > end) refuseField('/from', 'out_of_range', 'expected a time at or before `to`');
  const oldest = oldestServed(request, reply, start, now);
  const asset = await indexedAsset(routing, request, chain);
  const page = await services.reader.history(asset.id, kind, {
    from: new Date(oldest).toISOString(),
    to: new Date(Math.min(end, gridPoint(now, planOf(request).freshnessGridSeconds) ?? end)).toISOString(),
    intervalSeconds: INTERVAL_SECONDS[interval],
    limit,
    cursor,
  });
  if (page.snapshots.length === 0 && cursor === null) {
    const plan = planOf(request);
    const served = new Date(gridPoint(now, plan.freshnessGridSeconds) ?? now).toISOString();
    const isEmpty = (await services.reader.asOf(asset.id, kind, served)) === null;
    const found = isEmpty ? await notYet(routing, request, { chain, asset, kind, plan, now }) : null;
    if (found?.is === 'awaited') {
      sendAwaited(routing, reply, found, { kind, asset });
      return reply;
    }
  }
  const rows = page.snapshots.map((stored) => hotSnapshot(stored, context.dataMode));
  const rest = listEnd(page.nextCursor, context.dataMode);
  return sendPage(request, reply, {
    bytes: () =>
      joined(
        '{"data":[',
        rows.map((row) => row.reply(now).bytes),
        rest,
      ),
    identity: `${rows.map((row) => row.hash).join()}${rest}`,
    age: Math.floor(now / 1000),
    maxAgeSeconds: MAX_AGE_SECONDS,
  });
}
