import { sql, type Transaction } from 'kysely';
import type { Severity } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';

/** An account subscribed to drifting sources. `sources` null: all. */
export interface DriftSubscription {
  readonly accountId: string;
  readonly sources: readonly string[] | null;
  /** Drifts that were reported to the account and are not over for it. */
  readonly open: readonly OpenDrift[];
}

export interface OpenDrift {
  readonly source: string;
  readonly severity: Severity;
  /** RFC 3339. */
  readonly openedAt: string;
}

/** Changes for one account: `severity` null where a drift is over. */
export interface DriftChange {
  readonly accountId: string;
  readonly source: string;
  readonly severity: Severity | null;
}

/** Subscribes an account, or changes its sources; drifts of removed sources are deleted. */
export function subscribeToDrift(
  db: Database,
  { accountId, sources, at }: { readonly accountId: string; readonly sources: readonly string[] | null; at: string },
): Promise<void> {
  const named = sources === null ? null : [...sources];
  return db.transaction().execute(async (transaction) => {
    await sql`insert into drift_subscriptions (account_id, sources, created_at) values (${accountId}, ${named}, ${at})
      on conflict (account_id) do update set sources = excluded.sources`.execute(transaction);
    if (named !== null)
      await sql`delete from drift_alerts_open where account_id = ${accountId} and source <> all(${named}::text[])`.execute(
        transaction,
      );
  });
}

/** False when the account was not subscribed. Its alerts stay. */
export async function unsubscribeFromDrift(db: Database, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('drift_subscriptions')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The subscription of an account; null when it has none. */
export async function driftSubscription(db: Database, accountId: string): Promise<DriftSubscription | null> {
  return (await read(db, sql`where subscription.account_id = ${accountId}`))[0] ?? null;
}

/** All subscriptions, by account. */
export function driftSubscriptions(db: Database): Promise<readonly DriftSubscription[]> {
  return read(db, sql``);
}

/** Locks these subscriptions until the transaction ends, and returns their present state. */
export async function lockDriftSubscriptions(
  transaction: Transaction<Tables>,
  accountIds: readonly string[],
): Promise<readonly DriftSubscription[]> {
  await sql`select 1 from drift_subscriptions where account_id = any(${[...accountIds]}::text[])
    order by account_id for update`.execute(transaction);
  return read(transaction, sql`where subscription.account_id = any(${[...accountIds]}::text[])`);
}

/**
 * Stores which drifts were reported to accounts at `at` (RFC 3339), and which are over. The subscriptions must be
 * locked.
 */
export async function noteDriftAlerts(
  transaction: Transaction<Tables>,
  changes: readonly DriftChange[],
  at: string,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = JSON.stringify(changes.map((row) => ({ ...row, account_id: row.accountId })));
  const given = sql`json_to_recordset(${rows}::json) as given (account_id text, source text, severity text)`;
  await sql`delete from drift_alerts_open told using ${given}
    where told.account_id = given.account_id and told.source = given.source and given.severity is null`.execute(
    transaction,
  );
  await sql`insert into drift_alerts_open (account_id, source, severity, opened_at)
    select given.account_id, given.source, given.severity, ${at} from ${given} where given.severity is not null
    on conflict (account_id, source) do update set severity = excluded.severity`.execute(transaction);
}

async function read(
  db: Database | Transaction<Tables>,
  where: ReturnType<typeof sql>,
): Promise<readonly DriftSubscription[]> {
  const { rows } = await sql<{ account_id: string; sources: string[] | null; open: OpenDrift[] }>`
    select subscription.account_id, subscription.sources, coalesce((
      select json_agg(json_build_object('source', told.source, 'severity', told.severity,
        'openedAt', to_char(told.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by told.source)
      from drift_alerts_open told where told.account_id = subscription.account_id), '[]') as open
    from drift_subscriptions subscription ${where} order by subscription.account_id`.execute(db);
  return rows.map(({ account_id: accountId, sources, open }) => ({ accountId, sources, open }));
}
