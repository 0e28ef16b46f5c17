import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { accountOf } from '../requests/account-request.ts';
import { type Problem, planDoesNotInclude } from './problems.ts';

/** A reader that takes nothing for so long is cut off; it comes back with Last-Event-ID. Milliseconds. */
const SLOWEST_READER_MS = 10_000;

/**
 * Takes one of the account's streams (`stream_connections` of its plan): streams of alerts and of jobs count together, over
 * all processes. Gives the way to give it back, or the problem to refuse with.
 */
export async function takeStream(
  { plans, takeStream }: ApiContext,
  request: FastifyRequest,
): Promise<{ readonly giveBack: () => void } | { readonly problem: Problem }> {
  const { plan } = request;
  if (plan === null) throw new Error('a stream without a plan: its route must ask for a key');
  const most = plan.streamConnections;
  if (most === 0)
    return {
      problem: planDoesNotInclude(
        plan,
        'event streams',
        plans.plans.filter(({ streamConnections }) => streamConnections > 0),
      ),
    };
  const giveBack = await takeStream(accountOf(request), most);
  if (giveBack) return { giveBack };
  return {
    problem: {
      status: 429,
      code: 'too_many_streams',
      title: 'Too many streams are open',
      detail: `The plan ${plan.name} allows an account ${most} open event streams at a time, of alerts and of jobs together; end one first.`,
      retry: 'after',
      headers: { 'retry-after': '10' },
      more: { limit: 'stream_connections', stream_connections: most, plan: plan.name },
    },
  };
}

/** The number in `Last-Event-ID`; null: none was sent. */
export function lastEventId(request: FastifyRequest): number | null {
  const given = request.headers['last-event-id'];
  return typeof given === 'string' && given !== '' ? Number(given) : null;
}

/** Refusal of a `Last-Event-ID` that names no event of this stream. */
export function badEventId(detail: string): Problem {
  return {
    status: 400,
    code: 'malformed_last_event_id',
    title: 'Last-Event-ID could not be read',
    detail,
    retry: 'corrected',
  };
}

/** Waits until the reader has taken what was written; false when it went away or took nothing for too long. */
export function drained(raw: FastifyReply['raw'], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (taken: boolean) => {
      clearTimeout(timer);
      raw.off('drain', onDrain);
      signal.removeEventListener('abort', onAbort);
      resolve(taken);
    };
    const onDrain = () => end(true);
    const onAbort = () => end(false);
    const timer = setTimeout(onAbort, SLOWEST_READER_MS);
    raw.on('drain', onDrain);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}
