import { Kysely, PostgresDialect, type RawBuilder, type SelectType, sql } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

type Name = keyof Tables & string;
type Column<Table extends Name> = keyof Tables[Table] & string;
type Row<Table extends Name> = { readonly [Of in Column<Table>]: SelectType<Tables[Table][Of]> };
/** New values of columns, as SQL. The row itself is `t`. */
type Expressions<Table extends Name> = { readonly [Of in Column<Table>]?: RawBuilder<unknown> };

/** A table whose rows are work, and the columns that the queue uses. */
export interface LeaseTable<Table extends Name, Key extends Column<Table>, Holder extends Column<Table>> {
  readonly table: Table;
  readonly key: readonly Key[];
  /** timestamptz: other processes do not take the row before this time. Null: it is not leased. */
  readonly lease: Column<Table>;
  /** Differs for each lease of a row: a holder that lost the row can no longer change it. */
  readonly holder: Holder;
  /** True for every leased row: ended work is neither extended nor ended again. The row is `t`. */
  readonly open?: RawBuilder<boolean>;
  /** Further columns that are reset with the lease. */
  readonly letGo?: Partial<Row<Table>>;
}

/** A leased row. */
export type Held<Table extends Name, Key extends Column<Table>, Holder extends Column<Table>> = Pick<
  Row<Table>,
  Key | Holder
>;

/**
 * The one queue of all background work: rows of a table, taken under leases (docs/decisions/0033-one-queue.md).
 *
 * - *take*: SELECT ... FOR UPDATE SKIP LOCKED, so that processes never wait for each other nor take the same row.
 * - *extend*: a running holder keeps its rows; a holder whose row was lost stops.
 * - *end*: releases rows with their outcome. Completed work gets a state or its next date, failed work a later date or
 * the state that ends it, released work its previous state: in one transaction with what the work produced.
 * - *lost*: rows with expired leases, locked, where another `take` alone is not enough.
 *
 * Leases use the database's clock: those of the processes differ. A killed process needs no clean-up. Each function
 * is a statement to be run on a connection or in a transaction; names of tables and columns come from the source text
 * and the values are bound.
 */
export function leaseQueue<
  const Table extends Name,
  const Key extends Column<Table>,
  const Holder extends Column<Table>,
>(of: LeaseTable<Table, Key, Holder>) {
  const table = sql.table(of.table);
  const lease = sql.ref(`t.${of.lease}`);
  const open = of.open ?? sql<boolean>`true`;
  const keys = sql.join(of.key.map((key) => sql.ref(`t.${key}`)));
  /** The order in which rows are locked: that of JavaScript, whatever the database's collation. */
  const inOrder = sql.join(of.key.map((key) => sql`${sql.ref(`t.${key}`)}::text collate "C"`));
  const isFree = sql<boolean>`(${lease} is null or ${lease} <= clock_timestamp())`;
  const assign = (values: Expressions<Table>) =>
    sql.join(
      Object.entries(values as Readonly<Record<string, RawBuilder<unknown>>>).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      ),
    );
  const same = (names: readonly string[], other: string) =>
    sql.join(
      names.map((name) => sql`t.${sql.ref(name)} = ${sql.ref(`${other}.${name}`)}`),
      sql` and `,
    );
  /**
   * Rows parsed from JSON by the table's own row type: one parameter, the columns' types, and a known number of rows
   * for the planner.
   */
  const given = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    sql`unnest(${rows.map((row) => JSON.stringify(row, storable))}::jsonb[]) r (json), jsonb_populate_record(null::${table}, r.json) g`;
  /**
   * The given rows whose leases are still valid, with `columns` of the input, locked in the order of their keys: an
   * update locks in the order in which its join finds them, so that two statements over the same rows would deadlock.
   */
  const locked = (
    rows: readonly Readonly<Record<string, unknown>>[],
    columns: readonly string[],
    still: RawBuilder<boolean>,
  ) =>
    sql`select ${sql.join([...of.key, ...columns].map((name) => sql.ref(`g.${name}`)))} from ${table} t, ${given(rows)}
        where ${same([...of.key, of.holder], 'g')} and ${open} and ${still} order by ${inOrder} for update of t`;

  return {
    /**
     * Takes up to `limit` free rows that satisfy `where`, the first by `order` first, and returns `select` of them
     * (default: the updated rows), in that order. `order` must be that of an index: due rows are not sorted.
     */
    take<Taken = Row<Table>>(options: {
      readonly where: RawBuilder<unknown>;
      readonly order: RawBuilder<unknown>;
      readonly limit: number;
      readonly leaseSeconds: number;
      readonly set?: Expressions<Table>;
      /** Such as `sql\`t.id, w.url from taken t join webhooks w on w.id = t.webhook_id\``. */
      readonly select?: RawBuilder<unknown>;
    }): RawBuilder<Taken> {
      const set = { [of.lease]: after(options.leaseSeconds), ...options.set } as Expressions<Table>;
      return sql<Taken>`
        with free as (
          select ${keys} from ${table} t where ${options.where} and ${isFree}
          order by ${options.order} for update of t skip locked limit ${options.limit}
        ), taken as (
          update ${table} t set ${assign(set)} from free where ${same(of.key, 'free')} returning t.*
        )
        select ${options.select ?? sql`t.* from taken t`} order by ${options.order}`;
    },

    /** Extends leases, and returns the rows whose leases are still valid. */
    extend(
      held: readonly Held<Table, Key, Holder>[],
      leaseSeconds: number,
      also: Expressions<Table> = {},
    ): RawBuilder<Row<Table>> {
      const change = { ...also, [of.lease]: after(leaseSeconds) } as Expressions<Table>;
      return sql<Row<Table>>`with mine as (${locked(held, [], sql`${lease} is not null`)})
        update ${table} t set ${assign(change)} from mine where ${same(of.key, 'mine')} returning t.*`;
    },

    /**
     * Releases the rows whose leases are still valid, with new values of the same columns in all of them. `also`:
     * values computed by the database, such as `{ due_at: after(30) }`. Returns the released rows.
     */
    end<Changed extends Column<Table> = never>(
      held: readonly (Held<Table, Key, Holder> & { readonly set?: Pick<Row<Table>, Changed> })[],
      also: Expressions<Table> = {},
    ): RawBuilder<Row<Table>> {
      const rows = held.map(({ set, ...row }) => ({ ...row, ...set }));
      const names = Object.keys(held[0]?.set ?? {});
      const changed = names.map((name) => [name, sql.ref(`mine.${name}`)]);
      const idle = Object.entries({ ...of.letGo, [of.lease]: null }).map(([name, value]) => [name, sql`${value}`]);
      const change = { ...Object.fromEntries([...idle, ...changed]), ...also } as Expressions<Table>;
      return sql<Row<Table>>`with mine as (${locked(rows, names, sql`true`)})
        update ${table} t set ${assign(change)} from mine where ${same(of.key, 'mine')} returning t.*`;
    },

    /** Locks the rows with expired leases, or those of one holder, for the transaction that settles them. */
    lost(order: RawBuilder<unknown>, holder: Row<Table>[Holder] | null = null): RawBuilder<Row<Table>> {
      return holder === null
        ? sql`select t.* from ${table} t where ${open} and ${lease} <= clock_timestamp()
            order by ${order} for update skip locked`
        : sql`select t.* from (select t.* from ${table} t where ${open} and t.${sql.ref(of.holder)} = ${holder}
            order by ${inOrder} for update of t) t order by ${order}`;
    },
  };
}

/** PostgreSQL's JSON refuses a lone surrogate, as at the end of a truncated text. */
const storable = (_name: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

/** A time by the database's clock, this number of seconds from now. */
export const after = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/** Runs a statement on a connection of node-postgres: for transactions that also COPY. */
export async function runOn<Found extends pg.QueryResultRow>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: RawBuilder<Found>,
): Promise<readonly Found[]> {
  const { sql: text, parameters } = statement.compile(COMPILER);
  return (await client.query<Found>(text, [...parameters])).rows;
}

/** Compiles without connecting. */
const COMPILER = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('statements are only compiled here')) }),
});
