import pg from 'pg';
import { ALERTS_CHANNEL } from './alerts.ts';

export interface AlertListener {
  /** Told the id of each account that has a new alert. Returns the way to stop. */
  onAlert(listener: (accountId: string) => void): () => void;
  /**
   * Takes a lock that one process at a time can hold, until it is given back, or its process or connection ends. Null
   * while there is no connection: then nobody can say. A process must not take a lock that it holds.
   */
  tryLock(name: string): Promise<boolean | null>;
  unlock(name: string): Promise<void>;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;

/**
 * One connection of its own that listens for alerts, and comes back by itself when it is lost. What is told meanwhile is
 * lost here: readers look at the store now and then whether they are told or not.
 */
export function listenForAlerts(url: string, onError: (error: unknown) => void): AlertListener {
  const listeners = new Set<(accountId: string) => void>();
  const locks = new Set<string>();
  const stop = new AbortController();
  let connected: { readonly client: pg.Client; readonly breakOff: () => void } | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const done = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await session().catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error);
      });
      await ended(stop.signal, RECONNECT_MS);
    }
  }

  async function session(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assay-alert-listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ channel, payload }) => {
      if (channel !== ALERTS_CHANNEL) return;
      for (const accountId of (payload ?? '').split('\n')) for (const listener of listeners) listener(accountId);
    });
    try {
      await client.connect();
      await client.query(`listen ${ALERTS_CHANNEL}`);
      // They went with the connection before; what another process has taken meanwhile is over the limit until it ends.
      for (const name of locks) await tryLockOn(client, name);
      connected = { client, breakOff: () => lost.abort() };
      await ended(AbortSignal.any([stop.signal, lost.signal]));
    } finally {
      connected = null;
      // A half-open connection never says goodbye; nobody waits for it.
      await Promise.race([client.end().catch(() => undefined), ended(new AbortController().signal, RECONNECT_MS)]);
    }
  }

  /** Null without a connection; one that does not answer is given up, and its locks with it. */
  async function onConnection<T>(ask: (client: pg.Client) => Promise<T>): Promise<T | null> {
    const asked = connected;
    if (asked === null) return null;
    return ask(asked.client).catch(() => {
      asked.breakOff();
      return null;
    });
  }

  /** A connection runs one query at a time. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = turn.then(ask);
    turn = asked.catch(() => undefined);
    return asked;
  }

  return {
    onAlert(listener) {
      const own = (accountId: string) => listener(accountId);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    tryLock: (name) =>
      inTurn(async () => {
        const taken = await onConnection((client) => tryLockOn(client, name));
        if (taken !== false) locks.add(name);
        return taken;
      }),
    unlock: (name) =>
      inTurn(async () => {
        locks.delete(name);
        await onConnection((client) => client.query(`select pg_advisory_unlock(${LOCK_KEY})`, [name]));
      }),
    async close() {
      stop.abort();
      await done;
    },
  };
}

const LOCK_KEY = 'hashtextextended($1, 0)';

async function tryLockOn(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK_KEY}) as taken`, [name]);
  return rows[0]?.taken === true;
}

function ended(signal: AbortSignal, milliseconds?: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = milliseconds === undefined ? null : setTimeout(end, milliseconds);
    function end() {
      if (timer) clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
