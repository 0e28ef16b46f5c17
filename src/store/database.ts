import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrate } from './migrate.ts';
import type { Tables } from './tables.ts';

/** The store's handle. */
export type Database = Kysely<Tables>;

export interface Store {
  readonly db: Database;
  /** The connections below `db`, for COPY, which no query builder knows. */
  readonly pool: pg.Pool;
  /** The wires of those connections, also of such as are being opened. */
  readonly sockets: ReadonlySet<Socket>;
  /** Where LISTEN goes; one connection of its own. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

// bigint columns (sequence numbers, sizes) fit a double here; timestamps stay RFC 3339 text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString());

/** Who waits longer for a connection, new or free, is told that there is none. */
const CONNECT_MS = 12_000;
const REACHABLE_MS = 4_000;

/**
 * Connects, brings the tables up to date (one process at a time) and stamps the data mode: a database of sandbox data is
 * never opened as live data, nor the other way round. Throws with a plain message when it cannot be used.
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

/** Connects and changes nothing: for commands that look at a database before they touch it, and for replicas. */
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
  // A server that ends while a connection idles is no reason to die; the next query says what is wrong.
  pool.on('error', () => undefined);
  // While it is in use the pool does not listen: without this, a server that restarts in mid-query ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db: Database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    sockets,
    url,
    async close() {
      await db.destroy();
      // Kysely ends the pool only when it was used through it.
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

/** True when the database answers within seconds. */
export function isReachable(db: Database): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), REACHABLE_MS);
    const end = (answers: boolean) => {
      clearTimeout(timer);
      resolve(answers);
    };
    sql`select 1`.execute(db).then(
      () => end(true),
      () => end(false),
    );
  });
}
