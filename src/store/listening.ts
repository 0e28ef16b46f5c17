import { sql } from 'kysely';
import pg from 'pg';
import { type Database, pause } from './database.ts';

export interface ListenOptions {
  readonly url: string;
  readonly onError: (error: unknown) => void;
  /** Interval of checks that the connection works, and time limit of a check. */
  readonly pingMs?: number;
  readonly reconnectMs?: number;
}

export interface Channel {
  readonly name: string;
  /** The connection's application name in `pg_stat_activity`. */
  readonly listener: string;
  readonly onPayload: (payload: string) => void;
  /** Reads the notifications of the last seconds, during which there was no connection. */
  readonly recheck: (client: pg.Client, seconds: number) => Promise<void>;
}

/**
 * Added to the gap: a transaction that began before the connection was lost may have set its time before and committed
 * within. Heads are updated last in their transactions, so this is sufficient.
 */
const MARGIN_SECONDS = 60;

/**
 * One connection that listens to a channel. When it is lost it is reopened, and missed notifications are read from the
 * tables.
 */
export function keepListening(
  channel: Channel,
  { url, onError, pingMs = 2_000, reconnectMs = 500 }: ListenOptions,
): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  // Monotonic: a clock change during the gap has no effect.
  let aliveAt = performance.now();
  const done = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await session().catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error);
      });
      await pause(reconnectMs, stop.signal);
    }
  }

  /** Lifetime of one connection; ends by an error or by `close`. */
  async function session(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: channel.listener,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: Math.max(pingMs, 1_000),
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', (told) => {
      if (told.channel === channel.name && told.payload) channel.onPayload(told.payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel.name}`);
      await channel.recheck(client, (performance.now() - aliveAt) / 1000 + MARGIN_SECONDS);
      aliveAt = performance.now();
      while (!stop.signal.aborted && !lost.signal.aborted) {
        await pause(pingMs, AbortSignal.any([stop.signal, lost.signal]));
        if (stop.signal.aborted) break;
        await client.query('select 1');
        aliveAt = performance.now();
      }
    } finally {
      // A half-open connection does not end by itself, so it is not awaited.
      await Promise.race([client.end().catch(() => undefined), pause(1_000)]);
    }
  }

  return {
    async close() {
      stop.abort();
      await done;
    },
  };
}

/** The subscribers; an error of one does not affect the others. */
export function createListeners<Notification>(onError: (error: unknown) => void) {
  const listeners = new Set<(told: Notification) => void>();
  return {
    tell(told: Notification): void {
      for (const listener of listeners) {
        try {
          listener(told);
        } catch (error) {
          onError(error);
        }
      }
    },
    /** Returns a function that unsubscribes. */
    add(listener: (told: Notification) => void): () => void {
      const own = (told: Notification) => listener(told);
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}

/**
 * Times of the last notification about each asset, in this process. `ticks`: monotonic milliseconds. Keeps `most`
 * assets; a dropped asset has the time of the newest dropped one.
 */
export function createNotificationTimestamps(most: number, ticks: () => number) {
  const times = new Map<string, number>();
  let forgotten = Number.NEGATIVE_INFINITY;
  return {
    note(assetId: string): void {
      times.delete(assetId);
      times.set(assetId, ticks());
      if (times.size <= most) return;
      const [oldest] = times;
      if (oldest === undefined) return;
      forgotten = oldest[1];
      times.delete(oldest[0]);
    },
    /** No notification about the asset came after this time. */
    of: (assetId: string) => times.get(assetId) ?? forgotten,
  };
}

export interface JobNotification {
  readonly jobId: string;
  readonly jobSignal: JobSignal;
}

const JOBS_CHANNEL = 'assay_jobs';
/** A notification holds at most 8,000 bytes; an id has about thirty. */
const MOST_AT_ONCE = 100;
const SIGNS = { changed: '=', progress: '.', waiting: '+', cancelled: '-', partial: '?' } as const;
const ALL_SIGNALS = Object.keys(SIGNS) as readonly JobSignal[];
/**
 * Notifications about a job: it changed, it has new events, it is queued, its cancellation was requested, or a score
 * requests the partial evidence of its collection.
 */
export type JobSignal = keyof typeof SIGNS;

/** Notifies all processes, in separate statements, so that no commit of a job waits for it. */
export async function notifyJobs(db: Database, told: readonly JobNotification[]): Promise<void> {
  for (let from = 0; from < told.length; from += MOST_AT_ONCE) {
    const lines = told.slice(from, from + MOST_AT_ONCE).map(({ jobId, jobSignal }) => `${SIGNS[jobSignal]}${jobId}`);
    await sql`select pg_notify(${JOBS_CHANNEL}, ${lines.join('\n')})`.execute(db);
  }
}

/** Listens for notifications about jobs. Those sent while the connection is lost are missed: readers poll too. */
export function listenForJobs(
  options: ListenOptions,
  onNotification: (told: JobNotification) => void,
): { readonly close: () => Promise<void> } {
  return keepListening(
    {
      name: JOBS_CHANNEL,
      listener: 'assay-job-listener',
      onPayload(payload) {
        for (const line of payload.split('\n'))
          for (const jobSignal of ALL_SIGNALS)
            if (line.startsWith(SIGNS[jobSignal])) onNotification({ jobId: line.slice(1), jobSignal });
      },
      recheck: async () => undefined,
    },
    options,
  );
}
