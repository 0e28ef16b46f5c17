import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { gridPoint } from '../../access/index.ts';
import {
  BreakdownQuery,
  BreakdownView,
  breakdownView,
  type Input,
  KEYED,
  NOT_MODIFIED,
  problems,
  RatedIdParams,
  RatedParams,
  type ScoreRecord,
} from '../../contract/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { agingReply, type HotSnapshot } from '../hot/hot-snapshot.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { type Problem, sendProblem } from '../replies/problems.ts';
import type { Routes } from '../requests/read-requests.ts';
import {
  assetOf,
  assetPaths,
  missing,
  PAST_SECONDS,
  pinnedRating,
  ratingMaxAge,
  type Wanted,
  wantedOf,
} from '../rms/choose-rating.ts';
import type { RmsRouting } from '../rms/context.ts';

/** Breakdowns kept in memory; one is some tens of kilobytes. */
const MOST_KEPT = 200;

/** GET /v1/rms/{asset}/breakdown. */
export function ratingBreakdownRoutes(server: Routes, routing: RmsRouting): void {
  const kept = new LRUCache<number, HotSnapshot>({ max: MOST_KEPT });
  for (const { path, isRaw } of assetPaths('/breakdown')) {
    const schema = {
      hide: isRaw,
      tags: ['ratings'],
      operationId: 'getBreakdown',
      summary: 'What a rating is made of',
      description:
        'Every part of the score in points, which add up to it to the last digit; every factor with its weight, confidence and rationale, every feature with who was heard on it; caps, flags, gaps and conflicts. Made from the archived evidence of the rating’s job.',
      security: KEYED,
      params: isRaw ? RatedIdParams : RatedParams,
      querystring: BreakdownQuery,
      response: { 200: BreakdownView, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) },
    };
    server.get(path, { config: { scope: 'rms:read' }, compress: false, schema }, (request, reply) =>
      answer(routing, kept, request.query, request, reply),
    );
  }
}

async function answer(
  routing: RmsRouting,
  kept: LRUCache<number, HotSnapshot>,
  query: Input<typeof BreakdownQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, limiter } = routing;
  const wanted = wantedOf(query, context.now());
  if (!wanted.ok) return sendProblem(reply, wanted.problem);
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const chosen = await choose(routing, request, assetId, wanted.value);
  if (!chosen.ok) return sendProblem(reply, chosen.problem);
  const { rating, maxAgeSeconds } = chosen;
  const body = kept.get(rating.id) ?? (await breakdownOf(routing, rating));
  if (body === null) return sendProblem(reply, NO_BREAKDOWN);
  kept.set(rating.id, body);
  await sendSnapshot(limiter, request, reply, body, maxAgeSeconds, context.now());
  return reply;
}

async function choose(
  routing: RmsRouting,
  request: FastifyRequest,
  assetId: string,
  wanted: Wanted,
): Promise<
  | { readonly ok: true; readonly rating: StoredRating; readonly maxAgeSeconds: number }
  | { readonly ok: false; readonly problem: Problem }
> {
  if (wanted.asOf !== null || wanted.methodology !== null) {
    const found = await pinnedRating(routing, request, assetId, wanted);
    return found.ok ? { ok: true, rating: found.value, maxAgeSeconds: PAST_SECONDS } : found;
  }
  const [plan, now] = [planOf(request), routing.context.now()];
  const hot = await routing.cache.load(assetId, gridPoint(now, plan.freshnessGridSeconds));
  if (hot) return { ok: true, rating: hot.rating, maxAgeSeconds: ratingMaxAge(plan, now) };
  return { ok: false, problem: await missing(routing, request, assetId, null) };
}

/** Null when the evidence is no longer kept, or was judged by a methodology that this service no longer runs. */
async function breakdownOf({ context }: RmsRouting, rating: StoredRating): Promise<HotSnapshot | null> {
  const record = JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
  const report = await context.scoring.report(rating.jobId);
  if (report === null || report.published.methodologyHash !== record.methodology_hash) return null;
  const text = `${JSON.stringify(breakdownView(report, record)).slice(0, -1)},"age_seconds":`;
  return agingReply(Buffer.from(text), Date.parse(rating.asOf), Date.parse(rating.storedAt));
}

const NO_BREAKDOWN: Problem = {
  status: 404,
  code: 'breakdown_not_kept',
  title: 'The breakdown is not kept',
  detail:
    'The evidence of this rating is no longer kept, or its methodology is not the one this service runs. The rating itself stands.',
  retry: 'no',
};
