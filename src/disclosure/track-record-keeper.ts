import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TrackRecord } from '../publication/index.ts';
import type { Store } from '../store/index.ts';

/** The track record as it was last computed. */
export interface ComputedTrackRecord {
  readonly record: TrackRecord;
  readonly methodologyVersion: string;
  /** RFC 3339 UTC; the record covers publications until then. */
  readonly computedAt: string;
}

export interface TrackRecordTask {
  readonly databaseUrl: string;
  readonly dataMode: 'live' | 'sandbox';
  /** RFC 3339 UTC. */
  readonly asOf: string;
}

/** Shortest interval between computations, milliseconds; they also take at most a twentieth of the time. */
const RENEW_MS = 10 * 60_000;
const SHARE = 20;
const LONGEST_WAIT_MS = 10_000;
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Keeps the track record in memory; a separate thread computes it. */
export function openTrackRecordKeeper({
  store,
  dataMode,
  now,
  onError,
  waitMs = LONGEST_WAIT_MS,
}: {
  readonly store: Pick<Store, 'url'>;
  readonly dataMode: 'live' | 'sandbox';
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
  readonly waitMs?: number;
}) {
  let newest: ComputedTrackRecord | null = null;
  let renewAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  const stop = new AbortController();

  async function renew(): Promise<void> {
    const started = performance.now();
    try {
      newest = await compute({ databaseUrl: store.url, dataMode, asOf: new Date(now()).toISOString() }, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) onError(error, 'computing the track record');
    }
    const ended = performance.now();
    renewAt = ended + Math.max(RENEW_MS, SHARE * (ended - started));
    running = null;
  }

  return {
    /** The newest computed record, recomputed when it is old; null if the first one takes too long. */
    async read(): Promise<ComputedTrackRecord | null> {
      if (running === null && performance.now() >= renewAt && !stop.signal.aborted) running = renew();
      if (newest === null && running !== null) {
        const over = new AbortController();
        const late = sleep(waitMs, undefined, { signal: over.signal }).catch(() => undefined);
        await Promise.race([running, late]).finally(() => over.abort());
      }
      return newest;
    },
    async close(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}

function compute(task: TrackRecordTask, signal: AbortSignal): Promise<ComputedTrackRecord> {
  return new Promise((resolve, reject) => {
    const program = new URL('./track-record-worker.ts', import.meta.url);
    const worker = new Worker(program, { workerData: task, resourceLimits: LIMITS });
    const end = () => void worker.terminate();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let computed: ComputedTrackRecord | null = null;
    worker.once('message', (message: ComputedTrackRecord) => {
      computed = message;
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      if (computed) resolve(computed);
      else reject(new Error(`the thread that computes the track record ended with ${code}`));
    });
  });
}
