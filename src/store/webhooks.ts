import { type Selectable, sql, type UpdateObject } from 'kysely';
import { type Database, lockByName } from './database.ts';
import { TEST_KIND } from './ratings/webhook-messages.ts';
import type { Tables } from './tables.ts';

export type WebhookRow = Selectable<Tables['webhooks']>;
type NewWebhook = Pick<
  WebhookRow,
  'id' | 'account_id' | 'url' | 'description' | 'kinds' | 'secret' | 'format' | 'chat_id'
>;

/** Adds a webhook; null when the account has `most` already. */
export function insertWebhook(db: Database, webhook: NewWebhook, most: number): Promise<WebhookRow | null> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `webhooks ${webhook.account_id}`);
    const { count } = await transaction
      .selectFrom('webhooks')
      .select((has) => has.fn.countAll<number>().as('count'))
      .where('account_id', '=', webhook.account_id)
      .executeTakeFirstOrThrow();
    if (count >= most) return null;
    return transaction
      .insertInto('webhooks')
      .values({ ...webhook, enabled: true, created_at: sql<string>`clock_timestamp()` })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** An account's webhooks, oldest first. */
export function webhooksOfAccount(db: Database, accountId: string): Promise<readonly WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** One webhook of an account; null when it has none of this id. */
export async function webhookOfAccount(db: Database, accountId: string, id: string): Promise<WebhookRow | null> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Fields that an account may change; absent ones stay. */
export type WebhookChange = Partial<
  Pick<WebhookRow, 'url' | 'description' | 'kinds' | 'enabled' | 'format' | 'chat_id'>
>;

/**
 * Changes a webhook; when it is switched on again or gets another address, its failures are reset. Null when the account
 * has none of this id.
 */
export async function changeWebhook(
  db: Database,
  accountId: string,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow | null> {
  const { url, enabled } = change;
  const health =
    enabled !== undefined
      ? { disabled_reason: enabled ? null : 'by_request', consecutive_failures: 0, failing_since: null }
      : url !== undefined
        ? {
            consecutive_failures: sql<number>`case when url = ${url} then consecutive_failures else 0 end`,
            failing_since: sql<string | null>`case when url = ${url} then failing_since end`,
          }
        : {};
  const row = await updateWebhook(db, accountId, id, { id, ...change, ...health });
  if (row && !row.enabled) await giveUpPending(db, id);
  return row;
}

async function updateWebhook(
  db: Database,
  accountId: string,
  id: string,
  change: UpdateObject<Tables, 'webhooks'>,
): Promise<WebhookRow | null> {
  const row = await db
    .updateTable('webhooks')
    .set(change)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Messages of a webhook that is switched off are only sent by a replay, to avoid a burst when it is switched on. */
async function giveUpPending(db: Database, webhookId: string): Promise<void> {
  await db
    .updateTable('webhook_messages')
    .set({ state: 'failed', last_detail: 'the webhook was switched off', finished_at: sql<string>`clock_timestamp()` })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .where('kind', '<>', TEST_KIND)
    // A running attempt stores its own outcome.
    .where(sql<boolean>`(lease_until is null or lease_until <= clock_timestamp())`)
    .execute();
}

/** Replaces the secret; the old one also signs for `overlapSeconds` more. Null when the account has no such webhook. */
export function rotateSecret(
  db: Database,
  accountId: string,
  id: string,
  { secret, overlapSeconds }: { readonly secret: string; readonly overlapSeconds: number },
): Promise<WebhookRow | null> {
  return updateWebhook(db, accountId, id, {
    secret,
    previous_secret: sql`case when ${overlapSeconds} > 0 then secret end`,
    previous_until: sql`case when ${overlapSeconds} > 0
      then clock_timestamp() + make_interval(secs => ${overlapSeconds}) end`,
  });
}

/** Removes a webhook with its messages. False when the account had none of this id. */
export async function deleteWebhook(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Records that an endpoint accepted a message. */
export async function noteSuccess(db: Database, id: string): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ consecutive_failures: 0, failing_since: null, last_success_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/**
 * Records that an endpoint failed. It is switched off when it is `gone`, or when it failed for `disableAfterDays`
 * without accepting a message. Where nothing failed for `forgottenAfterDays`, the failures begin anew: nothing was sent
 * in between, so that nothing is known about the endpoint of that time.
 */
export async function noteFailure(
  db: Database,
  id: string,
  failure: {
    readonly detail: string;
    readonly gone: boolean;
    readonly disableAfterDays: number;
    readonly forgottenAfterDays: number;
  },
): Promise<void> {
  const since = sql<string | null>`case when last_failure_at is null
    or last_failure_at >= clock_timestamp() - make_interval(days => ${failure.forgottenAfterDays}) then failing_since end`;
  const failing = sql<boolean>`${since} < clock_timestamp() - make_interval(days => ${failure.disableAfterDays})`;
  const row = await db
    .updateTable('webhooks')
    .set({
      consecutive_failures: sql<number>`consecutive_failures + 1`,
      failing_since: sql<string>`coalesce(${since}, clock_timestamp())`,
      last_failure_at: sql<string>`clock_timestamp()`,
      last_failure: failure.detail,
      enabled: sql<boolean>`enabled and not ${failure.gone}::boolean and not coalesce(${failing}, false)`,
      disabled_reason: sql<string | null>`case when not enabled then disabled_reason
        when ${failure.gone}::boolean then 'gone' when ${failing} then 'failing' end`,
    })
    .where('id', '=', id)
    .returning('enabled')
    .executeTakeFirst();
  if (row && !row.enabled) await giveUpPending(db, id);
}
