import pg from 'pg';
import type { Store } from './database.ts';

export interface WatchdogOptions {
  readonly everyMs?: number;
  /** A database that has answered nothing for so long is taken to be gone. */
  readonly patienceMs?: number;
}

/** While nothing answers, who needs a connection waits no longer for one. */
const SILENT_CONNECT_MS = 1_000;

/**
 * Watches whether the database still answers at all. When the wire to it goes silent (a cable, a firewall, a machine that
 * died without a word) TCP waits for a quarter of an hour: here its connections are ended, so that who waits is told
 * within seconds, and who comes meanwhile is told at once. A long statement ends nothing: the watch has a connection of its own.
 */
export function watchConnections(
  { pool, sockets, url }: Pick<Store, 'pool' | 'sockets' | 'url'>,
  { everyMs = 2_000, patienceMs = 8_000 }: WatchdogOptions = {},
): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const calmConnectMs = pool.options.connectionTimeoutMillis;
  let answeredAt = performance.now();
  const done = watch();

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      await session().catch(() => undefined);
      // One that refuses (it restarts, it has no place left) is not silent: its connections say so themselves.
      if (!stop.signal.aborted && performance.now() - answeredAt >= patienceMs) endAll();
      await pause(everyMs / 4);
    }
  }

  /** Asks as long as there are answers. */
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
      if (!isSilence(error)) answered();
      throw error;
    } finally {
      await Promise.race([client.end().catch(() => undefined), pause(everyMs / 4)]);
    }
  }

  /** Those at work, those that idle and those that are still being opened: what waits for one fails. */
  function endAll(): void {
    for (const socket of sockets) socket.destroy();
    answeredAt = performance.now();
    pool.options.connectionTimeoutMillis = SILENT_CONNECT_MS;
  }

  function answered(): void {
    answeredAt = performance.now();
    pool.options.connectionTimeoutMillis = calmConnectMs;
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

/** What the system says of a machine, or of a way to it, that is not there (errno(3)); a server that refuses is there. */
const NOBODY = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN']);

/** Whether an error says that nobody answered: node-postgres lost patience, or the system found no way. */
export function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Several addresses of one name: one that answers, and be it to refuse, is an answer.
  if (error instanceof AggregateError) return error.errors.every(isSilence);
  return NOBODY.has(String((error as { readonly code?: unknown }).code)) || /timeout/i.test(error.message);
}
