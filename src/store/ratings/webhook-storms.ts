import { sql } from 'kysely';
import type { Database } from '../database.ts';

export const DIGEST_KIND = 'alert.digest';

/** What counts towards a storm: single alerts, not the digests they become. */
const single = sql`m.alert_id is not null`;
/** Webhooks with more than `most` messages that are due or were made within the last minute. */
export const storms = (most: number) => sql`select m.webhook_id from webhook_messages m
  where ${single} and (m.created_at > clock_timestamp() - interval '1 minute'
    or (m.state = 'pending' and m.due_at <= clock_timestamp()))
  group by m.webhook_id having count(*) > ${most}`;

/**
 * Folds the due messages of webhooks in a storm into one digest each, which goes out `collectSeconds` later and takes up
 * what falls due until then. Returns how many were folded.
 */
export async function foldStorms(
  db: Database,
  { most, collectSeconds }: { readonly most: number; readonly collectSeconds: number },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; account_id: string }>`
      select w.id, w.account_id from webhooks w where w.enabled and w.id in (${storms(most)})
        and exists (select 1 from webhook_messages m where ${single} and m.webhook_id = w.id and m.state = 'pending'
          and m.due_at <= clock_timestamp() and (m.lease_until is null or m.lease_until <= clock_timestamp()))
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
          and m.state = 'pending' and m.due_at <= clock_timestamp()
          and (m.lease_until is null or m.lease_until <= clock_timestamp()) for update skip locked)`.execute(
        transaction,
      );
      folded += Number(numAffectedRows ?? 0);
    }
    return folded;
  });
}

/** What a digest is about. */
export interface Folded {
  readonly id: number;
  readonly kind: string;
  readonly severity: string;
  readonly created_at: string;
}

/** The alerts folded into a digest, in the order of their numbers. */
export async function foldedInto(db: Database, digestId: string): Promise<readonly Folded[]> {
  const { rows } = await sql<Folded>`
    select a.id, a.kind, a.severity, a.created_at from webhook_messages m
    join alerts a on a.account_id = m.account_id and a.id = m.alert_id
    where m.digest_id = ${digestId} order by a.id`.execute(db);
  return rows;
}
