import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import {
  AssetParams,
  ChainAssetParams,
  HistoryQuery,
  HoldersReply,
  historyOf,
  type Input,
  KEYED,
  MarketReply,
  NOT_MODIFIED,
  PoolsReply,
  problems,
} from '../../contract/index.ts';
import { DAY_MS, type Result, type SnapshotKind } from '../../domain/index.ts';
import type { HistoryQuery as ReaderQuery } from '../../indexer/index.ts';
import { assetProblem } from '../chain/chain-problems.ts';
import { type ChainRouting, chainOf, planOf, refusalOfPlan } from '../chain/chain-routing.ts';
import { chooseCoding, LEAST_BYTES, pack } from '../hot/content-coding.ts';
import { entityTag, namedTag } from '../hot/entity-tag.ts';
import { hotSnapshot } from '../hot/hot-snapshot.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { addVary } from '../replies/vary.ts';
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

/** Snapshots of an asset over time, oldest first, in pages. */
export function historyRoutes(server: Routes, routing: ChainRouting): void {
  for (const route of ROUTES) {
    for (const fixed of ['solana', null]) {
      const options = {
        config: { scope: 'chain:read' as const },
        compress: false as const,
        schema: {
          tags: ['chain data'],
          operationId: `list${fixed === null ? '' : 'Solana'}${route.name}History`,
          summary: `History of ${route.kind} snapshots`,
          description: 'Oldest first; nothing newer than the key’s plan is served.',
          security: KEYED,
          params: fixed === null ? ChainAssetParams : AssetParams,
          querystring: HistoryQuery,
          response: { 200: historyOf(route.reply), ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) },
        },
      };
      server.get(`/v1/${fixed ?? ':chain'}${route.path}`, options, (request, reply) =>
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
  const { context, services, lookup } = routing;
  const found = chainOf(routing, request, fixed);
  if (!found.ok) return sendProblem(reply, found.problem);
  const plan = planOf(request);
  const refusal = refusalOfPlan(routing, plan, found.chain, 'snapshots');
  if (refusal) return sendProblem(reply, refusal);
  const now = context.now();
  const span = spanOf(query, now, gridPoint(now, plan.freshnessGridSeconds));
  if (!span.ok) return sendProblem(reply, span.problem);
  const outcome = await lookup.find(found.chain, (request.params as { asset: string }).asset);
  if (!outcome.ok) return sendProblem(reply, assetProblem(outcome, found.chain));
  const page = await services.reader.history(outcome.asset.id, kind, span.value);
  const rows = page.snapshots.map((stored) => hotSnapshot(stored, context.dataMode));
  const end = `],"next_cursor":${JSON.stringify(page.nextCursor)},"data_mode":${JSON.stringify(context.dataMode)}}`;
  const hash = createHash('sha256')
    .update(`${rows.map((row) => row.hash).join()}${end}`)
    .digest('base64url')
    .slice(0, 22);
  reply.header('cache-control', 'private, max-age=60');
  addVary(reply.head, 'Accept-Encoding');
  const known = namedTag(request.headers['if-none-match'], hash);
  const second = Math.floor(now / 1000);
  if (known !== null)
    return reply
      .code(304)
      .header('etag', known === '*' ? entityTag(hash, second, 'identity') : known)
      .send();
  const parts = rows.flatMap((row, index) => [Buffer.from(index === 0 ? '' : ','), row.reply(now).bytes]);
  const bytes = Buffer.concat([Buffer.from('{"data":['), ...parts, Buffer.from(end)]);
  const wanted = chooseCoding(request.headers['accept-encoding'] as string | undefined);
  const coding = bytes.length > LEAST_BYTES ? wanted : 'identity';
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply
    .header('etag', entityTag(hash, second, coding))
    .type('application/json; charset=utf-8')
    .send(coding === 'identity' ? bytes : await pack(bytes, coding));
}

function spanOf(
  query: Input<typeof HistoryQuery>,
  now: number,
  point: number | null,
): Result<ReaderQuery, { readonly problem: Problem }> {
  const { from, to, interval, limit, cursor = null } = query;
  const end = to === undefined ? now : Date.parse(to);
  const start = from === undefined ? end - DAY_MS : Date.parse(from);
  if (start > end)
    return {
      ok: false,
      problem: validationFailed([
        { pointer: '/from', code: 'out_of_range', detail: 'expected a time at or before `to`' },
      ]),
    };
  return {
    ok: true,
    value: {
      from: new Date(start).toISOString(),
      to: new Date(Math.min(end, point ?? end)).toISOString(),
      intervalSeconds: INTERVAL_SECONDS[interval],
      limit,
      cursor,
    },
  };
}
