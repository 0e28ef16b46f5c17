import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { AlertBook } from '../../monitoring/alerts/alert-book.ts';
import { accountOf } from '../account-request.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, planDoesNotInclude, sendProblem } from '../problems.ts';
import { alertView } from '../schemas/alerts.ts';
import { EventHeaders, KEYED, problems } from '../schemas/shared.ts';

/** A reader that takes nothing for so long is cut off; it comes back with Last-Event-ID. */
const SLOWEST_READER_MS = 10_000;
const HEARTBEAT_MS = 15_000;
/** How long a key that was revoked may go on. */
const CHECK_KEY_EVERY_MS = 2_000;
/** What a browser's reader waits before it comes back. */
const RETRY_MS = 2_000;

/** The stream of an account's alerts. */
export function alertStreamRoute(server: FastifyInstance, context: ApiContext, book: AlertBook): void {
  server.get(
    '/v1/alerts/stream',
    {
      config: { scope: 'rms:read' },
      exposeHeadRoute: false,
      schema: {
        tags: ['alerts'],
        security: KEYED,
        operationId: 'streamAlerts',
        summary: 'Alerts as server-sent events',
        description:
          'Events `alert`, numbered as the alerts are; `Last-Event-ID` goes on after that number, without gap or double. Without it the stream begins now, and says at once with which number. The last event of a key that was revoked is `end`.',
        headers: EventHeaders,
        response: {
          200: {
            description: 'An event stream',
            content: {
              'text/event-stream': {
                schema: Type.String({ description: 'Server-sent events, as long as the reader stays.' }),
              },
            },
          },
          ...problems(400, 401, 403, 429),
        },
      },
    },
    async (request, reply) => {
      const after = lastEventId(request);
      if (after === undefined) return sendProblem(reply, BAD_EVENT_ID);
      const accountId = accountOf(request);
      const { plans } = context;
      const plan = plans.find(request.apiKey?.plan ?? '');
      const most = plan?.streamConnections ?? 0;
      if (plan && most === 0)
        return sendProblem(
          reply,
          planDoesNotInclude(
            plan,
            'event streams',
            plans.plans.filter(({ streamConnections }) => streamConnections > 0),
          ),
        );
      const giveBack = await book.takeStream(accountId, most);
      if (!giveBack) return sendProblem(reply, tooManyStreams(most));
      try {
        const newest = await book.newest(accountId);
        await stream({ context, book, accountId, after: Math.min(after ?? newest, newest), request, reply });
      } finally {
        giveBack();
      }
      return reply;
    },
  );
}

/** Null: none was sent; undefined: it is no number of ours. */
function lastEventId(request: FastifyRequest): number | null | undefined {
  const given = request.headers['last-event-id'];
  if (given === undefined || given === '') return null;
  return typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number(given) : undefined;
}

async function stream({
  context,
  book,
  accountId,
  after,
  request,
  reply,
}: {
  readonly context: ApiContext;
  readonly book: AlertBook;
  readonly accountId: string;
  readonly after: number;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}): Promise<void> {
  const gone = new AbortController();
  reply.hijack();
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  if (raw.destroyed) gone.abort();
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  // The number without an event: a reader that is cut off before its first alert knows where to go on.
  raw.write(`: assay alerts\nretry: ${RETRY_MS}\nid: ${after}\n\n`);
  let spokeAt = performance.now();
  let checkedAt = spokeAt;
  try {
    for await (const alert of book.follow(accountId, after, gone.signal)) {
      if (performance.now() - checkedAt >= CHECK_KEY_EVERY_MS) {
        checkedAt = performance.now();
        if (!(await stillAllowed(context, request))) {
          raw.write('event: end\ndata: {"reason":"the key or its plan no longer allows this stream"}\n\n');
          break;
        }
      }
      if (alert === null && performance.now() - spokeAt < HEARTBEAT_MS) continue;
      spokeAt = performance.now();
      const text = alert
        ? `id: ${alert.id}\nevent: alert\ndata: ${JSON.stringify({ ...alertView(alert), data_mode: context.dataMode })}\n\n`
        : ': still here\n\n';
      if (!raw.write(text) && !(await drained(raw, gone.signal))) break;
    }
  } catch (error) {
    request.log.error({ err: error }, 'alert stream ended');
  } finally {
    // What was not taken is not waited for: the reader asks for it again by number.
    if (raw.writableNeedDrain) raw.destroy();
    else raw.end();
  }
}

async function stillAllowed(context: ApiContext, request: FastifyRequest): Promise<boolean> {
  const header = request.headers['x-api-key'];
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const seen = await context.access.authenticate(typeof header === 'string' ? header : (bearer ?? null), request.ip);
  if (!seen.ok) return false;
  const plan = context.plans.find(seen.key.plan);
  const allowed = (given: readonly string[]) => given.includes('rms:read') || given.includes('admin');
  return (
    plan !== null &&
    allowed(seen.key.scopes) &&
    (plan.scopes === '*' || allowed(plan.scopes)) &&
    plan.streamConnections > 0
  );
}

/** False when the reader went away or took nothing for too long. */
function drained(raw: FastifyReply['raw'], signal: AbortSignal): Promise<boolean> {
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

const BAD_EVENT_ID: Problem = {
  status: 400,
  code: 'malformed_last_event_id',
  title: 'Last-Event-ID could not be read',
  detail: 'expected the number of an alert, as the stream sent it in id',
  retry: 'corrected',
};

function tooManyStreams(most: number): Problem {
  return {
    status: 429,
    code: 'too_many_streams',
    title: 'Too many streams are open',
    detail: `The plan allows an account ${most} open streams at a time; end one first.`,
    retry: 'after',
    headers: { 'retry-after': '10' },
    more: { limit: most },
  };
}
