import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createAccountStream, LEAD_BYTES, MalformedReply } from './account-stream.ts';
import type { AccountTask, ThreadNews, ThreadStart } from './account-worker.ts';
import { createOwnerSums, type Sums } from './owner-sums.ts';

/** Token accounts of replies of any length, added up by owner. Call `close` when they are no longer needed. */
export interface AccountSums {
  /**
   * Takes the next bytes of a reply and copies them. With a promise, further bytes must wait for it. Throws or rejects
   * with `MalformedReply`.
   */
  push(bytes: Uint8Array): Promise<void> | undefined;
  /** End of a reply; the number of accounts in it. Rejects with `MalformedReply`. */
  endReply(): Promise<number>;
  /** The sums of all replies. Nothing can be pushed afterwards. */
  sums(): Promise<Sums>;
  close(): void;
}

/** Bytes that are handed to the thread at once, and pieces that may be on their way. */
const PIECE_BYTES = 1024 * 1024;
const PIECES = 4;
/** A thread is started for the bytes beyond: starting it takes as long as reading about this many. */
const THREAD_FROM_BYTES = 16 * 1024 * 1024;
/** The sums lie outside the heap. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/**
 * Reads accounts here until a scan is long, and then in a thread of its own: reading millions of accounts takes seconds
 * of processor time, in which this thread receives the bytes and serves other requests. `seed`: 32 random bits.
 * `threadFrom`: bytes from which a thread is used.
 */
export function createAccountSums(seed: number, threadFrom = THREAD_FROM_BYTES): AccountSums {
  const owners = createOwnerSums(seed);
  const stream = createAccountStream((words, count) => owners.add(words, count));
  let thread: AccountThread | null = null;
  let piece = new Uint8Array(LEAD_BYTES + PIECE_BYTES);
  let filled = 0;
  let read = 0;
  let accounts = 0;

  /** Hands over the piece, and takes an empty one. */
  async function passOn(): Promise<void> {
    read += filled;
    if (thread === null && read > threadFrom)
      thread = startThread({ seed, left: stream.handOver(), before: owners.entries() });
    if (thread === null) stream.read(piece, filled);
    else piece = await thread.read(piece, filled);
    filled = 0;
  }

  async function pushRest(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.byteLength; ) {
      const part = bytes.subarray(offset, offset + PIECE_BYTES - filled);
      piece.set(part, LEAD_BYTES + filled);
      filled += part.byteLength;
      offset += part.byteLength;
      if (filled === PIECE_BYTES) await passOn();
    }
  }

  return {
    push(bytes) {
      if (filled + bytes.byteLength >= PIECE_BYTES) return pushRest(bytes);
      piece.set(bytes, LEAD_BYTES + filled);
      filled += bytes.byteLength;
      return undefined;
    },
    async endReply() {
      await passOn();
      const before = accounts;
      if (thread === null) stream.end();
      accounts = thread === null ? owners.accounts : await thread.endReply();
      return accounts - before;
    },
    sums: async () => thread?.sums() ?? owners.whole(),
    close() {
      thread?.close();
    },
  };
}

type AccountThread = ReturnType<typeof startThread>;

function startThread(start: ThreadStart) {
  const worker = new Worker(new URL('./account-worker.ts', import.meta.url), {
    workerData: start,
    transferList: start.before.blocks.map((block) => block.buffer),
    resourceLimits: LIMITS,
    env: environment(),
  });
  const free = Array.from({ length: PIECES - 1 }, () => new Uint8Array(LEAD_BYTES + PIECE_BYTES));
  let failed: Error | null = null;
  let next: { resolve(): void; reject(error: Error): void } | null = null;
  let accounts = 0;
  let sums: Sums | null = null;

  const fail = (error: Error) => {
    failed ??= error;
    next?.reject(failed);
    next = null;
  };
  worker.on('message', (news: ThreadNews) => {
    if ('malformed' in news) return fail(new MalformedReply(news.malformed));
    if ('piece' in news) free.push(news.piece);
    else if ('accounts' in news) accounts = news.accounts;
    else sums = news.sums;
    next?.resolve();
    next = null;
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that reads accounts ended')));

  /** Waits for messages of the thread until `found` gives something. */
  async function until<Found>(found: () => Found | null | undefined): Promise<Found> {
    for (;;) {
      if (failed !== null) throw failed;
      const value = found();
      if (value !== null && value !== undefined) return value;
      const waiting = Promise.withResolvers<void>();
      next = waiting;
      await waiting.promise;
    }
  }
  const post = (task: AccountTask, transfer: ArrayBuffer[] = []) => worker.postMessage(task, transfer);

  return {
    /** Hands over a piece and waits for an empty one. */
    read(piece: Uint8Array<ArrayBuffer>, length: number): Promise<Uint8Array<ArrayBuffer>> {
      post({ piece, length }, [piece.buffer]);
      return until(() => free.pop());
    },
    async endReply(): Promise<number> {
      accounts = -1;
      post({ end: 'reply' });
      return until(() => (accounts === -1 ? null : accounts));
    },
    sums(): Promise<Sums> {
      post({ end: 'scan' });
      return until(() => sums);
    },
    close: () => void worker.terminate(),
  };
}

/** Of the environment the thread gets the folder of compiled code alone: it starts in a third of the time with it. */
function environment(): Readonly<Record<string, string>> {
  // The folder that Node states is that of its own version, inside the one that is named.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
