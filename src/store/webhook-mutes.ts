import { type Selectable, sql } from 'kysely';
import { type Database, lockByName } from './database.ts';
import type { Tables } from './tables.ts';

/** A mute of a webhook until a time: an asset, a kind, or a kind of alerts about an asset. */
export type MuteRow = Selectable<Tables['webhook_mutes']>;
type NewMute = Pick<MuteRow, 'id' | 'webhook_id' | 'asset_id' | 'kind'>;

/**
 * Mutes for `days` from now. An existing mute keeps the later of both ends. `full` when the webhook has `most` active
 * mutes, `gone` when it was deleted meanwhile.
 */
export function muteWebhook(
  db: Database,
  mute: NewMute,
  days: number,
  most: number,
): Promise<MuteRow | 'full' | 'gone'> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `mutes ${mute.webhook_id}`);
    const { rows: there } = await sql`select from webhooks where id = ${mute.webhook_id} for key share`.execute(
      transaction,
    );
    if (there.length === 0) return 'gone';
    await sql`delete from webhook_mutes where webhook_id = ${mute.webhook_id} and until <= clock_timestamp()`.execute(
      transaction,
    );
    const { rows } = await sql<MuteRow>`
      insert into webhook_mutes (id, webhook_id, asset_id, kind, created_at, until)
      select ${mute.id}, ${mute.webhook_id}, ${mute.asset_id}, ${mute.kind}, clock_timestamp(),
        clock_timestamp() + make_interval(days => ${days})
      where (select count(*) from webhook_mutes where webhook_id = ${mute.webhook_id}
        and not (coalesce(asset_id, '') = coalesce(${mute.asset_id}::text, '')
          and coalesce(kind, '') = coalesce(${mute.kind}::text, ''))) < ${most}
      on conflict (webhook_id, coalesce(asset_id, ''), coalesce(kind, ''))
        do update set until = greatest(webhook_mutes.until, excluded.until)
      returning *`.execute(transaction);
    return rows[0] ?? 'full';
  });
}

/** Active mutes of a webhook, the first to end first. */
export async function mutesOf(db: Database, webhookId: string): Promise<readonly MuteRow[]> {
  return db
    .selectFrom('webhook_mutes')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where(sql<boolean>`until > clock_timestamp()`)
    .orderBy('until')
    .orderBy('id')
    .execute();
}

/** Ends a mute. False when the webhook has none of this id. */
export async function unmuteWebhook(db: Database, webhookId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_mutes')
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The alert of a message, with the secrets that may have signed links in the message. */
export interface MutableMessage {
  readonly webhook_id: string;
  readonly asset_id: string;
  readonly kind: string;
  /** JSON of the alert. */
  readonly body: string;
  readonly secret: string;
  readonly previous_secret: string | null;
}

/** The subject of a message of the last `days`; null for one that is older, has no alert, or does not exist. */
export async function messageToMute(db: Database, messageId: string, days: number): Promise<MutableMessage | null> {
  const { rows } = await sql<MutableMessage>`
    select w.id as webhook_id, a.asset_id, a.kind, a.body, w.secret,
      case when w.previous_until > clock_timestamp() then w.previous_secret end as previous_secret
    from webhook_messages m join webhooks w on w.id = m.webhook_id
    join alerts a on a.account_id = m.account_id and a.id = m.alert_id
    where m.id = ${messageId} and m.created_at > clock_timestamp() - make_interval(days => ${days})`.execute(db);
  return rows[0] ?? null;
}
