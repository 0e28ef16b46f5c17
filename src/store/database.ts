import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { migrate } from './migrate.ts';
import type { Tables } from './tables.ts';

/** The store's handle: its connections, or one transaction. */
export type Database = Kysely<Tables>;

/** Makes transactions with the same name, in all processes, wait for the end of this one. */
export async function lockByName(transaction: Transaction<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}

/**
 * Like `lockByName` for several names, in one statement and in the order of their keys, so that two transactions cannot
 * deadlock.
 */
export async function lockByNames(transaction: Transaction<Tables>, names: readonly string[]): Promise<void> {
  // A sub-query with an order is not merged into the outer one: the locks are taken row by row, in that order.
  await sql`select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(name, 0) as key from unnest(${[...names]}::text[]) name order by key
    ) keys`.execute(transaction);
}

export interface Store {
  readonly db: Database;
  /** The connections of `db`, for COPY, which the query builder does not support. */
  readonly pool: pg.Pool;
  /** The sockets of those connections, including those being opened. */
  readonly sockets: ReadonlySet<Socket>;
  /** URL of the database, for connections that LISTEN. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

// bigint columns (sequence numbers, sizes) fit a double here; timestamps stay RFC 3339 text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString());

/** Longest wait for a connection, new or free, before an error. */
const CONNECT_MS = 12_000;
const REACHABLE_MS = 4_000;

/**
 * Connects, migrates the tables (one process at a time) and stores the data mode: a database of sandbox data is never
 * opened as live data, nor vice versa. Throws with a plain message when it cannot be used.
 */
export async function openStore(url: string, dataMode: 'live' | 'sandbox'): Promise<Store> {
  const store = connect(url, { connectionTimeoutMillis: CONNECT_MS });
  try {
    await migrate(store.db);
    await stamp(store.db, dataMode);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Connects without changes: for commands that inspect a database first, and for replicas. */
export function connect(
  url: string,
  patience: Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Store {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const pool = new pg.Pool({ connectionString: url, max: 12, idleTimeoutMillis: 30_000, stream, ...patience });
  // A server that ends while a connection is idle must not end the process; the next query reports the error.
  pool.on('error', () => undefined);
  // While a connection is in use the pool does not listen for its errors: without this, a server restart during a query
  // ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db: Database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    sockets,
    url,
    async close() {
      await db.destroy();
      // Kysely ends the pool only when it was used through Kysely.
      if (!pool.ending) await pool.end();
    },
  };
}

async function stamp(db: Database, dataMode: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ id: 1, data_mode: dataMode })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const row = await db.selectFrom('installation').select('data_mode').where('id', '=', 1).executeTakeFirstOrThrow();
  if (row.data_mode !== dataMode)
    throw new Error(
      `this database holds ${row.data_mode} data and cannot be opened in ${dataMode} mode: use another data folder or database`,
    );
}

/** Resolves after the time, or at once when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** True when the database replies within seconds. */
export async function isReachable(db: Database): Promise<boolean> {
  const over = new AbortController();
  const answers = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const late = pause(REACHABLE_MS, over.signal).then(() => false);
  return Promise.race([answers, late]).finally(() => over.abort());
}

export interface WatchdogOptions {
  readonly everyMs?: number;
  /** Time without a reply after which a database is taken to be lost. */
  readonly patienceMs?: number;
}

/** Connection timeout while the database does not reply, milliseconds. */
const UNREACHABLE_CONNECT_MS = 1_000;

/**
 * Checks that the database still replies. When packets to it are lost (a cable, a firewall, a machine that lost power),
 * TCP waits for a quarter of an hour: the watchdog closes the connections, so that waiting callers get an error within
 * seconds and new ones at once. A long statement has no effect, since the watchdog has its own connection.
 */
export function watchConnections(
  { pool, sockets, url }: Pick<Store, 'pool' | 'sockets' | 'url'>,
  { everyMs = 2_000, patienceMs = 8_000 }: WatchdogOptions = {},
): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const usualConnectMs = pool.options.connectionTimeoutMillis;
  let answeredAt = performance.now();
  const done = watch();

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      await session().catch(() => undefined);
      // A server that refuses (it restarts, it is full) does reply: its connections fail by themselves.
      if (!stop.signal.aborted && performance.now() - answeredAt >= patienceMs) endAll();
      await pause(everyMs / 4, stop.signal);
    }
  }

  /** Queries until there is no reply. */
  async function session(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assay-watch',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      while (!stop.signal.aborted) {
        await client.query('select 1');
        answered();
        await pause(everyMs, stop.signal);
      }
    } catch (error) {
      if (!isNoReply(error)) answered();
      throw error;
    } finally {
      await Promise.race([client.end().catch(() => undefined), pause(everyMs / 4, stop.signal)]);
    }
  }

  /** Closes connections in use, idle ones and those being opened; callers that wait for one get an error. */
  function endAll(): void {
    for (const socket of sockets) socket.destroy();
    answeredAt = performance.now();
    pool.options.connectionTimeoutMillis = UNREACHABLE_CONNECT_MS;
  }

  function answered(): void {
    answeredAt = performance.now();
    pool.options.connectionTimeoutMillis = usualConnectMs;
  }

  return {
    async close() {
      stop.abort();
      await done;
    },
  };
}

/** errno(3) of a host or a route that is unreachable; a server that refuses is reachable. */
const UNREACHABLE = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN']);

/** True when an error means that there was no reply: a timeout of node-postgres, or an unreachable host. */
export function isNoReply(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A name with several addresses: if one of them refuses, there was a reply.
  if (error instanceof AggregateError) return error.errors.every(isNoReply);
  return UNREACHABLE.has(String((error as { readonly code?: unknown }).code)) || /timeout/i.test(error.message);
}
