import { once } from 'node:events';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { type Database, pause } from '../database.ts';
import { createListeners } from '../listening.ts';
import type { Tables } from '../tables.ts';

/** Channel of notifications about alerts; the payload is one account's id per line. */
export const ALERTS_CHANNEL = 'assay_alerts';

/** An alert as stored. `body` is JSON: title and details. */
export type AlertRow = Tables['alerts'];
type NewAlert = Omit<AlertRow, 'id' | 'acknowledged_at' | 'acknowledged_by'>;

/** PostgreSQL limits a notification to less than 8,000 bytes; an account's id is far below 100. */
const ACCOUNTS_PER_NOTICE = 70;

/**
 * Stores alerts, numbers them within their accounts, creates one webhook message for each enabled webhook that
 * subscribes to the kind and has not muted it or its asset, and notifies readers at commit. A cause that already has
 * its alert creates none. Four statements for any number of accounts; accounts are locked in the order of their ids, so
 * that two ratings cannot deadlock. A webhook that is being deleted is waited for: a message for it would fail the
 * transaction. Returns the number of new ones.
 */
export async function insertAlerts(transaction: Transaction<Tables>, alerts: readonly NewAlert[]): Promise<number> {
  if (alerts.length === 0) return 0;
  const accounts = [...new Set(alerts.map((alert) => alert.account_id))].sort();
  await sql`insert into alert_numbers (account_id, last_id)
    select account, 0 from unnest(${accounts}::text[]) account order by account collate "C" on conflict do nothing`.execute(
    transaction,
  );
  await sql`select 1 from alert_numbers where account_id = any(${accounts}::text[])
    order by account_id for update`.execute(transaction);
  const { rows } = await sql<{ account_id: string }>`
    with given as (
      select given.* from rows from (json_to_recordset(${JSON.stringify(alerts)}::json) as (
        account_id text, asset_id text, kind text, cause text, severity text, created_at timestamptz, body text
      )) with ordinality as given
    ), fresh as (
      select given.*, row_number() over (partition by account_id order by ordinality) as place from given
      where not exists (select 1 from alerts old where old.account_id = given.account_id
        and old.asset_id = given.asset_id and old.cause = given.cause)
    ), counted as (
      update alert_numbers numbers set last_id = numbers.last_id + added.count
      from (select account_id, count(*) from fresh group by account_id) added
      where added.account_id = numbers.account_id
      returning numbers.account_id, numbers.last_id - added.count as before
    ), stored as (
      insert into alerts (id, account_id, asset_id, kind, cause, severity, created_at, body)
      select counted.before + place, account_id, asset_id, kind, cause, severity, created_at, body
      from fresh join counted using (account_id)
      returning id, account_id, asset_id, kind, created_at
    ), hooks as materialized (
      select id, account_id, kinds from webhooks where account_id = any(${accounts}::text[]) and enabled
      order by id for key share
    ), messages as (
      insert into webhook_messages (id, webhook_id, account_id, alert_id, kind, created_at, state, due_at)
      select 'msg_' || replace(gen_random_uuid()::text, '-', ''), hooks.id, stored.account_id, stored.id,
        'alert.' || stored.kind, clock_timestamp(), 'pending', clock_timestamp()
      from stored join hooks on hooks.account_id = stored.account_id
      where stored.kind = any(hooks.kinds)
        and not exists (select 1 from webhook_mutes mute where mute.webhook_id = hooks.id
          and mute.until > clock_timestamp() and coalesce(mute.asset_id, stored.asset_id) = stored.asset_id
          and coalesce(mute.kind, stored.kind) = stored.kind)
    )
    select account_id from stored`.execute(transaction);
  const told = [...new Set(rows.map((row) => row.account_id))];
  const payloads = Array.from({ length: Math.ceil(told.length / ACCOUNTS_PER_NOTICE) }, (_, page) =>
    told.slice(page * ACCOUNTS_PER_NOTICE, (page + 1) * ACCOUNTS_PER_NOTICE).join('\n'),
  );
  if (payloads.length > 0)
    await sql`select pg_notify(${ALERTS_CHANNEL}, payload) from unnest(${payloads}::text[]) payload`.execute(
      transaction,
    );
  return rows.length;
}

/** The assets with an unacknowledged alert created at or after `since` (RFC 3339). */
export async function withOpenAlerts(
  transaction: Transaction<Tables>,
  assetIds: readonly string[],
  since: string,
): Promise<ReadonlySet<string>> {
  // One alert of each asset is sufficient, however many accounts watch it.
  const { rows } = await sql<{ asset_id: string }>`
    select given.asset_id from unnest(${[...assetIds]}::text[]) given (asset_id)
    where exists (select 1 from alerts where alerts.asset_id = given.asset_id
      and created_at >= ${since} and acknowledged_at is null)`.execute(transaction);
  return new Set(rows.map((row) => row.asset_id));
}

/** Filter of an account's alerts; null: no filter. */
export interface AlertFilter {
  readonly kind: string | null;
  readonly assetId: string | null;
  readonly acknowledged: boolean | null;
  /** RFC 3339, included. */
  readonly since: string | null;
}

/** An account's alerts, newest first, below the number `before`. */
export async function alertsOfAccount(
  db: Database,
  accountId: string,
  filter: AlertFilter,
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly AlertRow[]> {
  let query = db.selectFrom('alerts').selectAll().where('account_id', '=', accountId);
  if (filter.kind !== null) query = query.where('kind', '=', filter.kind);
  if (filter.assetId !== null) query = query.where('asset_id', '=', filter.assetId);
  if (filter.acknowledged !== null) query = query.where('acknowledged_at', filter.acknowledged ? 'is not' : 'is', null);
  if (filter.since !== null) query = query.where('created_at', '>=', filter.since);
  if (page.before !== null) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/** An account's alerts after a number, oldest first, for streams. */
export function alertsAfter(db: Database, accountId: string, after: number, limit: number): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The number of an account's newest alert; 0 when there is none. */
export async function lastAlertNumber(db: Database, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('alert_numbers')
    .select('last_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.last_id ?? 0;
}

/** The number of each account's newest alert. */
export async function newestNumbers(db: Database): Promise<Record<string, number>> {
  const rows = await db.selectFrom('alert_numbers').selectAll().execute();
  return Object.fromEntries(rows.map(({ account_id, last_id }) => [account_id, last_id]));
}

/** Alerts of all accounts, or of one, after each one's number in `seen`; in order within each account. */
export async function alertsOfAll(
  db: Database,
  accountId: string | null,
  seen: Readonly<Record<string, number>>,
  limit: number,
): Promise<readonly AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select fresh.* from alert_numbers numbers
    cross join lateral (select coalesce((${JSON.stringify(seen)}::jsonb ->> numbers.account_id)::bigint, 0) as id) seen
    cross join lateral (
      select * from alerts where alerts.account_id = numbers.account_id and alerts.id > seen.id
      order by alerts.id limit ${limit}
    ) fresh
    where numbers.last_id > seen.id and (${accountId}::text is null or numbers.account_id = ${accountId})
    order by fresh.account_id, fresh.id limit ${limit}`.execute(db);
  return rows;
}

/** Acknowledges an alert; idempotent. Null when the account has no such alert (of the kind, when one is given). */
export async function acknowledgeAlert(
  db: Database,
  alert: { readonly accountId: string; readonly id: number; readonly kind?: string | null },
  by: { readonly keyId: string; readonly at: string },
): Promise<AlertRow | null> {
  const row = await db
    .updateTable('alerts')
    .set({
      acknowledged_at: sql<string>`coalesce(acknowledged_at, ${by.at}::timestamptz)`,
      acknowledged_by: sql<string>`coalesce(acknowledged_by, ${by.keyId})`,
    })
    .where('account_id', '=', alert.accountId)
    .where('id', '=', alert.id)
    .$if(alert.kind != null, (query) => query.where('kind', '=', alert.kind ?? ''))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export interface AlertListener {
  /** Called with the id of each account that has a new alert. Returns a function that unsubscribes. */
  onAlert(listener: (accountId: string) => void): () => void;
  /**
   * Takes a lock that one process at a time can hold, until it is released, or its process or connection ends. Null
   * without a connection, when the state is not known. A process must not take a lock that it holds.
   */
  tryLock(name: string): Promise<boolean | null>;
  unlock(name: string): Promise<void>;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;

/**
 * One connection that listens for alerts and reconnects when it is lost. Notifications in between are missed: readers
 * also poll the store.
 */
export function listenForAlerts(url: string, onError: (error: unknown) => void): AlertListener {
  const { tell, add } = createListeners<string>(onError);
  const locks = new Set<string>();
  const stop = new AbortController();
  let connected: { readonly client: pg.Client; readonly breakOff: () => void } | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const done = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await session().catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error);
      });
      await pause(RECONNECT_MS, stop.signal);
    }
  }

  async function session(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assay-alert-listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ channel, payload }) => {
      if (channel !== ALERTS_CHANNEL) return;
      for (const accountId of (payload ?? '').split('\n')) tell(accountId);
    });
    try {
      await client.connect();
      await client.query(`listen ${ALERTS_CHANNEL}`);
      // The locks ended with the previous connection; a lock that another process has taken meanwhile exceeds the limit
      // until it is released.
      for (const name of locks) await tryLockOn(client, name);
      connected = { client, breakOff: () => lost.abort() };
      const over = AbortSignal.any([stop.signal, lost.signal]);
      if (!over.aborted) await once(over, 'abort');
    } finally {
      connected = null;
      // A half-open connection does not end by itself, so it is not awaited.
      await Promise.race([client.end().catch(() => undefined), pause(RECONNECT_MS)]);
    }
  }

  /** Null without a connection; one that does not reply is closed, which releases its locks. */
  async function onConnection<T>(ask: (client: pg.Client) => Promise<T>): Promise<T | null> {
    const asked = connected;
    if (asked === null) return null;
    return ask(asked.client).catch(() => {
      asked.breakOff();
      return null;
    });
  }

  /** A connection runs one query at a time. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = turn.then(ask);
    turn = asked.catch(() => undefined);
    return asked;
  }

  return {
    onAlert: add,
    tryLock: (name) =>
      inTurn(async () => {
        const taken = await onConnection((client) => tryLockOn(client, name));
        if (taken !== false) locks.add(name);
        return taken;
      }),
    unlock: (name) =>
      inTurn(async () => {
        locks.delete(name);
        await onConnection((client) => client.query(`select pg_advisory_unlock(${LOCK_KEY})`, [name]));
      }),
    async close() {
      stop.abort();
      await done;
    },
  };
}

const LOCK_KEY = 'hashtextextended($1, 0)';

async function tryLockOn(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK_KEY}) as taken`, [name]);
  return rows[0]?.taken === true;
}
