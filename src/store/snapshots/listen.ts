import pg from 'pg';
import { CHANNEL, noticesOf, type StoredNotice } from './notices.ts';

export interface SnapshotListener {
  /** Told of each stored snapshot; sometimes of one twice. Returns the way to stop. */
  onStored(listener: (notice: StoredNotice) => void): () => void;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly url: string;
  readonly onError: (error: unknown) => void;
  /** Between two looks whether the connection still lives; a look takes no longer than that either. */
  readonly pingMs?: number;
  readonly reconnectMs?: number;
}

/**
 * Looked back on further than the gap itself: a transaction that began before the connection was lost may have set its
 * time before and ended within. Heads are raised last in their transactions, so this is plenty.
 */
const MARGIN_SECONDS = 60;
/** How the connection is called in the server's list of them. */
const LISTENER_NAME = 'assay-listener';

/**
 * One connection of its own that listens for stored snapshots. When it is lost it comes back by itself, and what was stored
 * meanwhile is told then, from the heads.
 */
export function listenForSnapshots({
  url,
  onError,
  pingMs = 2_000,
  reconnectMs = 500,
}: ListenOptions): SnapshotListener {
  const listeners = new Set<(notice: StoredNotice) => void>();
  const stop = new AbortController();
  // Monotonic: a clock that is set while the connection is away changes nothing.
  let aliveAt = performance.now();
  const done = run();

  function tell(notice: StoredNotice): void {
    for (const listener of listeners) {
      try {
        listener(notice);
      } catch (error) {
        onError(error);
      }
    }
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await session().catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error);
      });
      await pause(reconnectMs, stop.signal);
    }
  }

  /** One connection's life; ends by an error or by `close`. */
  async function session(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: LISTENER_NAME,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: Math.max(pingMs, 1_000),
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ channel, payload }) => {
      if (channel === CHANNEL) for (const notice of noticesOf(payload ?? '')) tell(notice);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await recheck(client);
      aliveAt = performance.now();
      while (!stop.signal.aborted && !lost.signal.aborted) {
        await pause(pingMs, AbortSignal.any([stop.signal, lost.signal]));
        if (stop.signal.aborted) break;
        await client.query('select 1');
        aliveAt = performance.now();
      }
    } finally {
      // A half-open connection never says goodbye; nobody waits for it.
      await Promise.race([client.end().catch(() => undefined), pause(1_000)]);
    }
  }

  async function recheck(client: pg.Client): Promise<void> {
    const seconds = (performance.now() - aliveAt) / 1000 + MARGIN_SECONDS;
    const { rows } = await client.query<StoredNotice>(
      `select asset_id as "assetId", kind, as_of as "asOf" from snapshot_heads
       where changed_at > clock_timestamp() - make_interval(secs => $1)`,
      [seconds],
    );
    for (const row of rows) tell(row);
  }

  return {
    onStored(listener) {
      const own = (notice: StoredNotice) => listener(notice);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    async close() {
      stop.abort();
      await done;
    },
  };
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
