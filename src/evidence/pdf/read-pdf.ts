import { Worker } from 'node:worker_threads';
import type { PdfLimits, PdfText } from './lines.ts';

const MIB = 1024 * 1024;
/** What a paper may cost: a hundred pages of text take a second and 60 MiB. */
export const PDF_LIMITS: PdfLimits = { milliseconds: 10_000, mebibytes: 128, pages: 60, characters: 300_000 };
/** How often the thread's memory is looked at: what it unpacks lies outside the heap that Node bounds. */
const LOOK_MS = 25;
/** Threads at once; others wait. A paper is never worth the service's memory. */
const MOST_THREADS = 2;
const NO_TIME = 'no time was left to read it';

/**
 * Reads the text of a PDF in a thread of its own, bounded in time, memory, pages and characters. A file that is encrypted, broken,
 * endless or too large when unpacked is an answer: `unread` says why. Nothing in it is run, nothing is fetched.
 */
export async function readPdf(
  bytes: Uint8Array,
  signal: AbortSignal,
  limits: PdfLimits = PDF_LIMITS,
): Promise<PdfText> {
  if (!looksLikePdf(bytes)) return unread('it is no PDF');
  const giveBack = await enter(signal);
  if (giveBack === null) return unread(NO_TIME);
  try {
    return await inThread(bytes, signal, limits);
  } finally {
    giveBack();
  }
}

function inThread(bytes: Uint8Array, signal: AbortSignal, limits: PdfLimits): Promise<PdfText> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: { bytes, limits },
      resourceLimits: { maxOldGenerationSizeMb: limits.mebibytes, maxYoungGenerationSizeMb: 32 },
      env: {},
      stdout: true,
      stderr: true,
    });
    const end = (text: PdfText) => {
      clearTimeout(timer);
      clearInterval(look);
      signal.removeEventListener('abort', onAbort);
      void worker.terminate();
      resolve(text);
    };
    const onAbort = () => end(unread(NO_TIME));
    const timer = setTimeout(
      () => end(unread(`it takes more than ${limits.milliseconds} ms to read`)),
      limits.milliseconds,
    );
    const look = setInterval(() => {
      worker.getHeapStatistics().then(
        (found) => {
          if (found.external_memory + found.malloced_memory + found.used_heap_size > limits.mebibytes * MIB)
            end(unread(tooLarge(limits)));
        },
        () => undefined,
      );
    }, LOOK_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (text: PdfText) => end(text));
    worker.once('error', () => end(unread(tooLarge(limits))));
    worker.once('exit', () => end(unread('its parts do not fit together')));
  });
}

function tooLarge({ mebibytes }: PdfLimits): string {
  return `it takes more than ${mebibytes} MiB to read`;
}

function unread(reason: string): PdfText {
  return { unread: reason, pageCount: 0, pages: [] };
}

/** The header stands in the first kilobyte (ISO 32000-2, annex on implementations). */
function looksLikePdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-');
}

let inside = 0;
const waiting = new Set<() => void>();

/** A place, with what gives it back; null when the signal fires first: nobody's deadline waits for another's paper. */
function enter(signal: AbortSignal): Promise<(() => void) | null> {
  if (signal.aborted) return Promise.resolve(null);
  if (inside < MOST_THREADS) {
    inside += 1;
    return Promise.resolve(leave);
  }
  return new Promise((resolve) => {
    const take = () => {
      signal.removeEventListener('abort', giveUp);
      resolve(leave);
    };
    const giveUp = () => {
      waiting.delete(take);
      resolve(null);
    };
    waiting.add(take);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** A place is handed on, not given back, while others wait for it. */
function leave(): void {
  const [next] = waiting;
  if (next === undefined) {
    inside -= 1;
    return;
  }
  waiting.delete(next);
  next();
}
