import { pdfOf } from '../sandbox/pdf.ts';
import { PDF_LIMITS, readPdf } from '../src/evidence/pdf/read-pdf.ts';

/** Cost of a paper in PDF: time against its limit, memory of the process, and how long the event loop is blocked. */
const LINE = {
  text: 'A client that restarts reads the last checkpoint and compares the result with two peers before it signs.',
};
const TIMES = 10;

for (const pages of [4, 60, 600]) {
  const file = new TextEncoder().encode(pdfOf(new Array(pages).fill(new Array(50).fill(LINE))));
  const before = process.memoryUsage().rss;
  let [highest, longestPause, last] = [before, 0, performance.now()];
  const watch = setInterval(() => {
    const now = performance.now();
    longestPause = Math.max(longestPause, now - last - 5);
    last = now;
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 5);
  const took: number[] = [];
  for (let round = 0; round < TIMES; round += 1) {
    const started = performance.now();
    await readPdf(file, AbortSignal.timeout(60_000));
    took.push(performance.now() - started);
  }
  clearInterval(watch);
  took.sort((a, b) => a - b);
  const median = took[TIMES / 2] ?? 0;
  console.log(
    `${pages} pages, ${Math.round(file.byteLength / 1_024)} KiB: median ${Math.round(median)} ms (${((100 * median) / PDF_LIMITS.milliseconds).toFixed(1)} % of the limit), ` +
      `${Math.round((highest - before) / 1_048_576)} MiB more, event loop late by at most ${Math.round(longestPause)} ms`,
  );
}
