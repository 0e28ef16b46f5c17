import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  gridPoint,
  historyStart,
  type Limiter,
  type Plan,
  type PlanBook,
  secondsToNextPoint,
} from '../../access/index.ts';
import {
  type AcceptedJob,
  type Input,
  RatedIdParams,
  RatedParams,
  type RatingQuery,
  type Reply,
} from '../../contract/index.ts';
import {
  type FreshOutcome,
  type RatedFound,
  type RatedText,
  readRatedText,
  type StoredRating,
} from '../../monitoring/index.ts';
import { malformedAsset } from '../chain/chain-routing.ts';
import type { ApiContext, RatingServices } from '../context.ts';
import { notFound, type Problem, problemOfFailure, refuse, refuseField, requireHistory } from '../replies/problems.ts';
import { keyOf, planOf } from '../requests/account-request.ts';
import { readPreferences } from '../requests/headers.ts';
import type { RatedLookup, RatedOutcome } from './rated-lookup.ts';
import type { RatingCache } from './rating-cache.ts';

/** What the routes of ratings share. */
export interface RmsRouting {
  readonly context: ApiContext;
  readonly services: RatingServices;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly lookup: RatedLookup;
  readonly cache: RatingCache;
}

/** Fixed path segments under /v1/rms, which cannot be symbols there. */
export const FIXED_WORDS: readonly string[] = ['batch', 'whitelist', 'actions'];

/**
 * Paths of the routes of one asset: with its name in one segment, or with a CAIP-19 id whose slash is unescaped. Each
 * with the description of its schema.
 */
export function assetPaths(rest: string, below = '') {
  const [named, raw] = [`/v1/rms${below}/:asset${rest}`, `/v1/rms${below}/:namespace/:reference${rest}`];
  return [
    { path: named, about: { hide: false, params: RatedParams } },
    { path: raw, about: { hide: true, params: RatedIdParams } },
  ] as const;
}

/** The asset as named in the path. */
export function assetText({ params }: FastifyRequest): string {
  const { asset, namespace, reference } = params as Readonly<Record<string, string>>;
  return asset ?? `${namespace}/${reference}`;
}

/** Id of the asset in the path; null when an error reply was already sent. */
export async function assetOf(
  { lookup, context }: RmsRouting,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const { asset, namespace } = request.params as Readonly<Record<string, string>>;
  const isNoAsset = asset === undefined ? !namespace?.includes(':') : FIXED_WORDS.includes(asset);
  if (isNoAsset) {
    reply.callNotFound();
    return null;
  }
  const text = assetText(request);
  const outcome = lookup.peek(text) ?? (reply.mayWait() ? await lookup.find(text) : null);
  if (outcome === null) return null;
  if (outcome.ok) {
    context.disclosures?.reads.note(keyOf(request).accountId, outcome.assetId);
    return outcome.assetId;
  }
  const problem = ratedProblem(outcome, context.scoringPath);
  return outcome.code === 'not_rated' ? refuseUnrated(context, request, outcome.read, problem) : refuse(problem);
}

/**
 * Refuses a read of an asset that was never rated. The problem states how to have it rated, and the job that already
 * does so.
 */
async function refuseUnrated(
  { scoring }: ApiContext,
  request: FastifyRequest,
  read: RatedText,
  problem: Problem,
): Promise<never> {
  const assetId = read.kind === 'id' ? read.assetId : null;
  const jobId = assetId === null ? null : await scoring.underWay(assetId, keyOf(request).accountId);
  const mayRefresh = assetId !== null && planOf(request).freshRatingsPerDay !== 0;
  const more = {
    ...problem.more,
    ...(mayRefresh ? { fresh: { method: 'GET', path: `/v1/rms/${encodeURIComponent(assetId)}?fresh=true` } } : {}),
    job: jobId === null ? null : { job_id: jobId, location: `/v1/jobs/${jobId}` },
  };
  if (jobId === null) return refuse({ ...problem, more });
  return refuse({
    ...problem,
    detail: `There is no rating under this name yet; the job ${jobId} rates it now (GET /v1/jobs/${jobId}). Repeat this request when the job has ended.`,
    retry: 'after',
    more,
    headers: { 'retry-after': '5' },
  });
}

/** Id of the asset that a text names: any id, rated or not, or a name of a rated asset. */
export async function assetNamed(
  text: string,
  find: (text: string) => Promise<RatedFound>,
  scoringPath: string,
): Promise<string> {
  const read = readRatedText(text);
  if (!read.ok) return refuseField('/asset', 'malformed_asset', read.detail);
  if (read.value.kind === 'id') return read.value.assetId;
  const { meant, candidates } = await find(text);
  if (meant !== null) return meant.asset.id;
  return refuse(
    candidates.length === 0
      ? notRated(read.value, scoringPath)
      : ratedProblem({ ok: false, code: 'ambiguous', candidates }, scoringPath),
  );
}

/** Selects a rating of an asset; both null: the newest one that the plan is served. */
export interface Wanted {
  /** Milliseconds. */
  readonly asOf: number | null;
  readonly methodology: string | null;
}

/** The rating that a query requests. `now` in milliseconds. */
export function wantedOf(query: Input<typeof RatingQuery>, now: number): Wanted {
  const { as_of: asOf, methodology = null, fresh } = query;
  const at = asOf === undefined ? null : Date.parse(asOf);
  if (at !== null && at > now) refuseField('/as_of', 'out_of_range', 'expected a time that is not in the future');
  if (at !== null && methodology !== null)
    refuseField('/methodology', 'conflict', 'expected as_of or methodology, not both');
  if (fresh === 'true' && (at !== null || methodology !== null))
    refuseField('/fresh', 'conflict', 'expected fresh without as_of and methodology');
  return { asOf: at, methodology };
}

/** A pinned rating, from the store. The newest rating is served by the cache. */
export async function pinnedRating(
  routing: RmsRouting,
  request: FastifyRequest,
  assetId: string,
  { asOf, methodology }: Wanted,
): Promise<StoredRating> {
  const { context, services } = routing;
  const point = gridPoint(context.now(), planOf(request).freshnessGridSeconds);
  if (asOf !== null) requireHistory(planOf(request), routing.plans, asOf, context.now(), 'ratings');
  if (methodology !== null) {
    // A plan's freshness grid also applies to pinned ratings.
    const newest = point === null ? null : new Date(point).toISOString();
    const found = await services.reader.byMethodology(assetId, methodology, newest);
    if (found) {
      await requireCurrentWithinHistory(routing, request, found);
      return found;
    }
    const kept = await services.reader.methodologies(assetId);
    if (kept.length === 0) refuse(notRated({ kind: 'id', assetId }, context.scoringPath));
    return refuse(
      kept.includes(methodology) ? noRatingYet(waitSeconds(routing, request)) : methodologyNotKept(methodology, kept),
    );
  }
  const at = Math.min(asOf ?? Number.POSITIVE_INFINITY, point ?? Number.POSITIVE_INFINITY);
  const found = Number.isFinite(at)
    ? await services.reader.asOf(assetId, new Date(at).toISOString())
    : await services.reader.latest(assetId);
  return found ?? missing(routing, request, assetId, asOf);
}

/** Refuses a pinned rating that another one replaced before the start of the plan's history. */
async function requireCurrentWithinHistory(
  { context, plans, services }: RmsRouting,
  request: FastifyRequest,
  { id, assetId, asOf }: StoredRating,
): Promise<void> {
  const start = historyStart(context.now(), planOf(request));
  if (start === null || Date.parse(asOf) >= start) return;
  const atStart = await services.reader.asOf(assetId, new Date(start).toISOString());
  if (atStart?.id !== id) requireHistory(planOf(request), plans, Date.parse(asOf), context.now(), 'ratings');
}

/** Refuses a request for a rating that does not exist. */
export async function missing(
  routing: RmsRouting,
  request: FastifyRequest,
  assetId: string,
  asOf: number | null,
): Promise<never> {
  if ((await routing.services.reader.latest(assetId)) === null) {
    const read = { kind: 'id', assetId } as const;
    await refuseUnrated(routing.context, request, read, notRated(read, routing.context.scoringPath));
  }
  return refuse(
    asOf === null ? noRatingYet(waitSeconds(routing, request)) : noRatingThen(new Date(asOf).toISOString()),
  );
}

function waitSeconds({ context }: RmsRouting, request: FastifyRequest): number {
  return secondsToNextPoint(context.now(), planOf(request).freshnessGridSeconds || 1);
}

/** A new rating may be published at any time; within this time a second read usually returns the same one. */
const NEWEST_SECONDS = 10;
/** The state at a past time can still be completed for this long. */
export const PAST_SECONDS = 60;

/** Seconds for which the caller may cache a rating: until the plan's next grid point, or a short fixed time. */
export function ratingMaxAge(plan: Plan, now: number): number {
  return plan.freshnessGridSeconds > 0 ? secondsToNextPoint(now, plan.freshnessGridSeconds) : NEWEST_SECONDS;
}

/**
 * Rates an asset again now. False when this takes longer than the caller waits: the reply with the job's address was
 * then sent.
 */
export async function rateFresh(
  { context, services, cache }: RmsRouting,
  request: FastifyRequest,
  reply: FastifyReply,
  assetId: string,
): Promise<boolean> {
  const { accountId, id: keyId } = keyOf(request);
  const plan = planOf(request);
  const { respondAsync, waitSeconds } = readPreferences(request.headers.prefer);
  const seconds = Math.min(Math.max(0, waitSeconds ?? context.scoreDeadlineSeconds), context.scoreDeadlineMaxSeconds);
  const outcome =
    (await services.freshRating(assetId, { accountId, keyId, plan, waitMs: respondAsync ? 0 : seconds * 1000 })) ??
    refuse(notRated({ kind: 'id', assetId }, context.scoringPath));
  if (outcome.outcome === 'rated') {
    reply.header('assay-job-id', outcome.jobId).header('assay-published', String(outcome.published));
    // The notice of the new rating may not have reached this process yet.
    cache.forget(assetId);
    return true;
  }
  if (outcome.outcome !== 'running') refuse(notFresh(outcome, plan.name));
  const location = `/v1/jobs/${outcome.jobId}`;
  reply
    .code(202)
    .header('location', location)
    .send({ job_id: outcome.jobId, state: 'running', location, data_mode: context.dataMode } satisfies Reply<
      typeof AcceptedJob
    >);
  return false;
}

function notFresh(
  outcome: FreshOutcome & { readonly outcome: 'failed' | 'quota_exhausted' | 'busy' },
  plan: string,
): Problem {
  if (outcome.outcome === 'failed') return problemOfFailure(outcome.failure, outcome.jobId);
  if (outcome.outcome === 'busy')
    return {
      status: outcome.code === 'shutting_down' ? 503 : 429,
      code: outcome.code,
      title: 'No further scoring job is accepted now',
      detail: outcome.detail,
      retry: 'after',
      headers: { 'retry-after': String(outcome.retryAfterSeconds) },
    };
  return {
    status: 429,
    code: 'quota_exhausted',
    title: 'The quota of fresh ratings is used up',
    detail: `The plan ${plan} has ${outcome.limit} fresh ratings a day (UTC); the quota resets in ${outcome.resetSeconds} s. Without fresh=true the current rating is returned.`,
    retry: 'after',
    more: { limit: 'fresh_ratings_per_day', plan },
    headers: { 'retry-after': String(outcome.resetSeconds) },
  };
}

/** Explains why the caller's text matched no rating. */
export function ratedProblem(outcome: RatedOutcome & { readonly ok: false }, scoringPath: string): Problem {
  if (outcome.code === 'malformed') return malformedAsset(outcome.detail);
  if (outcome.code === 'ambiguous')
    return {
      status: 409,
      code: 'ambiguous_asset',
      ...(outcome.candidates.length === 1
        ? {
            title: 'The name does not identify an asset',
            detail:
              'One rated asset has it, but registries list another one under it too, or too few of them list this one, and anybody can give a token any name; use the id of the one that is meant.',
          }
        : {
            title: 'Several rated assets have this name',
            detail: `${outcome.candidates.length} rated assets have it; use the id. The best match comes first.`,
          }),
      retry: 'corrected',
      more: {
        candidates: outcome.candidates.map(({ asset, band, score, trust, asOf }) => ({
          id: asset.id,
          chain: asset.chain,
          address: asset.address,
          symbol: asset.symbol,
          name: asset.name,
          band,
          score,
          trust_score: trust,
          as_of: asOf,
        })),
      },
    };
  return notRated(outcome.read, scoringPath);
}

/** 404 with the request that has the asset rated. */
export function notRated(read: RatedText, scoringPath: string): Problem {
  return {
    status: 404,
    code: 'asset_not_rated',
    title: 'The asset is not rated',
    detail: `There is no rating under this name. The request in how_to_rate rates it now, as fresh=true does here for an asset given by its id; then repeat this request.`,
    retry: 'no',
    more: { how_to_rate: howToRate(read, scoringPath) },
  };
}

/** The request that has an asset rated. */
export function howToRate(read: RatedText, scoringPath: string) {
  const asset = read.kind === 'id' ? read.assetId : read.kind === 'address' ? read.address : read.symbol;
  return { method: 'POST', path: scoringPath, body: { asset } };
}

/** Problem for an `as_of` before the first rating. */
function noRatingThen(asOf: string): Problem {
  return notFound(
    'no_rating_then',
    'There is no data of that time',
    `There is no rating of the asset at or before ${asOf}.`,
  );
}

/** Problem for a plan whose grid has no rating of the asset yet. */
function noRatingYet(retryAfterSeconds: number): Problem {
  return {
    status: 404,
    code: 'no_rating_yet',
    title: 'There is no rating for this plan yet',
    detail: 'The asset is rated; this plan gets its first rating at the next point of its freshness grid.',
    retry: 'after',
    headers: { 'retry-after': String(retryAfterSeconds) },
  };
}

/** Problem for a methodology version with which no stored rating of the asset was made. */
function methodologyNotKept(version: string, kept: readonly string[]): Problem {
  return {
    status: 404,
    code: 'methodology_not_kept',
    title: 'No rating by that methodology is kept',
    detail: `The asset has no rating by methodology ${version.slice(0, 40)}; there are ratings by ${kept.join(', ') || 'none'}.`,
    retry: 'corrected',
    more: { kept },
  };
}
