import { randomBytes } from 'node:crypto';
import { type PlanBook, servesThresholds } from '../access/index.ts';
import type { Config } from '../config/index.ts';
import type { AlertKind, DeliveryView, Reply, WebhookFormat, WebhookView } from '../contract/index.ts';
import { ok, type Result } from '../domain/index.ts';
import {
  addTestMessage,
  changeWebhook,
  type Database,
  deleteWebhook,
  insertWebhook,
  type MessageRow,
  messagesOf,
  replayMessage,
  replaySince,
  rotateSecret,
  TEST_KIND,
  type WebhookChange,
  type WebhookRow,
  webhookOfAccount,
  webhooksOfAccount,
} from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { createDeliveries, createWebhookJudge, type JudgeWebhookUrl, WEBHOOK_LABEL } from './delivery.ts';
import { createMutes, type Mute, type MuteSubject, moved } from './mutes.ts';
import { newSecret, testPayload } from './payload.ts';

/** A webhook as returned to its account, without the secret. */
export type Webhook = Omit<Reply<typeof WebhookView>, 'data_mode'>;
/** A message to an endpoint, with its outcome. */
export type Delivery = Reply<typeof DeliveryView>;

type WithSecret = { readonly webhook: Webhook; readonly secret: string };
type Refused = { readonly reason: 'bad_url' | 'bad_chat' | 'full' | 'not_found'; readonly detail: string };
/** Input for a new webhook. */
type Wanted = Pick<Webhook, 'url' | 'description' | 'format'> & {
  readonly kinds: readonly string[];
  readonly chat_id: string | null;
};

/** An account's webhooks. Those of other accounts are treated as missing. */
export type Webhooks = ReturnType<typeof createWebhooks>;

const MOST_REPLAYED = 1_000;
const REPLAYED_PER_MINUTE = 15;
const NOT_FOUND = { ok: false, reason: 'not_found', detail: 'the account has no webhook of this id' } as const;

export function createWebhooks({
  db,
  random,
  judgeUrl,
  clock,
  aheadMs,
}: {
  readonly db: Database;
  /** Cryptographically secure random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  readonly judgeUrl: JudgeWebhookUrl;
  /** Milliseconds since the epoch, by the system clock. */
  readonly clock: () => number;
  /** Milliseconds by which the service's clock is ahead of the system clock; shown times use the service's clock. */
  readonly aheadMs: number;
}) {
  const known = (accountId: string, id: string) => webhookOfAccount(db, accountId, id);
  const mutes = createMutes(db, random, aheadMs);
  const shown = (row: WebhookRow) => webhookView(row, aheadMs);
  const delivery = (row: MessageRow) => deliveryView(row, aheadMs);
  return {
    async list(accountId: string): Promise<readonly Webhook[]> {
      return (await webhooksOfAccount(db, accountId)).map(shown);
    },
    async get(accountId: string, id: string): Promise<Webhook | null> {
      const row = await known(accountId, id);
      return row && shown(row);
    },
    /** Creates a webhook. The secret is returned only here. `most`: the account's limit of webhooks. */
    async create(
      accountId: string,
      { url, description, kinds, format, chat_id }: Wanted,
      most: number,
    ): Promise<Result<WithSecret, Refused>> {
      const judged = judgeUrl(url);
      if (!judged.ok) return { ok: false, reason: 'bad_url', detail: judged.detail };
      const chat = judgeChat(format, chat_id);
      if (chat !== null) return { ok: false, reason: 'bad_chat', detail: chat };
      const secret = newSecret(random);
      const id = `wh_${Buffer.from(random(12)).toString('hex')}`;
      const webhook = { id, account_id: accountId, url, description, kinds: [...kinds], secret, format, chat_id };
      const row = await insertWebhook(db, webhook, most);
      return row
        ? ok({ webhook: shown(row), secret })
        : { ok: false, reason: 'full', detail: `the account has ${most} webhooks already` };
    },
    async change(accountId: string, id: string, change: WebhookChange): Promise<Result<Webhook, Refused>> {
      const judged = change.url === undefined ? null : judgeUrl(change.url);
      if (judged && !judged.ok) return { ok: false, reason: 'bad_url', detail: judged.detail };
      if (change.format !== undefined || change.chat_id !== undefined) {
        const before = await known(accountId, id);
        if (before === null) return NOT_FOUND;
        if (change.format === 'assay' && before.format !== 'assay' && change.url === undefined)
          return {
            ok: false,
            reason: 'bad_url',
            detail: 'give the url too: that of a chat service is not shown again',
          };
        const chat = judgeChat(
          change.format ?? before.format,
          change.chat_id === undefined ? before.chat_id : change.chat_id,
        );
        if (chat !== null) return { ok: false, reason: 'bad_chat', detail: chat };
      }
      const row = await changeWebhook(db, accountId, id, change);
      return row ? ok(shown(row)) : NOT_FOUND;
    },
    remove: (accountId: string, id: string) => deleteWebhook(db, accountId, id),
    /** Replaces the secret; messages carry signatures by both for `overlapSeconds`. */
    async rotate(accountId: string, id: string, overlapSeconds: number): Promise<WithSecret | null> {
      const secret = newSecret(random);
      const row = await rotateSecret(db, accountId, id, { secret, overlapSeconds });
      return row && { webhook: shown(row), secret };
    },
    async test(accountId: string, id: string): Promise<Delivery | null> {
      const payload = testPayload(TEST_KIND, id, new Date(clock()).toISOString());
      const row = await addTestMessage(db, accountId, id, payload);
      return row && delivery(row);
    },
    /** Newest first. Null if there is no such webhook. */
    async deliveries(
      accountId: string,
      id: string,
      page: Parameters<typeof messagesOf>[2],
    ): Promise<readonly Delivery[] | null> {
      const before = page.before === null ? null : { ...page.before, at: moved(page.before.at, -aheadMs) };
      return (await known(accountId, id)) ? (await messagesOf(db, id, { ...page, before })).map(delivery) : null;
    },
    async replay(accountId: string, id: string, deliveryId: string): Promise<Delivery | null> {
      const row = (await known(accountId, id)) ? await replayMessage(db, id, deliveryId) : null;
      return row && delivery(row);
    },
    /** Sends every alert since a time, oldest first and slowly; `until`: time of the last of them. */
    async replaySince(accountId: string, id: string, since: string) {
      const span = { since, most: MOST_REPLAYED, perMinute: REPLAYED_PER_MINUTE };
      return (await known(accountId, id)) ? replaySince(db, id, span) : null;
    },
    /** Null if there is no such webhook. */
    async mutes(accountId: string, id: string): Promise<readonly Mute[] | null> {
      return (await known(accountId, id)) ? mutes.list(id) : null;
    },
    async mute(accountId: string, id: string, subject: MuteSubject, days: number): Promise<Result<Mute, Refused>> {
      if (!(await known(accountId, id))) return NOT_FOUND;
      const made = await mutes.mute(id, subject, days);
      if (made === 'gone') return NOT_FOUND;
      if (made === 'full') return { ok: false, reason: 'full', detail: 'the webhook has as many mutes as it may have' };
      return ok(made);
    },
    /** False if there is no such webhook or mute. */
    async unmute(accountId: string, id: string, muteId: string): Promise<boolean> {
      return (await known(accountId, id)) !== null && mutes.unmute(id, muteId);
    },
    /** For the link in a message, without a key. */
    offered: mutes.offered,
    muteByLink: mutes.muteByLink,
  };
}

/** Error in the chat of a webhook; null if there is none. */
function judgeChat(format: string, chatId: string | null): string | null {
  if (format === 'telegram') return chatId === null ? 'the format telegram needs the chat to send to' : null;
  return chatId === null ? null : 'only the format telegram has a chat';
}

/** The URL of a chat service is a secret: anyone who has it can post there. */
function shownUrl({ url, format }: WebhookRow): string {
  return format === 'assay' ? url : `${new URL(url).origin}/***`;
}

function webhookView(row: WebhookRow, aheadMs: number): Webhook {
  return {
    id: row.id,
    url: shownUrl(row),
    format: row.format as WebhookFormat,
    chat_id: row.chat_id,
    description: row.description,
    kinds: row.kinds as readonly AlertKind[],
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    created_at: moved(row.created_at, aheadMs),
    previous_secret_until: moved(row.previous_until, aheadMs),
    health: {
      consecutive_failures: row.consecutive_failures,
      failing_since: moved(row.failing_since, aheadMs),
      last_success_at: moved(row.last_success_at, aheadMs),
      last_failure_at: moved(row.last_failure_at, aheadMs),
      last_failure: row.last_failure,
    },
  };
}

function deliveryView(row: MessageRow, aheadMs: number): Delivery {
  return {
    id: row.id,
    type: row.kind,
    alert_id: row.alert_id,
    state: row.state as Delivery['state'],
    digest_id: row.digest_id,
    attempts: row.attempts,
    created_at: moved(row.created_at, aheadMs),
    next_attempt_at: row.state === 'pending' ? moved(row.due_at, aheadMs) : null,
    finished_at: moved(row.finished_at, aheadMs),
    last_status: row.last_status,
    last_detail: row.last_detail,
  };
}

const DELIVER_EVERY_MS = 1_000;
/** Request budget of one endpoint; the outbox limits bursts earlier. */
const BUDGET = { perMinute: 600, burst: 60, concurrency: 8, shareSeconds: 0 };

/**
 * Webhooks for the API, and the deliveries of this process. Signatures, attempts and mutes use the system clock even
 * where ratings have another (a sandbox in the past), because receivers refuse a message whose time is minutes off.
 * Shown times use the clock of the service.
 */
export function openWebhooks({
  config,
  db,
  upstream,
  plans,
  works,
  onError,
}: {
  readonly config: Pick<Config, 'dataMode' | 'webhookLoopback' | 'publicUrl' | 'sandboxClockSeconds'>;
  readonly db: Database;
  readonly upstream: Upstream;
  readonly plans: PlanBook;
  /** False: other processes deliver. */
  readonly works: boolean;
  readonly onError: (error: unknown, what: string) => void;
}): Webhooks & { readonly close: () => Promise<void> } {
  upstream.setBudget(WEBHOOK_LABEL, BUDGET);
  const judgeUrl = createWebhookJudge({ dataMode: config.dataMode, loopback: config.webhookLoopback });
  const paying = plans.plans
    .filter(({ webhooks, scopes }) => webhooks > 0 && (scopes === '*' || scopes.includes('rms:read')))
    .map(({ name }) => name);
  const deliveries = createDeliveries({
    db,
    upstream,
    judgeUrl,
    publicUrl: config.publicUrl,
    clock: Date.now,
    random: Math.random,
    plans: paying,
    thresholdPlans: plans.plans.filter((plan) => plan.webhooks > 0 && servesThresholds(plan)).map(({ name }) => name),
    onError,
  });
  if (works) deliveries.start(DELIVER_EVERY_MS);
  return {
    ...createWebhooks({
      db,
      random: randomBytes,
      judgeUrl,
      clock: Date.now,
      aheadMs: config.sandboxClockSeconds * 1_000,
    }),
    close: deliveries.close,
  };
}
