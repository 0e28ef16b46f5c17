import { ok, type Result } from '../domain/index.ts';
import {
  type AttemptOutcome,
  type Database,
  DIGEST_KIND,
  type DueMessage,
  endAttempt,
  foldedInto,
  foldStorms,
  keepPayload,
  noteFailure,
  noteSuccess,
  pruneMessages,
  takeMessages,
} from '../store/index.ts';
import { isLiteral, judgeUrl, type TrustClass, type Upstream, type UpstreamReply } from '../upstream/index.ts';
import { type ChatFormat, type ChatLinks, chatMessage, type PlainMessage, retryAfterIn } from './chat-message.ts';
import { muteToken } from './mutes.ts';
import { alertPayload, digestPayload, signedHeaders } from './payload.ts';

/**
 * Whether a webhook may have this URL, and its level of trust. Names are resolved and checked again at each delivery.
 */
export type JudgeWebhookUrl = (text: string) => Result<{ readonly trust: TrustClass }, { readonly detail: string }>;

const HTTPS_PORT = 443;
const SANDBOX_PORTS = [80, HTTPS_PORT];

/**
 * URLs of webhooks: https on port 443 and a public name. In the sandbox also http, and the loopback address when the
 * operator allows it, for receivers under test.
 */
export function createWebhookJudge(where: {
  readonly dataMode: 'live' | 'sandbox';
  readonly loopback: boolean;
}): JudgeWebhookUrl {
  const sandbox = where.dataMode === 'sandbox';
  return (text) => {
    if (sandbox && where.loopback && isLoopback(text)) return ok({ trust: 'operator' });
    const judged = judgeUrl(text, sandbox ? SANDBOX_PORTS : [HTTPS_PORT]);
    if (!judged.ok) return judged;
    if (!sandbox && judged.value.protocol !== 'https:')
      return { ok: false, detail: 'the address must start with https://' };
    return ok({ trust: 'outside' });
  };
}

/** By IP address only, because the address of a name can change. */
function isLoopback(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
  return isLiteral(hostname) && (hostname === '[::1]' || hostname.startsWith('127.'));
}

export interface DeliveryTools {
  readonly db: Database;
  readonly upstream: Pick<Upstream, 'request'>;
  readonly judgeUrl: JudgeWebhookUrl;
  /** Public URL of the service; null: messages of chat services have no links. */
  readonly publicUrl: string | null;
  /** Milliseconds since the epoch by the system clock: receivers refuse a timestamp that is minutes off. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface DeliveryOptions extends DeliveryTools {
  readonly onError: (error: unknown, what: string) => void;
  /** Seconds that a digest waits for further alerts; default 10. */
  readonly collectSeconds?: number;
  /**
   * Plans that include webhooks. An account without a key of such a plan receives no messages until it has one again.
   */
  readonly plans: readonly string[];
  /** Plans whose keys receive only threshold alerts. */
  readonly thresholdPlans: readonly string[];
}

/**
 * Concurrent attempts. Most of them wait for replies, so the number is large: a few accounts with slow endpoints cannot
 * occupy them all.
 */
const AT_ONCE = 128;
/** Concurrent attempts per webhook, so that a slow endpoint does not delay the others. */
const AT_ONCE_PER_WEBHOOK = 2;
/** Longer than an attempt can take. */
const LEASE_SECONDS = 60;
/** Messages of one webhook per minute that are sent individually; further ones go into a digest. */
const STORM_OVER = 20;
const COLLECT_SECONDS = 10;
/** Interval between checks while there is work. */
const BUSY_MS = 100;
const KEEP_DAYS = 30;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Sends the messages of the outbox. Any number of processes may run one on the same database. Messages are leased row
 * by row, so one process at a time sends each; if that process dies, another sends the message again with the same id
 * (at least once).
 */
export function createDeliveries(options: DeliveryOptions) {
  const { db, onError } = options;
  const underWay = new Map<Promise<void>, string>();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let prunedAt = Number.NEGATIVE_INFINITY;

  /** Starts due attempts up to the limit. Returns how many were started. */
  async function tick(): Promise<number> {
    await foldStorms(db, { most: STORM_OVER, collectSeconds: options.collectSeconds ?? COLLECT_SECONDS });
    if (performance.now() - prunedAt > PRUNE_EVERY_MS) {
      prunedAt = performance.now();
      await pruneMessages(db, KEEP_DAYS);
    }
    const limit = AT_ONCE - underWay.size;
    if (limit <= 0 || stop.signal.aborted) return 0;
    const taken = await takeMessages(db, {
      limit,
      perWebhook: AT_ONCE_PER_WEBHOOK,
      busy: [...new Set(underWay.values())],
      leaseSeconds: LEASE_SECONDS,
      stormOver: STORM_OVER,
      plans: options.plans,
      thresholdPlans: options.thresholdPlans,
    });
    for (const message of taken) {
      const attempt: Promise<void> = deliver(message, options, stop.signal)
        .catch((error: unknown) => onError(error, 'delivering a webhook message'))
        .finally(() => underWay.delete(attempt));
      underWay.set(attempt, message.webhook_id);
    }
    return taken.length;
  }

  /** Resolves when no attempt is running. */
  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.keys());
  }

  return {
    tick,
    idle,
    start(everyMs: number): void {
      const turn = () => {
        running = tick()
          .catch((error: unknown) => {
            onError(error, 'webhook deliveries');
            return 0;
          })
          .then((begun) => {
            if (!stop.signal.aborted) timer = setTimeout(turn, begun > 0 ? Math.min(BUSY_MS, everyMs) : everyMs);
          });
      };
      turn();
    },
    /** Stops; running attempts end at once and are repeated by the next process. */
    async close(): Promise<void> {
      stop.abort();
      if (timer) clearTimeout(timer);
      await running;
      await idle();
    },
  };
}

/** Name of deliveries in budgets, circuit breakers and metrics. */
export const WEBHOOK_LABEL = 'webhook';
const DEADLINES = { connectMs: 5_000, headersMs: 15_000, bodyMs: 2_000, totalMs: 15_000 };
/** Bytes read from the body of a reply, which is never shown. */
const MOST_REPLY_BYTES = 1_024;
const DISABLE_AFTER_DAYS = 5;
/** Longer than the longest wait between two attempts at a message. */
const FORGOTTEN_AFTER_DAYS = 2;
/** Delay before the next attempt when a limit of this service prevented the message from being sent. */
const HELD_BACK_SECONDS = 30;
const GONE = 410;
/** Failures of this service, which say nothing about the endpoint. */
const OURS: readonly string[] = ['circuit_open', 'budget_spent', 'cancelled'];

/** Makes one attempt at a leased message and records the outcome. An attempt stopped by `signal` does not count. */
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
    : { reached: true, wasStopped: false, status: null, detail: judged.detail, retryAfterSeconds: null };
  const { status } = reply;
  const outcome: AttemptOutcome =
    status !== null && status >= 200 && status < 300
      ? { state: 'delivered', status }
      : outcomeOf(message, reply, tools);
  await endAttempt(db, message, outcome);
  if (outcome.state === 'delivered') await noteSuccess(db, message.webhook_id);
  else if (reply.reached)
    await noteFailure(db, message.webhook_id, {
      detail: reply.detail,
      gone: status === GONE,
      disableAfterDays: DISABLE_AFTER_DAYS,
      forgottenAfterDays: FORGOTTEN_AFTER_DAYS,
    });
}

interface Reply {
  readonly reached: boolean;
  /** The process ended while it waited for the reply. */
  readonly wasStopped: boolean;
  readonly status: number | null;
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
}

async function send(
  message: DueMessage,
  payload: string,
  trust: 'operator' | 'outside',
  { upstream, clock, publicUrl }: DeliveryTools,
  signal: AbortSignal,
): Promise<Reply> {
  const { id, webhook_id, url, secret, previous_secret } = message;
  const body = bodyOf(message, payload, publicUrl);
  const secrets = previous_secret === null ? [secret] : [secret, previous_secret];
  const reply: UpstreamReply = await upstream.request(
    {
      label: WEBHOOK_LABEL,
      tenant: webhook_id,
      trust,
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        ...(message.format === 'assay' ? signedHeaders({ id, body }, secrets, clock()) : {}),
      },
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
  // Any status counts as a reply, even with a long or broken body.
  if (reply.ok) return { reached: true, wasStopped: false, status: reply.status, detail: '', retryAfterSeconds: null };
  const reached = reply.status !== null || !OURS.includes(reply.reason);
  const retryAfterSeconds = reply.retryAfterSeconds ?? retryAfterIn(reply.body);
  const wasStopped = !reached && reply.reason === 'cancelled';
  return { reached, wasStopped, status: reply.status, detail: reply.detail, retryAfterSeconds };
}

/** The body for a payload: the payload itself, or the format of the webhook's chat service. */
function bodyOf(message: DueMessage, payload: string, publicUrl: string | null): string {
  const { format, chat_id } = message;
  if (format === 'assay') return payload;
  const plain = JSON.parse(payload) as PlainMessage;
  return chatMessage(format as ChatFormat, plain, linksOf(message, plain, publicUrl), chat_id);
}

function linksOf({ id, secret, alert }: DueMessage, { data }: PlainMessage, publicUrl: string | null): ChatLinks {
  if (publicUrl === null) return { open: null, mute: null };
  const assetId = 'asset_id' in data ? data.asset_id : null;
  const page = assetId === null ? 'alerts' : `asset/${encodeURIComponent(assetId)}`;
  const token = alert === null ? null : muteToken(id, secret);
  return { open: `${publicUrl}/#/${page}`, mute: token === null ? null : `${publicUrl}/public/mute/${token}` };
}

function outcomeOf({ attempts }: DueMessage, answer: Reply, { random }: DeliveryTools): AttemptOutcome {
  const { status, detail } = answer;
  if (!answer.reached)
    return {
      state: 'pending',
      status,
      detail,
      inSeconds: Math.max(HELD_BACK_SECONDS, answer.retryAfterSeconds ?? 0),
      counts: false,
      wasStopped: answer.wasStopped,
    };
  const wait = status === GONE ? null : nextWait(attempts, answer.retryAfterSeconds, random);
  return wait === null
    ? { state: 'failed', status, detail }
    : { state: 'pending', status, detail, inSeconds: wait, counts: true, wasStopped: false };
}

async function buildPayload(db: Database, { id, kind, alert }: DueMessage): Promise<string | null> {
  if (alert) return alertPayload(kind, alert);
  if (kind !== DIGEST_KIND) return null;
  const payload = digestPayload(kind, await foldedInto(db, id));
  if (payload !== null) await keepPayload(db, id, payload);
  return payload;
}

const MINUTE = 60;
const HOUR = 3_600;

/**
 * Seconds to wait after each failed attempt (Standard Webhooks, "Deliverability and reliability"): three days in all.
 */
export const RETRY_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Jitter, so that endpoints that failed together are not all retried together. */
const JITTER = 0.1;
const LONGEST_SECONDS = 24 * HOUR;

/**
 * Seconds until the next attempt after `attempts` failed ones, or null when that was the last. The Retry-After of the
 * endpoint is respected, up to a day. `random` in [0, 1).
 */
export function nextWait(attempts: number, retryAfterSeconds: number | null, random: () => number): number | null {
  const wait = RETRY_SECONDS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 + JITTER * random()), Math.min(LONGEST_SECONDS, retryAfterSeconds ?? 0));
}
