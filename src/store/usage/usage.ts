import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Counts of one key in one UTC day, endpoint group and plan. */
export interface UsageRow {
  readonly accountId: string;
  readonly keyId: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly group: string;
  readonly plan: string;
  readonly requests: number;
  /** Of them, those that cost quota. */
  readonly billable: number;
  readonly refused: number;
  readonly errors: number;
  /** Of reply bodies. */
  readonly bytes: number;
}

/**
 * Adds what a process counted since its last flush. A flush that is sent again after its reply was lost counts once: its number
 * is stored with it.
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
  // In one fixed order: two processes that add to the same rows at once must not wait for each other.
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

/** An account's usage from one day to another (both included), in the order of days. */
export async function usageOf(db: Database, accountId: string, from: string, to: string): Promise<readonly UsageRow[]> {
  const rows = await db
    .selectFrom('usage_days')
    .select(['account_id', 'key_id', 'endpoint_group', 'plan', 'requests', 'billable', 'refused', 'errors', 'bytes'])
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('account_id', '=', accountId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('usage_days.day')
    .orderBy('key_id')
    .orderBy('endpoint_group')
    .orderBy('plan')
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    keyId: row.key_id,
    day: row.day,
    group: row.endpoint_group,
    plan: row.plan,
    requests: Number(row.requests),
    billable: Number(row.billable),
    refused: Number(row.refused),
    errors: Number(row.errors),
    bytes: Number(row.bytes),
  }));
}

/** Flush numbers are only needed while a flush may still be repeated. */
export async function dropFlushesBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('usage_flushes').where('flushed_at', '<', before).execute();
}

function keyOf(row: UsageRow): string {
  return `${row.accountId} ${row.keyId} ${row.day} ${row.group} ${row.plan}`;
}
