import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AlertReply, EventHeaders, KEYED, problems, viewOf } from '../../contract/index.ts';
import type { AlertBook } from '../../monitoring/index.ts';
import type { ApiContext } from '../context.ts';
import { headersOf } from '../plugins/head.ts';
import { drained, lastEventId, takeStream } from '../replies/event-stream.ts';
import { sendProblem } from '../replies/problems.ts';
import { accountOf } from '../requests/account-request.ts';

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
          'Events `alert`, numbered as the alerts are; `Last-Event-ID` goes on after that number, without gap or double; a number above the newest alert’s stands for the newest. Without it the stream begins now, and says at once with which number. The last event of a key that was revoked is `end`.',
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
      const accountId = accountOf(request);
      const taken = await takeStream(context, request);
      if ('problem' in taken) return sendProblem(reply, taken.problem);
      try {
        const newest = await book.newest(accountId);
        await stream({ context, book, accountId, after: Math.min(after ?? newest, newest), request, reply });
      } finally {
        taken.giveBack();
      }
      return reply;
    },
  );
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
  const headers = Object.fromEntries(Object.entries(headersOf(reply)).map(([name, value]) => [name, String(value)]));
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
        ? `id: ${alert.id}\nevent: alert\ndata: ${JSON.stringify(viewOf(AlertReply, { ...alert, dataMode: context.dataMode }))}\n\n`
        : ': still here\n\n';
      if (!raw.write(text) && !(await drained(raw, gone.signal))) break;
    }
  } catch (error) {
    request.log.error({ err: error }, 'alert stream ended');
  } finally {
    // Unread alerts are dropped: the reader requests them again by number.
    if (raw.writableNeedDrain) raw.destroy();
    else raw.end();
  }
}

async function stillAllowed(context: ApiContext, request: FastifyRequest): Promise<boolean> {
  const header = request.headers['x-api-key'];
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const seen = await context.access.authenticate(
    typeof header === 'string' ? header : (bearer ?? null),
    context.clientAddress(request.raw),
  );
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
