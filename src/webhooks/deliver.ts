import type { Database } from '../store/index.ts';
import {
  type AttemptOutcome,
  DIGEST_KIND,
  type DueMessage,
  endAttempt,
  foldedInto,
  keepPayload,
  noteFailure,
  noteSuccess,
} from '../store/index.ts';
import type { Upstream, UpstreamReply } from '../upstream/index.ts';
import type { JudgeWebhookUrl } from './judge-url.ts';
import { alertPayload, digestPayload } from './payload.ts';
import { nextWait } from './retry-plan.ts';
import { signedHeaders } from './signature.ts';

export interface DeliveryTools {
  readonly db: Database;
  readonly upstream: Pick<Upstream, 'request'>;
  readonly judgeUrl: JudgeWebhookUrl;
  /** Milliseconds since the epoch, by the real clock: receivers refuse a timestamp that is minutes off. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** The name of deliveries in budgets, breakers and metrics. */
export const WEBHOOK_LABEL = 'webhook';
const DEADLINES = { connectMs: 5_000, headersMs: 15_000, bodyMs: 2_000, totalMs: 15_000 };
/** Of the reply; nobody is shown any of it. */
const MOST_REPLY_BYTES = 1_024;
const DISABLE_AFTER_DAYS = 5;
/** Until a message is looked at again that never reached the endpoint's door: our own caution held it back. */
const HELD_BACK_SECONDS = 30;
const GONE = 410;
/** Reasons that are ours and say nothing of the endpoint. */
const OURS: readonly string[] = ['circuit_open', 'budget_spent', 'cancelled'];

/** Makes one attempt at a leased message and writes down how it ended. A stop by `signal` costs the message no attempt. */
export async function deliver(message: DueMessage, tools: DeliveryTools, signal: AbortSignal): Promise<void> {
  const { db } = tools;
  const payload = message.payload ?? (await buildPayload(db, message));
  if (payload === null) {
    await endAttempt(db, message, { state: 'failed', status: null, detail: 'what it was about is gone' });
    return;
  }
  const judged = tools.judgeUrl(message.url);
  const reply = judged.ok
    ? await send(message, payload, judged.value.trust, tools, signal)
    : { reached: true, status: null, detail: judged.detail, retryAfterSeconds: null };
  const delivered = reply.status !== null && reply.status >= 200 && reply.status < 300;
  await endAttempt(
    db,
    message,
    delivered ? { state: 'delivered', status: reply.status ?? 0 } : ending(message, reply, tools),
  );
  if (delivered) await noteSuccess(db, message.webhook_id);
  else if (reply.reached)
    await noteFailure(db, message.webhook_id, {
      detail: reply.detail,
      gone: reply.status === GONE,
      disableAfterDays: DISABLE_AFTER_DAYS,
    });
}

interface Answer {
  readonly reached: boolean;
  readonly status: number | null;
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
}

async function send(
  { id, webhook_id, url, secret, previous_secret }: DueMessage,
  body: string,
  trust: 'operator' | 'outside',
  { upstream, clock }: DeliveryTools,
  signal: AbortSignal,
): Promise<Answer> {
  const secrets = previous_secret === null ? [secret] : [secret, previous_secret];
  const reply: UpstreamReply = await upstream.request(
    {
      label: WEBHOOK_LABEL,
      tenant: webhook_id,
      trust,
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...signedHeaders({ id, body }, secrets, clock()) },
      secretHeaders: {},
      secretQuery: [],
      body,
      deadlines: DEADLINES,
      maxBytes: MOST_REPLY_BYTES,
      accept: [],
      okStatuses: [],
      retries: 0,
      maxRedirects: 0,
      traceparent: null,
    },
    signal,
  );
  // A status is an answer, however long or broken the body behind it.
  if (reply.ok) return { reached: true, status: reply.status, detail: '', retryAfterSeconds: null };
  const reached = reply.status !== null || !OURS.includes(reply.reason);
  return { reached, status: reply.status, detail: reply.detail, retryAfterSeconds: reply.retryAfterSeconds };
}

function ending({ attempts }: DueMessage, answer: Answer, { random }: DeliveryTools): AttemptOutcome {
  const { status, detail } = answer;
  if (!answer.reached)
    return {
      state: 'pending',
      status,
      detail,
      inSeconds: Math.max(HELD_BACK_SECONDS, answer.retryAfterSeconds ?? 0),
      counts: false,
    };
  const wait = status === GONE ? null : nextWait(attempts, answer.retryAfterSeconds, random);
  return wait === null
    ? { state: 'failed', status, detail }
    : { state: 'pending', status, detail, inSeconds: wait, counts: true };
}

async function buildPayload(db: Database, { id, kind, alert }: DueMessage): Promise<string | null> {
  if (alert) return alertPayload(kind, alert);
  if (kind !== DIGEST_KIND) return null;
  const payload = digestPayload(kind, await foldedInto(db, id));
  if (payload !== null) await keepPayload(db, id, payload);
  return payload;
}
