import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { MOVE_SCHEMA, queryEach, quoted, RESTORE_SCHEMA, type TableShape, tablesInOrder } from './contents.ts';
import type { Tables } from './tables.ts';

/** What a killed or running move or restore has left of a database, in one row. */
const UNFINISHED = `select to_regnamespace('${MOVE_SCHEMA}') is not null as moves,
  to_regnamespace('${RESTORE_SCHEMA}') is not null as restores`;

interface Unfinished {
  readonly moves: boolean;
  readonly restores: boolean;
}

/**
 * Throws when the database is the target of an incomplete move or restore: half of the data, or none, must not be taken
 * for all of it.
 */
export async function refuseUnfinished(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql.raw<Unfinished>(UNFINISHED).execute(db);
  const reason = reasonOf(rows[0]);
  if (reason !== null) throw new Error(reason);
}

/** Why the database is not whole: it is the target of an incomplete move or restore. Null when it is none. */
export async function unfinished(client: pg.ClientBase): Promise<string | null> {
  return reasonOf((await client.query<Unfinished>(UNFINISHED)).rows[0]);
}

function reasonOf(found: Unfinished | undefined): string | null {
  if (found?.moves)
    return 'a move into this database is not complete: run `assay migrate-to` again where it was begun, or name another database';
  if (found?.restores)
    return 'a restore into this database is not complete: run `assay restore` again with `--force`, or name another database';
  return null;
}

/** Progress of a part. */
export interface PartProgress {
  readonly part: string;
  /** First page of the source's table that is not copied yet. */
  readonly nextPage: number;
  readonly rows: number;
  readonly done: boolean;
}

/** The move that fills the database, or null when none was begun. */
export async function moveSource(client: pg.ClientBase): Promise<string | null> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('${MOVE_SCHEMA}.source') is not null as found`,
  );
  if (!found[0]?.found) return null;
  const { rows } = await client.query<{ id: string }>(`select id from ${MOVE_SCHEMA}.source`);
  return rows[0]?.id ?? null;
}

/** Stores which move fills the database from now on; removes the stamp of a start that stored nothing else. */
export async function beginMove(client: pg.ClientBase, source: string): Promise<void> {
  await client.query('begin');
  await client.query(`drop schema if exists ${MOVE_SCHEMA} cascade`);
  await client.query(`create schema ${MOVE_SCHEMA}`);
  await client.query(`create table ${MOVE_SCHEMA}.source (id text primary key)`);
  await client.query(`insert into ${MOVE_SCHEMA}.source values ($1)`, [source]);
  await client.query(`create table ${MOVE_SCHEMA}.progress
    (part text primary key, next_page bigint not null, rows bigint not null, done boolean not null)`);
  await client.query('delete from installation');
  await client.query('commit');
}

/** Progress of each part; parts without a record start at zero. */
export async function readProgress(
  client: pg.ClientBase,
  parts: readonly string[],
): Promise<ReadonlyMap<string, PartProgress>> {
  await client.query(
    `insert into ${MOVE_SCHEMA}.progress select part, 0, 0, false from unnest($1::text[]) part on conflict do nothing`,
    [parts],
  );
  const { rows } = await client.query<PartProgress>(
    `select part, next_page as "nextPage", rows, done from ${MOVE_SCHEMA}.progress`,
  );
  return new Map(rows.map((row) => [row.part, row]));
}

/** In the transaction that wrote the rows: after a crash either both exist, or neither. */
export async function noteProgress(client: pg.ClientBase, parts: readonly PartProgress[]): Promise<void> {
  await client.query(
    `update ${MOVE_SCHEMA}.progress set next_page = (own->>'nextPage')::bigint, rows = (own->>'rows')::bigint,
       done = (own->>'done')::boolean
     from jsonb_array_elements($1::jsonb) own where part = own->>'part'`,
    [JSON.stringify(parts)],
  );
}

/** Empties a part and all that refer to it, to copy them again. */
export async function forgetPart(client: pg.ClientBase, part: string): Promise<void> {
  await client.query('begin');
  await client.query(
    `with recursive referring (id) as (
       select to_regclass($1)::oid
       union select k.conrelid from pg_constraint k join referring on k.confrelid = referring.id where k.contype = 'f'
     ) update ${MOVE_SCHEMA}.progress set next_page = 0, rows = 0, done = false
       where part in (select relname from pg_class join referring on pg_class.oid = referring.id)`,
    [part],
  );
  await client.query(`truncate ${quoted(part)} cascade`);
  await client.query('commit');
}

/** Drops a day that the source has dropped since it was copied. */
export async function dropPart(client: pg.ClientBase, part: string): Promise<void> {
  await client.query('begin');
  await client.query(`drop table ${quoted(part)}`);
  await client.query(`delete from ${MOVE_SCHEMA}.progress where part = $1`, [part]);
  await client.query('commit');
}

/** From now on the database is an independent installation. */
export async function endMove(client: pg.ClientBase): Promise<void> {
  await client.query(`drop schema ${MOVE_SCHEMA} cascade`);
}

/** A table, or one day of a partitioned one: the unit of copying and comparing. */
export interface Part extends TableShape {
  /** Its table; for a table that is not partitioned the same as `name`. */
  readonly table: string;
  /** Columns that hold bytes. */
  readonly binary: ReadonlySet<string>;
}

/** All parts, each after those it refers to. */
export async function partsInOrder(client: pg.ClientBase): Promise<readonly Part[]> {
  const tables = await tablesInOrder(client);
  const { rows } = await client.query<{ name: string; parent: string | null; binary: string[] }>(
    `select c.relname as name, p.relname as parent,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and not a.attisdropped) as binary
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  return tables.flatMap(({ name: table, columns }) =>
    rows
      .filter(({ name, parent }) => (parent ?? name) === table)
      .map(({ name, binary }) => ({ name, table, columns, binary: new Set(binary) })),
  );
}

/** Size of a part. */
export interface PartSize {
  readonly pages: number;
  /** Including out-of-line storage. */
  readonly bytes: number;
}

/** Sizes of parts, by name. */
export async function sizesOf(client: pg.ClientBase, parts: readonly Part[]): Promise<ReadonlyMap<string, PartSize>> {
  const { rows } = await client.query<PartSize & { readonly name: string }>(
    `select name, (pg_relation_size(to_regclass(own)) / current_setting('block_size')::int)::float8 as pages,
       pg_table_size(to_regclass(own))::float8 as bytes
     from unnest($1::text[], $2::text[]) part (name, own)`,
    [parts.map(({ name }) => name), parts.map(({ name }) => quoted(name))],
  );
  return new Map(rows.map(({ name, pages, bytes }) => [name, { pages, bytes }]));
}

/** Rows in pages from `from` on, before `to`. */
export function copyPagesOut(part: Part, from: number, to: number): string {
  return `copy (select ${listed(part)} from only ${quoted(part.name)}
    where ctid >= '(${from},0)' and ctid < '(${to},0)') to stdout (format binary)`;
}

/** The counterpart of `copyPagesOut`. */
export function copyPagesIn(part: Part): string {
  return `copy ${quoted(part.name)} (${listed(part)}) from stdin (format binary)`;
}

export interface Digest {
  readonly rows: number;
  /** Two sums over the SHA-256 of all rows: equal for equal rows, wherever and in whatever order they are stored. */
  readonly sum: string;
}

/** Checksums of parts, computed by the server in one round trip. Formats must be fixed by `pinFormats`. */
export async function digestsOf(client: pg.ClientBase, parts: readonly Part[]): Promise<readonly Digest[]> {
  const found = await queryEach<Digest>(client, parts.map(digestStatement));
  return found.map(([digest]) => digest ?? { rows: 0, sum: '' });
}

function digestStatement(part: Part): string {
  // Bytes by their hash: as text they would be twice as long.
  const values = part.columns.map((column) => (part.binary.has(column) ? `sha256(${quoted(column)})` : quoted(column)));
  const word = (from: number) =>
    `coalesce(sum(('x' || encode(substr(hash, ${from}, 8), 'hex'))::bit(64)::bigint::numeric), 0)::text`;
  return `select count(*)::float8 as rows, ${word(1)} || '/' || ${word(9)} as sum
     from (select sha256(convert_to(row(${values.join(', ')})::text, 'UTF8')) as hash from only ${quoted(part.name)}) hashed`;
}

/** Collects the planner's statistics of tables with their partitions. */
export async function analyzeTables(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`analyze ${tables.map(quoted).join(', ')}`);
}

function listed(part: Part): string {
  return part.columns.map(quoted).join(', ');
}
