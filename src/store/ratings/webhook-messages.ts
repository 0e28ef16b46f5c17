import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import { after, leaseQueue } from '../lease-queue.ts';
import type { Tables } from '../tables.ts';

/**
 * The outbox of webhooks. All times are by the database's clock: one clock for any number of processes, so that a wrong
 * clock of a process cannot delay a message.
 */
export type MessageRow = Selectable<Tables['webhook_messages']>;

export const TEST_KIND = 'webhook.test';
export const DIGEST_KIND = 'alert.digest';
const THRESHOLD_KIND = 'alert.snapshot_threshold';

/** One due message, with the data to send it. */
export interface DueMessage {
  readonly id: string;
  readonly webhook_id: string;
  readonly kind: string;
  /** Number of the attempt, from 1. */
  readonly attempts: number;
  /** End of the lease of this attempt, in full precision. */
  readonly lease_until: string;
  /** Set once it was built: every attempt sends the same bytes. */
  readonly payload: string | null;
  readonly url: string;
  /** Format of the body: `assay`, `slack`, `discord` or `telegram`. */
  readonly format: string;
  /** Chat id of Telegram; null for other formats. */
  readonly chat_id: string | null;
  readonly secret: string;
  /** Old secret during the overlap after a rotation; null when there is none. */
  readonly previous_secret: string | null;
  readonly created_at: string;
  /** JSON of the row; null for a digest or a test. */
  readonly alert: Tables['alerts'] | null;
}

/** The end of a lease identifies it: a replay counts attempts from the start again while an earlier attempt runs. */
const messages = leaseQueue({
  table: 'webhook_messages',
  key: ['id'],
  lease: 'lease_until',
  holder: 'lease_until',
  open: sql`t.state = 'pending'`,
});

/**
 * Takes due messages for this process, the longest due first and at most `perWebhook` of each webhook, under leases:
 * those of a process that dies become free. Excludes `busy` webhooks, and during a burst single messages that no
 * process has attempted yet.
 */
export async function takeMessages(
  db: Database,
  options: {
    readonly limit: number;
    readonly perWebhook: number;
    readonly busy: readonly string[];
    readonly leaseSeconds: number;
    readonly stormOver: number;
    /** An account needs a key of one of these plans with the right to read ratings. */
    readonly plans: readonly string[];
    /**
     * For alerts of thresholds, digests and tests a key of one of these plans with the right to read chain data is
     * sufficient, and such alerts require one.
     */
    readonly thresholdPlans: readonly string[];
  },
): Promise<readonly DueMessage[]> {
  const { rows } = await messages
    .take<DueMessage>({
      where: sql`t.state = 'pending' and t.due_at <= clock_timestamp() and t.webhook_id <> all(${[...options.busy]}::text[])
        and (t.alert_id is null or t.lease_until is not null or t.webhook_id not in (${storms(options.stormOver)}))
        and exists (select 1 from webhooks w where w.id = t.webhook_id and (w.enabled or t.kind = ${TEST_KIND}))
        and ${mayBeSent(sql`t`, options)}
        and (select count(*) from webhook_messages earlier where earlier.webhook_id = t.webhook_id
          and earlier.state = 'pending' and (earlier.due_at, earlier.id) < (t.due_at, t.id)
          and (earlier.lease_until is null or earlier.lease_until <= clock_timestamp())
          and ${mayBeSent(sql`earlier`, options)}) < ${options.perWebhook}`,
      order: sql`t.due_at, t.id`,
      limit: options.limit,
      leaseSeconds: options.leaseSeconds,
      set: { attempts: sql`t.attempts + 1` },
      select: sql`t.id, t.webhook_id, t.kind, t.attempts, t.lease_until::text as lease_until, t.payload, t.created_at, w.url, w.format, w.chat_id, w.secret,
        case when w.previous_until > clock_timestamp() then w.previous_secret end as previous_secret,
        (select to_jsonb(a) from alerts a where a.account_id = t.account_id and a.id = t.alert_id) as alert
        from taken t join webhooks w on w.id = t.webhook_id`,
    })
    .execute(db);
  return rows;
}

/**
 * Whether the account of a message has a key for it. A message without one waits, and must not hold up others of its
 * webhook.
 */
function mayBeSent(
  message: RawBuilder<unknown>,
  { plans, thresholdPlans }: { readonly plans: readonly string[]; readonly thresholdPlans: readonly string[] },
) {
  return sql`exists (select 1 from api_keys k where k.account_id = ${message}.account_id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > clock_timestamp())
    and ((${message}.kind <> ${THRESHOLD_KIND} and k.plan = any(${[...plans]}::text[]) and k.scopes && '{rms:read,admin}')
      or (${message}.kind in (${THRESHOLD_KIND}, ${DIGEST_KIND}, ${TEST_KIND})
        and k.plan = any(${[...thresholdPlans]}::text[]) and k.scopes && '{chain:read,admin}')))`;
}

/** Stores the bytes of a message, so that every attempt sends the same. */
export async function keepPayload(db: Database, id: string, payload: string): Promise<void> {
  await db.updateTable('webhook_messages').set({ payload }).where('id', '=', id).execute();
}

/** Outcome of an attempt. */
export type AttemptOutcome =
  | { readonly state: 'delivered'; readonly status: number }
  | { readonly state: 'failed'; readonly status: number | null; readonly detail: string }
  /**
   * Another attempt follows; `counts` is false when this one never reached the endpoint, or was stopped. A stopped
   * attempt may have arrived: its expired lease stays, like that of a process that died (`foldStorms`).
   */
  | {
      readonly state: 'pending';
      readonly status: number | null;
      readonly detail: string;
      readonly inSeconds: number;
      readonly counts: boolean;
      readonly wasStopped: boolean;
    };

/** Stores the outcome of an attempt, unless another one was made since: its lease expired, or it was replayed. */
export async function endAttempt(
  db: Database,
  { id, lease_until }: Pick<DueMessage, 'id' | 'lease_until'>,
  outcome: AttemptOutcome,
): Promise<void> {
  const set = {
    state: outcome.state,
    last_status: outcome.status,
    last_detail: outcome.state === 'delivered' ? null : outcome.detail,
  };
  const also =
    outcome.state === 'pending'
      ? {
          due_at: after(outcome.inSeconds),
          ...(outcome.counts ? {} : { attempts: sql`t.attempts - 1` }),
          ...(outcome.wasStopped ? { lease_until: after(0) } : {}),
        }
      : { finished_at: after(0) };
  await messages.end([{ id, lease_until, set }], also).execute(db);
}

/** Adds a message without an alert to the outbox; null when the account has no such webhook. */
export async function addTestMessage(
  db: Database,
  accountId: string,
  webhookId: string,
  payload: string,
): Promise<MessageRow | null> {
  const { rows } = await sql<MessageRow>`
    insert into webhook_messages (id, webhook_id, account_id, kind, payload, created_at, state, due_at)
    select 'msg_' || replace(gen_random_uuid()::text, '-', ''), id, account_id, ${TEST_KIND}, ${payload},
      clock_timestamp(), 'pending', clock_timestamp()
    from webhooks where id = ${webhookId} and account_id = ${accountId} for key share returning *`.execute(db);
  return rows[0] ?? null;
}

/** A webhook's messages, newest first, after the cursor. */
export async function messagesOf(
  db: Database,
  webhookId: string,
  page: { readonly state: string | null; readonly before: { at: string; id: string } | null; readonly limit: number },
): Promise<readonly MessageRow[]> {
  let query = db.selectFrom('webhook_messages').selectAll().where('webhook_id', '=', webhookId);
  if (page.state !== null) query = query.where('state', '=', page.state);
  const { before } = page;
  // The id orders messages of the same time, since times are shown in milliseconds.
  if (before)
    query = query.where(sql<boolean>`(date_trunc('milliseconds', created_at), id) < (${before.at}, ${before.id})`);
  return query
    .orderBy(sql`date_trunc('milliseconds', created_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** Sends one message again, with its id and its bytes. Null when the webhook has no such message. */
export async function replayMessage(db: Database, webhookId: string, id: string): Promise<MessageRow | null> {
  const row = await db
    .updateTable('webhook_messages')
    .set({ ...AGAIN, due_at: sql<string>`clock_timestamp()` })
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

const AGAIN = { state: 'pending', attempts: 0, digest_id: null, lease_until: null, finished_at: null } as const;

/**
 * Sends every alert since a time again, including those for which no message was created while the webhook was switched
 * off: the oldest `most` first, `perMinute` per minute to avoid a burst. Returns the number, and the time of the last.
 */
export async function replaySince(
  db: Database,
  webhookId: string,
  options: { readonly since: string; readonly most: number; readonly perMinute: number },
): Promise<{ readonly messages: number; readonly until: string | null }> {
  const { rows } = await sql<{ messages: number; until: string | null }>`
    with hook as materialized (
      select account_id, kinds from webhooks where id = ${webhookId} for key share
    ), wanted as (
      select a.account_id, a.id, a.kind, a.created_at, row_number() over (order by a.id) - 1 as place
      from alerts a join hook on hook.account_id = a.account_id and a.kind = any(hook.kinds)
      where a.created_at >= ${options.since}
      order by a.id limit ${options.most}
    ), sent as (
      insert into webhook_messages (id, webhook_id, account_id, alert_id, kind, created_at, state, due_at)
      select 'msg_' || replace(gen_random_uuid()::text, '-', ''), ${webhookId}, account_id, id, 'alert.' || kind,
        clock_timestamp() - interval '1 minute', 'pending',
        clock_timestamp() + make_interval(mins => (place / ${options.perMinute})::int) from wanted
      on conflict (webhook_id, alert_id) do update set state = 'pending', attempts = 0, digest_id = null,
        lease_until = null, finished_at = null, due_at = excluded.due_at
      returning 1
    )
    select (select count(*) from sent) as messages, (select max(created_at) from wanted) as until`.execute(db);
  return rows[0] ?? { messages: 0, until: null };
}

/** Deletes messages created more than `days` ago; a running replay of them is completed first. */
export async function pruneMessages(db: Database, days: number): Promise<void> {
  await sql`delete from webhook_messages where created_at < clock_timestamp() - make_interval(days => ${days})
    and (state <> 'pending' or due_at < clock_timestamp() - interval '1 day')`.execute(db);
}

/** Messages that count towards a burst: single alerts, not digests. */
const single = sql`m.alert_id is not null`;
/** Webhooks with more than `most` messages that are due or were created within the last minute. */
export const storms = (most: number) => sql`select m.webhook_id from webhook_messages m
  where ${single} and (m.created_at > clock_timestamp() - interval '1 minute'
    or (m.state = 'pending' and m.due_at <= clock_timestamp()))
  group by m.webhook_id having count(*) > ${most}`;

/**
 * Folds the due messages of webhooks with a burst into one digest each, which is sent `collectSeconds` later and
 * includes messages due until then. A message whose lease expired may have arrived: it is sent again under its own id,
 * by which the receiver recognises it. Returns the number folded.
 */
export async function foldStorms(
  db: Database,
  { most, collectSeconds }: { readonly most: number; readonly collectSeconds: number },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; account_id: string }>`
      select w.id, w.account_id from webhooks w where w.enabled and w.id in (${storms(most)})
        and exists (select 1 from webhook_messages m where ${single} and m.webhook_id = w.id and m.state = 'pending'
          and m.due_at <= clock_timestamp() and m.lease_until is null)
      order by w.id for no key update of w skip locked limit 100`.execute(transaction);
    let folded = 0;
    for (const { id, account_id } of rows) {
      const open = await sql<{ id: string }>`
        select id from webhook_messages where webhook_id = ${id} and kind = ${DIGEST_KIND} and state = 'pending'
          and payload is null and attempts = 0 and due_at > clock_timestamp() limit 1 for update`.execute(transaction);
      const digest =
        open.rows[0] ??
        (
          await sql<{ id: string }>`
            insert into webhook_messages (id, webhook_id, account_id, kind, created_at, state, due_at)
            values ('msg_' || replace(gen_random_uuid()::text, '-', ''), ${id}, ${account_id}, ${DIGEST_KIND},
              clock_timestamp(), 'pending', clock_timestamp() + make_interval(secs => ${collectSeconds}))
            returning id`.execute(transaction)
        ).rows[0];
      const { numAffectedRows } = await sql`
        update webhook_messages set state = 'folded', digest_id = ${digest?.id ?? null}, lease_until = null,
          finished_at = clock_timestamp()
        where id in (select m.id from webhook_messages m where ${single} and m.webhook_id = ${id}
          and m.state = 'pending' and m.due_at <= clock_timestamp() and m.lease_until is null
          for update skip locked)`.execute(transaction);
      folded += Number(numAffectedRows ?? 0);
    }
    return folded;
  });
}

/** Content of a digest. */
export interface Folded {
  readonly id: number;
  readonly kind: string;
  readonly severity: string;
  readonly created_at: string;
}

/** The alerts of a digest, by number. */
export async function foldedInto(db: Database, digestId: string): Promise<readonly Folded[]> {
  const { rows } = await sql<Folded>`
    select a.id, a.kind, a.severity, a.created_at from webhook_messages m
    join alerts a on a.account_id = m.account_id and a.id = m.alert_id
    where m.digest_id = ${digestId} order by a.id`.execute(db);
  return rows;
}
