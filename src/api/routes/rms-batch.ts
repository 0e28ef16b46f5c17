import { LRUCache } from 'lru-cache';
import { type ApiKey, gridPoint, type Plan, type PlanBook } from '../../access/index.ts';
import { BatchBody, BatchReply, createReader, type NotRatedEntry, problems, type Reply } from '../../contract/index.ts';
import { bodyEntry, type HotEntry, type HotParts, passedBody } from '../hot/hot-entry.ts';
import { planDoesNotInclude, problemBody, refuse, validationFailed } from '../replies/problems.ts';
import { codingOf, joined, sendLarge } from '../replies/send-json.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import { type Routes, unread, warnOfIgnored } from '../requests/read-requests.ts';
import { JSON_TYPES, parseBody } from '../requests/strict-json.ts';
import { type RmsRouting, ratedProblem } from '../rms/choose-rating.ts';
import type { RatedOutcome } from '../rms/rated-lookup.ts';
import type { HotRating } from '../rms/rating-cache.ts';
import { digestReply } from './rms-score.ts';

/** Room for a thousand names of maximum length. */
const BATCH_BYTES = 262_144;
const PATH = '/v1/rms/batch';
const readBody = createReader(BatchBody);

/** POST /v1/rms/batch. */
export function ratingBatchRoutes(server: Routes, routing: RmsRouting, entries: HotEntry[]): void {
  const { context, plans, cache } = routing;
  const recent = createRecentBatches();
  /** The cached reply to the same bytes in the same second, if no cached rating has changed since. */
  const inMemory = (body: Buffer, plan: Plan, now: number) => {
    const known = recent.get(body);
    return known !== undefined &&
      known.second === Math.floor(now / 1000) &&
      known.version === cache.version() &&
      known.point === gridPoint(now, plan.freshnessGridSeconds) &&
      known.size <= plan.batchSize
      ? known
      : undefined;
  };
  const note = (accountId: string, assetIds: readonly string[]) => {
    for (const assetId of assetIds) context.disclosures?.reads.note(accountId, assetId);
  };
  /** One reply is sent many times within its second: who it was sent to is noted once. */
  const onSent = ({ assetIds, sentTo }: BatchBytes, { accountId }: ApiKey) => {
    if (sentTo.has(accountId)) return;
    sentTo.add(accountId);
    note(accountId, assetIds);
  };
  const log: HotParts['log'] = (line) => server.log.info(line, 'request');
  entries.push(
    bodyEntry(
      { ...routing, log },
      { path: PATH, scope: 'rms:read', operationId: 'batchRatings', mostBytes: BATCH_BYTES, find: inMemory, onSent },
    ),
  );
  const about = keyed({ scope: 'rms:read', anyQuery: true }, 'ratings', {
    operationId: 'batchRatings',
    summary: 'The ratings of many assets',
    description:
      'An array with one entry per asset, in order, duplicates too. An asset that fails has `error` (a problem object) instead of a rating; the rest is unharmed. More assets than the plan’s batch size: 413 `batch_too_large`.',
    body: BatchBody,
    response: { 200: BatchReply, ...problems(400, 401, 403, 413, 415, 429) },
  });
  const options = { ...about, compress: false as const, validatorCompiler: unread, bodyLimit: BATCH_BYTES };
  server.register(async (scope) => {
    // Takes the body as raw bytes, so that a repeated body is not parsed again.
    scope.removeContentTypeParser(JSON_TYPES);
    scope.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('preParsing', (request, _reply, payload, done) => done(null, passedBody(request.raw) ?? payload));
    scope.post<{ Body: Buffer }>(PATH, options, async (request, reply) => {
      const { body } = request;
      const send = (bytes: Buffer) => sendLarge(reply, bytes, codingOf(request, bytes), null);
      const plan = planOf(request);
      const now = context.now();
      const second = Math.floor(now / 1000);
      const point = gridPoint(now, plan.freshnessGridSeconds);
      const version = cache.version();
      const ready = inMemory(body, plan, now);
      if (ready) {
        onSent(ready, keyOf(request));
        return send(ready.bytes);
      }
      const read = readBody(parseBody(body));
      warnOfIgnored(reply, read.ignored);
      if (!read.ok) return refuse(validationFailed(read.errors));
      const { assets, view } = read.value;
      checkSize(assets.length, plan, plans);
      const { entries, failed, assetIds } = await batchEntries(
        routing,
        assets,
        { point, isDigest: view === 'digest' },
        request.id,
      );
      const { accountId } = keyOf(request);
      note(accountId, assetIds);
      const bytes = joined('[', entries, ']');
      // Not cached: a problem contains the id of its request, and warnings belong to this body. If a rating changed
      // meanwhile, it is unknown which version the reply contains.
      if (!failed && read.ignored.length === 0 && cache.version() === version)
        recent.keep(body, {
          second,
          version,
          point,
          size: assets.length,
          bytes,
          assetIds,
          sentTo: new Set([accountId]),
        });
      return send(bytes);
    });
  });
}

const MOST_KEPT = 64;
/** A longer text names no asset. The error of an entry repeats at most this many characters of it. */
const LONGEST_ECHO = 150;

/** The reply to one body. Valid within its second, while no cached rating changes. */
interface BatchBytes {
  /** Seconds since the epoch. */
  readonly second: number;
  readonly version: number;
  readonly point: number | null;
  /** Number of assets. */
  readonly size: number;
  readonly bytes: Buffer;
  /** Assets whose ratings are in the reply. */
  readonly assetIds: readonly string[];
  /** Accounts whose reads of these ratings are noted. */
  readonly sentTo: Set<string>;
}

/**
 * Replies to the latest batches, by the bytes of their bodies: a client that polls a list sends the same body
 * repeatedly.
 */
function createRecentBatches() {
  const kept = new LRUCache<string, { readonly body: Buffer; readonly reply: BatchBytes }>({ max: MOST_KEPT });
  return {
    get(body: Buffer): BatchBytes | undefined {
      const known = kept.get(placeOf(body));
      return known?.body.equals(body) ? known.reply : undefined;
    },
    keep: (body: Buffer, reply: BatchBytes) => void kept.set(placeOf(body), { body, reply }),
  };
}

/** Cache key of a body: its length and three parts of it. Hashing all of it would cost more than comparing it. */
function placeOf(body: Buffer): string {
  const { length } = body;
  const middle = length >> 1;
  return `${length} ${body.toString('latin1', 0, 64)}${body.toString('latin1', middle, middle + 64)}${body.toString('latin1', Math.max(0, length - 64))}`;
}

/** Refuses a batch with more assets than the plan allows. */
export function checkSize(size: number, plan: Plan, plans: PlanBook): void {
  if (plan.batchSize === 0) {
    const others = plans.plans.filter((one) => one.batchSize > 0 && one.name !== 'INTERNAL');
    refuse(planDoesNotInclude(plan, 'batches of ratings', others));
  }
  if (size > plan.batchSize)
    refuse({
      status: 413,
      code: 'batch_too_large',
      title: 'The batch is too large',
      detail: `The plan ${plan.name} takes up to ${plan.batchSize} assets in a batch, got ${size}.`,
      retry: 'corrected',
      more: { limit: plan.batchSize, plan: plan.name },
    });
}

/** One entry per text, in order: the rating as the asset's own route returns it, or the error for this asset. */
async function batchEntries(
  routing: RmsRouting,
  texts: readonly string[],
  { point, isDigest }: { readonly point: number | null; readonly isDigest: boolean },
  requestId: string,
): Promise<{
  readonly entries: readonly Buffer[];
  readonly failed: boolean;
  /** Assets whose ratings are among the entries. */
  readonly assetIds: readonly string[];
}> {
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
    if (hot) return (isDigest ? digestReply(hot.rating) : hot.reply).reply(now).bytes;
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
  return { entries, failed, assetIds: [...ratings].flatMap(([id, hot]) => (hot === null ? [] : [id])) };
}
