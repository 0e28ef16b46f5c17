import { Worker } from 'node:worker_threads';

const MIB = 1024 * 1024;
/** Limits for one document. A hundred pages of text take a second and 60 MiB. */
export const PDF_LIMITS: PdfLimits = { milliseconds: 10_000, mebibytes: 128, pages: 60, characters: 300_000 };
/** Interval of memory checks of the thread, milliseconds: unpacked data is outside the heap that Node limits. */
const LOOK_MS = 25;
/** Concurrent reader threads, which bounds the memory; further documents wait. */
const MOST_THREADS = 2;
const NO_TIME = 'no time was left to read it';

/**
 * Reads the text of a PDF in a separate thread, with limits of time, memory, pages and characters. For a file that is
 * encrypted, broken, endless or too large when unpacked, `unread` gives the reason. Scripts are not run and links are
 * not fetched.
 */
export async function readPdf(
  bytes: Uint8Array,
  signal: AbortSignal,
  limits: PdfLimits = PDF_LIMITS,
): Promise<PdfText> {
  if (!looksLikePdf(bytes)) return unread('it is not a PDF');
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
    worker.once('exit', () => end(unread('its structure is inconsistent')));
  });
}

function tooLarge({ mebibytes }: PdfLimits): string {
  return `it takes more than ${mebibytes} MiB to read`;
}

function unread(reason: string): PdfText {
  return { unread: reason, pageCount: 0, pages: [] };
}

/** The header is in the first kilobyte (ISO 32000-2, annex on implementations). */
function looksLikePdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-');
}

let inside = 0;
const waiting = new Set<() => void>();

/**
 * Waits for a free thread. Resolves with a function that releases it, or with null when the signal fires first, so that
 * a job does not miss its deadline because of another job's document.
 */
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

/** Passes the thread to the next waiting caller, or frees it. */
function leave(): void {
  const [next] = waiting;
  if (next === undefined) {
    inside -= 1;
    return;
  }
  waiting.delete(next);
  next();
}

/** A run of text from PDF.js: its position on the page, and the height of its letters. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lines this many letter heights apart begin a new paragraph. */
const PARAGRAPH_GAP = 1.7;
/** Letters this many times as high as the usual ones of the page make a heading. */
const HEADING_RATIO = 1.15;
const LONGEST_HEADING = 120;
/** Runs on one line that are further apart than this many letter heights are cells of a table. */
const CELL_GAP = 1.5;

/** Joins the runs of a page into headings and paragraphs, in the order of the file. Pure. */
export function blocksOf(runs: readonly TextRun[]): readonly PdfBlock[] {
  const lines = linesOf(runs);
  const usual = usualHeight(lines);
  const blocks: { text: string; isHeading: boolean; y: number; height: number }[] = [];
  for (const { text, y, height } of lines) {
    const isHeading = height > usual * HEADING_RATIO && text.length <= LONGEST_HEADING;
    const last = blocks.at(-1);
    const gap = last === undefined ? 0 : Math.abs(last.y - y) / Math.max(1, height);
    const isListItem = /^(?:[•\-–*]|\d{1,2}[.)])\s/.test(text);
    if (last !== undefined && last.isHeading === isHeading && gap <= PARAGRAPH_GAP && !isListItem) {
      last.text =
        last.text.endsWith('-') && /^\p{Ll}/u.test(text) ? last.text.slice(0, -1) + text : `${last.text} ${text}`;
      last.y = y;
    } else blocks.push({ text, isHeading, y, height });
  }
  return blocks.map(({ text, isHeading, height }) => ({ text, isHeading, size: Math.round(height * 10) / 10 }));
}

interface Line {
  text: string;
  y: number;
  height: number;
  end: number;
}

function linesOf(runs: readonly TextRun[]): readonly Line[] {
  const lines: Line[] = [];
  for (const run of runs) {
    if (run.text.trim() === '') continue;
    const last = lines.at(-1);
    const height = Math.max(1, run.height);
    if (last !== undefined && Math.abs(last.y - run.y) < height / 2 && run.x >= last.end - height) {
      const gap = run.x - last.end;
      last.text += gap > CELL_GAP * height ? ` | ${run.text}` : gap > height * 0.15 ? ` ${run.text}` : run.text;
      last.end = run.x + run.width;
      last.height = Math.max(last.height, height);
    } else lines.push({ text: run.text, y: run.y, height, end: run.x + run.width });
  }
  return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, ' ').trim() }));
}

/** Weighted median of the letter height over all text, points. */
function usualHeight(lines: readonly Line[]): number {
  const sorted = [...lines].sort((a, b) => a.height - b.height);
  const half = sorted.reduce((sum, line) => sum + line.text.length, 0) / 2;
  let seen = 0;
  for (const line of sorted) {
    seen += line.text.length;
    if (seen >= half) return line.height;
  }
  return 1;
}

/** A block of text on a page: a heading, or a paragraph whose lines are joined. */
export interface PdfBlock {
  readonly text: string;
  readonly isHeading: boolean;
  /** Height of its letters, points. */
  readonly size: number;
}

/** The text of a document as it is archived, or why it was not read. */
export interface PdfText {
  /** Why it was not read; null when it was. */
  readonly unread: string | null;
  /** Pages in the file, which may be more than were read. */
  readonly pageCount: number;
  readonly pages: readonly { readonly number: number; readonly blocks: readonly PdfBlock[] }[];
}

export interface PdfLimits {
  readonly milliseconds: number;
  /** Memory limit of the reader thread: heap, and buffers outside it. */
  readonly mebibytes: number;
  readonly pages: number;
  /** Limit over all pages together. */
  readonly characters: number;
}
