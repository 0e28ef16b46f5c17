import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { gridPoint, secondsToNextPoint } from '../../access/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import { planOf } from '../chain/chain-routing.ts';
import { type Problem, validationFailed } from '../replies/problems.ts';
import { type QueryValues, readQuery } from '../requests/read-query.ts';
import type { RmsRouting } from './context.ts';
import { methodologyNotKept, noRatingThen, noRatingYet, notRated } from './problems.ts';

/** Which rating of an asset is asked for; both null: the newest that the plan is served. */
export interface Wanted {
  /** Milliseconds. */
  readonly asOf: number | null;
  readonly methodology: string | null;
}

type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: Problem };

const NEWEST = { ok: true, value: { asOf: null, methodology: null, query: {} } } as const;

/** Reads a query that may pin a rating. */
export function readWanted(
  schema: TObject,
  request: FastifyRequest,
  reply: FastifyReply,
  now: number,
): Outcome<Wanted & { readonly query: QueryValues }> {
  if (!request.url.includes('?')) return NEWEST;
  const read = readQuery(schema, request, reply);
  if (!read.ok) return { ok: false, problem: validationFailed(read.errors) };
  const { as_of: asOf, methodology, fresh } = read.value;
  const at = asOf === undefined ? null : Date.parse(String(asOf));
  const refuse = (pointer: string, code: string, detail: string): Outcome<never> => ({
    ok: false,
    problem: validationFailed([{ pointer, code, detail }]),
  });
  if (at !== null && at > now) return refuse('/as_of', 'out_of_range', 'expected a time that is not in the future');
  if (at !== null && methodology !== undefined)
    return refuse('/methodology', 'conflict', 'expected as_of or methodology, not both');
  if (fresh === 'true' && (at !== null || methodology !== undefined))
    return refuse('/fresh', 'conflict', 'expected fresh without as_of and methodology');
  const pinned = methodology === undefined ? null : String(methodology);
  return { ok: true, value: { asOf: at, methodology: pinned, query: read.value } };
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
