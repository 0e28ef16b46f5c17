/** A run of text as PDF.js gives it: where it stands on the page, how high its letters are. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lines this many letter heights apart begin a new paragraph. */
const PARAGRAPH_GAP = 1.7;
/** Letters this much higher than the page's usual ones make a heading. */
const HEADING_RATIO = 1.15;
const LONGEST_HEADING = 120;
/** Runs on one line further apart than this many letter heights are cells of a table. */
const CELL_GAP = 1.5;

/** Runs of a page to headings and paragraphs, in the order of the file. Pure. */
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

/** Height of the letters of half of all text. */
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

/** A stretch of text of a page: a heading, or a paragraph whose lines are joined. */
export interface PdfBlock {
  readonly text: string;
  readonly isHeading: boolean;
  /** Height of its letters, points. */
  readonly size: number;
}

/** A document as it is archived and read: what was found, or why nothing was. */
export interface PdfText {
  /** Why it was not read; null when it was. */
  readonly unread: string | null;
  /** Pages of the file; more may be there than were read. */
  readonly pageCount: number;
  readonly pages: readonly { readonly number: number; readonly blocks: readonly PdfBlock[] }[];
}

export interface PdfLimits {
  readonly milliseconds: number;
  /** Of the thread that reads it: heap, and buffers outside of it. */
  readonly mebibytes: number;
  readonly pages: number;
  /** Of all pages together. */
  readonly characters: number;
}
