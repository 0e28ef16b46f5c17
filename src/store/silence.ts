import pg from 'pg';

export interface SilenceOptions {
  readonly url: string;
  readonly everyMs?: number;
  /** A database that has answered nothing for so long is taken to be gone. */
  readonly patienceMs?: number;
}

/**
 * Watches whether the database still answers at all. When the wire to it goes silent (a cable, a firewall, a machine that
 * died without a word) TCP waits for a quarter of an hour: here its connections are ended, so that who waits is told
 * within seconds. A long statement ends nothing: the watch has a connection of its own.
 */
export function endSilentConnections(
  pool: pg.Pool,
  { url, everyMs = 2_000, patienceMs = 8_000 }: SilenceOptions,
): { readonly close: () => Promise<void> } {
  const connections = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connections.add(client));
  pool.on('remove', (client) => connections.delete(client));
  const stop = new AbortController();
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
        answeredAt = performance.now();
        await pause(everyMs);
      }
    } catch (error) {
      if (!isSilence(error)) answeredAt = performance.now();
      throw error;
    } finally {
      await Promise.race([client.end().catch(() => undefined), pause(everyMs / 4)]);
    }
  }

  /** A connection that is at work is destroyed, and its statement fails. */
  function endAll(): void {
    for (const client of connections) void (client as unknown as pg.Client).end().catch(() => undefined);
    answeredAt = performance.now();
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

/** What node-postgres says when nobody answers. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}
