import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { gridPoint } from '../../access/index.ts';
import {
  CounterfactualView,
  NOT_MODIFIED,
  type PeersReply,
  PeersView,
  problems,
  type ScoreRecord,
  viewOf,
} from '../../contract/index.ts';
import { type AssetClass, quantile } from '../../domain/index.ts';
import { LEAST_PEERS, type StoredRating } from '../../monitoring/index.ts';
import { agingReply, type HotSnapshot } from '../hot/hot-snapshot.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { notFound, refuse } from '../replies/problems.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, missing, type RmsRouting, ratingMaxAge } from '../rms/choose-rating.ts';

/** Number of counterfactuals cached; computing one takes some hundred milliseconds. */
const MOST_KEPT = 2_000;

/** GET /v1/rms/{asset}/peers and /v1/rms/{asset}/counterfactual. */
export function ratingComparisonRoutes(server: Routes, routing: RmsRouting): void {
  const kept = new LRUCache<number, Promise<HotSnapshot | null>>({ max: MOST_KEPT });
  for (const { path, about } of assetPaths('/peers')) {
    const options = keyed('rms:read', 'ratings', {
      ...about,
      operationId: 'getPeers',
      summary: 'Rated assets of the same class',
      description:
        'The rated assets of the asset’s class, the largest first, and for each factor the median and the quartiles of their scores. Counted at most a minute ago.',
      response: { 200: PeersView, ...problems(400, 401, 403, 404, 409, 429) },
    });
    server.get(path, options, (request, reply) => peers(routing, request, reply));
  }
  for (const { path, about } of assetPaths('/counterfactual')) {
    const options = keyed('rms:read', 'ratings', {
      ...about,
      operationId: 'getCounterfactual',
      summary: 'What would move a rating to the next band',
      description:
        'For each feature the least change that lifts the rating to the next band, alone or with one other, who can bring it about, and what it adds in points; caps that stand in the way; and the smallest changes that lower the band. Each change that is said to be enough was confirmed by rating the asset anew with it, on the archived evidence of its rating.',
      response: { 200: CounterfactualView, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) },
    });
    server.get(path, { ...options, compress: false }, (request, reply) =>
      counterfactual(routing, kept, request, reply),
    );
  }
}

async function peers(routing: RmsRouting, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { context, services } = routing;
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const record = recordOf(await newest(routing, request, assetId));
  const of = (record.asset.class ?? null) as AssetClass | null;
  const others = (of === null ? [] : await services.reader.classPeers(of)).filter((peer) => peer.assetId !== assetId);
  const codes = [...new Set(others.flatMap(({ factors }) => Object.keys(factors)))].toSorted();
  const body: PeersReply = viewOf(PeersView, {
    assetId,
    class: of,
    peers: others.length,
    factors: codes.map((code) => {
      const scores = others.flatMap(({ factors }) => factors[code] ?? []);
      const at = (share: number) => (scores.length < LEAST_PEERS ? null : tenth(quantile(scores, share)));
      return {
        code: code as PeersReply['factors'][number]['code'],
        low: at(0.25),
        median: at(0.5),
        high: at(0.75),
        peers: scores.length,
      };
    }),
    data: others.map((peer) => ({
      ...peer,
      band: peer.band as PeersReply['data'][number]['band'],
      trustScore: peer.trust,
    })),
    asOf: new Date(context.now()).toISOString(),
    dataMode: context.dataMode,
  });
  return reply.header('cache-control', 'private, max-age=60').send(body);
}

const tenth = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);

async function counterfactual(
  routing: RmsRouting,
  kept: LRUCache<number, Promise<HotSnapshot | null>>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, limiter } = routing;
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const rating = await newest(routing, request, assetId);
  // Concurrent requests share one computation.
  const making = kept.get(rating.id) ?? made(routing, rating);
  kept.set(rating.id, making);
  making.catch(() => kept.delete(rating.id));
  const body = (await making) ?? refuse(NOT_KEPT);
  const now = context.now();
  await sendSnapshot(limiter, request, reply, body, ratingMaxAge(planOf(request), now), now);
  return reply;
}

/** Null when the evidence is no longer stored, or was rated by a methodology that this code can no longer compute. */
async function made({ context, services }: RmsRouting, rating: StoredRating): Promise<HotSnapshot | null> {
  const record = recordOf(rating);
  const report = await context.scoring.report(rating.jobId);
  if (report === null || report.published.methodologyHash !== record.methodology_hash) return null;
  const found = services.counterfactual?.(report, record.band) ?? null;
  if (found === null) return null;
  const { age_seconds: _, ...told } = viewOf(CounterfactualView, {
    ...found,
    assetId: rating.assetId,
    publishedBand: record.band,
    methodologyVersion: record.methodology_version,
    jobId: record.job_id,
    asOf: record.as_of,
    dataMode: context.dataMode,
    ageSeconds: 0,
  });
  const text = `${JSON.stringify(told).slice(0, -1)},"age_seconds":`;
  return agingReply(Buffer.from(text), Date.parse(rating.asOf), Date.parse(rating.storedAt));
}

async function newest(routing: RmsRouting, request: FastifyRequest, assetId: string): Promise<StoredRating> {
  const point = gridPoint(routing.context.now(), planOf(request).freshnessGridSeconds);
  const hot = await routing.cache.load(assetId, point);
  return hot === null ? missing(routing, request, assetId, null) : hot.rating;
}

function recordOf(rating: StoredRating): ScoreRecord {
  return JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
}

const NOT_KEPT = notFound(
  'counterfactual_not_kept',
  'The counterfactual cannot be computed',
  'The evidence of this rating is no longer kept, or its methodology is one that this version can no longer compute. Rate the asset again (GET /v1/rms/{asset}?fresh=true) and repeat the request.',
);
