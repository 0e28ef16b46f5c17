import type { Database } from '../store/index.ts';
import { appendEvents } from '../store/index.ts';
import type { Signals } from './signals.ts';
import type { JobEventDraft } from './types.ts';

/** Events of one running job: gathered for a moment, stored together, then announced. */
export interface EventLog {
  emit(event: JobEventDraft): void;
  /** Resolves when everything emitted so far is stored. */
  flush(): Promise<void>;
}

const GATHER_MS = 40;

export function createEventLog(db: Database, jobId: string, now: () => number, signals: Signals): EventLog {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) {
      // Progress is a service to the reader; that it cannot be stored must not end the job.
      writing = writing
        .then(() => appendEvents(db, jobId, batch))
        .then(
          () => signals.tell(jobId, 'changed'),
          () => undefined,
        );
    }
    return writing;
  }

  return {
    emit(event) {
      waiting.push(JSON.stringify({ ...event, at: new Date(now()).toISOString() }));
      timer ??= setTimeout(() => void write(), GATHER_MS);
    },
    flush: write,
  };
}
