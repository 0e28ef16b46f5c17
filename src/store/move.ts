import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { MOVE_SCHEMA, quoted, type TableShape, tablesInOrder } from './contents.ts';
import type { Tables } from './tables.ts';

/** Throws when the database is the target of an incomplete move: half of the data must not be taken for all of it. */
export async function refuseUnfinishedMove(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`select to_regnamespace(${MOVE_SCHEMA}) is not null as found`.execute(
    db,
  );
  if (rows[0]?.found)
    throw new Error(
      'a move into this database is not complete: run `assay migrate-to` again where it was begun, or name another database',
    );
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
export async function noteProgress(client: pg.ClientBase, { part, nextPage, rows, done }: PartProgress): Promise<void> {
  await client.query(`update ${MOVE_SCHEMA}.progress set next_page = $2, rows = $3, done = $4 where part = $1`, [
    part,
    nextPage,
    rows,
    done,
  ]);
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
      .map(({ name, binary }) => ({ name, columns, binary: new Set(binary) })),
  );
}

/** Pages of a part, and bytes per page including out-of-line storage. */
export async function pagesOf(
  client: pg.ClientBase,
  part: Part,
): Promise<{ readonly pages: number; readonly bytesPerPage: number }> {
  const { rows } = await client.query<{ pages: number; bytes: number }>(
    `select (pg_relation_size(to_regclass($1)) / current_setting('block_size')::int)::float8 as pages,
       pg_table_size(to_regclass($1))::float8 as bytes`,
    [quoted(part.name)],
  );
  const { pages = 0, bytes = 0 } = rows[0] ?? {};
  return { pages, bytesPerPage: pages === 0 ? 0 : bytes / pages };
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

/** Checksums of a part, computed by the server. Formats must be fixed by `pinFormats`. */
export async function digestOf(client: pg.ClientBase, part: Part): Promise<Digest> {
  // Bytes by their hash: as text they would be twice as long.
  const values = part.columns.map((column) => (part.binary.has(column) ? `sha256(${quoted(column)})` : quoted(column)));
  const word = (from: number) =>
    `coalesce(sum(('x' || encode(substr(hash, ${from}, 8), 'hex'))::bit(64)::bigint::numeric), 0)::text`;
  const { rows } = await client.query<Digest>(
    `select count(*)::float8 as rows, ${word(1)} || '/' || ${word(9)} as sum
     from (select sha256(convert_to(row(${values.join(', ')})::text, 'UTF8')) as hash from only ${quoted(part.name)}) hashed`,
  );
  return rows[0] ?? { rows: 0, sum: '' };
}

function listed(part: Part): string {
  return part.columns.map(quoted).join(', ');
}
