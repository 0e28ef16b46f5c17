import pg from 'pg';
import { RATINGS_CHANNEL } from './write.ts';

export interface RatingListener {
  /** Told the id of each asset that was rated; sometimes twice. Returns the way to stop. */
  onRated(listener: (assetId: string) => void): () => void;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly url: string;
  readonly onError: (error: unknown) => void;
  /** Between two looks whether the connection still lives; a look takes no longer than that either. */
  readonly pingMs?: number;
  readonly reconnectMs?: number;
}

/** A transaction that began before the connection was lost may have set its time before and ended within the gap. */
const MARGIN_SECONDS = 60;
const LISTENER_NAME = 'assay-rating-listener';

/**
 * One connection of its own that listens for ratings. When it is lost it comes back by itself, and what was rated meanwhile is
 * told then, from the heads.
 */
export function listenForRatings({ url, onError, pingMs = 2_000, reconnectMs = 500 }: ListenOptions): RatingListener {
  const listeners = new Set<(assetId: string) => void>();
  const stop = new AbortController();
  // Monotonic: a clock that is set while the connection is away changes nothing.
  let aliveAt = performance.now();
  const done = run();

  function tell(assetId: string): void {
    for (const listener of listeners) {
      try {
        listener(assetId);
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
      if (channel === RATINGS_CHANNEL && payload) tell(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${RATINGS_CHANNEL}`);
      const seconds = (performance.now() - aliveAt) / 1000 + MARGIN_SECONDS;
      const { rows } = await client.query<{ asset_id: string }>(
        'select asset_id from rated_assets where changed_at > clock_timestamp() - make_interval(secs => $1)',
        [seconds],
      );
      for (const row of rows) tell(row.asset_id);
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

  return {
    onRated(listener) {
      const own = (assetId: string) => listener(assetId);
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
