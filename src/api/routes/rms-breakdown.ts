import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { gridPoint } from '../../access/index.ts';
import {
  BreakdownQuery,
  BreakdownView,
  breakdownView,
  type Input,
  NOT_MODIFIED,
  problems,
  type ScoreRecord,
} from '../../contract/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import { agingReply, type HotSnapshot } from '../hot/hot-snapshot.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { notFound, refuse } from '../replies/problems.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import {
  assetOf,
  assetPaths,
  missing,
  PAST_SECONDS,
  pinnedRating,
  type RmsRouting,
  ratingMaxAge,
  type Wanted,
  wantedOf,
} from '../rms/choose-rating.ts';
import { correctionMember } from '../rms/rating-cache.ts';

/** Number of breakdowns cached; each has some tens of kilobytes. */
const MOST_KEPT = 200;

/** GET /v1/rms/{asset}/breakdown. */
export function ratingBreakdownRoutes(server: Routes, routing: RmsRouting): void {
  const kept = new LRUCache<string, HotSnapshot>({ max: MOST_KEPT });
  for (const { path, about } of assetPaths('/breakdown')) {
    const options = keyed('rms:read', 'ratings', {
      ...about,
      operationId: 'getBreakdown',
      summary: 'What a rating is made of',
      description:
        'Every part of the score in points, which add up to it to the last digit; every factor with its weight, confidence and rationale, every feature with the observations it rests on; caps, flags, gaps and conflicts. Made from the archived evidence of the rating’s job.',
      querystring: BreakdownQuery,
      response: { 200: BreakdownView, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429) },
    });
    server.get(path, { ...options, compress: false }, (request, reply) =>
      answer(routing, kept, request.query, request, reply),
    );
  }
}

async function answer(
  routing: RmsRouting,
  kept: LRUCache<string, HotSnapshot>,
  query: Input<typeof BreakdownQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, limiter } = routing;
  const wanted = wantedOf(query, context.now());
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const { rating, maxAgeSeconds } = await choose(routing, request, assetId, wanted);
  const name = `${rating.id} ${rating.correction?.restatement_id ?? ''}`;
  const body = kept.get(name) ?? (await breakdownOf(routing, rating)) ?? refuse(NO_BREAKDOWN);
  kept.set(name, body);
  await sendSnapshot(limiter, request, reply, body, maxAgeSeconds, context.now());
  return reply;
}

/** The rating that a query selects, and the number of seconds for which a reply made from it may be cached. */
export async function choose(
  routing: RmsRouting,
  request: FastifyRequest,
  assetId: string,
  wanted: Wanted,
): Promise<{ readonly rating: StoredRating; readonly maxAgeSeconds: number }> {
  if (wanted.asOf !== null || wanted.methodology !== null)
    return { rating: await pinnedRating(routing, request, assetId, wanted), maxAgeSeconds: PAST_SECONDS };
  const [plan, now] = [planOf(request), routing.context.now()];
  const hot = await routing.cache.load(assetId, gridPoint(now, plan.freshnessGridSeconds));
  const { rating } = hot ?? (await missing(routing, request, assetId, null));
  return { rating, maxAgeSeconds: ratingMaxAge(plan, now) };
}

/** Null when the evidence is no longer stored, or was rated by a methodology that this service no longer runs. */
async function breakdownOf({ context }: RmsRouting, rating: StoredRating): Promise<HotSnapshot | null> {
  const record = JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
  const report = await context.scoring.report(rating.jobId);
  if (report === null || report.published.methodologyHash !== record.methodology_hash) return null;
  const text = `${JSON.stringify(breakdownView(report, record)).slice(0, -1)}${correctionMember(rating)},"age_seconds":`;
  return agingReply(Buffer.from(text), Date.parse(rating.asOf), Date.parse(rating.storedAt));
}

/** The evidence of a rating was deleted, or was rated by rules that are no longer in use. */
export const NO_BREAKDOWN = notFound(
  'breakdown_not_kept',
  'The breakdown is not kept',
  'The evidence of this rating is no longer kept, or its methodology is not the one this service runs. The rating itself remains valid.',
);
