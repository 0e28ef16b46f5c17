import { CompiledQuery, type Transaction } from 'kysely';
import type pg from 'pg';
import type { QueryResultRow } from 'pg';
import { DAY_MS } from '../../domain/index.ts';
import type { Tables } from '../tables.ts';

/**
 * Longest time before a day's end at which a snapshot still counts for the day. Two days: an asset whose sources were
 * unavailable for one day keeps its row, with its true `as_of`; one without a snapshot for longer is left out.
 */
export const CARRY_HOURS = 48;

/** The UTC day (YYYY-MM-DD) of a time in milliseconds since the epoch. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** First millisecond of a UTC day. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The midnight that ends a UTC day. */
export function endOfDay(day: string): number {
  return startOfDay(day) + DAY_MS;
}

export function dayAfter(day: string): string {
  return dayOf(endOfDay(day));
}

/** `count` days before (negative: after) `day`. */
export function daysBefore(day: string, count: number): string {
  return dayOf(startOfDay(day) - count * DAY_MS);
}

/** Tables partitioned by UTC day; a day is dropped as a whole. */
export const PARTITIONED = ['snapshots', 'prices', 'daily_rows'] as const;
export type PartitionedTable = (typeof PARTITIONED)[number];

/** Lock of creating partitions, over all processes: two that create the same day would make each other fail. */
const LOCK = 7_301_940_221;
/** Lock timeout of a drop: behind a long reader of a day, the drop would block all others. */
const DROP_PATIENCE_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates the missing partitions of these UTC days (YYYY-MM-DD). Attached instead of created in place, so that reads
 * and writes of the other days continue.
 */
export async function ensureDays(pool: pg.Pool, table: PartitionedTable, days: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ day: string }>(
    `select day from unnest($1::text[]) day where to_regclass('${table}_' || replace(day, '-', '')) is null`,
    [[...new Set(days)]],
  );
  for (const { day } of rows) await inTransaction(pool, (client) => make(client, table, day));
}

/**
 * Drops the partitions of days before `day`. Returns the names of the dropped ones; one in use is left to the next
 * call.
 */
export async function dropDaysBefore(pool: pg.Pool, table: PartitionedTable, day: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = '${table}'::regclass and c.relname < $1 order by 1`,
    [nameOf(table, day)],
  );
  const dropped: string[] = [];
  for (const { name } of rows) if (await drop(pool, name)) dropped.push(name);
  return dropped;
}

function nameOf(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

async function make(client: pg.PoolClient, table: PartitionedTable, day: string): Promise<void> {
  const name = nameOf(table, day);
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
  // Not to_regclass: inside a transaction it may use a cache from before the previous lock holder's changes.
  const { rows } = await client.query<{ missing: boolean }>(
    `select not exists (select from pg_class where relname = $1 and relnamespace = current_schema()::regnamespace) as missing`,
    [name],
  );
  if (!rows[0]?.missing) return;
  const bound = (of: string) => (table === 'daily_rows' ? `'${of}'` : `'${of} 00:00:00+00'`);
  await client.query(`create table ${name} (like ${table} including all)`);
  // So that reads of the last minutes do not scan the whole day: rows are stored in the order of arrival.
  if (table === 'prices')
    await client.query(
      `create index ${name}_recent on ${name} using brin (at) with (pages_per_range = 16, autosummarize = on)`,
    );
  await client.query(
    `alter table ${table} attach partition ${name} for values from (${bound(day)}) to (${bound(dayAfter(day))})`,
  );
}

async function drop(pool: pg.Pool, name: string): Promise<boolean> {
  try {
    await inTransaction(pool, async (client) => {
      await client.query(`set local lock_timeout = ${DROP_PATIENCE_MS}`);
      await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
      await client.query(`drop table if exists ${name}`);
    });
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** Runs `work` in one transaction on one connection; a connection whose rollback fails is not used again. */
export async function inTransaction<Value>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  // A broken connection reports twice: the query fails, and an error event follows that would end the process if
  // unhandled.
  client.on('error', ignore);
  const release = (broken?: Error) => {
    client.off('error', ignore);
    client.release(broken);
  };
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    release();
    return value;
  } catch (error) {
    await client.query('rollback').then(
      () => release(),
      (broken: Error) => release(broken),
    );
    throw error;
  }
}

function ignore(): void {}

/** Runs a statement inside a transaction: a connection of node-postgres, or `runnerOf` a transaction of Kysely. */
export interface SqlRunner {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/**
 * Runs statements in node-postgres's form on a transaction of Kysely: the snapshot store is written for the connections
 * that COPY needs.
 */
export function runnerOf(transaction: Transaction<Tables>): SqlRunner {
  return {
    async query<Row extends QueryResultRow>(text: string, values: unknown[]) {
      const { rows } = await transaction.executeQuery<Row>(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
