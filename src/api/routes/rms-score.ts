import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { gridPoint } from '../../access/index.ts';
import {
  AcceptedJob,
  DigestView,
  digestOf,
  type Input,
  NOT_MODIFIED,
  problems,
  RatingQuery,
  RatingView,
  type ScoreRecord,
  WaitHeaders,
} from '../../contract/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import { type HotEntry, type HotParts, hotEntry } from '../hot/hot-entry.ts';
import { agingReply, type HotSnapshot } from '../hot/hot-snapshot.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import {
  assetOf,
  assetPaths,
  FIXED_WORDS,
  missing,
  PAST_SECONDS,
  pinnedRating,
  type RmsRouting,
  rateFresh,
  ratingMaxAge,
  wantedOf,
} from '../rms/choose-rating.ts';
import { correctionMember, ratingReply } from '../rms/rating-cache.ts';

const DESCRIPTION = [
  'The published score record, signed; `standing` states its rank among its peers. `as_of` returns what was known then, `methodology` the newest rating by that version, `fresh=true` rates the asset again first (200 with the new rating, or 202 with the job’s address when it takes longer than `Prefer: wait=N`).',
  '`If-None-Match` with the `ETag` of an earlier reply gives 304, which costs no quota, for as long as rating and standing are the same.',
].join('\n\n');

/** GET /v1/rms/{asset}. */
export function ratingScoreRoutes(server: Routes, routing: RmsRouting): void {
  for (const { path, about } of assetPaths('')) {
    const options = keyed({ scope: 'rms:read', isHot: true, price: 'ratings' }, 'ratings', {
      ...about,
      operationId: 'getRating',
      summary: 'The rating of an asset',
      description: DESCRIPTION,
      querystring: RatingQuery,
      headers: WaitHeaders,
      response: {
        200: Type.Union([RatingView, DigestView], { description: 'The rating; with `view=digest` its short form.' }),
        202: AcceptedJob,
        ...NOT_MODIFIED,
        ...problems(400, 401, 402, 403, 404, 409, 429, 503),
      },
    });
    server.get(path, { ...options, compress: false }, (request, reply) =>
      answer(routing, request.query, request, reply),
    );
  }
}

/** Serves cached ratings before the router. */
export function ratingEntry(routing: RmsRouting, log: HotParts['log']): HotEntry {
  const { cache, lookup } = routing;
  const path = /^\/v1\/rms\/([^/?%#]{1,150}(\/(?:token|erc20|slip44):[^/?%#]{1,150})?)$/;
  const [named, raw] = assetPaths('');
  return hotEntry(
    { ...routing, log },
    {
      scope: 'rms:read',
      targetOf(url) {
        const [, asset, reference] = path.exec(url) ?? [];
        if (asset === undefined || FIXED_WORDS.includes(asset)) return null;
        return { asset, route: (reference === undefined ? named : raw).path };
      },
      chainOf: () => null,
      routeOf: ({ route }) => route,
      operationOf: () => 'getRating',
      find({ asset }, plan, now) {
        const outcome = lookup.peek(asset);
        const hot = outcome?.ok ? cache.peek(outcome.assetId, gridPoint(now, plan.freshnessGridSeconds)) : undefined;
        return hot && { body: hot.reply, maxAgeSeconds: ratingMaxAge(plan, now) };
      },
      onSent({ asset }, { accountId }) {
        const outcome = lookup.peek(asset);
        if (outcome?.ok) routing.context.disclosures?.reads.note(accountId, outcome.assetId);
      },
    },
  );
}

async function answer(
  routing: RmsRouting,
  query: Input<typeof RatingQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, cache } = routing;
  const wanted = wantedOf(query, context.now());
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const { asOf, methodology } = wanted;
  const isDigest = (query.view ?? query.format) === 'digest';
  if (asOf !== null || methodology !== null) {
    if (!reply.mayWait()) return reply;
    const found = await pinnedRating(routing, request, assetId, wanted);
    return send(routing, request, reply, isDigest ? digestReply(found) : ratingReply(found, null), PAST_SECONDS);
  }
  const plan = planOf(request);
  let point = gridPoint(context.now(), plan.freshnessGridSeconds);
  if (query.fresh === 'true') {
    if (!(await rateFresh(routing, request, reply, assetId))) return reply;
    // A caller may read a rating that it had made itself, whatever the plan's grid is.
    point = null;
  }
  const hot = cache.peek(assetId, point) ?? (reply.mayWait() ? await cache.load(assetId, point) : undefined);
  if (hot === undefined) return reply;
  if (hot === null) return missing(routing, request, assetId, null);
  const body = isDigest ? digestReply(hot.rating) : hot.reply;
  return send(routing, request, reply, body, ratingMaxAge(plan, context.now()));
}

async function send(
  { context, limiter }: RmsRouting,
  request: FastifyRequest,
  reply: FastifyReply,
  body: HotSnapshot,
  maxAgeSeconds: number,
): Promise<FastifyReply> {
  await sendSnapshot(limiter, request, reply, body, maxAgeSeconds, context.now());
  return reply;
}

const digests = new WeakMap<StoredRating, HotSnapshot>();

/** The short form of a rating, as a reply. */
export function digestReply(rating: StoredRating): HotSnapshot {
  let made = digests.get(rating);
  if (!made) {
    const digest = digestOf(JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord);
    const text = `${JSON.stringify(digest).slice(0, -1)}${correctionMember(rating)},"age_seconds":`;
    made = agingReply(Buffer.from(text), Date.parse(rating.asOf), Date.parse(rating.storedAt));
    digests.set(rating, made);
  }
  return made;
}
