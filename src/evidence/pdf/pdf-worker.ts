import { parentPort, workerData } from 'node:worker_threads';
import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import { blocksOf, type PdfBlock, type PdfLimits, type PdfText, type TextRun } from './read-pdf.ts';

const { bytes, limits } = workerData as { readonly bytes: Uint8Array; readonly limits: PdfLimits };
/** Text run limit, so that one page cannot exhaust the memory of the thread. */
const MOST_RUNS = 50_000;

parentPort?.postMessage(await textOf(bytes));

/** The text of the document. Scripts, forms, fonts and pictures are ignored. */
async function textOf(data: Uint8Array): Promise<PdfText> {
  try {
    const document = await getDocument({
      data,
      verbosity: VerbosityLevel.ERRORS,
      useWasm: false,
      useWorkerFetch: false,
      useSystemFonts: false,
      disableFontFace: true,
      stopAtErrors: false,
      maxImageSize: 1,
      enableXfa: false,
    }).promise;
    const pages: { number: number; blocks: readonly PdfBlock[] }[] = [];
    let left = limits.characters;
    for (let number = 1; number <= Math.min(document.numPages, limits.pages) && left > 0; number += 1) {
      const page = await document.getPage(number);
      const blocks = cut(blocksOf(await runsOf(page)), left);
      left -= blocks.reduce((sum, block) => sum + block.text.length, 0);
      pages.push({ number, blocks });
      page.cleanup();
    }
    return { unread: null, pageCount: document.numPages, pages };
  } catch (error) {
    return { unread: reasonOf(error), pageCount: 0, pages: [] };
  }
}

async function runsOf(page: {
  streamTextContent(options: object): ReadableStream<{ readonly items: readonly object[] }>;
}): Promise<readonly TextRun[]> {
  const runs: TextRun[] = [];
  for await (const { items } of page.streamTextContent({ disableNormalization: false }))
    for (const item of items) {
      const { str, transform, width, height } = item as Partial<{
        str: string;
        transform: readonly number[];
        width: number;
        height: number;
      }>;
      if (typeof str !== 'string' || transform === undefined) continue;
      runs.push({ text: str, x: transform[4] ?? 0, y: transform[5] ?? 0, width: width ?? 0, height: height ?? 0 });
      if (runs.length >= MOST_RUNS) return runs;
    }
  return runs;
}

function cut(blocks: readonly PdfBlock[], characters: number): readonly PdfBlock[] {
  const kept: PdfBlock[] = [];
  let left = characters;
  for (const block of blocks) {
    if (left <= 0) break;
    kept.push({ ...block, text: block.text.slice(0, left) });
    left -= block.text.length;
  }
  return kept;
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'it is encrypted';
  if (name === 'InvalidPDFException') return 'it is not a PDF, or it is damaged';
  return 'its structure is inconsistent';
}
