import type { Database } from '../store/index.ts';
import { forgetProcess, livingProcesses, type ProcessRow, type Role, seeProcess } from '../store/index.ts';

/** The processes that share the database. */
export interface Processes {
  /** Those heard of lately, this one among them. */
  list(): readonly ProcessRow[];
  /** Whether anybody else is there to be told anything. */
  isAlone(): boolean;
  close(): Promise<void>;
}

const HEARTBEAT_MS = 3_000;
/** One that has said nothing for so long is gone. */
const LIVES_SECONDS = 10;

/** Joins them, and tells `onWorkers` how many work whenever that changes. */
export async function joinProcesses(
  db: Database,
  self: { readonly id: string; readonly role: Role; readonly version: string },
  onWorkers: (workers: number) => void,
  onError: (error: unknown) => void,
): Promise<Processes> {
  let living: readonly ProcessRow[] = [];
  let workers = 1;
  let beating: Promise<void> = beat();
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, HEARTBEAT_MS);
  timer.unref();
  await beating;

  async function beat(): Promise<void> {
    try {
      await seeProcess(db, self);
      living = await livingProcesses(db, LIVES_SECONDS);
    } catch (error) {
      onError(error);
      return;
    }
    const now = Math.max(1, living.filter((row) => row.role !== 'api').length);
    if (now !== workers) onWorkers(now);
    workers = now;
  }

  return {
    list: () => living,
    isAlone: () => living.every((row) => row.id === self.id),
    async close() {
      clearInterval(timer);
      await beating;
      await forgetProcess(db, self.id).catch(onError);
    },
  };
}
