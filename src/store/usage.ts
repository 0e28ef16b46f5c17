import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Counts of one key in one UTC day, endpoint group and plan. */
export interface UsageRow {
  readonly accountId: string;
  readonly keyId: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly group: string;
  readonly plan: string;
  readonly requests: number;
  /** Those that cost quota. */
  readonly billable: number;
  /** Replies with 429. */
  readonly refused: number;
  /** Replies with 5xx. */
  readonly errors: number;
  /** Bytes of reply bodies as sent. */
  readonly bytes: number;
}

/**
 * Adds the counts of a process since its last flush. A flush that is repeated after a lost reply counts once, since its
 * number is stored with it.
 */
export async function addUsage(
  db: Database,
  flush: {
    readonly processId: string;
    readonly sequence: number;
    readonly at: string;
    readonly rows: readonly UsageRow[];
  },
): Promise<void> {
  // In a fixed order: two processes that add to the same rows at once must not deadlock.
  const rows = [...flush.rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const texts = (name: 'accountId' | 'keyId' | 'day' | 'group' | 'plan') => rows.map((row) => row[name]);
  const counts = (name: 'requests' | 'billable' | 'refused' | 'errors' | 'bytes') => rows.map((row) => row[name]);
  await sql`
    with flush as (
      insert into usage_flushes (process_id, sequence, flushed_at)
      values (${flush.processId}, ${flush.sequence}, ${flush.at}) on conflict do nothing returning 1
    )
    insert into usage_days as u
      (account_id, key_id, day, endpoint_group, plan, requests, billable, refused, errors, bytes)
    select t.* from unnest(
      ${texts('accountId')}::text[], ${texts('keyId')}::text[], ${texts('day')}::date[], ${texts('group')}::text[],
      ${texts('plan')}::text[], ${counts('requests')}::bigint[], ${counts('billable')}::bigint[],
      ${counts('refused')}::bigint[], ${counts('errors')}::bigint[], ${counts('bytes')}::bigint[]
    ) as t where exists (select from flush)
    on conflict (account_id, key_id, day, endpoint_group, plan) do update set
      requests = u.requests + excluded.requests, billable = u.billable + excluded.billable,
      refused = u.refused + excluded.refused, errors = u.errors + excluded.errors, bytes = u.bytes + excluded.bytes`.execute(
    db,
  );
}

/** An account's usage from one day to another (both included), by day. */
export async function usageOf(db: Database, accountId: string, from: string, to: string): Promise<readonly UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select account_id as "accountId", key_id as "keyId", to_char(day, 'YYYY-MM-DD') as day, endpoint_group as "group", plan,
      requests, billable, refused, errors, bytes
    from usage_days
    where account_id = ${accountId} and day >= ${from} and day <= ${to}
    order by usage_days.day, key_id, endpoint_group, plan`.execute(db);
  return rows;
}

/** Flush numbers are only needed while a flush may still be repeated. */
export async function dropFlushesBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('usage_flushes').where('flushed_at', '<', before).execute();
}

function keyOf(row: UsageRow): string {
  return `${row.accountId} ${row.keyId} ${row.day} ${row.group} ${row.plan}`;
}

/** Request of one process for a window that all processes share. */
export interface LeaseRequest {
  /** Account and plan. */
  readonly owner: string;
  readonly kind: string;
  /** RFC 3339 UTC. */
  readonly startsAt: string;
  /** Limit of the window. */
  readonly limit: number;
  /** Requests to reserve for this process; negative releases. */
  readonly wanted: number;
  /**
   * Requests let through without a reservation, while the store was unavailable: they are counted even above the limit.
   */
  readonly debt: number;
}

export interface Lease {
  /** Reserved now: at most the requested number, and no more than what was left. */
  readonly granted: number;
  /** Reserved for all processes together. */
  readonly used: number;
}

/**
 * Reserves requests of shared windows for one process, each at most as many as are left of its limit. In the order of
 * the input: how many were granted, and how many are reserved for all.
 */
export async function leaseWindows(db: Database, requested: readonly LeaseRequest[]): Promise<readonly Lease[]> {
  if (requested.length === 0) return [];
  // In a fixed order: two processes that use the same windows at once must not deadlock.
  const ordered = requested.map((options, index) => ({ ...options, index })).sort(byWindow);
  const wanted = (options: LeaseRequest) => Math.min(options.wanted, Math.max(0, options.limit - options.debt));
  const debt = sql`(excluded.used - excluded.granted)`;
  const granted = sql`case when excluded.granted < 0 then excluded.granted
    else greatest(0, least(excluded.granted, excluded.most - w.used - ${debt})) end`;
  const { rows } = await sql<Lease>`
    with given as (
      select * from unnest(
        ${ordered.map((row) => row.owner)}::text[], ${ordered.map((row) => row.kind)}::text[],
        ${ordered.map((row) => row.startsAt)}::timestamptz[], ${ordered.map((row) => row.debt + wanted(row))}::bigint[],
        ${ordered.map(wanted)}::bigint[], ${ordered.map((row) => row.limit)}::bigint[]
      ) with ordinality as t (owner, kind, starts_at, used, granted, most, place)
    ), leased as (
      insert into limit_windows as w (owner, kind, starts_at, used, granted, most)
      select owner, kind, starts_at, used, granted, most from given order by place
      on conflict (owner, kind, starts_at) do update
        set granted = ${granted}, used = w.used + ${debt} + ${granted}, most = excluded.most
      returning owner, kind, starts_at, used, granted
    )
    select leased.granted, leased.used from given join leased using (owner, kind, starts_at) order by given.place`.execute(
    db,
  );
  const leases: Lease[] = requested.map(() => ({ granted: 0, used: 0 }));
  for (const [place, row] of rows.entries()) leases[ordered[place]?.index ?? 0] = row;
  return leases;
}

/**
 * Takes one of a limited number in a shared window, for resources that must not exceed it. Null when none is left; else
 * the number taken, this one included.
 */
export async function takeFromWindow(
  db: Database,
  window: Pick<LeaseRequest, 'owner' | 'kind' | 'startsAt'>,
  limit: number,
): Promise<number | null> {
  if (limit < 1) return null;
  const { rows } = await sql<{ used: number }>`
    insert into limit_windows as w (owner, kind, starts_at, used)
    values (${window.owner}, ${window.kind}, ${window.startsAt}, 1)
    on conflict (owner, kind, starts_at) do update set used = w.used + 1 where w.used < ${limit}
    returning used`.execute(db);
  return rows[0]?.used ?? null;
}

/** How many have been taken in a shared window. */
export async function takenInWindow(
  db: Database,
  window: Pick<LeaseRequest, 'owner' | 'kind' | 'startsAt'>,
): Promise<number> {
  const row = await db
    .selectFrom('limit_windows')
    .select('used')
    .where('owner', '=', window.owner)
    .where('kind', '=', window.kind)
    .where('starts_at', '=', window.startsAt)
    .executeTakeFirst();
  return row?.used ?? 0;
}

/** Releases one. */
export async function returnToWindow(
  db: Database,
  window: Pick<LeaseRequest, 'owner' | 'kind' | 'startsAt'>,
): Promise<void> {
  await db
    .updateTable('limit_windows')
    .set({ used: sql`greatest(0, used - 1)` })
    .where('owner', '=', window.owner)
    .where('kind', '=', window.kind)
    .where('starts_at', '=', window.startsAt)
    .execute();
}

/** Expired windows are deleted. */
export async function dropWindowsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('limit_windows').where('starts_at', '<', before).execute();
}

function byWindow(a: LeaseRequest, b: LeaseRequest): number {
  return `${a.owner} ${a.kind} ${a.startsAt}` < `${b.owner} ${b.kind} ${b.startsAt}` ? -1 : 1;
}

/** JSON of a settled month's statement; null when there is none. */
export async function keptStatement(db: Database, accountId: string, month: string): Promise<string | null> {
  const row = await db
    .selectFrom('statements')
    .select('statement')
    .where('month', '=', month)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.statement ?? null;
}

/** Stores a settled month's statement; the first one stays. */
export async function keepStatement(
  db: Database,
  row: { readonly accountId: string; readonly month: string; readonly madeAt: string; readonly statement: string },
): Promise<void> {
  await db
    .insertInto('statements')
    .values({ account_id: row.accountId, month: row.month, made_at: row.madeAt, statement: row.statement })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Accounts that had a key before `to` (RFC 3339) and no statement of the month yet. */
export async function accountsWithout(db: Database, month: string, to: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('account_id')
    .distinct()
    .where('created_at', '<', to)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('statements')
            .select('month')
            .where('month', '=', month)
            .whereRef('statements.account_id', '=', 'api_keys.account_id'),
        ),
      ),
    )
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}
