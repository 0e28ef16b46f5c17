import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint, type Plan, secondsToNextPoint } from '../../access/index.ts';
import type { Input, RatingQuery } from '../../contract/index.ts';
import type { Result } from '../../domain/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { FIXED_WORDS, type RmsRouting } from './context.ts';
import { methodologyNotKept, noRatingThen, noRatingYet, notRated, ratedProblem } from './problems.ts';

interface AssetPath {
  readonly path: string;
  readonly isRaw: boolean;
}

/** Paths under which the routes of one asset are reached: its name in one segment, or a CAIP-19 id with its slash as it is. */
export function assetPaths(rest: string): readonly [AssetPath, AssetPath] {
  return [
    { path: `/v1/rms/:asset${rest}`, isRaw: false },
    { path: `/v1/rms/:namespace/:reference${rest}`, isRaw: true },
  ];
}

/** Id of the asset that the path names; null when the reply was sent already, saying why not. */
export async function assetOf(
  routing: RmsRouting,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const { asset, namespace, reference } = request.params as Readonly<Record<string, string>>;
  const isNoAsset = asset === undefined ? !namespace?.includes(':') : FIXED_WORDS.includes(asset);
  if (isNoAsset) {
    reply.callNotFound();
    return null;
  }
  const text = asset ?? `${namespace}/${reference}`;
  const outcome = routing.lookup.peek(text) ?? (reply.mayWait() ? await routing.lookup.find(text) : null);
  if (outcome === null) return null;
  if (outcome.ok) return outcome.assetId;
  sendProblem(reply, ratedProblem(outcome, routing.context.scoringPath));
  return null;
}

/** Which rating of an asset is requested; both null: the newest that the plan is served. */
export interface Wanted {
  /** Milliseconds. */
  readonly asOf: number | null;
  readonly methodology: string | null;
}

type Outcome<Value> = Result<Value, { readonly problem: Problem }>;

/** Which rating a query requests. `now` in milliseconds. */
export function wantedOf(query: Input<typeof RatingQuery>, now: number): Outcome<Wanted> {
  const { as_of: asOf, methodology = null, fresh } = query;
  const at = asOf === undefined ? null : Date.parse(asOf);
  const refuse = (pointer: string, code: string, detail: string): Outcome<never> => ({
    ok: false,
    problem: validationFailed([{ pointer, code, detail }]),
  });
  if (at !== null && at > now) return refuse('/as_of', 'out_of_range', 'expected a time that is not in the future');
  if (at !== null && methodology !== null)
    return refuse('/methodology', 'conflict', 'expected as_of or methodology, not both');
  if (fresh === 'true' && (at !== null || methodology !== null))
    return refuse('/fresh', 'conflict', 'expected fresh without as_of and methodology');
  return { ok: true, value: { asOf: at, methodology } };
}

/** A pinned rating, from the store; the newest one is the cache's to give. */
export async function pinnedRating(
  routing: RmsRouting,
  request: FastifyRequest,
  assetId: string,
  { asOf, methodology }: Wanted,
): Promise<Outcome<StoredRating>> {
  const { context, services } = routing;
  const point = gridPoint(context.now(), planOf(request).freshnessGridSeconds);
  if (methodology !== null) {
    const found = await services.reader.byMethodology(assetId, methodology);
    // A plan's grid holds for pinned ratings too.
    if (found && (point === null || Date.parse(found.asOf) <= point)) return { ok: true, value: found };
    const kept = await services.reader.methodologies(assetId);
    if (kept.length === 0)
      return { ok: false, problem: notRated({ kind: 'id', assetId }, routing.context.scoringPath) };
    return {
      ok: false,
      problem: found ? noRatingYet(waitSeconds(routing, request)) : methodologyNotKept(methodology, kept),
    };
  }
  const at = Math.min(asOf ?? Number.POSITIVE_INFINITY, point ?? Number.POSITIVE_INFINITY);
  const found = Number.isFinite(at)
    ? await services.reader.asOf(assetId, new Date(at).toISOString())
    : await services.reader.latest(assetId);
  if (found) return { ok: true, value: found };
  return { ok: false, problem: await missing(routing, request, assetId, asOf) };
}

/** Why there is no rating to be served. */
export async function missing(
  routing: RmsRouting,
  request: FastifyRequest,
  assetId: string,
  asOf: number | null,
): Promise<Problem> {
  if ((await routing.services.reader.latest(assetId)) === null)
    return notRated({ kind: 'id', assetId }, routing.context.scoringPath);
  return asOf === null ? noRatingYet(waitSeconds(routing, request)) : noRatingThen(new Date(asOf).toISOString());
}

function waitSeconds({ context }: RmsRouting, request: FastifyRequest): number {
  return secondsToNextPoint(context.now(), planOf(request).freshnessGridSeconds || 1);
}

/** A new rating may be published at any moment; within this time a second read mostly gives the same. */
const NEWEST_SECONDS = 10;
/** What was known at a past moment may still be added to for a moment. */
export const PAST_SECONDS = 60;

/** Seconds a rating may be kept by its reader: until the plan's next grid point, or a little while. */
export function ratingMaxAge(plan: Plan, now: number): number {
  return plan.freshnessGridSeconds > 0 ? secondsToNextPoint(now, plan.freshnessGridSeconds) : NEWEST_SECONDS;
}
