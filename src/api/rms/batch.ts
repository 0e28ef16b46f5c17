import { LRUCache } from 'lru-cache';
import type { Plan, PlanBook } from '../../access/index.ts';
import type { NotRatedEntry, Reply } from '../../contract/index.ts';
import { type Problem, planDoesNotInclude, problemBody } from '../replies/problems.ts';
import type { RmsRouting } from './context.ts';
import { ratedProblem } from './problems.ts';
import type { RatedOutcome } from './rated-lookup.ts';
import type { HotRating } from './rating-cache.ts';

/** Longer text names no asset; the error of an entry repeats no more of it. */
const LONGEST_ECHO = 150;

/** The reply to one body: valid within its second, while no rating in memory changes. */
interface BatchBytes {
  /** Seconds since the epoch. */
  readonly second: number;
  readonly version: number;
  readonly point: number | null;
  /** Number of assets. */
  readonly size: number;
  readonly bytes: Buffer;
}

/** Replies to the newest batches by the bytes of their bodies: who polls a list sends the same body again and again. */
export interface RecentBatches {
  get(body: Buffer): BatchBytes | undefined;
  keep(body: Buffer, reply: BatchBytes): void;
}

const MOST_KEPT = 64;

export function createRecentBatches(): RecentBatches {
  const kept = new LRUCache<string, { readonly body: Buffer; readonly reply: BatchBytes }>({ max: MOST_KEPT });
  return {
    get(body) {
      const known = kept.get(placeOf(body));
      return known?.body.equals(body) ? known.reply : undefined;
    },
    keep: (body, reply) => void kept.set(placeOf(body), { body, reply }),
  };
}

/** Where a body is kept: its length and three pieces of it, since all of it would cost more to hash than to compare. */
function placeOf(body: Buffer): string {
  const { length } = body;
  const middle = length >> 1;
  return `${length} ${body.toString('latin1', 0, 64)}${body.toString('latin1', middle, middle + 64)}${body.toString('latin1', Math.max(0, length - 64))}`;
}

/** Why the plan does not allow a batch of so many assets; null when it does. */
export function batchRefusal(size: number, plan: Plan, plans: PlanBook): Problem | null {
  if (plan.batchSize === 0) {
    const others = plans.plans.filter((one) => one.batchSize > 0 && one.name !== 'INTERNAL');
    return planDoesNotInclude(plan, 'batches of ratings', others);
  }
  return size > plan.batchSize ? tooLarge(size, plan) : null;
}

/** One entry per text, in order: the asset's rating as its own route gives it, or what went wrong with this one. */
export async function batchEntries(
  routing: RmsRouting,
  texts: readonly string[],
  point: number | null,
  requestId: string,
): Promise<{ readonly entries: readonly Buffer[]; readonly failed: boolean }> {
  const { lookup, cache, context } = routing;
  const found = new Map<string, RatedOutcome>();
  const unknown: string[] = [];
  for (const text of texts) {
    if (found.has(text)) continue;
    const known = lookup.peek(text);
    if (known) found.set(text, known);
    else unknown.push(text);
  }
  for (const [index, outcome] of (await Promise.all(unknown.map((text) => lookup.find(text)))).entries())
    found.set(unknown[index] ?? '', outcome);
  const ratings = new Map<string, HotRating | null>();
  const missing: string[] = [];
  for (const outcome of found.values()) {
    if (!outcome.ok || ratings.has(outcome.assetId)) continue;
    const hot = cache.peek(outcome.assetId, point);
    ratings.set(outcome.assetId, hot ?? null);
    if (!hot) missing.push(outcome.assetId);
  }
  if (missing.length > 0) {
    const loaded = point === null ? cache.loadMany(missing) : Promise.all(missing.map((id) => cache.load(id, point)));
    for (const [index, hot] of (await loaded).entries()) ratings.set(missing[index] ?? '', hot);
  }
  const now = context.now();
  let failed = false;
  const entry = (text: string): Buffer => {
    const outcome = found.get(text);
    const hot = outcome?.ok ? ratings.get(outcome.assetId) : null;
    if (hot) return hot.reply.reply(now).bytes;
    failed = true;
    const reason: RatedOutcome =
      outcome && !outcome.ok
        ? outcome
        : { ok: false, code: 'not_rated', read: { kind: 'id', assetId: outcome?.ok ? outcome.assetId : text } };
    const problem = ratedProblem(reason as RatedOutcome & { readonly ok: false }, context.scoringPath);
    return Buffer.from(
      JSON.stringify({
        requested: text.slice(0, LONGEST_ECHO),
        error: problemBody(problem, '/v1/rms/batch', requestId),
      } satisfies Reply<typeof NotRatedEntry>),
    );
  };
  const entries = texts.map(entry);
  return { entries, failed };
}

function tooLarge(given: number, plan: Plan): Problem {
  return {
    status: 413,
    code: 'batch_too_large',
    title: 'The batch is too large',
    detail: `The plan ${plan.name} takes up to ${plan.batchSize} assets in a batch, got ${given}.`,
    retry: 'corrected',
    more: { limit: plan.batchSize, plan: plan.name },
  };
}
