import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { includes, type Need, type Plan } from '../../access/index.ts';
import type { ApiContext } from '../context.ts';
import { callerOf, hasScope } from '../plugins/authentication.ts';
import { headersOf } from '../plugins/head.ts';
import { accountOf, planOf } from '../requests/account-request.ts';
import { allowedBy, refuse } from './problems.ts';

/** A reader that takes nothing for this time is disconnected and can resume with Last-Event-ID. Milliseconds. */
const SLOWEST_READER_MS = 10_000;
const HEARTBEAT_MS = 15_000;

/** The reply of an event stream; `schema` describes its events. */
export const eventStream = (schema: TSchema) => ({
  description: 'An event stream',
  content: { 'text/event-stream': { schema } },
});

/**
 * Takes one of the account's streams (`stream_connections` of its plan). Streams of alerts, jobs and chain data count
 * together, over all processes. Returns a function that releases the stream; refuses when none is free.
 */
export async function takeStream({ plans, takeStream }: ApiContext, request: FastifyRequest): Promise<() => void> {
  const plan = planOf(request);
  const most = allowedBy(plan, plans, 'streamConnections', 'event streams');
  const giveBack = await takeStream(accountOf(request), most);
  return (
    giveBack ??
    refuse({
      status: 429,
      code: 'too_many_streams',
      title: 'Too many streams are open',
      detail: `The plan ${plan.name} allows an account ${most} open event streams at a time, of alerts, jobs and chain data together; close one first.`,
      retry: 'after',
      headers: { 'retry-after': '10' },
      more: { limit: 'stream_connections', stream_connections: most, plan: plan.name },
    })
  );
}

/** How often the key of an open stream is checked: a revoked key can read for this time at most. Milliseconds. */
export const CHECK_KEY_EVERY_MS = 2_000;
/** The last event for a key that may no longer read its stream. */
export const NO_LONGER_ALLOWED = 'event: end\ndata: {"reason":"the key or its plan no longer allows this stream"}\n\n';

/** Whether the key that opened a stream may still read it: it is valid and its plan includes the stream. */
export async function isStillAllowed(
  context: ApiContext,
  request: FastifyRequest,
  need: Need,
  alsoOf: (plan: Plan) => boolean = () => true,
): Promise<boolean> {
  const seen = await callerOf(context, request.raw);
  if (!seen.ok || !hasScope(seen.key, need.scope)) return false;
  const plan = context.plans.find(seen.key.plan);
  return plan !== null && plan.streamConnections > 0 && includes(plan, need) && alsoOf(plan);
}

/** The number in `Last-Event-ID`; null when the header was not sent. */
export function lastEventId(request: FastifyRequest): number | null {
  const given = request.headers['last-event-id'];
  return typeof given === 'string' && given !== '' ? Number(given) : null;
}

/**
 * Sends the opening, then the texts from `textsOf`, until they end or the reader disconnects (`gone`). A reader that
 * does not read must not fill the memory: it is disconnected after a time and can resume by event number.
 */
export async function sendEvents(
  reply: FastifyReply,
  opening: string,
  textsOf: (gone: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
  const gone = new AbortController();
  const headers = Object.fromEntries(Object.entries(headersOf(reply)).map(([name, value]) => [name, String(value)]));
  reply.hijack();
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  // The reader may have disconnected before this line.
  if (raw.destroyed) gone.abort();
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(opening);
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const text of textsOf(gone.signal)) {
      heartbeat.refresh();
      if (!raw.write(text) && !(await drained(raw, gone.signal))) break;
    }
  } catch (error) {
    reply.request.log.error({ err: error }, 'event stream ended');
  } finally {
    clearInterval(heartbeat);
    if (raw.writableNeedDrain) raw.destroy();
    else raw.end();
  }
}

/** Waits until the reader has taken the data written; false if it disconnected or read nothing for too long. */
function drained(raw: FastifyReply['raw'], gone: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(SLOWEST_READER_MS)]);
  return once(raw, 'drain', { signal }).then(
    () => true,
    () => false,
  );
}
