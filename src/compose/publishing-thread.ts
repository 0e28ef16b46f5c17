import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Settings of the thread, the same for all its tasks. */
export interface ExportPlace {
  readonly databaseUrl: string;
  readonly dataMode: 'live' | 'sandbox';
  /** Folder of all exports of this data mode. */
  readonly root: string;
  /** True if this process also serves requests, which have precedence. False if a caller waits for the files. */
  readonly isLowPriority: boolean;
}

export interface ExportTask {
  /** `rms`, or the name of a chain. */
  readonly subject: string;
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  /** Time of publication, milliseconds since the epoch. */
  readonly at: number;
}

/** The thread's reply to a task: the reason of a failure, or null when the day is published. */
export type ExportTaskResult = { readonly failed: string | null };

/** A day of a million rows takes minutes: a small young generation keeps garbage collection in short steps. */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };
/** Idle time after which the thread ends, milliseconds. It loads the code once for all days of a pass. */
const IDLE_MS = 2_000;

/**
 * Publishes closed days one after the other, in a thread beside the one that serves requests. `publish` rejects when
 * the day could not be published or `signal` was aborted; nothing is visible then.
 */
export function createPublishingThread(place: ExportPlace) {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  function present(): Worker {
    if (worker !== null) return worker;
    const made = new Worker(new URL('./export-worker.ts', import.meta.url), {
      workerData: place,
      resourceLimits: LIMITS,
    });
    made.once('exit', () => {
      if (worker === made) worker = null;
    });
    // Waiting callers get the error; between tasks, the end of a thread affects none.
    made.on('error', () => undefined);
    worker = made;
    return made;
  }

  async function publish(task: ExportTask, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    clearTimeout(idle);
    const thread = present();
    thread.ref();
    const stop = () => void thread.terminate();
    signal.addEventListener('abort', stop, { once: true });
    const heard = new AbortController();
    try {
      thread.postMessage(task);
      const answer = await Promise.race([answerOf(thread, heard.signal), endOf(thread, heard.signal)]);
      if (answer.failed !== null) throw new Error(answer.failed);
    } finally {
      heard.abort();
      signal.removeEventListener('abort', stop);
      thread.unref();
      idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref();
    }
  }

  return { publish };
}

async function answerOf(thread: Worker, signal: AbortSignal): Promise<ExportTaskResult> {
  const [answer] = (await once(thread, 'message', { signal })) as [ExportTaskResult];
  return answer;
}

async function endOf(thread: Worker, signal: AbortSignal): Promise<ExportTaskResult> {
  const [code] = (await once(thread, 'exit', { signal })) as [number];
  return { failed: `the thread that publishes ended with ${code}` };
}
