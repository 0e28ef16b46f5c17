import { randomBytes } from 'node:crypto';
import type { PlanBook } from '../access/index.ts';
import type { Config } from '../config/index.ts';
import type { AlertKind, DeliveryView, Reply, WebhookView } from '../contract/index.ts';
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
import { newSecret, testPayload } from './payload.ts';

/** A webhook as its account sees it: never the secret. */
export type Webhook = Omit<Reply<typeof WebhookView>, 'data_mode'>;
/** A message to an endpoint, and what became of it. */
export type Delivery = Reply<typeof DeliveryView>;

type Refused = { readonly reason: 'bad_url' | 'full' | 'not_found'; readonly detail: string };

/** An account's webhooks. What is another's is not there. */
export interface Webhooks {
  list(accountId: string): Promise<readonly Webhook[]>;
  get(accountId: string, id: string): Promise<Webhook | null>;
  /** The secret is returned here and never again. `most`: how many the account may have. */
  create(
    accountId: string,
    settings: { readonly url: string; readonly description: string | null; readonly kinds: readonly string[] },
    most: number,
  ): Promise<Result<{ readonly webhook: Webhook; readonly secret: string }, Refused>>;
  change(accountId: string, id: string, change: WebhookChange): Promise<Result<Webhook, Refused>>;
  remove(accountId: string, id: string): Promise<boolean>;
  /** A new secret; messages carry signatures by both for `overlapSeconds`. */
  rotate(
    accountId: string,
    id: string,
    overlapSeconds: number,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string } | null>;
  test(accountId: string, id: string): Promise<Delivery | null>;
  /** Newest first. Null when there is no such webhook. */
  deliveries(
    accountId: string,
    id: string,
    page: { readonly state: string | null; readonly before: { at: string; id: string } | null; readonly limit: number },
  ): Promise<readonly Delivery[] | null>;
  replay(accountId: string, id: string, deliveryId: string): Promise<Delivery | null>;
  /** Every alert since a time, oldest first and slowly; `until`: the last of them was made then. */
  replaySince(
    accountId: string,
    id: string,
    since: string,
  ): Promise<{ readonly messages: number; readonly until: string | null } | null>;
}

const MOST_REPLAYED = 1_000;
const REPLAYED_PER_MINUTE = 15;
const NOT_FOUND = { ok: false, reason: 'not_found', detail: 'the account has no webhook of this id' } as const;

export function createWebhooks({
  db,
  random,
  judgeUrl,
  clock,
}: {
  readonly db: Database;
  /** Secure bytes. */
  readonly random: (bytes: number) => Uint8Array;
  readonly judgeUrl: JudgeWebhookUrl;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}): Webhooks {
  const known = (accountId: string, id: string) => webhookOfAccount(db, accountId, id);
  return {
    async list(accountId) {
      return (await webhooksOfAccount(db, accountId)).map(shown);
    },
    async get(accountId, id) {
      const row = await known(accountId, id);
      return row && shown(row);
    },
    async create(accountId, { url, description, kinds }, most) {
      const judged = judgeUrl(url);
      if (!judged.ok) return { ok: false, reason: 'bad_url', detail: judged.detail };
      const secret = newSecret(random);
      const id = `wh_${Buffer.from(random(12)).toString('hex')}`;
      const webhook = { id, account_id: accountId, url, description, kinds: [...kinds], secret };
      const row = await insertWebhook(db, webhook, most);
      return row
        ? ok({ webhook: shown(row), secret })
        : { ok: false, reason: 'full', detail: `the account has ${most} webhooks already` };
    },
    async change(accountId, id, change) {
      const judged = change.url === undefined ? null : judgeUrl(change.url);
      if (judged && !judged.ok) return { ok: false, reason: 'bad_url', detail: judged.detail };
      const row = await changeWebhook(db, accountId, id, change);
      return row ? ok(shown(row)) : NOT_FOUND;
    },
    remove: (accountId, id) => deleteWebhook(db, accountId, id),
    async rotate(accountId, id, overlapSeconds) {
      const secret = newSecret(random);
      const row = await rotateSecret(db, accountId, id, { secret, overlapSeconds });
      return row && { webhook: shown(row), secret };
    },
    async test(accountId, id) {
      const payload = testPayload(TEST_KIND, id, new Date(clock()).toISOString());
      const row = await addTestMessage(db, accountId, id, payload);
      return row && delivery(row);
    },
    async deliveries(accountId, id, page) {
      return (await known(accountId, id)) ? (await messagesOf(db, id, page)).map(delivery) : null;
    },
    async replay(accountId, id, deliveryId) {
      const row = (await known(accountId, id)) ? await replayMessage(db, id, deliveryId) : null;
      return row && delivery(row);
    },
    async replaySince(accountId, id, since) {
      const span = { since, most: MOST_REPLAYED, perMinute: REPLAYED_PER_MINUTE };
      return (await known(accountId, id)) ? replaySince(db, id, span) : null;
    },
  };
}

function shown(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    kinds: row.kinds as readonly AlertKind[],
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    created_at: row.created_at,
    previous_secret_until: row.previous_until,
    health: {
      consecutive_failures: row.consecutive_failures,
      failing_since: row.failing_since,
      last_success_at: row.last_success_at,
      last_failure_at: row.last_failure_at,
      last_failure: row.last_failure,
    },
  };
}

function delivery(row: MessageRow): Delivery {
  return {
    id: row.id,
    type: row.kind,
    alert_id: row.alert_id,
    state: row.state as Delivery['state'],
    digest_id: row.digest_id,
    attempts: row.attempts,
    created_at: row.created_at,
    next_attempt_at: row.state === 'pending' ? row.due_at : null,
    finished_at: row.finished_at,
    last_status: row.last_status,
    last_detail: row.last_detail,
  };
}

const DELIVER_EVERY_MS = 1_000;
/** Of one endpoint: the outbox holds storms back long before. */
const BUDGET = { perMinute: 600, burst: 60, concurrency: 8, shareSeconds: 0 };

/**
 * Webhooks, as the API serves them, and the deliveries that go out from this process. By the real clock, also where
 * ratings are dated by another: receivers refuse a message whose time is minutes off.
 */
export function openWebhooks({
  config,
  db,
  upstream,
  plans,
  works,
  onError,
}: {
  readonly config: Pick<Config, 'dataMode' | 'webhookLoopback'>;
  readonly db: Database;
  readonly upstream: Upstream;
  readonly plans: PlanBook;
  /** False: others deliver. */
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
    clock: Date.now,
    random: Math.random,
    plans: paying,
    onError,
  });
  if (works) deliveries.start(DELIVER_EVERY_MS);
  return {
    ...createWebhooks({ db, random: randomBytes, judgeUrl, clock: Date.now }),
    close: deliveries.close,
  };
}
