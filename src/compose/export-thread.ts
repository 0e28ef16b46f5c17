import { Worker } from 'node:worker_threads';

export interface ExportTask {
  readonly databaseUrl: string;
  readonly dataMode: 'live' | 'sandbox';
  /** Folder of all exports of this data mode. */
  readonly root: string;
  /** `rms`, or the name of a chain. */
  readonly subject: string;
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  /** Milliseconds since the epoch: when it is published. */
  readonly at: number;
}

/** A day of a million rows is minutes of work: its garbage is collected in small steps, and requests do not wait for it. */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/** Publishes a closed day in a thread beside the one that answers requests. Rejects when it fails; nothing is half-published then. */
export function publishInThread(task: ExportTask, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./export-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: LIMITS,
    });
    let published = false;
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    worker.once('message', () => {
      published = true;
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      if (published) resolve();
      else reject(new Error(`the thread that publishes ended with ${code}`));
    });
  });
}
