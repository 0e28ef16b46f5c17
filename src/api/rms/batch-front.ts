import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { gridPoint } from '../../access/index.ts';
import { chooseCoding } from '../hot/content-coding.ts';
import type { HotAnswer } from '../hot/front.ts';
import { callerOf, type Parts, usualHeaders } from '../hot/keyed-front.ts';
import { limitHeaders } from '../plugins/limits.ts';
import { VARY_BY_KEY } from '../replies/vary.ts';
import { cleanRequestId } from '../requests/headers.ts';
import type { RmsRouting } from './context.ts';

/** The reply to one body: good within its second, while no rating in memory changes. */
interface Answered {
  readonly second: number;
  readonly version: number;
  readonly point: number | null;
  /** Assets asked for. */
  readonly size: number;
  readonly bytes: Buffer;
}

/** Batches that were answered a moment ago: who polls a list sends the same body again and again. */
export interface RecentBatches {
  get(body: Buffer): Answered | undefined;
  /** Remembers the reply to a request whose body was read here. */
  keep(request: IncomingMessage, answered: Answered): void;
  /** Notes what was read of a request, before it goes to the route. */
  noteBody(request: IncomingMessage, body: Buffer): void;
  /** The body as a stream, for a route that comes too late to read it from the request. */
  bodyOf(request: IncomingMessage): Readable | null;
}

/** A thousand of the longest names, and room. */
export const BATCH_BYTES = 262_144;
const PATH = '/v1/rms/batch';
const MOST_KEPT = 64;
const JSON_TYPE = /^application\/json(;|$)/;

export function createRecentBatches(): RecentBatches {
  const kept = new LRUCache<string, { readonly body: Buffer; readonly answered: Answered }>({ max: MOST_KEPT });
  const read = new WeakMap<IncomingMessage, Buffer>();
  return {
    get(body) {
      const known = kept.get(placeOf(body));
      return known?.body.equals(body) ? known.answered : undefined;
    },
    keep(request, answered) {
      const body = read.get(request);
      if (body !== undefined) kept.set(placeOf(body), { body, answered });
    },
    noteBody: (request, body) => void read.set(request, body),
    bodyOf(request) {
      const body = read.get(request);
      return body ? Object.assign(Readable.from([body]), { receivedEncodedLength: body.length }) : null;
    },
  };
}

/** Where a body is kept: its length and three pieces of it, since all of it would cost more to hash than to compare. */
function placeOf(body: Buffer): string {
  const { length } = body;
  const middle = length >> 1;
  return `${length} ${body.toString('latin1', 0, 64)}${body.toString('latin1', middle, middle + 64)}${body.toString('latin1', Math.max(0, length - 64))}`;
}

/**
 * Answers a batch whose reply is in memory. Nothing is parsed: the same bytes were read before, by the route. What is not
 * plain (an unknown key, a refusal, a packed reply) is left to it.
 */
export function batchFront(routing: RmsRouting, recent: RecentBatches, log: Parts['log']): HotAnswer {
  const { context, limiter, cache } = routing;
  return (request, response, pass) => {
    const { headers } = request;
    const length = Number(headers['content-length']);
    if (request.url !== PATH || !(length > 0 && length <= BATCH_BYTES)) return false;
    if (!JSON_TYPE.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) return false;
    if (chooseCoding(headers['accept-encoding'] as string | undefined) !== 'identity') return false;
    const caller = callerOf(routing, request, 'rms:read', null);
    if (caller === null) return false;
    const { key, plan } = caller;
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [first] = chunks;
      const body = chunks.length === 1 && first ? first : Buffer.concat(chunks);
      const known = recent.get(body);
      const now = context.now();
      const isGood =
        known !== undefined &&
        known.second === Math.floor(now / 1000) &&
        known.version === cache.version() &&
        known.point === gridPoint(now, plan.freshnessGridSeconds) &&
        known.size <= plan.batchSize;
      const taken = isGood ? limiter.takeNow(key.accountId, plan) : null;
      if (!isGood || taken === null || taken.refusedBy !== null) {
        recent.noteBody(request, body);
        pass();
        return;
      }
      const requestId = cleanRequestId(headers['x-request-id']);
      const reply = {
        ...usualHeaders(context, requestId),
        ...limitHeaders(plan, taken, 0),
        'cache-control': 'private, no-store',
        vary: `${VARY_BY_KEY}, Accept-Encoding`,
        'content-type': 'application/json; charset=utf-8',
        'content-length': known.bytes.length,
      };
      response.writeHead(200, reply).end(known.bytes);
      const ms = performance.now() - startedAt;
      context.onRequest(PATH, 'POST', 200, ms / 1000, key, known.bytes.length);
      log({ method: 'POST', route: PATH, status: 200, ms: Math.round(ms), reqId: requestId });
    });
    return true;
  };
}
