import { Kysely, PostgresDialect, type RawBuilder, type SelectType, sql } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

type Name = keyof Tables & string;
type Column<Table extends Name> = keyof Tables[Table] & string;
type Row<Table extends Name> = { readonly [Of in Column<Table>]: SelectType<Tables[Table][Of]> };
/** New values of columns, as SQL. The row itself is `t`. */
type Expressions<Table extends Name> = { readonly [Of in Column<Table>]?: RawBuilder<unknown> };

/** A table whose rows are work, and the columns that the queue keeps there. */
export interface LeaseTable<Table extends Name, Key extends Column<Table>, Holder extends Column<Table>> {
  readonly table: Table;
  readonly key: readonly Key[];
  /** timestamptz: nobody else takes the row before. Null: nobody has it. */
  readonly lease: Column<Table>;
  /** Differs from one holder of a row to the next: who lost a row changes nothing of it any more. */
  readonly holder: Holder;
  /** Holds for every row that somebody has: what ended is neither prolonged nor ended again. The row is `t`. */
  readonly open?: RawBuilder<boolean>;
  /** What else a row loses with its lease. */
  readonly letGo?: Partial<Row<Table>>;
}

/** A row in somebody's hands. */
export type Held<Table extends Name, Key extends Column<Table>, Holder extends Column<Table>> = Pick<
  Row<Table>,
  Key | Holder
>;

/**
 * The one queue of all background work: rows of a table, taken under leases (docs/decisions/0033-one-queue.md).
 *
 * - *take*: SELECT ... FOR UPDATE SKIP LOCKED, so that processes never wait for each other nor take the same row.
 * - *extend*: a holder that still works keeps its rows; one that learns that a row is no longer its own stops.
 * - *end*: lets rows go with what became of them. Completed work gets a state or its next date, failed work a later date or
 *   the state that ends it, released work the state of before: in one transaction with what the work produced.
 * - *lost*: rows whose lease ran out, locked, where it takes more than another `take` to set them right.
 *
 * Leases go by the database's clock: those of the processes differ. A process that is killed needs nobody to clean up after
 * it. Everything here is a statement to be run on a connection or in a transaction; names of tables and columns come from
 * the source text and the values are bound.
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
  /** The order in which rows are locked, the same as that of JavaScript whatever the database's collation is. */
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
  /** Rows as the table itself reads them from JSON: one parameter, the columns' own types, and a planner that knows how many. */
  const given = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    sql`unnest(${rows.map((row) => JSON.stringify(row, storable))}::jsonb[]) r (json), jsonb_populate_record(null::${table}, r.json) g`;
  /**
   * The given rows that are still their holders', with `columns` of what was given, locked in the order of their keys: an update
   * locks in the order in which its join finds them, and two statements over the same rows would wait for each other for ever.
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
     * Takes up to `limit` free rows that meet `where`, the first by `order` first, and gives `select` of them (default: the
     * rows as they are now), in that order. `order` has to be that of an index: what is due is not sorted.
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

    /** Prolongs leases, and gives the rows that are still their holders'. */
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
     * Lets rows go that are still their holders', with new values: of the same columns in all of them. `also`: what the
     * database computes, such as `{ due_at: after(30) }`. Gives the rows that it let go.
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

    /** Locks the rows whose lease ran out, or those of one holder, for the transaction that settles them. */
    lost(order: RawBuilder<unknown>, holder: Row<Table>[Holder] | null = null): RawBuilder<Row<Table>> {
      return holder === null
        ? sql`select t.* from ${table} t where ${open} and ${lease} <= clock_timestamp()
            order by ${order} for update skip locked`
        : sql`select t.* from (select t.* from ${table} t where ${open} and t.${sql.ref(of.holder)} = ${holder}
            order by ${inOrder} for update of t) t order by ${order}`;
    },
  };
}

/** PostgreSQL's JSON takes no half of a surrogate pair, such as a text that was cut may end with. */
const storable = (_name: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

/** A time by the database's clock, so many seconds from now. */
export const after = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/** Runs a statement on a connection of node-postgres: for transactions that also COPY. */
export async function runOn<Found extends pg.QueryResultRow>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: RawBuilder<Found>,
): Promise<readonly Found[]> {
  const { sql: text, parameters } = statement.compile(COMPILER);
  return (await client.query<Found>(text, [...parameters])).rows;
}

/** Compiles and never connects. */
const COMPILER = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('statements are only compiled here')) }),
});
