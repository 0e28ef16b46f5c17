import pg from 'pg';
import type { Store } from './database.ts';

export interface WatchdogOptions {
  readonly everyMs?: number;
  /** A database without a reply for this long is taken to be lost. */
  readonly patienceMs?: number;
}

/** Connection timeout while the database does not reply, milliseconds. */
const UNREACHABLE_CONNECT_MS = 1_000;

/**
 * Checks that the database still replies. When packets to it are lost (a cable, a firewall, a machine that lost power), TCP
 * waits for a quarter of an hour: the watchdog closes the connections, so that waiting callers get an error within seconds
 * and new ones at once. A long statement triggers nothing: the watchdog has a connection of its own.
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
      await pause(everyMs / 4);
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
        await pause(everyMs);
      }
    } catch (error) {
      if (!isNoReply(error)) answered();
      throw error;
    } finally {
      await Promise.race([client.end().catch(() => undefined), pause(everyMs / 4)]);
    }
  }

  /** Closes connections in use, idle ones and those being opened; whatever waits for one fails. */
  function endAll(): void {
    for (const socket of sockets) socket.destroy();
    answeredAt = performance.now();
    pool.options.connectionTimeoutMillis = UNREACHABLE_CONNECT_MS;
  }

  function answered(): void {
    answeredAt = performance.now();
    pool.options.connectionTimeoutMillis = usualConnectMs;
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (stop.signal.aborted) return resolve();
      const timer = setTimeout(end, milliseconds);
      function end() {
        clearTimeout(timer);
        stop.signal.removeEventListener('abort', end);
        resolve();
      }
      stop.signal.addEventListener('abort', end, { once: true });
    });
  }

  return {
    async close() {
      stop.abort();
      await done;
    },
  };
}

/** errno(3) of a host or a route that is unreachable; a server that refuses is reachable. */
const NOBODY = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN']);

/** True when an error means that there was no reply: a timeout of node-postgres, or an unreachable host. */
export function isNoReply(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Several addresses of one name: one that refuses is a reply.
  if (error instanceof AggregateError) return error.errors.every(isNoReply);
  return NOBODY.has(String((error as { readonly code?: unknown }).code)) || /timeout/i.test(error.message);
}
