import { parentPort, workerData } from 'node:worker_threads';
import { createAccountStream, MalformedReply } from './account-stream.ts';
import { createOwnerSums, type OwnerEntries, type Sums } from './owner-sums.ts';

/** What was read before the thread was started. */
export interface ThreadStart {
  readonly seed: number;
  readonly before: OwnerEntries;
  /** Bytes of the reply that were not read yet. */
  readonly left: Uint8Array;
}

/** A piece of the reply to read, or the end of the reply or of all of them. */
export type AccountTask =
  | { readonly piece: Uint8Array<ArrayBuffer>; readonly length: number }
  | { readonly end: 'reply' | 'scan' };

/** A piece that was read, the accounts so far at the end of a reply, the sums, or why the reply cannot be read. */
export type ThreadNews =
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly accounts: number }
  | { readonly sums: Sums }
  | { readonly malformed: string };

const start = workerData as ThreadStart;
const owners = createOwnerSums(start.seed, start.before);
const stream = createAccountStream((words, count) => owners.add(words, count), start.left);

parentPort?.on('message', (task: AccountTask) => {
  try {
    if ('piece' in task) {
      stream.read(task.piece, task.length);
      say({ piece: task.piece }, [task.piece.buffer]);
    } else if (task.end === 'reply') {
      stream.end();
      say({ accounts: owners.accounts });
    } else {
      const sums = owners.whole();
      // Keys and balances are in the same memory.
      say(
        { sums },
        sums.chunks.map(({ keys }) => keys.buffer as ArrayBuffer),
      );
    }
  } catch (error) {
    if (!(error instanceof MalformedReply)) throw error;
    say({ malformed: error.message });
  }
});

function say(news: ThreadNews, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(news, transfer);
}
