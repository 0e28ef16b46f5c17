import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Schema with the progress of `assay migrate-to` in its target. It is dropped when the move is complete. */
export const MOVE_SCHEMA = 'assay_move';
/** Exists while a restore fills the database. */
export const RESTORE_SCHEMA = 'assay_restore';

/** A table for a backup. */
export interface TableShape {
  readonly name: string;
  /** Columns that are not generated, in their order. */
  readonly columns: readonly string[];
}

/** Tables of the migrator itself. */
const OF_THE_MIGRATOR = ['kysely_migration', 'kysely_migration_lock', 'schema_compatibility'];
/** Schema of the former work queue; the schedule creates its jobs anew, so it is never copied. */
const QUEUE_SCHEMA = 'assay_queue';
/** Time between two looks for other connections. A server notices the end of one within milliseconds. */
const POLL_MS = 20;

/** The service's tables with their columns, each after those it refers to. A partitioned table counts once. */
export async function tablesInOrder(client: pg.ClientBase): Promise<readonly TableShape[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1)
     group by c.relname order by c.relname`,
    [OF_THE_MIGRATOR],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select f.relname as "from", t.relname as "to"
     from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and f.relnamespace = current_schema()::regnamespace and f.oid <> t.oid`,
  );
  return inOrder(rows, references);
}

/** Prevents changes and drops of tables and their partitions until the transaction ends; reads and writes continue. */
export async function holdTables(client: pg.ClientBase, tables: readonly TableShape[]): Promise<void> {
  await client.query(`lock table ${tables.map((table) => quoted(table.name)).join(', ')} in access share mode`);
}

/** Prevents writes, changes and drops of tables and their partitions until the transaction ends; reads continue. */
export async function holdStill(client: pg.ClientBase, tables: readonly TableShape[]): Promise<void> {
  await client.query(`lock table ${tables.map((table) => quoted(table.name)).join(', ')} in share mode`);
}

/** UTC days (YYYY-MM-DD) of the partitions of each table partitioned by day. */
export async function partitionDays(client: pg.ClientBase): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ table: string; days: string[] }>(
    `select p.relname as table, array_agg(right(c.relname::text, 8) order by c.relname) as days
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relkind = 'p' and p.relnamespace = current_schema()::regnamespace group by p.relname order by p.relname`,
  );
  return Object.fromEntries(
    rows.map((row) => [row.table, row.days.map((day) => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`)]),
  );
}

/** Last values of sequences, by `table.column`; unused ones are left out. */
export async function sequenceValues(client: pg.ClientBase): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ owner: string; value: number }>(
    `select t.relname || '.' || a.attname as owner, q.last_value::float8 as value
     from pg_sequences q join pg_class s on s.relname = q.sequencename and s.relnamespace = q.schemaname::regnamespace
       join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
       join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where q.schemaname = current_schema() and q.last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.owner, row.value]));
}

/** Sets the last value of a column's sequence. */
export async function setSequence(client: pg.ClientBase, table: string, column: string, value: number): Promise<void> {
  await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoted(table), column, value]);
}

/** Rows in COPY's text format, with the same bytes on every server: `pinFormats` fixes encoding, dates and floats. */
export function copyOut({ name, columns }: TableShape): string {
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout`;
}

/** The counterpart of `copyOut`. Generated numbers are stored as given. */
export function copyIn({ name, columns }: TableShape): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`;
}

/**
 * Within a transaction: fixes the text format of values, whatever the server's or the user's settings, and removes time
 * limits.
 */
export async function pinFormats(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local timezone = 'UTC';
     set local intervalstyle = 'iso_8601'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
     set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
  );
}

/** Rows of each of several statements without parameters, in one round trip. The first error ends all of them. */
export async function queryEach<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statements: readonly string[],
): Promise<readonly (readonly Row[])[]> {
  if (statements.length === 0) return [];
  // The driver returns a list for several statements, and the result itself for one.
  const results: unknown = await client.query<Row>(statements.join(';\n'));
  return [results].flat().map((result) => (result as pg.QueryResult<Row>).rows);
}

export interface Occupancy {
  /** A database of this service, `empty`, or of another application. */
  readonly kind: 'empty' | 'ours' | 'foreign';
  /** Tables that hold rows, without those that every start fills. */
  readonly filled: readonly string[];
}

/** The owner of the database, and its content. */
export async function occupancy(client: pg.ClientBase): Promise<Occupancy> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
       and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const names = rows.map((row) => row.name);
  if (names.length === 0) return { kind: 'empty', filled: [] };
  if (!names.includes('installation') || !names.includes('kysely_migration')) return { kind: 'foreign', filled: names };
  const own = names.filter((name) => ![...OF_THE_MIGRATOR, 'installation'].includes(name));
  const found = await queryEach(
    client,
    own.map((name) => `select 1 from ${quoted(name)} limit 1`),
  );
  return { kind: 'ours', filled: own.filter((_, index) => (found[index]?.length ?? 0) > 0) };
}

/**
 * Number of other connections to this database, such as those of a running service, that do not end within
 * `patienceMs`: a connection that has just ended, or whose process was killed, is counted until the server notices.
 */
export async function otherSessions(client: pg.ClientBase, patienceMs: number): Promise<number> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0 || Date.now() > until) return count;
    await sleep(POLL_MS);
  }
}

/**
 * Drops the service's tables and the queue and marks the database as being restored, in one transaction: until
 * `endRestore` no service starts on it.
 */
export async function beginRestore(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
       and relkind in ('r', 'p') and not relispartition`,
  );
  await client.query('begin');
  if (rows.length > 0) await client.query(`drop table ${rows.map((row) => quoted(row.name)).join(', ')} cascade`);
  for (const schema of [QUEUE_SCHEMA, MOVE_SCHEMA]) await client.query(`drop schema if exists ${schema} cascade`);
  await client.query(`create schema if not exists ${RESTORE_SCHEMA}`);
  await client.query('commit');
}

/** The restore is complete. */
export async function endRestore(client: pg.ClientBase): Promise<void> {
  await client.query(`drop schema ${RESTORE_SCHEMA} cascade`);
}

/** A quoted SQL identifier, whatever characters it contains. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function inOrder(
  tables: readonly TableShape[],
  references: readonly { readonly from: string; readonly to: string }[],
): readonly TableShape[] {
  const done: TableShape[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const free = waiting.filter(({ name }) =>
      references.every(({ from, to }) => from !== name || !waiting.some((table) => table.name === to)),
    );
    if (free.length === 0) throw new Error('tables refer to each other in a circle');
    done.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return done;
}
