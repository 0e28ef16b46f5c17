import type pg from 'pg';
import { type TableShape, tablesInOrder } from './contents.ts';

/** A table, or a day of one that is cut into days: what is copied and compared as one. */
export interface Part extends TableShape {
  /** Columns that hold bytes. */
  readonly binary: ReadonlySet<string>;
}

/** Everything that holds rows of ours, each part after those it refers to. */
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

/** Pages of a part, and bytes per page with what is stored apart from it. */
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

/** Rows that lie in pages from `from` on, before `to`. */
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
  /** Two sums over the SHA-256 of all rows: the same for the same rows, wherever and in whatever order they lie. */
  readonly sum: string;
}

/** What a part holds, as the server computes it. Formats are to be pinned by `pinFormats`. */
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
